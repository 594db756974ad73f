# SPDX-License-Identifier: Apache-2.0
"""A generator of random programs: operands fit in type and shape, and values stay small enough to run."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, DeviceGroups, OperationRecord, Program, ProgramBuilder, Value

from ..samples.values import sample
from .case import MOST_DEVICES

Made = list[Value] | None  # the results of a step; None where no value of the program fits

SIZES = (0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 31, 33)
COMMON = (dtypes.float32, dtypes.float32, dtypes.float32, dtypes.int32, dtypes.float64)
EXPENSIVE = 40.0  # operations of this cost and more take long to compile, and are drawn rarely


@cache
def elementwise_for(dtype: np.dtype) -> tuple[tuple[OperationRecord, int], ...]:
    """The elementwise operations on operands of one element type, with their number of operands."""
    found = []
    for record in ops.OPERATIONS.values():
        if not record.arity:
            continue
        with suppress(OperandError):
            record.type_rule([ArrayType((), dtype)] * record.arity, {}, ())
            found.append((record, record.arity))
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
        """Whether a program may contain an operation with results of these types."""
        return (self.operations is None or record.name in self.operations) and all(
            t.dtype in self.dtypes for t in types)


EVERYTHING = Allowed()


class NotAllowed(Exception):  # no error: the step is left out
    """A step emits an operation that programs may not contain."""


@dataclass(frozen=True)
class Steps:
    """The kinds of steps that a program is drawn from.

    Args:
        steps: Functions that add operations to a program and return their results.
        weights: The relative frequency of each.
        beside: The step that is drawn half of the time in programs with `beside`; see `generate.drawn_case`.
    """

    steps: tuple[Step, ...]
    weights: tuple[float, ...]
    beside: Step


class ProgramGenerator:
    """Draws one program or region.

    Args:
        random: The source of randomness.
        name: The program's name.
        kinds: The kinds of steps.
        is_wild: Whether constants are special values: zeros, infinities, NaN, extremes.
        devices: Number of devices; collectives are drawn where there are several.
        depth: Number of enclosing regions.
        most: Elements that a value may have.
        allowed: What the program may consist of.
    """

    def __init__(
        self, random: random.Random, name: str, kinds: Steps, is_wild: bool, devices: int, depth: int, most: int,
        allowed: Allowed = EVERYTHING,
    ) -> None:
        self.allowed, self.kinds = allowed, kinds
        self.random, self.is_wild, self.devices, self.depth, self.most = random, is_wild, devices, depth, most
        self.builder = ProgramBuilder(name)
        self.pool: list[Value] = []

    def emit(self, record: OperationRecord, *operands: Value, regions: Sequence[Program] = (),
             **attributes: object) -> list[Value]:
        """Adds an operation and returns its results; raises `NotAllowed` where programs may not contain it."""
        made = self.builder.emit(record, operands, attributes, regions, f"fuzz:{len(self.builder.operations)}")
        if not self.allowed.allows(record, [v.type for v in made]):
            raise NotAllowed
        return list(made)

    def inner(self, name: str, devices: int | None = None, most: int | None = None) -> ProgramGenerator:
        """A generator for a region of this program."""
        return ProgramGenerator(
            self.random, name, self.kinds, self.is_wild, self.devices if devices is None else devices, self.depth + 1,
            self.most if most is None else most, self.allowed)

    def value(self, least: int = 0, full: bool = False) -> Value | None:
        """A value of the program, rather a late one than an early one.

        Args:
            least: Dimensions that it has at least.
            full: Whether it has to have elements.
        """
        fitting = [v for v in self.pool if v.type.ndim >= least and (v.type.size or not full)]
        if not fitting:
            return None
        return self.random.choice(fitting[-4:] if self.random.random() < 0.6 else fitting)

    def shape(self, most: int = 3) -> tuple[int, ...]:
        """A shape of at most `most` dimensions."""
        shape = tuple(self.random.choice(SIZES) for _ in range(self.random.randint(0, most)))
        return shape if math.prod(shape) <= self.most else shape[:1]

    def dtype(self) -> np.dtype:
        """An element type, mostly a common one."""
        if self.random.random() < 0.7:
            return self.random.choice(COMMON)
        return self.random.choice([d for d in dtypes.ALL if d not in dtypes.NARROW_FLOATS])

    def constant(self, type: ArrayType) -> Value:
        """A constant: an array, or one number repeated."""
        if type.size > 64 or self.random.random() < 0.6:
            return self.splat(sample(self.random, ArrayType((), type.dtype), self.is_wild), type.shape)
        return self.emit(ops.constant, value=sample(self.random, type, self.is_wild))[0]

    def splat(self, number: np.ndarray, shape: tuple[int, ...]) -> Value:
        """One number repeated."""
        (scalar,) = self.emit(ops.constant, value=np.asarray(number))
        return self.emit(ops.broadcast_in_dim, scalar, shape=shape, dimensions=())[0] if shape else scalar

    def like(self, type: ArrayType) -> Value:
        """A value of a type: an existing one, one that is derived from an existing one, or a constant."""
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
        """A region with inputs and outputs of these types."""
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
        """Adds the operations of `count` steps; with `beside` about half of the steps are `Steps.beside`."""
        for _ in range(count):
            (step,) = self.random.choices(self.kinds.steps, self.kinds.weights)
            if beside and self.random.random() < 0.5:
                step = self.kinds.beside
            try:
                made = step(self)
            except NotAllowed:  # its operations are unused, and left out in the end
                continue
            self.pool += [v for v in made or () if v.type.size <= self.most]


def groups(generator: ProgramGenerator) -> DeviceGroups:
    """The groups of a collective: all devices, or each alone."""
    everybody = tuple(range(generator.devices))
    return DeviceGroups((everybody,) if generator.random.random() < 0.8 else tuple((p,) for p in everybody))


Step = Callable[[ProgramGenerator], Made]
