# SPDX-License-Identifier: Apache-2.0
"""Primitives that are functions of `lax`: bound, they give the operations that these are made of, for no platform has
the operation. Those that are named stand in the programs of those who look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.program import ArrayType, FactorRule

from ...tracing import Aval
from .conventions import batching, derivative
from .known import KnownPrimitive, taken
from .primitive import Params, Primitive
from .writing import Lowering

Function = Callable[..., Any]


def composed(
    name: str, function: Function, *params: str, others: Params | None = None, several: bool = False
) -> KnownPrimitive:
    """A primitive that stands in no program.

    Args:
        name: Its name.
        function: What it is.
        *params: The function's parameters that are none of its operands.
        others: Parameters of the primitive that have one value here.
        several: Whether it gives several results.
    """
    def bind(args: Sequence[Any], given: Params) -> list[Any]:
        values = taken(name, given, params, others or {})
        found = function(*args, **dict(zip(params, values, strict=True)))
        return list(found) if several else [found]

    return KnownPrimitive(name, bind, several)


class NamedPrimitive(Primitive):
    """A function of one operand, element by element, that is one equation where calls of jitted functions stay calls.

    Programs that are only compiled never have it. Where one has it, since it was made of a jaxpr, its place is taken
    by what the function is made of, as for every operation from outside.

    Args:
        name: Its name.
        function: The function, jitted, as `olympus.lax.elementwise.Named` does it.
        slope: A tangent and the operand, and the parameters, to the result's tangent, None where that is zero.
        check: Looks at the operand's type and the parameters; None where all are right.
        *params: The function's parameters beside the operand.
    """

    is_known = True

    def __init__(
        self, name: str, function: Any, slope: Function, check: Function | None = None, *params: str
    ) -> None:
        super().__init__(name)
        self._function, self._params, self._slope, self._check = function, params, slope, check
        self.lowerings[None] = Lowering(function.plain, multiple_results=False)
        self._types, self._split = self._typed, _elementwise
        self.rules.jvp, self.rules.batching = derivative(self, self._differentiated), batching(self, self._batched)
        function.primitive = self

    def bind(self, *args: Any, **params: Any) -> Any:
        """Calls the function.

        Args:
            *args: The operand.
            **params: The parameters, as in an equation.
        """
        values = taken(self.name, params, self._params, {})
        return self._function(*args, **dict(zip(self._params, values, strict=True)))

    def equation(self, args: Sequence[Any], kwargs: Params) -> Any:
        """Appends the equation to the program that is being traced.

        Args:
            args: The arguments of a call of the function.
            kwargs: Its named arguments.
        """
        given = dict(zip(("x", *self._params), args, strict=False)) | kwargs
        return self.bound((given.pop("x"),), given, False)

    def _typed(self, aval: Aval, **params: Any) -> Aval:
        if self._check is not None:
            self._check(aval, **params)
        return aval

    def _differentiated(self, primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        (x,), (t,) = primals, tangents
        return self.bound((x,), params, False), self._slope(t, x, **params)

    def _batched(self, values: Sequence[Any], dimensions: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        return self.bound(values, params, False), dimensions[0]


def _elementwise(operands: Sequence[ArrayType], results: Sequence[ArrayType], params: Any) -> FactorRule:
    return FactorRule.elementwise(operands[0].shape, 1)

