# SPDX-License-Identifier: Apache-2.0
"""Works of linear algebra over the stand-in for cuSOLVER and cuBLAS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cuda.codegen.module import Module
from olympus_cuda.gpu import Gpu
from olympus_cuda.linear_algebra.library import LibraryCall, has_geev
from olympus_cuda.linear_algebra.plan import LinearAlgebraWork
from olympus_cuda.linear_algebra.table import linear_algebra_work
from olympus_cuda.memory import StreamContext
from olympus_cuda.transfer import downloaded, uploaded

from ..standin import driver

DTYPES = [np.dtype(d) for d in (np.float32, np.float64, np.complex64, np.complex128)]


class Code:
    """Machine code of the stand-in's compiler; there is no cache."""

    choices = None

    def functions(self, module: Module, ordinal: int, name: str) -> Callable[[str], int]:
        """The functions of a module."""
        loaded = driver.moduleLoadData(b"olympus emulated\n" + module.text.encode())
        return lambda function: driver.moduleGetFunction(loaded, function)


def operation_of(name: str, values: Sequence[np.ndarray], attributes: dict[str, Any]) -> Operation:
    """An operation on values of the arrays' types."""
    record = ops.OPERATIONS[name]
    types = [ArrayType(v.shape, v.dtype) for v in values]
    results = record.type_rule(types, attributes, ())
    return Operation(record, tuple(map(Value, types)), attributes, (), tuple(map(Value, results)), None)


def functions_of(work: LinearAlgebraWork) -> list[str]:
    """The library's functions that it calls."""
    return [step.function for step in work.steps if isinstance(step, LibraryCall)]


def both(
    gpu: Gpu, name: str, *values: np.ndarray, functions: str = "", **attributes: Any
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The results of an operation's work, and of its record's reference.

    Args:
        gpu: The driver interface to GPUs of the stand-in.
        name: The operation.
        values: Its operands.
        functions: The library's functions that it is to call, with a blank between them.
        attributes: Its attributes.
    """
    operation = operation_of(name, values, attributes)
    work = linear_algebra_work(operation, has_geev(gpu))
    assert work is not None and operation.record.reference is not None
    if functions:
        assert [function.lstrip("sdcz") for function in functions_of(work)] == functions.split()
    context = StreamContext(gpu, 1, "GPU 1")
    gpu.use(0)
    code: Any = Code()
    enqueue = work.prepare(gpu, 1, code)
    operands = [uploaded(np.ascontiguousarray(v), context) for v in values]
    results = [context.allocate(v.type.nbytes) for v in operation.results]
    size = work.scratch_on(gpu, 1)
    scratch = context.allocate(size) if size else None
    gpu.use(1)
    with context.lock:
        enqueue(context.stream, [x.ptr for x in (*operands, *results)], scratch.ptr if scratch is not None else 0)
        context.ticks += 1
    found = [downloaded(x, v.type.shape, v.type.dtype) for x, v in zip(results, operation.results, strict=True)]
    for operand, value in zip(operands, values, strict=True):
        np.testing.assert_array_equal(downloaded(operand, value.shape, value.dtype), value)
    del operands, results, scratch
    context.close()
    return found, list(operation.record.reference(values, attributes))


def matrices(shape: tuple[int, ...], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    """Normal numbers."""
    random = np.random.default_rng(seed)
    x = random.normal(size=shape)
    return (x + 1j * random.normal(size=shape) if dtype.kind == "c" else x).astype(dtype)


def adjoint(x: np.ndarray) -> np.ndarray:
    """The conjugate transposes."""
    return np.swapaxes(x, -1, -2).conj()


def close(found: np.ndarray, expected: np.ndarray, factor: float = 1.0) -> None:
    """Equal up to rounding errors that grow with the size of the matrices, relative to the greatest element."""
    assert found.shape == expected.shape
    eps = np.finfo(found.dtype).eps * factor * 100 * max(found.shape[-2:], default=1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=eps * max(1.0, float(np.abs(expected).max(initial=0))))
