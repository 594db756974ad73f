# SPDX-License-Identifier: Apache-2.0
"""Operations that libraries define on values of their own types: the classes to derive from, and their binding."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError, described

from ...tracing import Reference, is_evaluating
from ...tracing.high import HighValue, high_type, is_mutable, missing, own_object, presented
from ..jaxpr.conventions import UndefinedPrimal
from ..jaxpr.parameters import typed_key
from . import mutable
from .rules import Parts, Rule
from .tangents import arrays_of_tangent, parts_in, parts_of, tangent_of, type_of_array


def key_of(params: Mapping[str, Any]) -> Any:
    """What stands for parameters in caches: 1, 1.0 and True are not the same; what has no hash is like nothing else."""
    try:
        return typed_key(params)
    except TypeError:
        return object()


def split_by(types: Sequence[Any], parts: Parts) -> list[list[Any]]:
    """The arrays of each of several values."""
    remaining = iter(parts)
    return [list(islice(remaining, len(parts_in(t)))) for t in types]


def _joined(types: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    return [part for t, x in zip(types, values, strict=True) for part in parts_of(t, x)]


class HighRule(Rule):
    """An operation on values of given types.

    Args:
        key: What it is for caches.
        types: The operands' types.
        out_types: Those of the results.
    """

    def __init__(self, key: Any, types: Sequence[Any], out_types: Sequence[Any]) -> None:
        self.types, self.out_types = tuple(types), tuple(out_types)
        super().__init__(
            (key, self.types), [a for t in types for a in parts_in(t)], [a for t in out_types for a in parts_in(t)])

    @abstractmethod
    def evaluated(self, values: Sequence[Any]) -> Sequence[Any]:
        """The results of libraries' own objects."""

    def expand(self, *parts: Any) -> list[Any]:
        """What it is made of."""
        values = [own_object(t, x) for t, x in zip(self.types, split_by(self.types, parts), strict=True)]
        return _joined(self.out_types, self.evaluated(values))

    def presented(self, parts: Parts) -> list[Any]:
        """The operands of arrays."""
        return [presented(t, x) for t, x in zip(self.types, split_by(self.types, parts), strict=True)]

    def tangents(self, tangents: Parts) -> list[Any]:
        """The operands' tangents."""
        return [tangent_of(t, x) for t, x in zip(self.types, split_by(self.types, tangents), strict=True)]

    def found(self, results: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The arrays of results, and of their tangents."""
        return _joined(self.out_types, results), [
            x for t, v in zip(self.out_types, tangents, strict=True) for x in arrays_of_tangent(t, v)]

    def cotangents(self, parts: Parts) -> list[Any]:
        """The results' cotangents."""
        return [tangent_of(t, x, True) for t, x in zip(self.out_types, split_by(self.out_types, parts), strict=True)]

    def call(self, values: Sequence[Any]) -> list[Any]:
        """Does it."""
        if is_evaluating():
            return list(self.evaluated([_evaluated(t, x) for t, x in zip(self.types, values, strict=True)]))
        found = self.bind(_joined(self.types, values))
        return [presented(t, x) for t, x in zip(self.out_types, split_by(self.out_types, found), strict=True)]


def _evaluated(type: Any, value: Any) -> Any:
    return own_object(type, value.parts) if isinstance(value, HighValue) else value


class PrimitiveRule(HighRule):
    """A `HiPrimitive` with its parameters."""

    def __init__(
        self, primitive: HiPrimitive, params: dict[str, Any], types: Sequence[Any], outs: Sequence[Any]
    ) -> None:
        super().__init__((primitive, key_of(params)), types, outs)
        self.primitive, self.params = primitive, params

    def _listed(self, results: Any) -> list[Any]:
        return list(results) if self.primitive.multiple_results else [results]

    def evaluated(self, values: Sequence[Any]) -> Sequence[Any]:
        """The results of libraries' own objects."""
        return self._listed(self.primitive.to_lojax(*values, **self.params))

    def derivative(self, primals: Parts, tangents: Parts, forward: bool) -> tuple[list[Any], list[Any]]:
        """Its results and their tangents."""
        results, found = self.primitive.jvp(self.presented(primals), self.tangents(tangents), **self.params)
        return self.found(self._listed(results), self._listed(found))

    def transposed(self, cotangents: Parts, operands: Parts, linear: Sequence[bool]) -> list[Any]:
        """A cotangent for each operand."""
        if type(self.primitive).transpose is HiPrimitive.transpose:
            return super().transposed(cotangents, operands, linear)
        flags = [any(x) for x in split_by(self.types, linear)]
        given = [UndefinedPrimal(t) if f else presented(t, x)
                 for t, f, x in zip(self.types, flags, split_by(self.types, operands), strict=True)]
        cts = self.cotangents(cotangents)
        found = self.primitive.transpose(cts if self.primitive.multiple_results else cts[0], *given, **self.params)
        if not isinstance(found, (tuple, list)) or len(found) != len(given):
            raise ArgumentError(f"The transpose of {self.primitive.name}", "the rule gives something else",
                                described(found), f"a list of {len(given)}: a cotangent for each operand, or None")
        return [x if is_linear else None for x, is_linear in zip(
            [x for t, c, f in zip(self.types, found, flags, strict=True)
             for x in arrays_of_tangent(t, c if f else None, True)], linear, strict=True)]


class HiPrimitive:
    """An operation on values of types that a library defines; to derive from.

    Args:
        name: Its name.

    Attributes:
        multiple_results: Whether it gives a list of results.
    """

    multiple_results = False

    def __init__(self, name: str) -> None:
        self.name = name

    def is_high(self, *avals: Any, **params: Any) -> bool:
        """Whether it is to be lowered: yes."""
        return True

    def is_effectful(self, params: Any) -> bool:
        """Whether it does something besides."""
        return False

    def abstract_eval(self, *arg_avals: Any, **params: Any) -> tuple[Any, set[Any]]:
        """The results' types, and the effects."""
        raise missing(self, "abstract_eval", "a traced program")

    def to_lojax(self, *values: Any, **params: Any) -> Any:
        """What it does, on the library's own objects."""
        raise missing(self, "to_lojax", "any program")

    def jvp(self, primals: Any, tangents: Any, **params: Any) -> Any:
        """Results and their tangents."""
        raise missing(self, "jvp", "a derivative")

    def transpose(self, *args: Any, **params: Any) -> Any:
        """Cotangents of the operands in which it is linear. Otherwise what it is made of is transposed."""
        raise missing(self, "transpose", "a derivative")

    def bind(self, *args: Any, **params: Any) -> Any:
        """Does it, or appends it to the program that is being traced.

        Args:
            *args: Its operands.
            **params: Its parameters.

        Returns:
            The result; a list of results where `multiple_results`.
        """
        kinds = [high_type(x) for x in args]
        if any(map(is_mutable, kinds)):
            return mutable.apply(self, args, kinds, params)
        if is_evaluating():
            given = [_evaluated(t, x) for t, x in zip(kinds, args, strict=True)]
            return self.to_lojax(*given, **params)
        if any(isinstance(x, Reference) for x in args):
            raise NotSupportedError(f"A reference as operand of {self.name}", "it is no value", "Read it before.")
        types = [type_of_array(x) if t is None else t for t, x in zip(kinds, args, strict=True)]
        outs, *_ = self.abstract_eval(*types, **params)
        several = list(outs) if self.multiple_results else [outs]
        if any(isinstance(t, AvalQDD) for t in several):
            return mutable.made(self.to_lojax(*args, **params), self.multiple_results)
        found = PrimitiveRule(self, params, types, several).call(args)
        return found if self.multiple_results else found[0]

    def __repr__(self) -> str:
        return self.name


class AvalQDD:
    """A type with what is known of its value's content.

    Args:
        aval: The type.
        qdd: What is known.
    """

    def __init__(self, aval: Any, qdd: Any) -> None:
        self.aval, self.qdd = aval, qdd


class AvalMutableQDD(AvalQDD):
    """The same, where what is known changes."""
