# SPDX-License-Identifier: Apache-2.0
"""Artefacts: every operation survives being stored; bytes that are none are refused, whatever they are."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import olympus
import olympus.numpy as jnp
from olympus import export
from olympus.errors import ArtefactError
from olympus.export.artefacts import from_bytes, to_bytes
from olympus.export.encoding import Decoder, Encoder
from olympus_conformance.samples.catalogue import catalogue, dtypes_of, instances
from olympus_core import dtypes, ops
from olympus_core.placement import Mesh
from olympus_core.program import Program, ProgramBuilder
from tests.partition.programs import programs

MESH = Mesh(np.array(olympus.devices()).reshape(4, 2), ("x", "y"))


def again(program: Program) -> Program:
    encoder = Encoder("test")
    data = json.loads(json.dumps(encoder.program(program)))
    header, arrays = from_bytes(to_bytes({"program": data}, encoder.arrays, lambda a: [
        dtypes.name_of(a.dtype), *a.shape]))
    return Decoder(arrays, lambda mesh: MESH if mesh.shape_tuple == MESH.shape_tuple else mesh).program(
        header["program"])


def test_every_operation_is_stored() -> None:
    stored = set()
    for name, record in ops.OPERATIONS.items():
        if record.category in ("host", "collective"):
            continue
        for dtype in dtypes_of(name) if name in catalogue() else ():
            instance = instances(name, dtype)[0]
            builder = ProgramBuilder("one")
            operands = [builder.input(t) for t in instance.operand_types]
            program = builder.finish(builder.emit(record, operands, instance.attributes, instance.regions))
            assert again(program).text == program.text
            stored.add(name)
    left = {name for name, record in ops.OPERATIONS.items() if record.category not in ("host", "collective")} - stored
    assert left <= {"call", "manual", "sharding_constraint"}, left  # these are in the random programs


@settings(deadline=None, max_examples=40)
@given(programs(MESH))
def test_random_programs_are_stored(program: Program) -> None:
    assert again(program).fingerprint == program.fingerprint


@pytest.fixture(scope="module")
def blob() -> bytes:
    def f(x: Any, p: Any) -> Any:
        y = olympus.lax.scan(lambda c, r: (c + r, c * 2.5), jnp.zeros(3), x)
        return {"y": y, "z": jnp.fft.fft(p["a"]) @ jnp.linspace(0.0, 1.0, 4).astype(complex)}

    return bytes(export.export(olympus.jit(f))(jnp.ones((2, 3)), {"a": jnp.ones(4)}).serialize(1))


def signed(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()


def refused(data: bytes) -> bool:
    """Whether the bytes are refused; else they must be a program that can be read again."""
    try:
        made = export.deserialize(data)
    except ArtefactError:
        return True
    assert export.deserialize(made.serialize()).in_avals == made.in_avals
    return False


def test_damaged_bytes_are_refused(blob: bytes) -> None:
    draw = random.Random(0)
    for _ in range(200):
        place = draw.randrange(len(blob))
        assert refused(blob[:place] + bytes([blob[place] ^ (1 << draw.randrange(8))]) + blob[place + 1:])
        assert refused(blob[:place])
    for data in (b"", b"\0" * 100, blob + b"x", b"OLXPROG\0", signed(b"OLXPROG\0" + b"\xff" * 60)):
        assert refused(data)


def test_another_version_is_refused(blob: bytes) -> None:
    later = signed(blob[:8] + (2).to_bytes(4, "little") + blob[12:-32])
    with pytest.raises(ArtefactError, match="version 2"):
        export.deserialize(later)


def mutated(draw: random.Random, data: Any) -> Any:
    """The header with one thing in it changed."""
    if isinstance(data, dict) and data and draw.random() < 0.9:
        key = draw.choice(sorted(data))
        if draw.random() < 0.05:
            return {k: v for k, v in data.items() if k != key}
        return {**data, key: mutated(draw, data[key])}
    if isinstance(data, list) and data and draw.random() < 0.9:
        i = draw.randrange(len(data))
        if draw.random() < 0.1:
            return data[:i] + data[i + 1:]
        return [*data[:i], mutated(draw, data[i]), *data[i + 1:]]
    return draw.choice([None, True, -1, 0, 1, 3, 1 << 40, 1 << 70, 0.5, "", "add", "float64", "sort", [], {}, {"t": []},
                        {"f": "nan"}, {"d": "bfloat16"}, {"a": 0}, {"mesh": [["x", 2, "Auto"]]}, ["float32", -1],
                        ["float32", 1 << 62], {"t": [{"t": [1]}]}, {"axes": [1, 2, 3]}, {"x": 1}])


def test_hostile_headers_are_refused_or_harmless(blob: bytes) -> None:
    header, arrays = from_bytes(blob)
    draw, count = random.Random(1), 0
    for _ in range(600):
        changed = header
        for _ in range(draw.choice([1, 1, 2, 5])):
            changed = mutated(draw, changed)
        if not isinstance(changed, dict):
            continue
        count += refused(to_bytes(changed, arrays, lambda a: [dtypes.name_of(a.dtype), *a.shape]))
    assert count > 300


def nested(text: bytes) -> bytes:
    return signed(b"OLXPROG\0" + (1).to_bytes(4, "little") + len(text).to_bytes(8, "little") + text)


@pytest.mark.parametrize("text", [
    b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 50_000 + b"1" + b"}" * 50_000, b"[]", b"nan", b'{"arrays": NaN}',
    b"9" * 5000, b'{"arrays": [[["float32", 4], 0]], "bytes": 0}', b'{"arrays": [[["float32", -4], 0]], "bytes": 0}',
    b'{"arrays": [[["key<fry>", 1], 18446744073709551615]], "bytes": 0}', b"\xff\xfe"])
def test_headers_that_are_none(text: bytes) -> None:
    assert refused(nested(text))
