# SPDX-License-Identifier: Apache-2.0
"""The record of an operation: everything that the core knows about it, in one place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from olympus_core import dtypes
from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError

from .exactness import ANY_OPERANDS, EXACT, Exactness, Samples
from .factors import FactorRule
from .types import ArrayType

if TYPE_CHECKING:
    from olympus_core.placement import Dims, Mesh

    from .program import Operation, Program, Value

Attributes = Mapping[str, Any]
Category = Literal[
    "elementwise", "structure", "reduction", "cumulative", "contraction", "fourier", "indexing", "linear_algebra",
    "random", "control", "collective", "host", "external",
]
TypeRule = Callable[[Sequence[ArrayType], Attributes, Sequence["Program"]], Sequence[ArrayType]]
FactorRuleOf = Callable[[Sequence[ArrayType], Sequence[ArrayType], Attributes], FactorRule]
Reference = Callable[[Sequence[np.ndarray], Attributes], Sequence[np.ndarray]]
RunRegion = Callable[["Program", Sequence[np.ndarray]], Sequence[np.ndarray]]
ControlReference = Callable[
    [Sequence[np.ndarray], Attributes, Sequence["Program"], RunRegion], Sequence[np.ndarray]
]
# Yields (region, its inputs), is sent the region's outputs, and returns the operation's results.
Steps = Generator[tuple["Program", Sequence[np.ndarray]], Sequence[np.ndarray], Sequence[np.ndarray]]
ControlSteps = Callable[[Sequence[np.ndarray], Attributes, Sequence["Program"]], Steps]
MemberValues = Sequence[np.ndarray]  # one value for each device of the program
GroupReference = Callable[[MemberValues, Attributes], MemberValues]


class LocalEmitter(Protocol):
    """What `OperationRecord.localize` uses to write the operation of one device."""

    def emit(
        self, record: OperationRecord, operands: Sequence[Value], attributes: Attributes,
        regions: Sequence[Program] = (),
    ) -> tuple[Value, ...]:
        """Appends an operation to the device's program."""

    def local_shape(self, result: int) -> tuple[int, ...]:
        """The shape of this device's part of a result."""

    def offset(self, result: int, dimension: int) -> Value:
        """Where this device's part of a result begins: an int32 scalar."""

    def is_split(self, result: int, dimension: int) -> bool:
        """Whether a result's dimension is split, so that `offset` is not simply zero."""

    def operand_offset(self, operand: int, dimension: int) -> Value:
        """Where this device's part of an operand begins: an int32 scalar."""

    def operand_is_split(self, operand: int, dimension: int) -> bool:
        """Whether an operand's dimension is split."""


# Operand types, attributes, and the platform that runs it (None: any), to the program that it is made of.
Expansion = Callable[[Sequence[ArrayType], Attributes, "str | None"], "Program"]
# Where an operation is split: the mesh, the operation, the dims of operands and results; to the dims that operands are
# brought to, those that results have then, and what a device does with its parts. None for as its factor rule says.
AuthorsSplit = Callable[
    ["Mesh", "Operation", "Sequence[Dims]", "Sequence[Dims]"],
    "tuple[tuple[Dims, ...], tuple[Dims, ...], Program] | None",
]
Localize = Callable[["LocalEmitter", "Operation", Sequence["Value"]], Sequence["Value"]]


@dataclass(frozen=True, slots=True, eq=False)
class OperationRecord:
    """One operation of the set.

    Args:
        name: Its name, in programs and in every table.
        category: What family it belongs to.
        type_rule: Operand types, attributes and regions to result types; raises `OperandError` for operands
            that do not fit.
        factor_rule: How it may be split. None only for control flow and collectives, which the partitioner
            treats by their structure.
        reference: Its meaning in NumPy, for all that need neither regions nor other devices.
        control_steps: The meaning of an operation with regions, as the regions it asks for one after another,
            so that many devices can go through it in step.
        group_reference: The meaning of a collective: all devices' values in, all devices' values out.
        localize: Writes the operation of one device where repeating it with local operands is not enough
            (attributes that hold sizes, results that depend on the position).
        additive: Sets of operands in which it is jointly linear: when exactly these are partial sums over an
            axis and the others are whole, the result is a partial sum.
        moves_only: It only moves elements, so that any partial value passes through.
        is_uniform: Of collectives: every device of the group is given the same.
        has_effects: It must run, once and in order, even if nobody uses its results.
        communicates: Devices exchange data in it; `axis_index`, the other collective, only asks where a device stands.
        update_operand: Of an operation that writes some elements into a copy of its first operand, the operand that
            holds them.
        combine: Of a reduction or cumulative operation, the elementwise operation that combines two elements.
        identity: Of an operation that combines elements: element type to what it gives of none of them, a scalar.
        arity: Number of operands of an elementwise operation whose operands are all of one type and which has no
            attributes; 0 for every other.
        random_bits: Random bits that one element of its results takes from the generator, where they are a fixed
            number.
        decomposition: Its results by Python's operators on its operands, for platforms that compute these and not it.
        expansion: Of an operation that is registered from outside, the program that is written in its place: of the
            whole operands where it has no factor rule, else of one device's part of them.
        authors_split: Of one with an expansion, whose author is asked what devices do, or told where they have it.
        kernel: Of an operation that is a loop nest from outside, its attributes to the `toolkit.loops.Kernel`.
        exactness: How far its results may be off.
        samples: Of an elementwise operation, operands that show what it does.
        cost: What computing one element of a result takes in a loop over many, in additions of two numbers; neither
            the operands' costs nor memory counted. 0 for what only says where an element is found. Platforms may
            scale it; decisions about fusion and unrolling go by it, and never what is computed.
    """

    name: str
    category: Category
    type_rule: TypeRule
    factor_rule: FactorRuleOf | None = None
    reference: Reference | None = None
    control_steps: ControlSteps | None = None
    group_reference: GroupReference | None = None
    localize: Localize | None = None
    additive: tuple[frozenset[int], ...] = ()
    moves_only: bool = False
    is_uniform: bool = False
    has_effects: bool = False
    communicates: bool = False
    update_operand: int | None = None
    combine: OperationRecord | None = None
    identity: Callable[[np.dtype], np.ndarray] | None = None
    arity: int = 0
    random_bits: int = 0
    decomposition: Callable[..., Sequence[Any]] | None = None
    expansion: Expansion | None = None
    authors_split: AuthorsSplit | None = None
    kernel: Callable[[Attributes], Any] | None = None
    exactness: Exactness = EXACT
    samples: Samples = ANY_OPERANDS
    cost: float = 1.0

    @property
    def control_reference(self) -> ControlReference | None:
        """The meaning of an operation with regions, as one call: `control_steps` with every region run at once."""
        if self.control_steps is None:
            return None
        control_steps = self.control_steps

        def reference(
            values: Sequence[np.ndarray], attributes: Attributes, regions: Sequence[Program], run_region: RunRegion
        ) -> Sequence[np.ndarray]:
            steps = control_steps(values, attributes, regions)
            try:
                region, inputs = next(steps)
                while True:
                    region, inputs = steps.send(run_region(region, inputs))
            except StopIteration as end:
                results: Sequence[np.ndarray] = end.value
                return results

        return reference

    def nothing(self, dtype: np.dtype) -> np.ndarray:
        """What this operation gives of no elements of a type, for the operations that fold."""
        if self.identity is None:
            raise OlympusInternalError(f"{self.name} folds nothing")
        return self.identity(dtype)

    def neutral(self, dtype: np.dtype) -> np.ndarray:
        """What leaves every element as it is: what this operation gives of nothing, but -0 for sums of floats.

        A sum of nothing is 0, and 0 + -0 is 0: beside other elements it has to be -0.

        Example:
            >>> from olympus_core import ops
            >>> ops.add.neutral(np.dtype(np.float32)), ops.max.neutral(np.dtype(np.int8))
            (array(-0., dtype=float32), array(-128, dtype=int8))
        """
        found = self.nothing(dtype)
        is_sum_of_floats = not found and not dtypes.is_integer(dtype) and not dtypes.is_bool(dtype)
        return np.asarray(np.negative(found)) if is_sum_of_floats else found

    def __repr__(self) -> str:
        return f"<operation {self.name}>"
