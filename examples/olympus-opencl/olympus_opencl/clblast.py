"""Products by CLBlast, where it is installed: of matrices in rows or columns, on devices that are not processors."""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable, Sequence
from ctypes import byref, c_double, c_float, c_size_t, c_void_p
from functools import cache
from typing import Any

import pyopencl as cl

from olympus_core import dtypes

from .devices import Target
from .errors import error_of
from .products import Part, ProductStep

_ROWS, _PLAIN, _TRANSPOSED = 101, 111, 112  # of clblast_c.h
_TYPES: dict[Any, tuple[str, Any]] = {dtypes.float32: ("S", c_float), dtypes.float64: ("D", c_double)}
_LEAST = 1 << 21  # multiplications: fewer are one launch of a generated kernel


@cache
def library() -> Any:
    """CLBlast's interface for C; None where it is not installed."""
    path = ctypes.util.find_library("clblast")
    return ctypes.CDLL(path) if path else None


def by_clblast(step: ProductStep, target: Target) -> Callable[[cl.CommandQueue, Sequence[Any]], cl.Event] | None:
    """What enqueues a product of two operands into a result; None where CLBlast cannot, or is not the quicker one.

    Args:
        step: The product.
        target: The device; on processors generated kernels are quicker.
    """
    dtype, (count, m, n, k) = step.inputs[0].type.dtype, step.sizes
    if (target.is_cpu or dtype not in _TYPES or step.outputs[0].type.dtype != dtype or count * m * n * k < _LEAST
            or any(len(parts) > 1 for parts in step.places.values()) or library() is None):
        return None
    parts = {name: found[0] if found else (1, 1) for name, found in step.places.items()}
    left, right = _matrix(parts["row"], parts["term"]), _matrix(parts["term_right"], parts["column"])
    if left is None or right is None:
        return None
    letter, real = _TYPES[dtype]
    product = getattr(library(), f"CLBlast{letter}gemm" + ("StridedBatched" if count > 1 else ""))
    layouts = [(left[1], parts["batch"][1]), (right[1], parts["batch_right"][1]), (n, m * n)]

    def enqueue(queue: cl.CommandQueue, buffers: Sequence[Any]) -> cl.Event:
        given, event = c_void_p(queue.int_ptr), c_void_p()
        x, y, z = ([c_void_p(buffer.int_ptr), *map(c_size_t, (0, *layout[:1 + (count > 1)]))]
                   for buffer, layout in zip(buffers, layouts, strict=True))
        status = product(_ROWS, left[0], right[0], *map(c_size_t, (m, n, k)), real(1), *x, *y, real(0), *z,
                         *[c_size_t(count)][:count > 1], byref(given), byref(event))
        if status:
            raise error_of(status, str(queue.device.name), "a product by CLBlast")
        return cl.Event.from_int_ptr(event.value, retain=False)

    return enqueue


def _matrix(rows: Part, columns: Part) -> tuple[int, int] | None:
    """Whether a matrix is transposed, and how far its rows or columns are apart; None where neither is dense."""
    if columns[1] == 1:
        return _PLAIN, max(rows[1], columns[0])
    return (_TRANSPOSED, max(columns[1], rows[0])) if rows[1] == 1 else None
