# SPDX-License-Identifier: Apache-2.0
"""Instances of random bits, and one small instance of what has suites of its own: regions, groups, callbacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops import HostFunction
from olympus_core.program import ArrayType, DeviceGroups, OperationRecord, Program, ProgramBuilder, Value

from .instance import Draw, Instance

Forms = Iterator[Instance]

# Known answers of Threefry-2x32 with 20 rounds: key, counter, and what they give.
KNOWN_THREEFRY = (
    ((0x00000000, 0x00000000), (0x00000000, 0x00000000), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
)


def threefry2x32(draw: Draw, dtype: np.dtype) -> Forms:
    """The known answers' keys and counters, and any others."""
    words = np.array([[*key, *counter] for key, counter, _ in KNOWN_THREEFRY], np.uint32).T
    yield Instance(ops.threefry2x32, [np.asarray(w).astype(dtype) for w in words])
    for shape in ((), (0,), (1,), (33,), (3, 5)):
        operands = [draw.integers(shape, np.dtype(np.int64), 0, 2**32).astype(dtype) for _ in range(4)]
        yield Instance(ops.threefry2x32, operands)


def fft(draw: Draw, dtype: np.dtype) -> Forms:
    """Transforms of lengths with small, large and no factors, along any dimension, of one element, of no rows."""
    kinds = ("rfft",) if dtypes.is_float(dtype) else ("fft", "ifft", "irfft")
    for kind in kinds:
        for shape, dimension in (
            ((1,), 0), ((8,), 0), ((3, 5), 0), ((4, 17), 1), ((2, 12, 3), 1), ((0, 4), 1), ((96,), 0),
        ):
            for odd in (0, 1) if kind == "irfft" else (0,):
                length = max(1, 2 * (shape[dimension] - 1) + odd) if kind == "irfft" else shape[dimension]
                yield Instance(ops.fft, [draw.calm(shape, dtype)],
                               {"kind": kind, "dimension": dimension, "length": length})


def random_bits(draw: Draw, dtype: np.dtype) -> Forms:
    """Whole arrays, and parts of larger ones."""
    key = np.array([1 << 31, 77], np.uint32)
    for shape in ((), (0,), (7,), (3, 5), (17, 67)):
        yield Instance(ops.random_bits, [key], {"shape": shape, "global_shape": shape, "dtype": dtype})
    for shape, whole, starts in (
        ((5, 6), (9, 70_000), (2, 3)), ((4,), (1 << 20,), (99_999,)), ((2, 0), (4, 3), (1, 1)),
    ):
        attributes = {"shape": shape, "global_shape": whole, "dtype": dtype}
        yield Instance(ops.random_bits, [key, *(np.asarray(n, np.int32) for n in starts)], attributes)


def _region(types: list[ArrayType], make: Callable[..., Sequence[Value]]) -> Program:
    builder = ProgramBuilder("region")
    outputs = make(builder, *(builder.input(type_) for type_ in types))
    return builder.finish(outputs)


def cond(draw: Draw, dtype: np.dtype) -> Forms:
    """Each branch, and indices outside, which are clamped."""
    x = draw.plain((5,), dtype)
    type_ = ArrayType(x.shape, x.dtype)
    regions = [_region([type_], lambda b, v: [v]),
               _region([type_], lambda b, v: b.emit(ops.reverse, [v], {"dimensions": (0,)}))]
    for index in (0, 1, -3, 9):
        yield Instance(ops.cond, [np.asarray(index, np.int32), x], {}, regions)


def while_(draw: Draw, dtype: np.dtype) -> Forms:
    """A loop of three iterations, and of none."""
    x, scalar = draw.plain((5,), dtype), ArrayType((), dtypes.int32)
    types = [scalar, scalar, ArrayType(x.shape, x.dtype)]

    def more(b: ProgramBuilder, end: Value, i: Value, v: Value) -> Sequence[Value]:
        return b.emit(ops.lt, [i, end])

    def body(b: ProgramBuilder, end: Value, i: Value, v: Value) -> Sequence[Value]:
        (one,) = b.emit(ops.constant, [], {"value": np.asarray(1, np.int32)})
        (following,) = b.emit(ops.add, [i, one])
        (turned,) = b.emit(ops.reverse, [v], {"dimensions": (0,)})
        return [following, turned]

    for iterations in (3, 0):
        operands = [np.asarray(iterations, np.int32), np.asarray(0, np.int32), x]
        yield Instance(ops.while_, operands, {"constants": 1}, [_region(types, more), _region(types, body)])


def scan(draw: Draw, dtype: np.dtype) -> Forms:
    """In both directions: the last row is carried on, and the one before is given out."""
    rows, first = draw.plain((4, 3), dtype), draw.plain((3,), dtype)
    row = ArrayType((3,), dtype)
    body = _region([row, row], lambda b, carry, x: [x, carry])
    for reverse in (False, True):
        attributes = {"constants": 0, "carry": 1, "length": 4, "reverse": reverse}
        yield Instance(ops.scan, [first, rows], attributes, [body])


def call(draw: Draw, dtype: np.dtype) -> Forms:
    """A region, once."""
    x = draw.plain((5,), dtype)
    region = _region([ArrayType(x.shape, x.dtype)], lambda b, v: b.emit(ops.reverse, [v], {"dimensions": (0,)}))
    yield Instance(ops.call, [x], {}, [region])


_ALONE = DeviceGroups(((0,),))
_COLLECTIVES: dict[str, tuple[dict[str, object], ...]] = {
    "all_reduce": tuple({"reduction": name} for name in ("sum", "prod", "max", "min", "and", "or")),
    "all_gather": ({"dimension": 0},), "all_to_all": ({"split_dimension": 0, "concat_dimension": 1},),
    "reduce_scatter": ({"dimension": 1, "reduction": "max"}, {"dimension": 0, "reduction": "sum"}),
    "permute": ({"pairs": ((0, 0),)}, {"pairs": ()}), "broadcast": ({"source": 0},),
}


def alone(record: OperationRecord) -> Callable[[Draw, np.dtype], Forms]:
    """A collective in a group of one device."""

    def forms(draw: Draw, dtype: np.dtype) -> Forms:
        for attributes in _COLLECTIVES[record.name]:
            yield Instance(record, [draw.plain((3, 5), dtype)], {**attributes, "group": _ALONE})

    return forms


def axis_index(draw: Draw, dtype: np.dtype) -> Forms:
    """The only device's place."""
    yield Instance(ops.axis_index, [], {"group": _ALONE})


def _doubled(x: np.ndarray) -> list[np.ndarray]:
    return [np.concatenate([x, x])]


def host_callback(draw: Draw, dtype: np.dtype) -> Forms:
    """A function of the host's Python."""
    attributes = {"callback": HostFunction("doubled", _doubled), "result_types": (ArrayType((10,), dtype),),
                  "ordered": True}
    yield Instance(ops.host_callback, [draw.plain((5,), dtype)], attributes)
