# SPDX-License-Identifier: Apache-2.0
"""Single operations through the compiler: several in one program, since a program is what takes time to compile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder
from tools.fuzz.execute import Case, outputs_of

SHAPES = ((), (0,), (1,), (7,), (64,), (1000,), (3, 5), (17, 33))
ELEMENTS = tuple(d for d in dtypes.ALL if d not in dtypes.NARROW_FLOATS)


@dataclass(frozen=True)
class Call:
    """One operation on arrays."""

    record: OperationRecord
    operands: Sequence[np.ndarray]
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def accepts(self) -> bool:
        """Whether the operation takes these types."""
        try:
            self.record.type_rule([ArrayType(x.shape, x.dtype) for x in self.operands], self.attributes, ())
        except TypeError:
            return False
        return True

    def reference(self) -> list[np.ndarray]:
        """What it should give."""
        assert self.record.reference is not None
        return [np.asarray(v) for v in self.record.reference(list(self.operands), self.attributes)]

    def __str__(self) -> str:
        return f"{self.record.name}({', '.join(f'{x.dtype}{list(x.shape)}' for x in self.operands)}) {self.attributes}"


def program_of(calls: Sequence[Call]) -> Program:
    """A program of all calls, each on inputs of its own."""
    builder = ProgramBuilder("single")
    outputs = []
    for call in calls:
        inputs = [builder.input(ArrayType(x.shape, x.dtype)) for x in call.operands]
        outputs += builder.emit(call.record, inputs, call.attributes)
    return builder.finish(outputs)


def compiled(calls: Sequence[Call]) -> list[list[np.ndarray]]:
    """The results of each call."""
    inputs = [[np.ascontiguousarray(x).reshape(x.shape)] for call in calls for x in call.operands]
    program = program_of(calls)
    (columns,) = outputs_of(Case(program, inputs), times=1)
    found = iter(column[0] for column in columns)
    return [[next(found) for _ in operation.results] for operation in program.operations]


def check_exact(calls: Sequence[Call], open_zeros: bool = False) -> None:
    """Runs calls that have one right result."""
    for call, results in zip(calls, compiled(calls), strict=True):
        for x, y in zip(results, call.reference(), strict=True):
            assert_same(x, y, str(call), open_zeros)


def assert_same(x: np.ndarray, y: np.ndarray, what: str, open_zeros: bool = False) -> None:
    """Equal bits, but for which of the values that are no numbers, and where asked for which zero."""
    assert (x.shape, x.dtype) == (y.shape, y.dtype), what
    if dtypes.is_complex(y.dtype):
        assert_same(np.ascontiguousarray(x.real), np.ascontiguousarray(y.real), f"{what}, real part", open_zeros)
        assert_same(np.ascontiguousarray(x.imag), np.ascontiguousarray(y.imag), f"{what}, imaginary part", open_zeros)
        return
    if dtypes.is_float(y.dtype):
        x, y = x.astype(np.float64), y.astype(np.float64)
        same = (x == y) & ((np.signbit(x) == np.signbit(y)) | open_zeros) | (np.isnan(x) & np.isnan(y))
    else:
        same = x == y
    wrong = np.flatnonzero(~same.reshape(-1))
    if wrong.size:
        first = wrong[0]
        raise AssertionError(f"{what}: {wrong.size} wrong, first at {first}: {x.flat[first]!r}, not {y.flat[first]!r}")


def ulps(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far x is from y, in units of y's last digit; infinite where one is a number and the other is not."""
    wide_x, wide_y = x.astype(np.float64), y.astype(np.float64)
    info = ml_dtypes.finfo(y.dtype)
    _, exponent = np.frexp(np.where(np.isfinite(wide_y), wide_y, 0.0))
    unit = np.ldexp(1.0, np.maximum(exponent - 1, int(info.minexp)) - int(info.nmant))
    with np.errstate(all="ignore"):
        apart = np.abs(wide_x - wide_y) / unit
        same = (wide_x == wide_y) | (np.isnan(wide_x) & np.isnan(wide_y))
    return np.where(same, 0.0, np.where(np.isfinite(wide_x) & np.isfinite(wide_y), apart, np.inf))
