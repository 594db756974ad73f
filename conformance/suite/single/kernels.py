# SPDX-License-Identifier: Apache-2.0
"""Kernels: several operations that a platform computes at once give what they give one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord, Program, ProgramBuilder, Value

from ...context import Context
from ...programs import array_type, needs, program_of, require_reference, splat
from ...requirement import Case, requirement
from ...samples.values import specials

_SINGLE = (dtypes.float32, dtypes.int32, dtypes.uint32)
# Around the sizes of vectors, of groups of threads and of blocks, and what is far from all of them.
_LENGTHS = (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 129, 255, 257, 511, 513, 1000, 1025)
_ROWS = ((1, 1), (1, 31), (3, 32), (1, 33), (2, 255), (5, 64), (70, 7), (1, 1000), (3, 4099), (130, 17))


def _cases(taken: Sequence[np.dtype], *operations: str) -> Iterator[Case]:
    """A case for each element type; the usual ones belong to profile single."""
    for dtype in taken:
        yield Case(
            str(dtype), {"dtype": dtype}, (*needs(*operations), f"dtype:{dtype}"),
            profile="single" if dtype in _SINGLE else "full", quick=dtype == dtypes.float32)


@requirement(
    "kernels/constants",
    "A number that stands in a program MUST be that number wherever it is used: the ends of each type's range, whole "
    "numbers of 64 bits, the sign of zero, NaN, infinities and fractions to the last bit.",
    why="Generated code writes numbers down as text, and a literal has rules of its own: -2147483648 is none of C's.",
    profile="single",
    cases=_cases(dtypes.ALL, "broadcast_in_dim", "constant", "select"),
)
def constants(context: Context, dtype: np.dtype) -> None:
    """Each beside an input, which takes turns with it."""
    numbers = specials(dtype, denormals=False)
    type = array_type(5, dtype=dtype)

    def body(builder: ProgramBuilder, which: Value, x: Value) -> Sequence[Value]:
        return [builder.emit(ops.select, [which, splat(builder, number, type), x])[0] for number in numbers]

    program = program_of("constants", [array_type(5, dtype=dtypes.bool_), type], body)
    which, x = np.array([True, False, True, True, False]), np.resize(numbers[::-1], 5)
    require_reference(context, program, [[which], [x]], what="a choice between an input and a constant")


def _parts(dtype: np.dtype) -> Program:
    """Of one array, parts of every length, which begin at odd places."""

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        outputs: list[Value] = []
        for i, length in enumerate(_LENGTHS):
            first, second = (builder.emit(ops.slice, [x], {
                "starts": (start,), "limits": (start + length,), "strides": (1,)})[0]
                for start in (2 * i + 1, 3 * i))
            (total,) = builder.emit(ops.add, [first, second])
            (product,) = builder.emit(ops.mul, [total, splat(builder, 3, total.type)])
            outputs += builder.emit(ops.sub, [product, first])
        return outputs

    return program_of("parts", [array_type(1200, dtype=dtype)], body)


@requirement(
    "kernels/lengths",
    "A chain of operations MUST give the reference's results for every length and from every place on in a larger "
    "array, and MUST NOT write beside its result.",
    why="Vectors and groups of threads leave a rest, and begin where memory is not aligned for them.",
    profile="single",
    cases=_cases((*_SINGLE, dtypes.int8, dtypes.int64, dtypes.float64), "slice", "add", "mul", "sub", "constant",
                 "broadcast_in_dim"),
)
def lengths(context: Context, dtype: np.dtype) -> None:
    """All in one program."""
    require_reference(context, _parts(dtype), what="a chain of operations on parts of an array")


def _rows(dtype: np.dtype) -> Program:
    """By rows and by columns: extremes, what is left without them, sums of it, all put together."""

    def body(builder: ProgramBuilder, *arrays: Value) -> Sequence[Value]:
        outputs: list[Value] = []
        for x in arrays:
            for along in (0, 1):
                def reduced(record: OperationRecord, value: Value, along: int = along) -> Value:
                    (found,) = builder.emit(record, [value], {"dimensions": (along,)})
                    return found

                def spread(value: Value, x: Value = x, along: int = along) -> Value:
                    (found,) = builder.emit(
                        ops.broadcast_in_dim, [value], {"shape": x.type.shape, "dimensions": (1 - along,)})
                    return found

                (rest,) = builder.emit(ops.sub, [spread(reduced(ops.reduce_max, x)), x])
                total, least = reduced(ops.reduce_sum, rest), reduced(ops.reduce_min, x)
                (scaled,) = builder.emit(ops.mul, [rest, spread(least)])
                (joined,) = builder.emit(ops.add, [scaled, spread(total)])
                outputs += [joined, total]
        return outputs

    return program_of("rows", [array_type(*shape, dtype=dtype) for shape in _ROWS], body)


@requirement(
    "kernels/rows",
    "Reductions whose results go back to what was reduced MUST give the reference's results, by rows and by columns, "
    "few and many, short and long.",
    why="Threads that divide a row hand partial results to each other: without a barrier in the right place some read "
        "what is not there yet. Every softmax and every normalisation is such a program.",
    profile="single",
    cases=_cases((*_SINGLE, dtypes.int64, dtypes.float64), "reduce_max", "reduce_min", "reduce_sum", "sub", "mul",
                 "add", "broadcast_in_dim"),
)
def rows(context: Context, dtype: np.dtype) -> None:
    """Several times, since threads meet in another order each time; of whole numbers, which sums keep."""
    program = _rows(dtype)
    executable = context.compile(program)
    for _ in range(3):
        require_reference(context, program, executable=executable, what="reductions and what follows from them")
