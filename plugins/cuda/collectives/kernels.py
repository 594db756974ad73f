# SPDX-License-Identifier: Apache-2.0
"""The kernels of collectives beside NCCL's: strided copies, conversions, and reductions on one GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OlympusInternalError
from olympus_core.ops.reduce import combining
from olympus_core.plugin import Reduction
from olympus_core.toolkit.reduce import left_half, working_dtype

from ..codegen import functions
from ..codegen.module import Launch, Module

if TYPE_CHECKING:
    from ..compiled.code import CodeStore

THREADS = 256
_WORDS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long", 16: "olympus_complex128"}
_SIZE = "unsigned long long"
_INDEX = f"    {_SIZE} i = ({_SIZE})blockIdx.x * {THREADS} + threadIdx.x;\n    if (i >= count) return;\n"


def rows_module(word: int) -> Module:
    """Copies rows of words between arrays with different pitches."""
    kind = _WORDS[word]
    arguments = f"const {kind}* x, {kind}* y, {_SIZE} count, {_SIZE} width, {_SIZE} x_pitch, {_SIZE} y_pitch"
    return _module(f"rows_{word}", arguments, f"    {_SIZE} row = i / width, column = i % width;\n"
                   "    y[row * y_pitch + column] = x[row * x_pitch + column];\n")


def converted_module(source: np.dtype, target: np.dtype) -> Module:
    """Converts elements to another type."""
    value = f"olympus_convert_{target.name}(olympus_load_{source.name}(x[i]))"
    return _module(f"converted_{source.name}_{target.name}", _arrays(source, target) + f", {_SIZE} count",
                   f"    y[i] = olympus_store_{target.name}({value});\n")


def ordered_module(dtype: np.dtype, reduction: str, back: bool) -> Module:
    """Converts floats to integers of the same order, with NaN beyond all others; or back.

    The bits of a float, read as a signed integer, are in the order of the floats where the sign bit is clear, and in
    the reverse order where it is set; flipping the other bits of negative numbers makes one order of both.
    """
    double = dtype == dtypes.float64
    whole = dtypes.int64 if double else dtypes.int32
    signed, mask = ("long long", "0x7fffffffffffffffll") if double else ("int", "0x7fffffff")
    beyond = mask if reduction == "max" else f"(-{mask} - 1)"
    to_bits, of_bits = ("__double_as_longlong", "__longlong_as_double") if double else (
        "__float_as_int", "__int_as_float")
    nan = f"{of_bits}({'0x7ff8000000000000ll' if double else '0x7fc00000'})"
    if back:
        return _module(
            f"unordered_{dtype.name}_{reduction}", _arrays(whole, dtype) + f", {_SIZE} count",
            f"    {signed} k = x[i];\n    auto v = k == {beyond} ? {nan} : {of_bits}(k < 0 ? k ^ {mask} : k);\n"
            f"    y[i] = olympus_store_{dtype.name}(v);\n")
    return _module(
        f"ordered_{dtype.name}_{reduction}", _arrays(dtype, whole) + f", {_SIZE} count",
        f"    auto v = olympus_load_{dtype.name}(x[i]);\n    {signed} k = {to_bits}(v);\n"
        f"    y[i] = v != v ? {beyond} : k < 0 ? k ^ {mask} : k;\n")


def reduced_module(dtype: np.dtype, reduction: Reduction, participants: int) -> Module:
    """Reduces consecutive arrays, in the order of the tree that all transports of the toolkit use."""
    work = working_dtype(dtype)
    function = functions.function_of(combining(reduction, dtype).name, work)
    if function is None:
        raise OlympusInternalError(f"there is no device function for the {reduction} of {dtype.name}")

    def tree(start: int, stop: int) -> str:
        if stop - start == 1:
            return f"olympus_load_{dtype.name}(x[i + {start} * count])"
        middle = start + left_half(stop - start)
        return f"{function}({tree(start, middle)}, {tree(middle, stop)})"

    return _module(f"reduced_{dtype.name}_{reduction}_{participants}", _arrays(dtype, dtype) + f", {_SIZE} count",
                   f"    y[i] = olympus_store_{dtype.name}({tree(0, participants)});\n")


class Kernels:
    """The kernels that are loaded into this process's GPUs, each compiled at its first use.

    Args:
        store: The client's machine code.
    """

    def __init__(self, store: CodeStore) -> None:
        self._store = store
        self._known: dict[tuple[Any, ...], int] = {}

    def handle(self, ordinal: int, make: Callable[..., Module], *facts: Any) -> int:
        """The handle of a kernel in a GPU: of the module that `make` returns for some arguments."""
        key = (ordinal, make, *facts)
        found = self._known.get(key)
        if found is None:
            module = make(*facts)
            (name,) = module.launches
            found = self._known[key] = self._store.functions(module, ordinal, name)(name)
        return found


def _arrays(source: np.dtype, target: np.dtype) -> str:
    return f"const {functions.storage_type(source)}* x, {functions.storage_type(target)}* y"


def _module(name: str, arguments: str, body: str) -> Module:
    text = f'extern "C" __global__ void __launch_bounds__({THREADS}) {name}({arguments}) {{\n{_INDEX}{body}}}\n'
    text = functions.needed(functions.mentioned(text)) + text
    return Module(text, {name: (Launch(name, 0, THREADS),)})
