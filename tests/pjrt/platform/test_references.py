# SPDX-License-Identifier: Apache-2.0
"""Operations that StableHLO does not have: run on the host between compiled segments, with the reference's results."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from olympus_conformance.samples.catalogue import catalogue, dtypes_of, instances
from olympus_conformance.samples.compare import require_results
from olympus_conformance.samples.instance import inputs_of, program_of, results_of
from olympus_core import ops
from olympus_core.plugin import PlatformSettings
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value, run_members
from olympus_core.toolkit.fallbacks import FallbackLog
from olympus_pjrt import segments
from olympus_pjrt.stablehlo import EMISSIONS

from .opening import Opened

LACKING = sorted(name for name in catalogue() if name not in EMISSIONS)
VECTOR, INDEX = ArrayType((3,), np.dtype(np.float32)), ArrayType((), np.dtype(np.int32))


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    it = Opened(PlatformSettings(device_count=2))
    yield it
    it.client.close()


def run(opened: Opened, whole: Program, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    executable = opened.compile(whole, opened.devices[:1])
    found = executable.execute([[opened.put(np.asarray(x), opened.devices[0])] for x in inputs])
    return [column[0].to_host() for column in found]


@pytest.mark.parametrize("name", LACKING)
def test_each(name: str, opened: Opened) -> None:
    found = instances(name, dtypes_of(name)[0], "plain")[:4]
    whole = program_of(found)
    for instance, results in zip(found, results_of(found, run(opened, whole, inputs_of(found))), strict=True):
        require_results(instance, results, whole.text)


def program(types: Sequence[ArrayType], body) -> Program:
    builder = ProgramBuilder("lacking")
    return builder.finish(body(builder, [builder.input(t) for t in types]))


def test_inside_of_loops_and_branches_on_two_devices(
    opened: Opened, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "_note_fallback", FallbackLog(logging.getLogger("olympus.pjrt"), "the host"))

    def turn(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        (one,) = b.emit(ops.constant, [], {"value": np.asarray(1, np.int32)})
        return [*b.emit(ops.add, [v[0], one]), *b.emit(ops.bessel_i0e, b.emit(ops.add, [v[1], v[1]]))]

    def more(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        (end,) = b.emit(ops.constant, [], {"value": np.asarray(3, np.int32)})
        return b.emit(ops.lt, [v[0], end])

    def bessel(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        return b.emit(ops.bessel_i0e, [v[0]])

    def body(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        loop = [program([INDEX, VECTOR], more), program([INDEX, VECTOR], turn)]
        _, last = b.emit(ops.while_, [v[1], v[0]], {"constants": 0}, loop)
        plain = program([VECTOR], lambda b, v: b.emit(ops.sin, [v[0]]))
        (chosen,) = b.emit(ops.cond, [v[1], v[0]], {}, [plain, program([VECTOR], bessel)])
        return [*b.emit(ops.mul, [last, chosen]), chosen]

    whole = program([VECTOR, INDEX], body)
    columns = [[np.float32([0.5, 1, 2]), np.float32([3, 0.1, 5])], [np.asarray(i, np.int32) for i in range(2)]]
    with caplog.at_level(logging.WARNING, "olympus.pjrt"):
        executable = opened.compile(whole, opened.devices)
        buffers = [[opened.put(x, d) for x, d in zip(column, opened.devices, strict=True)] for column in columns]
        found = [[buffer.to_host() for buffer in column] for column in executable.execute(buffers)]
    for mine, wanted in zip(found, run_members(whole, columns, (0, 1)), strict=True):
        for x, y in zip(mine, wanted, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-5)
    told = [r.message for r in caplog.records if "bessel_i0e" in r.message]
    assert len(told) == 1 and "the host runs it" in told[0]
