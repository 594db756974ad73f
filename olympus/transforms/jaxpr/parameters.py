# SPDX-License-Identifier: Apache-2.0
"""Parameters of primitives that libraries make, as an attribute of an operation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import described

from ...tracing import Aval
from .writing import evaluated


class Parameters:
    """The parameters of one call: any Python values. Equal where values are equal and of equal types.

    Args:
        primitive: Whose they are.
        values: The parameters.
        runs_impl: Whether the primitive's implementation computes values that are there.
    """

    __slots__ = ("_avals", "_key", "primitive", "runs_impl", "values")

    def __init__(self, primitive: Any, values: Mapping[str, Any], runs_impl: bool) -> None:
        self.primitive, self.values, self.runs_impl = primitive, values, runs_impl
        self._key: Any = None
        self._avals: dict[Any, list[Aval]] = {}

    def avals(self, given: Sequence[Aval]) -> list[Aval]:
        """What the results are for operands of these types: the primitive is asked once, which may take long.

        Args:
            given: The operands' types.
        """
        key = (*given, *[aval.layout for aval in given])
        found = self._avals.get(key)
        if found is None:
            found = self._avals[key] = self.primitive.result_avals(given, self.values)
        return found

    def evaluated(self, operands: Sequence[Any]) -> list[Any] | None:
        """The results of the implementation; None where the operation is to be compiled."""
        return evaluated(self.primitive, operands, self.values) if self.runs_impl else None

    def key(self) -> Any:
        """What stands for them in caches; raises TypeError where they have no hash."""
        if self._key is None:
            self._key = (self.primitive, self.runs_impl, typed_key(self.values))
        return self._key

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        try:
            return isinstance(other, Parameters) and bool(self.key() == other.key())
        except TypeError:  # a value without a hash
            return False

    def __hash__(self) -> int:
        return hash(self.key())

    def __lt__(self, other: object) -> bool:
        return False

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {_text(self.values[name])}" for name in sorted(self.values))
        return f"{{{inside}}}"


def typed_key(value: Any) -> Any:
    """A key that tells 1 from 1.0 and True, also inside of containers."""
    if isinstance(value, Mapping):
        return (type(value), frozenset((name, typed_key(one)) for name, one in value.items()))
    if isinstance(value, (tuple, list)):
        return (type(value), tuple(map(typed_key, value)))
    if isinstance(value, float):
        return (type(value), value.hex())
    hash(value)
    return (type(value), value)


def _text(value: Any) -> str:
    """The value for people: where an object lies says nothing."""
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}{list(value.shape)})"
    return re.sub(r" at 0x[0-9a-f]+", "", described(value)).replace("\n", " ")
