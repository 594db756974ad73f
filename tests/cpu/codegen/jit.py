# SPDX-License-Identifier: Apache-2.0
"""Runs functions that tests write, on NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from olympus_cpu.codegen.builder import FunctionBuilder, Ir, module_text
from olympus_cpu.codegen.target import Target
from olympus_cpu.native import linker

_libraries: list[Any] = []

HOST = Target.host()
# This machine's instructions without those that a plain x86-64 lacks.
PLAIN = Target.named("x86-64") if HOST.is_x86 else HOST


_generator = lru_cache(None)(Target.machine)


def jit_for_tests(text: str, names: Sequence[str], target: Target = HOST) -> dict[str, int]:
    """Addresses of a module's functions."""
    import llvmlite.binding as llvm

    with llvm.parse_assembly(text, context=llvm.create_context()) as module:
        module.verify()
        code = bytes(_generator(target).emit_object(module))
    library, addresses = linker.load_object(code, names, {})
    _libraries.append(library)
    return addresses


def object_code(text: str, target: Target) -> bytes:
    """Machine code for any target."""
    import llvmlite.binding as llvm

    with llvm.parse_assembly(text, context=llvm.create_context()) as module:
        module.verify()
        return bytes(target.machine().emit_object(module))


def assembly(text: str, target: Target) -> str:
    """Instructions for any target, to read."""
    import llvmlite.binding as llvm

    with llvm.parse_assembly(text, context=llvm.create_context()) as module:
        module.verify()
        return str(target.machine().emit_assembly(module))


DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "half": np.float16,
          "bfloat": np.uint16, "float": np.float32, "double": np.float64}

Write = Callable[..., Ir]


def loop_text(write: Write, operands: Sequence[str], result: str, lanes: int, target: Target) -> str:
    """A module with a function f(operands..., result, count) that goes through arrays by whole vectors."""
    parameters = [(f"x{place}", "ptr") for place in range(len(operands))]
    b = FunctionBuilder(target, "f", [*parameters, ("result", "ptr"), ("count", "i64")])
    with b.for_loop(b.constant(0, "i64"), b.parameter("count"), lanes) as iteration:
        values = [
            b.load(b.gep(b.parameter(name), iteration.index, element), element, lanes)
            for (name, _), element in zip(parameters, operands, strict=True)
        ]
        value = write(b, *values)
        if value.element == "i1":
            value = b.zext(value, "i8")
        b.store(b.gep(b.parameter("result"), iteration.index, value.element), value)
        iteration.next([])
    b.ret()
    return module_text([b])


def elementwise(
    write: Write, operands: Sequence[str], result: str, lanes: int, target: Target = HOST
) -> Callable[..., np.ndarray]:
    """A function of arrays out of one that writes code for vectors; the last vector is filled up with ones."""
    address = jit_for_tests(loop_text(write, operands, result, lanes, target), ["f"], target)["f"]
    native = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(operands) + 1), ctypes.c_int64)(address)

    def run(*arrays: np.ndarray) -> np.ndarray:
        total = arrays[0].size
        padded = -(-total // lanes) * lanes
        given = []
        for array, element in zip(arrays, operands, strict=True):
            full = np.ones(padded, DTYPES[element])
            full[:total] = array.ravel()
            given.append(full)
        out = np.zeros(padded, DTYPES[result])
        native(*(a.ctypes.data for a in given), out.ctypes.data, padded)
        return out[:total].reshape(arrays[0].shape)

    return run


def ulps(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Distance from exact values, in units of the last digit of the result's type; zero where both are equal."""
    kind = found.dtype.type
    info = np.finfo(kind)
    exact = wanted.astype(np.longdouble)
    with np.errstate(all="ignore"):
        rounded = exact.astype(kind)
        exponent = np.frexp(np.abs(exact))[1]
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent - info.nmant - 1, info.minexp - info.nmant))
        distance = np.abs(found.astype(np.longdouble) - exact) / unit
        same = (found == rounded) & ~np.isfinite(rounded) | (np.isnan(found) & np.isnan(exact))
        distance = np.where(same, 0, distance)
        return np.where(np.isnan(distance), np.inf, distance).astype(np.float64)
