# SPDX-License-Identifier: Apache-2.0
"""A platform's operations as a table of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from olympus_core.dataclass import dataclass, field
from olympus_core.errors import NotSupportedError, OlympusInternalError
from olympus_core.errors.platform import KernelResultError
from olympus_core.program import ArrayType, Operation

from .quiet import quietly

TableFunction = Callable[[Sequence[Any], Mapping[str, Any]], Sequence[Any]]
Guard = Callable[..., Any]


class Kernel(NamedTuple):
    """An operation with its attributes bound, ready to be called once for each device and run.

    Args:
        function: Takes the operands' arrays; gives one array, or a tuple where `is_tuple`.
        is_tuple: Whether `function` gives a tuple of results.
        is_fresh: Whether each result is an array of its own, never a view of an operand.
        takes_device: Whether the local device's index comes as first argument.
    """

    function: Callable[..., Any]
    is_tuple: bool = False
    is_fresh: bool = False
    takes_device: bool = False


KernelFactory = Callable[[Operation], "Kernel | None"]


def _itself(array: Any) -> Any:
    return array


def call_directly(function: Callable[..., Any], *arguments: Any) -> Any:
    """The guard that guards nothing."""
    return function(*arguments)


@dataclass(frozen=True, slots=True)
class OperationTable:
    """The operations of a platform whose arrays are Python objects with `shape` and indexing.

    A name is looked up among the factories first, then among the functions. Control flow, collectives and
    `axis_index` need no entry: the toolkit runs them.

    Args:
        functions: For each operation a function of operands and attributes that gives a tuple of arrays.
        factories: For operations whose call should cost as little as possible: a function of the `Operation`
            that gives its `Kernel`, or None to leave this one to `functions`.
        from_host: Makes the platform's array of a NumPy array.
        to_host: Gives such an array's content as a NumPy array.
        guard: Runs a function with arguments in the environment that the functions want.
        settle: Makes a result that may be a view of another array fit to be kept.
        stack: Makes, of its type, an array that is filled along its first dimension by `put(i, part)` and given by
            `array()`; None for one in the host's memory.

    Example:
        >>> table = OperationTable({"neg": lambda operands, attributes: (-operands[0],)})
        >>> sorted(table.names)
        ['neg']
    """

    functions: Mapping[str, TableFunction]
    factories: Mapping[str, KernelFactory] = field(default_factory=dict)
    from_host: Callable[[np.ndarray], Any] = _itself
    to_host: Callable[[Any], np.ndarray] = np.asarray
    guard: Guard = call_directly
    settle: Callable[[Any], Any] = _itself
    stack: Callable[[ArrayType], Any] | None = None

    @property
    def names(self) -> frozenset[str]:
        """The operations that have an entry."""
        return frozenset(self.functions) | frozenset(self.factories)

    @property
    def has_guard(self) -> bool:
        """Whether functions must be run through `guard`."""
        return self.guard is not call_directly

    def kernel(self, operation: Operation) -> Kernel:
        """The operation's kernel; raises `NotSupportedError` where the table has none."""
        factory = self.factories.get(operation.name)
        made = factory(operation) if factory is not None else None
        if made is not None:
            return made
        function = self.functions.get(operation.name)
        if function is None and operation.record.kernel is not None:
            function = self._by_reference(operation)
        if function is None:
            raise NotSupportedError(
                f"operation {operation.name}", "the platform's operation table has no entry for it",
                "Run this part of the program on another platform, such as cpu.",
            )
        return Kernel(_bound(function, operation), is_tuple=True)

    def _by_reference(self, operation: Operation) -> TableFunction:
        """A loop nest from outside, where none are generated: what it means, on the host."""
        reference = operation.record.reference
        if reference is None:
            raise OlympusInternalError(f"operation {operation.name} has no reference")

        def run(operands: Sequence[Any], attributes: Mapping[str, Any]) -> Sequence[Any]:
            return tuple(map(self.from_host, reference([self.to_host(x) for x in operands], attributes)))

        return run

    def with_entries(
        self, functions: Mapping[str, TableFunction] | None = None, factories: Mapping[str, KernelFactory] | None = None
    ) -> OperationTable:
        """A table in which these entries replace or join the old ones."""
        return OperationTable(
            {**self.functions, **(functions or {})}, {**self.factories, **(factories or {})}, self.from_host,
            self.to_host, self.guard, self.settle, self.stack,
        )


def table_from_references() -> OperationTable:
    """The table of the operation set's NumPy references: slow where they are, right by definition.

    Example:
        >>> "sin" in table_from_references().names
        True
    """
    from olympus_core.ops import OPERATIONS

    functions = {name: record.reference for name, record in OPERATIONS.items() if record.reference is not None}
    return OperationTable(functions, guard=quietly)


def _bound(function: TableFunction, operation: Operation) -> Callable[..., tuple[Any, ...]]:
    attributes, types = operation.attributes, tuple(v.type for v in operation.results)

    def kernel(*operands: Any) -> tuple[Any, ...]:
        results = tuple(
            np.asarray(r) if isinstance(r, (np.generic, bool, int, float, complex)) else r
            for r in function(operands, attributes)
        )
        if len(results) != len(types) or any(not _fits(r, t) for r, t in zip(results, types, strict=True)):
            raise KernelResultError(operation.name, [_shown(r) for r in results], [repr(t) for t in types])
        return results

    return kernel


def _fits(result: Any, type: ArrayType) -> bool:
    if isinstance(result, np.ndarray):
        return result.shape == type.shape and result.dtype == type.dtype
    return tuple(getattr(result, "shape", ())) == type.shape


def _shown(result: Any) -> str:
    shape, dtype = getattr(result, "shape", None), getattr(result, "dtype", None)
    return type(result).__name__ if shape is None else f"{dtype}[{','.join(map(str, shape))}]"
