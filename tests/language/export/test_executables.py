# SPDX-License-Identifier: Apache-2.0
"""Executables as bytes: the code is loaded, not compiled again; bytes of strangers and other machines are refused."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors
from olympus.experimental import serialize_executable
from olympus.export import executables
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P

WEIGHTS = np.random.default_rng(0).standard_normal((6, 5)).astype(np.float32)
X = np.random.default_rng(1).standard_normal((8, 6)).astype(np.float32)


def layer(x: Any, params: dict[str, Any]) -> Any:
    return {"y": jnp.tanh(x @ params["w"]) + params["b"], "n": olympus.lax.fori_loop(0, 3, lambda i, v: v * 2, 1.5)}


PARAMS = {"w": WEIGHTS, "b": np.arange(5, dtype=np.float32)}


@pytest.fixture(scope="module")
def compiled() -> Any:
    return olympus.jit(layer).lower(X, PARAMS).compile()


@pytest.fixture(scope="module")
def stored(compiled: Any) -> Any:
    return serialize_executable.serialize(compiled)


def equal(found: Any, expected: Any) -> None:
    assert olympus.tree.structure(found) == olympus.tree.structure(expected)
    for a, b in zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True):
        assert a.dtype == b.dtype and a.weak_type == b.weak_type and a.sharding == b.sharding
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_it_computes_the_same_bits(compiled: Any, stored: Any) -> None:
    found = serialize_executable.deserialize_and_load(*stored)
    assert isinstance(found, olympus.stages.Compiled) and found.in_tree == compiled.in_tree
    equal(found(X, PARAMS), compiled(X, PARAMS))
    assert found.as_text() == compiled.as_text()
    with pytest.raises(errors.ArgumentError, match="another type"):
        found(X[:4], PARAMS)
    with pytest.raises(errors.ArgumentError, match="other arguments"):
        found(X)


def test_arrays_from_outside_and_donation_and_shardings_travel() -> None:
    mesh = olympus.make_mesh((2, 4), ("x", "y"))
    sharding = NamedSharding(mesh, P("x"))
    outside = olympus.device_put(jnp.arange(8.0), sharding)

    def scaled(x: Any) -> Any:
        return jnp.cumsum(x * outside), jnp.sum(x)

    x = olympus.device_put(jnp.arange(8.0) + 1, sharding)
    one = olympus.jit(scaled, donate_argnums=0).lower(x).compile()
    found = serialize_executable.deserialize_and_load(*serialize_executable.serialize(one))
    assert found.input_shardings == one.input_shardings and found.args_info == one.args_info
    expected = scaled(x)
    result = found(x)
    equal(result[1], expected[1])
    np.testing.assert_array_equal(result[0], expected[0])
    assert x.is_deleted()


def test_nothing_is_compiled_where_it_is_loaded(stored: Any, tmp_path: Path) -> None:
    (tmp_path / "stored").write_bytes(pickle.dumps(stored[0]))
    program = """
import pickle, sys, numpy as np, olympus
from olympus.experimental import serialize_executable
from olympus_cpu.native import linker
def refuse(*_): raise AssertionError("compiled")
linker._generate = refuse
with open(sys.argv[1], "rb") as file: blob = pickle.load(file)
in_tree = olympus.tree.structure(((0, {"w": 0, "b": 0}), {}))
found = serialize_executable.deserialize_and_load(blob, in_tree, olympus.tree.structure({"y": 0, "n": 0}))
x, w, b = (np.full(s, 0.25, np.float32) for s in ((8, 6), (6, 5), 5))
print(np.asarray(found(x, {"w": w, "b": b})["y"])[0, 0], found(x, {"w": w, "b": b})["n"])
"""
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "stored")], capture_output=True, text=True,
        env={**os.environ, "OLYMPUS_ENABLE_COMPILATION_CACHE": "0"})
    assert run.returncode == 0, run.stderr
    value, count = map(float, run.stdout.split())
    assert value == pytest.approx(np.tanh(6 / 16) + 0.25, rel=1e-6) and count == 12


def test_damaged_bytes_are_refused(stored: Any) -> None:
    blob, *trees = stored
    choose = random.Random(0)
    for _ in range(60):
        wrong = bytearray(blob)
        if choose.random() < 0.3:
            del wrong[choose.randrange(len(wrong)):]
        else:
            wrong[choose.randrange(len(wrong))] ^= 1 << choose.randrange(8)
        with pytest.raises(errors.ExecutableError):
            serialize_executable.deserialize_and_load(bytes(wrong), *trees)


def test_bytes_of_another_user_are_refused(stored: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executables, "_signer", lambda: executables.Signer(b"s" * 32))
    with pytest.raises(errors.ExecutableError, match="another user.*\n*.*OLYMPUS_CACHE_KEY_FILE|another user"):
        serialize_executable.deserialize_and_load(*stored)


@pytest.mark.parametrize("field, value, said", [
    ("identity", "z80", "another processor"), ("release", "0.0", "another version"),
    ("platform", "abacus", "platform"),
    ("devices", [900], "not here"), ("donated", [77], "integer"),
    ("program", {}, "other fields"), ("codes", 3, "object"),
])
def test_what_does_not_fit_here_is_refused(stored: Any, field: str, value: Any, said: str) -> None:
    from olympus.export.artefacts import from_bytes, to_bytes
    from olympus.export.encoding import Encoder
    from olympus_core.program import ArrayType

    blob, *trees = stored
    header, arrays = from_bytes(blob[executables._SIGNED_FROM:])
    payload = to_bytes({**header, field: value}, arrays, lambda a: Encoder("").type(ArrayType(a.shape, a.dtype)))
    head = executables.MAGIC + executables.VERSION.to_bytes(4, "little")
    with pytest.raises(errors.ExecutableError, match=said):
        serialize_executable.deserialize_and_load(head + executables._signer().sign(head, payload) + payload, *trees)


def test_other_structures_devices_and_platforms_are_refused(stored: Any) -> None:
    blob, in_tree, out_tree = stored
    with pytest.raises(errors.ExecutableError, match="structures"):
        serialize_executable.deserialize_and_load(blob, out_tree, in_tree)
    with pytest.raises(errors.ExecutableError, match="execution_devices"):
        serialize_executable.deserialize_and_load(*stored, execution_devices=olympus.devices()[:2])
    with pytest.raises(errors.ExecutableError, match="platform"):
        serialize_executable.deserialize_and_load(*stored, backend="cuda")
    other = olympus.devices()[3]
    found = serialize_executable.deserialize_and_load(*stored, execution_devices=[other])
    assert found(X, PARAMS)["y"].devices() == {other}


def test_what_cannot_be_serialized_says_so() -> None:
    with pytest.raises(errors.ArgumentError, match="compiled function"):
        serialize_executable.serialize(jnp.sin)

    def told(x: Any) -> Any:
        return olympus.pure_callback(np.sin, x, x)

    with pytest.raises(errors.NotExportableError, match="host"):
        serialize_executable.serialize(olympus.jit(told).lower(X).compile())
