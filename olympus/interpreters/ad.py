# SPDX-License-Identifier: Apache-2.0
"""Derivatives of operations that libraries add: forward, and transposed where they are linear."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError

from .. import tree
from ..lax.primitives import BY_NAME
from ..numpy import zeros
from ..shape_dtype import struct_of
from ..tracing.high import HighType
from ..transforms.derivatives import forward
from ..transforms.high.zeros import zero_of
from ..transforms.jaxpr import ClosedJaxpr, Jaxpr, eval_jaxpr
from ..transforms.jaxpr.conventions import (
    Rule,
    UndefinedPrimal,
    Zero,
    derivative,
    instantiated,
    transposition,
)
from ..transforms.jaxpr.primitive import Primitive
from ..transforms.traces import arithmetic
from ..transforms.traces.jvp_trace import JvpTrace as JVPTrace
from ..transforms.traces.jvp_trace import JvpTracer as JVPTracer
from .registers import Register

add_jaxvals_p = BY_NAME["add_jaxvals_p"]


def _enter_derivative(prim: Primitive, rule: Rule | None) -> None:
    prim.rules.jvp = None if rule is None else derivative(prim, rule)


def _enter_transpose(prim: Primitive, rule: Rule | None) -> None:
    prim.rules.transpose = None if rule is None else transposition(prim, rule)


def _known_derivative(prim: Primitive) -> Rule:
    def rule(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        moving = [i for i, t in enumerate(tangents) if not isinstance(t, Zero)]

        def function(*changed: Any) -> Any:
            operands = list(primals)
            for i, x in zip(moving, changed, strict=True):
                operands[i] = x
            return prim.bind(*operands, **params)

        if not moving:
            results = function()
            return results, tree.map(Zero.from_primal_value, results)
        return forward.jvp(function, [primals[i] for i in moving], [tangents[i] for i in moving])

    return rule


def _known_transpose(prim: Primitive) -> Rule:
    def rule(cotangents: Any, *operands: Any, **params: Any) -> list[Any]:
        linear = [i for i, x in enumerate(operands) if is_undefined_primal(x)]

        def function(*values: Any) -> Any:
            given = list(operands)
            for i, x in zip(linear, values, strict=True):
                given[i] = x
            return prim.bind(*given, **params)

        back = forward.linear_transpose(function, *(struct_of(operands[i].aval) for i in linear))
        wanted = [instantiated(c) for c in cotangents] if prim.multiple_results else instantiated(cotangents)
        found: list[Any] = [None] * len(operands)
        for i, c in zip(linear, back(wanted), strict=True):
            found[i] = c
        return found

    return rule


primitive_jvps = Register("primitive_jvps", _enter_derivative, _known_derivative)
primitive_transposes = Register("primitive_transposes", _enter_transpose, _known_transpose)


def get_primitive_transpose(p: Primitive) -> Rule:
    """The rule by which cotangents go through a primitive.

    Args:
        p: The primitive.

    Raises:
        NotSupportedError: When it has none.

    Example:
        >>> from olympus.extend.core.primitives import neg_p
        >>> from olympus.interpreters import ad
        >>> import olympus
        >>> float(ad.get_primitive_transpose(neg_p)(2.0, ad.UndefinedPrimal(olympus.typeof(1.0)))[0])
        -2.0
    """
    try:
        return primitive_transposes[p]
    except KeyError:
        raise NotSupportedError(f"The transpose of {p}", "the operation has no rule for it",
                                f"Register it: ad.primitive_transposes[{p}_p] = rule.") from None


def defjvp(primitive: Primitive, *jvprules: Callable[..., Any] | None) -> None:
    """Registers the derivative of a primitive with one result, as a sum over its operands.

    Args:
        primitive: The primitive.
        *jvprules: For each operand a function of its tangent, the operands and the parameters, to the result's tangent;
            None where that is zero.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import ad
        >>> square_p = Primitive("square")
        >>> impl, aval = square_p.def_impl(lambda x: x * x), square_p.def_abstract_eval(lambda x: x)
        >>> ad.defjvp(square_p, lambda t, x: 2 * x * t)
        >>> float(olympus.grad(square_p.bind)(3.0))
        6.0
    """
    primitive_jvps[primitive] = functools.partial(
        _sum_of_rules, primitive, [None if rule is None else _without_result(rule) for rule in jvprules])


def defjvp2(primitive: Primitive, *jvprules: Callable[..., Any] | None) -> None:
    """As `defjvp`, with rules that get the result as well.

    Args:
        primitive: The primitive.
        *jvprules: For each operand a function of its tangent, the result, the operands and the parameters.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import ad
        >>> grow_p = Primitive("grow")
        >>> impl, aval = grow_p.def_impl(jnp.exp), grow_p.def_abstract_eval(lambda x: x)
        >>> ad.defjvp2(grow_p, lambda t, result, x: t * result)
        >>> float(olympus.grad(grow_p.bind)(0.0))
        1.0
    """
    primitive_jvps[primitive] = functools.partial(_sum_of_rules, primitive, jvprules)


def _without_result(rule: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tangent, result, *operands, **params: rule(tangent, *operands, **params)


def _sum_of_rules(
    primitive: Primitive, rules: Sequence[Callable[..., Any] | None], primals: Sequence[Any], tangents: Sequence[Any],
    **params: Any,
) -> tuple[Any, Any]:
    result = primitive.bind(*primals, **params)
    total: Any = Zero.from_primal_value(result)
    for rule, tangent in zip(rules, tangents, strict=True):
        if rule is not None and not isinstance(tangent, Zero):
            total = add_tangents(total, rule(tangent, result, *primals, **params))
    return result, total


def deflinear(primitive: Primitive, transpose_rule: Callable[..., Any]) -> None:
    """Registers that a primitive is linear in all operands together, and its transpose.

    Args:
        primitive: The primitive.
        transpose_rule: Takes the cotangent and the parameters; gives a cotangent for each operand.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import ad
        >>> double_p = Primitive("double")
        >>> impl, aval = double_p.def_impl(lambda x: 2 * x), double_p.def_abstract_eval(lambda x: x)
        >>> ad.deflinear(double_p, lambda c: [double_p.bind(c)])
        >>> float(olympus.grad(double_p.bind)(1.0))
        2.0
    """
    deflinear2(primitive, lambda cotangent, *operands, **params: transpose_rule(cotangent, **params))


def deflinear2(primitive: Primitive, transpose_rule: Callable[..., Any]) -> None:
    """As `deflinear`, with a rule that gets the operands as well: an `UndefinedPrimal` for each.

    Args:
        primitive: The primitive.
        transpose_rule: Takes the cotangent, the operands and the parameters.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import ad
        >>> negative_p = Primitive("negative")
        >>> impl, aval = negative_p.def_impl(lambda x: -x), negative_p.def_abstract_eval(lambda x: x)
        >>> ad.deflinear2(negative_p, lambda c, x: [negative_p.bind(c)])
        >>> float(olympus.grad(negative_p.bind)(1.0))
        -1.0
    """
    def linear(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        results = primitive.bind(*primals, **params)
        if all(isinstance(t, Zero) for t in tangents):
            return results, tree.map(Zero.from_primal_value, results)
        return results, primitive.bind(*map(instantiated, tangents), **params)

    def back(cotangents: Any, *operands: Any, **params: Any) -> Any:
        if isinstance(cotangents, Zero):
            return [Zero(x.aval) if isinstance(x, UndefinedPrimal) else None for x in operands]
        return transpose_rule(cotangents, *operands, **params)

    primitive_jvps[primitive] = linear
    primitive_transposes[primitive] = back


def defbilinear(primitive: Primitive, lhs_rule: Callable[..., Any], rhs_rule: Callable[..., Any]) -> None:
    """Registers that a primitive is linear in each of its two operands, and its transposes.

    Args:
        primitive: The primitive.
        lhs_rule: Takes the cotangent, the first operand (undefined), the second one, and the parameters; gives the
            cotangent of the first.
        rhs_rule: Takes the cotangent, the first operand, the second one (undefined), and the parameters; gives the
            cotangent of the second.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import ad
        >>> times_p = Primitive("times")
        >>> impl, aval = times_p.def_impl(lambda x, y: x * y), times_p.def_abstract_eval(lambda x, y: x)
        >>> ad.defbilinear(times_p, lambda c, x, y: times_p.bind(c, y), lambda c, x, y: times_p.bind(x, c))
        >>> float(olympus.grad(times_p.bind)(2.0, 5.0))
        5.0
    """
    defjvp(primitive, lambda t, x, y, **params: primitive.bind(t, y, **params),
           lambda t, x, y, **params: primitive.bind(x, t, **params))

    def back(cotangent: Any, x: Any, y: Any, **params: Any) -> list[Any]:
        if is_undefined_primal(x):
            return [Zero(x.aval) if isinstance(cotangent, Zero) else lhs_rule(cotangent, x, y, **params), None]
        return [None, Zero(y.aval) if isinstance(cotangent, Zero) else rhs_rule(cotangent, x, y, **params)]

    primitive_transposes[primitive] = back


def add_jaxvals(x: Any, y: Any) -> Any:
    """The sum of two tangents, or cotangents, of one type.

    Args:
        x: One.
        y: The other one.

    Example:
        >>> from olympus.interpreters import ad
        >>> float(ad.add_jaxvals(1.0, 2.0))
        3.0
    """
    return arithmetic.plus(x, y)


def add_tangents(x: Any, y: Any) -> Any:
    """The sum of two tangents, either of which may be a `Zero`.

    Args:
        x: One.
        y: The other one.

    Example:
        >>> import olympus
        >>> from olympus.interpreters import ad
        >>> ad.add_tangents(ad.Zero(olympus.typeof(1.0)), 2.0)
        2.0
    """
    return y if isinstance(x, Zero) else x if isinstance(y, Zero) else add_jaxvals(x, y)


def instantiate_zeros(tangent: Any) -> Any:
    """A tangent as an array, also where it is a `Zero`.

    Args:
        tangent: The tangent.

    Example:
        >>> import olympus
        >>> from olympus.interpreters import ad
        >>> ad.instantiate_zeros(ad.Zero(olympus.typeof(1.0)))
        Array(0., dtype=float32)
    """
    return zeros_like_aval(tangent.aval) if isinstance(tangent, Zero) else tangent


def zeros_like_aval(aval: Any) -> Any:
    """An array of zeros of a type.

    Args:
        aval: The type.

    Example:
        >>> import olympus
        >>> from olympus.interpreters import ad
        >>> ad.zeros_like_aval(olympus.typeof(1.0))
        Array(0., dtype=float32)
    """
    return zero_of(aval) if isinstance(aval, HighType) else zeros(aval.shape, aval.dtype)


def is_undefined_primal(x: Any) -> bool:
    """Whether an operand of a rule for the backward pass is one in which the operation is linear.

    Args:
        x: The operand.

    Example:
        >>> from olympus.interpreters import ad
        >>> ad.is_undefined_primal(1.0)
        False
    """
    return isinstance(x, UndefinedPrimal)


def backward_pass(
    jaxpr: Jaxpr, transform_stack: bool, consts: Sequence[Any], primals_in: Sequence[Any], cotangents_in: Sequence[Any]
) -> list[Any]:
    """Cotangents of the arguments of a jaxpr that is linear in some of them.

    Args:
        jaxpr: The jaxpr.
        transform_stack: Accepted for compatibility.
        consts: The values of its constants.
        primals_in: Its arguments: an `UndefinedPrimal` where it is linear.
        cotangents_in: The cotangents of its results, or `Zero`.

    Returns:
        For each argument its cotangent; `Zero` where it is not linear in it.

    Example:
        >>> import olympus
        >>> from olympus.interpreters import ad
        >>> closed = olympus.make_jaxpr(lambda x, y: x * y)(1.0, 2.0)
        >>> x = ad.UndefinedPrimal(olympus.typeof(1.0))
        >>> float(ad.backward_pass(closed.jaxpr, False, closed.consts, [x, 3.0], [1.0])[0])
        3.0
    """
    linear = [i for i, x in enumerate(primals_in) if is_undefined_primal(x)]

    def function(*values: Any) -> list[Any]:
        given = list(primals_in)
        for i, x in zip(linear, values, strict=True):
            given[i] = x
        return eval_jaxpr(jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr, consts, *given)

    back = forward.linear_transpose(function, *(struct_of(primals_in[i].aval) for i in linear))
    found = [Zero(x.aval) if is_undefined_primal(x) else Zero.from_primal_value(x) for x in primals_in]
    for i, c in zip(linear, back([instantiated(c) for c in cotangents_in]), strict=True):
        found[i] = c
    return found


__all__ = [
    "JVPTrace", "JVPTracer", "UndefinedPrimal", "Zero", "add_jaxvals", "add_jaxvals_p", "add_tangents",
    "backward_pass", "defbilinear", "defjvp", "defjvp2", "deflinear", "deflinear2", "get_primitive_transpose",
    "instantiate_zeros", "is_undefined_primal", "primitive_jvps", "primitive_transposes", "zeros_like_aval",
]
__dir__ = listed(__all__)
