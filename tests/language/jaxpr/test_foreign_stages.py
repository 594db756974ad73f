# SPDX-License-Identifier: Apache-2.0
"""Foreign functions of several stages: state, threads, memory, futures, and what they do wrong; compiled from C."""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
from olympus import ffi, lax
from olympus.errors import ArgumentError, ForeignCallError
from olympus.ffi import interface

SOURCE = Path(__file__).with_name("stages.c")
KIND = olympus.ShapeDtypeStruct((6,), "float32")
X = np.arange(6, dtype=np.float32)
TWO, THREE = np.float32(2), np.float32(3)


def word(library: ctypes.CDLL, name: str) -> int:
    return ctypes.c_int64.in_dll(library, name).value


@pytest.fixture(scope="module")
def library(tmp_path_factory: Any) -> Any:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("there is no C compiler")
    built = tmp_path_factory.mktemp("library") / "stages.so"
    subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-I", ffi.include_dir(), str(SOURCE),
                    "-o", str(built)], check=True)
    found = ctypes.CDLL(str(built))
    address = ctypes.addressof
    ffi.register_ffi_type("counter of the tests", {
        "type_id": ffi.pycapsule(address(ctypes.c_int64.in_dll(found, "counter_id"))),
        "type_info": ffi.pycapsule(address(ctypes.c_int64.in_dll(found, "counter_info")))})
    ffi.register_ffi_target("counted", {stage: ffi.pycapsule(getattr(found, f"counted_{stage}")) for stage in (
        "instantiate", "prepare", "initialize", "execute")})
    for name in ("without_state", "squared", "wrong", "registering"):
        ffi.register_ffi_target(name, ffi.pycapsule(getattr(found, name)))
    return found


def test_a_state_belongs_to_one_call_of_a_program(library: Any) -> None:
    counted = ffi.ffi_call("counted", KIND, has_side_effect=True)
    before = word(library, "instantiated"), word(library, "deleted")
    f = olympus.jit(lambda x: (counted(x, factor=TWO), counted(x, factor=THREE)))
    for times in range(3):  # each call has its own state, which counts
        two, three = f(X)
        np.testing.assert_array_equal(two, X * 2 + times)
        np.testing.assert_array_equal(three, X * 3 + times)
    assert word(library, "instantiated") - before[0] == 2
    assert word(library, "deleted") - before[1] == 2 * 2 * 3  # of each execution those of two stages
    g = olympus.jit(lambda x: counted(x, factor=TWO))  # another program, of the same text
    np.testing.assert_array_equal(g(X), X * 2)
    looped = olympus.jit(lambda x: lax.scan(lambda c, _: (c, counted(c, factor=TWO)), x, None, length=3)[1])
    np.testing.assert_array_equal(looped(X), [X * 2, X * 2 + 1, X * 2 + 2])
    np.testing.assert_array_equal(counted(X, factor=TWO), X * 2)
    np.testing.assert_array_equal(counted(X, factor=TWO), X * 2)  # at once: each time a call of its own
    gc.collect()
    made, ended = word(library, "instantiated") - before[0], word(library, "deleted") - before[1]
    assert made == 6 and ended >= 2 * (2 * 3 + 1 + 3 + 2) + 2  # with those of the calls at once


def test_an_error_of_the_first_stage_comes_again(library: Any) -> None:
    f = olympus.jit(lambda x: ffi.ffi_call("counted", KIND)(x, factor=np.float32(-1)))
    for _ in range(2):
        with pytest.raises(ForeignCallError, match="INVALID_ARGUMENT: the factor is negative"):
            f(X).block_until_ready()


def test_tasks_and_futures(library: Any) -> None:
    squared = ffi.ffi_call("squared", KIND)
    for wrap in (lambda f: f, olympus.jit):
        np.testing.assert_array_equal(wrap(squared)(X), X * X)
    many = np.arange(40_000, dtype=np.float32)
    np.testing.assert_array_equal(
        olympus.jit(ffi.ffi_call("squared", olympus.ShapeDtypeStruct(many.shape, "float32")))(many), many * many)
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])
    spec = olympus.P("i")
    part = ffi.ffi_call("squared", olympus.ShapeDtypeStruct((3,), "float32"))
    mapped = olympus.jit(olympus.shard_map(part, mesh=mesh, in_specs=spec, out_specs=spec))
    np.testing.assert_array_equal(mapped(X), X * X)
    with pytest.raises(ForeignCallError, match="DATA_LOSS: a task has failed"):
        squared(X - 1)
    np.testing.assert_array_equal(squared(X), X * X)


def test_a_future_that_nobody_ends(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interface, "PATIENCE", 0.01)
    ffi.register_ffi_target("endless", ffi.pycapsule(library.endless))
    with pytest.raises(ForeignCallError, match=r"DEADLINE_EXCEEDED: nobody has ended its future in 0.01 s"):
        ffi.ffi_call("endless", KIND)(X)


@pytest.mark.parametrize(("which", "said"), [
    (0, "memory is freed that this call has not allocated"), (1, "NOT_FOUND: no type with the number 12345"),
    (2, "execution context is none"), (3, "ALREADY_EXISTS: there is a state of the stage execute"),
    (4, "an alignment of 3 is no power of two"), (6, "UNIMPLEMENTED: there is no stream: calls run on the host"),
    (7, "UNIMPLEMENTED: a call runs on the host, with the values of all devices")])
def test_wrong_calls_of_the_interface_are_errors(library: Any, which: int, said: str) -> None:
    with pytest.raises(ForeignCallError, match=said):
        ffi.ffi_call("wrong", KIND)(X, which=np.int64(which))


def test_errors_are_read_and_destroyed_and_state_is_missed(library: Any) -> None:
    ffi.ffi_call("wrong", KIND, input_output_aliases={0: 0})(X, which=np.int64(5))
    with pytest.raises(ForeignCallError, match="NOT_FOUND: no state was set in the stage instantiate"):
        ffi.ffi_call("without_state", KIND)(X)


def test_a_library_registers_its_functions_itself(library: Any) -> None:
    ffi.ffi_call("registering", KIND)(X)
    np.testing.assert_array_equal(ffi.ffi_call("from inside", KIND)(X), X * X)


def test_types_have_one_number_each() -> None:
    first, second, other = ctypes.c_int64(0), ctypes.c_int64(0), ctypes.c_int64(0)
    for number in (first, second):
        ffi.register_ffi_type_id("a type of the tests", ffi.pycapsule(ctypes.pointer(number)))
    ffi.register_ffi_type("another type of the tests", {"type_id": ffi.pycapsule(ctypes.pointer(other))})
    assert first.value == second.value != other.value
    with pytest.raises(ArgumentError, match="has the number"):
        ffi.register_ffi_type_id("a type of the tests", ffi.pycapsule(ctypes.pointer(other)))
    with pytest.raises(ArgumentError, match="another type has the number"):
        ffi.register_ffi_type_id("a third type of the tests", ffi.pycapsule(ctypes.pointer(other)))
    for wrong in (3, {}, {"type_info": None}, {"type_id": 3}):
        with pytest.raises(ArgumentError, match="register_ffi_type"):
            ffi.register_ffi_type("wrong", wrong)  # type: ignore[arg-type]


def test_stages_that_there_are_not() -> None:
    for wrong in ({"instantiate": None}, {"execute": None, "later": None}, {"instantiate": None, "execute": None}):
        with pytest.raises(ArgumentError, match="other stages"):
            ffi.register_ffi_target("wrong", wrong)
