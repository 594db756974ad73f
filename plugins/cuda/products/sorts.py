# SPDX-License-Identifier: Apache-2.0
"""Stable sorts: keys become unsigned integers in the same order, and equal keys keep their order by index.

Rows that fit into shared memory are sorted there by a bitonic network (Batcher 1968), several short ones in a block.
Longer rows are sorted in chunks, which are then merged pairwise in device memory: each element finds its position by a
binary search in the other chunk. Finally all results are gathered by the sorted indices. `top_k` is the end of a sort.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit.passes import Builder, Match, Rule, op, rewriting_pass

from ..codegen import functions
from ..codegen.module import Module
from .dots import Building
from .work_steps import BufferSlice, ProductWork, Variant, module_of

_SHARED_BYTES = 48 << 10
_LONGEST, _SHORTEST = 2048, 32  # elements of a row, or of a chunk of one, that a block sorts
_TOGETHER = 256  # elements of a block of short rows, at least
_THREADS = 256
# Floats as unsigned integers of the same order: NaN above all others, both zeros equal.
_ORDERED = """
__device__ __forceinline__ unsigned ordered(float x) {
    unsigned bits = __float_as_uint(x == 0 ? 0.0f : x);
    return x != x ? 0xffffffffu : bits >> 31 ? ~bits : bits | 0x80000000u;
}
__device__ __forceinline__ unsigned long long ordered(double x) {
    unsigned long long bits = (unsigned long long)__double_as_longlong(x == 0 ? 0.0 : x), sign = 1ull << 63;
    return x != x ? ~0ull : bits & sign ? ~bits : bits | sign;
}
"""
_WORDS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}


def _end_of_sort(new: Builder, match: Match) -> tuple[Value, ...]:
    """A `top_k`: reversed before and after the sort, so that equal elements keep their order."""
    operation, (x,) = match.operation, match.operands
    dimension, shape = operation.attributes["dimension"], x.type.shape
    first = shape[dimension] - operation.attributes["k"]
    indices = new.apply(ops.iota, shape=shape, dtype=dtypes.index_dtype(shape[dimension]), dimension=dimension)
    backwards = new.apply_all(
        ops.sort, *(new.apply(ops.reverse, v, dimensions=(dimension,)) for v in (x, indices)), dimension=dimension,
        keys=1)
    return tuple(_reversed_end(new, ordered, result.type.dtype, dimension, first)
                 for ordered, result in zip(backwards, operation.results, strict=True))


def _reversed_end(new: Builder, x: Value, dtype: np.dtype, dimension: int, first: int) -> Value:
    """The reverse of a slice to the end of a dimension."""
    starts = tuple(first if d == dimension else 0 for d in range(x.type.ndim))
    end = new.apply(ops.slice, x, starts=starts, limits=x.type.shape, strides=(1,) * x.type.ndim)
    return new.apply(ops.reverse, new.convert(end, dtype), dimensions=(dimension,))


# The greatest elements of a dimension are the end of its sort.
TOP_K = rewriting_pass("top-k-by-sort", Rule(op("top_k"), _end_of_sort))


class Keys:
    """The sort keys as unsigned words, the most significant first.

    Args:
        types: The types of the operands that are keys.
    """

    def __init__(self, types: Sequence[ArrayType]) -> None:
        self.sizes: list[int] = []
        self.sources: list[tuple[int, str]] = []  # the operand, and the word as an expression of its element `x`
        for i, type_ in enumerate(types):
            for size, word in _words(type_.dtype):
                self.sizes.append(size)
                self.sources.append((i, word))

    @property
    def count(self) -> int:
        """Number of words."""
        return len(self.sizes)

    @property
    def types(self) -> list[str]:
        """The words' types."""
        return [_WORDS[size] for size in self.sizes]

    def read(self, indent: str, at: str) -> str:
        """Lines that set the words `w0[i]`, ... from the operands' elements at an index."""
        return "\n".join(f"{indent}w{k}[i] = word{k}(x{operand}[{at}]);" for k, (operand, _) in enumerate(self.sources))

    def functions(self, operands: Sequence[ArrayType]) -> str:
        """Device functions that compute the words of an element."""
        return _ORDERED + "".join(
            f"__device__ __forceinline__ {_WORDS[size]} word{k}({functions.storage_type(operands[operand].dtype)} x) "
            f"{{ return {word}; }}\n" for k, (size, (operand, word)) in enumerate(zip(self.sizes, self.sources,
                                                                                        strict=True)))

    def before(self, first: str, second: str) -> str:
        """The condition that one element precedes another: by its words, then by its index."""
        text = f"index[{first}] < index[{second}]"
        for k in reversed(range(self.count)):
            text = f"w{k}[{first}] != w{k}[{second}] ? w{k}[{first}] < w{k}[{second}] : ({text})"
        return text


def sort_work(operation: Operation) -> ProductWork | None:
    """The work of a sort, or None where there is none."""
    types = [v.type for v in operation.operands]
    shape, dimension = types[0].shape, operation.attributes["dimension"]
    if types[0].size == 0:
        return ProductWork(operation.operands, operation.results, (Variant(()),))
    keys = Keys(types[: operation.attributes["keys"]])
    length, inner = shape[dimension], math.prod(shape[dimension + 1:])
    rows = types[0].size // length
    fitting = _SHARED_BYTES // (sum(keys.sizes) + 4)
    piece = min(1 << (fitting.bit_length() - 1) if fitting else 0, _LONGEST)
    if length >= 1 << 31 or piece < _SHORTEST:
        return None
    sorting = _Sorting(keys, types, rows, length, inner)
    building, count = Building(), len(types)
    given = [BufferSlice(i) for i in range(2 * count)]
    if length <= piece:
        building.kernel(partial(sorting.in_blocks, 1 << (length - 1).bit_length(), whole=True), *given)
        return ProductWork(operation.operands, operation.results, (building.variant(),))
    # Two sets of words and indices, which alternate as source and target.
    sets = [[building.room(rows * length * size) for size in (*keys.sizes, 4)] for _ in range(2)]
    building.kernel(partial(sorting.in_blocks, piece, whole=False), *given[:count], *sets[0])
    while piece < length:
        building.kernel(partial(sorting.merging, piece), *sets[0], *sets[1])
        sets.reverse()
        piece *= 2
    building.kernel(sorting.gathering, *given, sets[0][-1])
    return ProductWork(operation.operands, operation.results, (building.variant(),))


class _Sorting:
    """The kernels of one sort."""

    def __init__(self, keys: Keys, types: Sequence[ArrayType], rows: int, length: int, inner: int) -> None:
        self.keys, self.types, self.rows, self.length, self.inner = keys, types, rows, length, inner
        self.index = "unsigned" if rows * length < 1 << 31 else "unsigned long long"
        self.stored = [functions.storage_type(t.dtype) for t in types]
        self.arguments = [f"const {name}* x{i}" for i, name in enumerate(self.stored)]
        self.results = [f"{name}* y{i}" for i, name in enumerate(self.stored)]

    def at(self, row: str, position: str) -> str:
        """The index of an element of a row."""
        if self.inner == 1:
            return f"{row} * {self.length} + {position}"
        return f"{row} / {self.inner} * {self.length * self.inner} + {row} % {self.inner} + ({position}) * {self.inner}"

    def head(self, name: str, arguments: Sequence[str], threads: int) -> str:
        """The head of a kernel."""
        return f'extern "C" __global__ void __launch_bounds__({threads}) {name}({", ".join(arguments)}) {{'

    def in_blocks(self, piece: int, whole: bool) -> Module:
        """Sorts rows, or chunks of rows, in shared memory; writes the results, or words and indices."""
        keys, length, index = self.keys, self.length, self.index
        pieces = 1 if whole else -(-length // piece)
        slot = sum(keys.sizes) + 4
        together = max(1, min(self.rows * pieces, _TOGETHER // piece, _SHARED_BYTES // (piece * slot)))
        slots, total = together * piece, self.rows * pieces
        threads = min(512, max(32, slots // 2))
        swaps = "\n".join(f"{' ' * 20}{{ {t} other = w{k}[low]; w{k}[low] = w{k}[high]; w{k}[high] = other; }}"
                          for k, t in enumerate(keys.types))
        shared = "\n".join(f"    __shared__ {t} w{k}[{slots}];" for k, t in enumerate(keys.types))
        if whole:
            arguments = [*self.arguments, *self.results]
            leave = [f"y{i}[{self.at('row', 'position')}] = x{i}[{self.at('row', 'index[i]')}];"
                     for i in range(len(self.types))]
        else:
            arguments = [*self.arguments, *(f"{t}* v{k}" for k, t in enumerate(keys.types)), "unsigned* order"]
            leave = [f"v{k}[row * {length} + position] = w{k}[i];" for k in range(keys.count)]
            leave.append(f"order[row * {length} + position] = index[i];")
        zeros = " ".join(f"w{k}[i] = 0;" for k in range(keys.count))
        leaving = "\n        ".join(leave)
        body = f"""{keys.functions(self.types)}
{self.head("sorted", arguments, threads)}
{shared}
    __shared__ unsigned index[{slots}];
    for (unsigned i = threadIdx.x; i < {slots}; i += {threads}) {{
        {index} number = ({index})blockIdx.x * {together} + i / {piece}, row = number / {pieces};
        {index} position = number % {pieces} * {piece} + i % {piece};
        index[i] = position < {length} ? (unsigned)position : 0xffffffffu;
        if (number < {total} && position < {length}) {{
{keys.read("            ", self.at("row", "position"))}
        }} else {{
            {zeros}
        }}
    }}
    __syncthreads();
    for (unsigned size = 2; size <= {piece}; size *= 2) {{
        for (unsigned half = size / 2; half > 0; half /= 2) {{
            for (unsigned t = threadIdx.x; t < {slots // 2}; t += {threads}) {{
                unsigned low = 2 * t - (t & (half - 1)), high = low + half;
                bool later = index[low] == 0xffffffffu || index[high] == 0xffffffffu
                    ? index[high] < index[low] : ({keys.before("high", "low")});
                if (later == ((low % {piece} & size) == 0)) {{
{swaps}
                    {{ unsigned other = index[low]; index[low] = index[high]; index[high] = other; }}
                }}
            }}
            __syncthreads();
        }}
    }}
    for (unsigned i = threadIdx.x; i < {slots}; i += {threads}) {{
        {index} number = ({index})blockIdx.x * {together} + i / {piece}, row = number / {pieces};
        {index} position = number % {pieces} * {piece} + i % {piece};
        if (number >= {total} || position >= {length}) continue;
        {leaving}
    }}
}}
"""
        return module_of("sorted", body, -(-total // together), threads)

    def merging(self, piece: int) -> Module:
        """Merges adjacent chunks: from one set of words and indices into the other."""
        keys, length, index = self.keys, self.length, self.index
        total = self.rows * length
        arguments = [*(f"const {t}* w{k}" for k, t in enumerate(keys.types)), "const unsigned* index",
                     *(f"{t}* v{k}" for k, t in enumerate(keys.types)), "unsigned* order"]
        moves = "\n    ".join([*(f"v{k}[to] = w{k}[i];" for k in range(keys.count)), "order[to] = index[i];"])
        body = f"""{self.head("merged", arguments, _THREADS)}
    {index} i = ({index})blockIdx.x * {_THREADS} + threadIdx.x;
    if (i >= {total}) return;
    {index} row = i / {length}, position = i % {length}, own = position / {piece}, start = row * {length};
    // The other piece may be cut short by the row's end, or be missing.
    {index} low = (own ^ 1) * {piece}, high = low + {piece};
    if (low > {length}) low = {length};
    if (high > {length}) high = {length};
    {index} from = low;
    while (low < high) {{
        {index} middle = (low + high) / 2, j = start + middle;
        if ({keys.before("j", "i")})
            low = middle + 1;
        else
            high = middle;
    }}
    {index} to = start + own / 2 * {2 * piece} + position % {piece} + (low - from);
    {moves}
}}
"""
        return module_of("merged", body, -(-total // _THREADS), _THREADS)

    def gathering(self) -> Module:
        """Gathers all operands' elements by the sorted indices."""
        total, index = self.rows * self.length, self.index
        arguments = [*self.arguments, *self.results, "const unsigned* order"]
        moves = "\n    ".join(f"y{i}[{self.at('row', 'position')}] = x{i}[{self.at('row', 'order[i]')}];"
                              for i in range(len(self.types)))
        body = f"""{self.head("gathered", arguments, _THREADS)}
    {index} i = ({index})blockIdx.x * {_THREADS} + threadIdx.x;
    if (i >= {total}) return;
    {index} row = i / {self.length}, position = i % {self.length};
    {moves}
}}
"""
        return module_of("gathered", body, -(-total // _THREADS), _THREADS)


def _words(dtype: np.dtype) -> list[tuple[int, str]]:
    """The sizes and expressions of an element's words."""
    if dtypes.is_complex(dtype):
        size = dtype.itemsize // 2
        return [(1, "x.re != x.re || x.im != x.im"), (size, "ordered(x.re)"), (size, "ordered(x.im)")]
    if dtypes.is_float(dtype):
        size = max(dtype.itemsize, 4)
        return [(size, f"ordered(olympus_load_{dtype.name}(x))")]
    if dtypes.is_bool(dtype):
        return [(1, "x != 0")]
    word = _WORDS[dtype.itemsize]
    if np.issubdtype(dtype, np.signedinteger):
        return [(dtype.itemsize, f"({word})(({word})x ^ ({word})(({word})1 << {8 * dtype.itemsize - 1}))")]
    return [(dtype.itemsize, "x")]

