# SPDX-License-Identifier: Apache-2.0
"""The table that says which operation is which primitive, with which parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from olympus_core.errors import ArgumentError, NotSupportedError
from olympus_core.program import Operation, OperationRecord, Program

from ..complex_order import bind_all_ordered
from .primitive import Params, Primitive

Bind = Callable[[Sequence[Any], Params], list[Any]]


class KnownPrimitive(Primitive):
    """A primitive that stands for operations of olympus. Interned: there is one for each name.

    Args:
        name: Its name.
        bind: Takes flat operands and the parameters of an equation, gives flat results.
        multiple_results: Whether `bind` gives a list.
    """

    is_known = True

    def __init__(self, name: str, bind: Bind, multiple_results: bool = False) -> None:
        self.name, self._bind, self.multiple_results = name, bind, multiple_results

    def bind(self, *args: Any, **params: Any) -> Any:
        """Does it: computes where values are there, appends to the program that is being traced.

        Args:
            *args: The operands: arrays, traced values or numbers.
            **params: The parameters, as in an equation.

        Returns:
            The result; a list of results where `multiple_results`.

        Raises:
            ArgumentError: For parameters that it does not have, or lacks.
            OperandError: For operands that do not fit.
        """
        results = self._bind(args, params)
        return results if self.multiple_results else results[0]


class Form(NamedTuple):
    """How an operation stands in an equation.

    Attributes:
        primitive: The primitive's name.
        params: Its parameters.
        operands: For each operand of the equation which one of the operation it is; None for all, in order.
        results: Likewise, for the results.
    """

    primitive: str
    params: Params
    operands: Sequence[int] | None = None
    results: Sequence[int] | None = None


Closed = Callable[[Program], Any]  # a region as a closed jaxpr
Reading = Callable[[Operation, Closed], Form]
PRIMITIVES: dict[str, KnownPrimitive] = {}
READINGS: dict[OperationRecord, Reading] = {}

# Parameters that only advise a compiler, or ask for less than there is: any value is taken.
_ADVICE = frozenset({
    "accuracy", "algorithm", "implementation", "indices_are_sorted", "is_stable", "precision", "unique_indices"})


def primitive(name: str, bind: Bind, multiple_results: bool = False) -> KnownPrimitive:
    """Enters a primitive in the table."""
    made = PRIMITIVES[name] = KnownPrimitive(name, bind, multiple_results)
    return made


def taken(name: str, params: Params, needed: Sequence[str], others: Mapping[str, Any]) -> list[Any]:
    """The values of the parameters that a primitive needs.

    Args:
        name: The primitive.
        params: What was given.
        needed: The parameters that say what it does.
        others: Its other parameters, which have one value only unless they are advice.
    """
    # Whoever inverts an equation hands on its parameters: what another primitive does not say means nothing here.
    unknown = [key for key, value in params.items() if key not in {*needed, *others} and value is not None]
    missing = [key for key in needed if key not in params]
    if unknown or missing:
        raise ArgumentError(f"{name}_p.bind", "the parameters do not fit", ", ".join(sorted(params)) or "none",
                            ", ".join([*needed, *others]) or "none", "Take them from an equation of this primitive.")
    for key, only in others.items():
        if key not in _ADVICE and key in params and not _same(params[key], only):
            raise NotSupportedError(f"{key}={params[key]!r} of {name}_p.bind", f"the operation has {key}={only!r} only",
                                    "Use the function of olympus.lax that says it.")
    return [params[key] for key in needed]


def _same(given: Any, only: Any) -> bool:
    return given is only or type(given) is type(only) and bool(given == only)


def row(
    record: OperationRecord, name: str | None = None, params: Mapping[str, str] | None = None, *,
    operands: Sequence[int] | None = None, results: Sequence[int] | None = None, multiple_results: bool = False,
    **others: Any,
) -> None:
    """Enters an operation that is one primitive, whose parameters are its attributes.

    Args:
        record: The operation.
        name: The primitive; the operation's name when left out.
        params: For each parameter the attribute that it is.
        operands: For each operand of the equation which one of the operation it is.
        results: Likewise, for the results.
        multiple_results: Whether it has several results.
        **others: Parameters of the primitive that have one value here.
    """
    known, own = name or record.name, dict(params or {})

    def read(operation: Operation, closed: Closed) -> Form:
        found = {key: operation.attributes[attribute] for key, attribute in own.items()}
        return Form(known, {**found, **others}, operands, results)

    def bind(args: Sequence[Any], given: Params) -> list[Any]:
        values = taken(known, given, list(own), others)
        ordered = args if operands is None else reordered(known, args, operands)
        found = bind_all_ordered(record, ordered, dict(zip(own.values(), values, strict=True)))
        return found if results is None else [found[i] for i in results]

    READINGS[record] = read
    primitive(known, bind, multiple_results)


def reordered(name: str, args: Sequence[Any], operands: Sequence[int]) -> list[Any]:
    """An operation's operands, given those of its equation."""
    if len(args) != len(operands):
        raise ArgumentError(f"{name}_p.bind", "another number of operands is needed", len(args), len(operands))
    return [args[operands.index(i)] for i in range(len(operands))]
