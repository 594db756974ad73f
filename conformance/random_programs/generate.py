"""Random programs: what is drawn fits, by type and shape, and stays small enough to run."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, DeviceGroups, OperationRecord, Program, ProgramBuilder, Value

from ..samples.values import sample
from .case import MOST_DEVICES, Case

SIZES = (0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 31, 33)
# Past the blocks of sums, the pieces of threads, the tiles of transpositions.
LARGE = ((70_000,), (300, 400), (1 << 17 | 3,), (5, 40_001), (40_001, 5), (64, 33, 65), (2, 3, 5, 7, 11, 13))
COMMON = (dtypes.float32, dtypes.float32, dtypes.float32, dtypes.int32, dtypes.float64)
BESIDE = 0.25  # see `drawn_case`
SELDOM = 40.0  # operations of this cost and more take long to compile


@cache
def elementwise_for(dtype: np.dtype) -> tuple[tuple[OperationRecord, int], ...]:
    """Operations on operands of one type, with their number of operands."""
    found = []
    for record in ops.OPERATIONS.values():
        if record.category != "elementwise" or record.name in ("convert", "bitcast_convert", "select"):
            continue
        for arity in (1, 2, 3):
            try:
                record.type_rule([ArrayType((), dtype)] * arity, {}, ())
            except OperandError:
                continue
            found.append((record, arity))
    return tuple(found)


@dataclass(frozen=True)
class Allowed:
    """What programs may consist of.

    Args:
        dtypes: Element types of all values.
        operations: Names of operations; None for all of them.
        devices: The most devices that a program is drawn for.
    """

    dtypes: frozenset[np.dtype] = frozenset(dtypes.ALL)
    operations: frozenset[str] | None = None
    devices: int = MOST_DEVICES

    def allows(self, record: OperationRecord, types: Sequence[ArrayType]) -> bool:
        """Whether an operation with such results may stand in a program."""
        return (self.operations is None or record.name in self.operations) and all(
            t.dtype in self.dtypes for t in types)


EVERYTHING = Allowed()


class NotAllowed(Exception):  # no error: the step is left out
    """A step needs what programs may not have."""


class Maker:
    """Draws one program or region.

    Args:
        random: Where the draws come from.
        name: The program's name.
        is_wild: Whether numbers are special.
        devices: Number of devices; collectives are drawn where there are several.
        depth: How many regions stand around it.
        most: Elements that a value may have.
        allowed: What the program may consist of.
    """

    def __init__(
        self, random: random.Random, name: str, is_wild: bool, devices: int, depth: int, most: int,
        allowed: Allowed = EVERYTHING,
    ) -> None:
        self.allowed = allowed
        self.random, self.is_wild, self.devices, self.depth, self.most = random, is_wild, devices, depth, most
        self.builder = ProgramBuilder(name)
        self.pool: list[Value] = []

    def emit(self, record: OperationRecord, *operands: Value, regions: Sequence[Program] = (),
             **attributes: object) -> list[Value]:
        """Adds an operation; its results. Raises `NotAllowed` for what programs may not have."""
        made = self.builder.emit(record, operands, attributes, regions, f"fuzz:{len(self.builder.operations)}")
        if not self.allowed.allows(record, [v.type for v in made]):
            raise NotAllowed
        return list(made)

    def inner(self, name: str, devices: int | None = None, most: int | None = None) -> Maker:
        """What draws a region of this program."""
        return Maker(self.random, name, self.is_wild, self.devices if devices is None else devices, self.depth + 1,
                     self.most if most is None else most, self.allowed)

    def value(self, least: int = 0, full: bool = False) -> Value | None:
        """Something there is, what came late rather than what came early."""
        fitting = [v for v in self.pool if v.type.ndim >= least and (v.type.size or not full)]
        if not fitting:
            return None
        return self.random.choice(fitting[-4:] if self.random.random() < 0.6 else fitting)

    def shape(self, most: int = 3) -> tuple[int, ...]:
        """A shape of at most so many dimensions."""
        shape = tuple(self.random.choice(SIZES) for _ in range(self.random.randint(0, most)))
        return shape if math.prod(shape) <= self.most else shape[:1]

    def dtype(self) -> np.dtype:
        """An element type, mostly one that programs are made of."""
        if self.random.random() < 0.7:
            return self.random.choice(COMMON)
        return self.random.choice([d for d in dtypes.ALL if d not in dtypes.NARROW_FLOATS])

    def constant(self, type: ArrayType) -> Value:
        """An array or one number everywhere."""
        if type.size > 64 or self.random.random() < 0.6:
            return self.splat(sample(self.random, ArrayType((), type.dtype), self.is_wild), type.shape)
        return self.emit(ops.constant, value=sample(self.random, type, self.is_wild))[0]

    def splat(self, number: np.ndarray, shape: tuple[int, ...]) -> Value:
        """One number everywhere."""
        (scalar,) = self.emit(ops.constant, value=np.asarray(number))
        return self.emit(ops.broadcast_in_dim, scalar, shape=shape, dimensions=())[0] if shape else scalar

    def like(self, type: ArrayType) -> Value:
        """A value of a type: one there is, made of one there is, or a constant."""
        same = [v for v in self.pool if v.type is type]
        if same and self.random.random() < 0.7:
            return self.random.choice(same)
        shaped = [v for v in self.pool if v.type.shape == type.shape]
        if shaped and self.random.random() < 0.5:
            return self.emit(ops.convert, self.random.choice(shaped), dtype=type.dtype)[0]
        smaller = [v for v in self.pool if v.type.dtype == type.dtype and self._spreads(v.type, type)]
        if smaller and self.random.random() < 0.7:
            v = self.random.choice(smaller)
            dims = tuple(range(type.ndim - v.type.ndim, type.ndim))
            return self.emit(ops.broadcast_in_dim, v, shape=type.shape, dimensions=dims)[0]
        return self.constant(type)

    @staticmethod
    def _spreads(small: ArrayType, large: ArrayType) -> bool:
        tail = large.shape[large.ndim - small.ndim:] if small.ndim <= large.ndim else None
        return tail is not None and all(n in (1, m) for n, m in zip(small.shape, tail, strict=True))

    def region(self, inputs: Sequence[ArrayType], outputs: Sequence[ArrayType] | None, operations: int) -> Program:
        """A program of its own, of these types."""
        inner = self.inner("region")
        inner.pool = [inner.builder.input(t) for t in inputs]
        inner.steps(operations)
        if outputs is None:
            found = [inner.value() or inner.constant(ArrayType((), dtypes.float32))
                     for _ in range(self.random.randint(1, 2))]
        else:
            found = [inner.like(t) for t in outputs]
        return inner.builder.finish(found)

    def steps(self, count: int, beside: bool = False) -> None:
        """Adds operations; about half of them such as platforms leave to the host, where these are wanted."""
        from . import steps

        for _ in range(count):
            (step,) = self.random.choices(steps.STEPS, steps.WEIGHTS)
            if beside and self.random.random() < 0.5:
                step = steps.beside
            try:
                made = step(self)
            except NotAllowed:  # what it has added is used by nobody, and left out in the end
                continue
            self.pool += [v for v in made or () if v.type.size <= self.most]


def random_case(seed: int, beside: float = BESIDE) -> Case:
    """The program of a seed, with inputs; `beside` as `drawn_case` has it."""
    return drawn_case(random.Random(seed), f"fuzz{seed}", beside=beside)


def drawn_case(
    source: random.Random, name: str, allowed: Allowed = EVERYTHING, longest: int = 20, beside: float = BESIDE,
) -> Case:
    """A program with inputs.

    Args:
        source: Where the draws come from.
        name: The program's name.
        allowed: What it may consist of.
        longest: The most steps.
        beside: The share of programs that put what platforms leave to the host beside arithmetic on the same arrays,
            nearly all of which are donated.
    """
    is_large = source.random() < 0.06
    most = allowed.devices
    count = source.choice((1, 1, most)) if not is_large else source.choice((1, 1, 1, most))
    is_wild = source.random() < 0.5
    # Nearly all of one shape and type, and given away: memory is used again where it can be.
    is_beside = not is_large and source.random() < beside
    maker = Maker(source, name, is_wild, count, 0, 1 << 18 if is_large else 4096, allowed)
    kinds = 1 if is_beside else source.randint(1, 3)
    shapes = [source.choice(LARGE)] if is_large else [maker.shape() for _ in range(kinds)]
    shapes += [source.choice(shapes) for _ in range(source.randint(0, 2))]
    drawn = [maker.dtype()] * len(shapes) if is_beside else [maker.dtype() for _ in shapes]
    for shape, dtype in zip(shapes, drawn, strict=True):
        dtype = dtype if dtype in allowed.dtypes else dtypes.float32
        maker.pool.append(maker.builder.input(ArrayType(shape, dtype)))
    lengths = (1, 2, 3, 4) if is_beside else (2, 4, 8, 12, 20)
    maker.steps(min(longest, source.randint(1, 5) if is_large else source.choice(lengths)), is_beside)
    outputs = list(maker.pool[-1:])
    outputs += [source.choice(maker.pool[-3:] if is_beside else maker.pool) for _ in range(source.randint(0, 3))]
    program = maker.builder.finish(outputs)
    inputs = [[sample(source, t, is_wild) for _ in range(count)] for t in program.input_types]
    donated = tuple(i for i in range(len(inputs)) if source.random() < (0.8 if is_beside else 0.3))
    return Case(program, inputs, donated, source.random() < 0.4, count)


def groups(maker: Maker) -> DeviceGroups:
    """All devices together, or each by itself."""
    everybody = tuple(range(maker.devices))
    return DeviceGroups((everybody,) if maker.random.random() < 0.8 else tuple((p,) for p in everybody))
