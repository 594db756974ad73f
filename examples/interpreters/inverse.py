"""The inverse of a function of one array, by running its program backwards.

    $ python inverse.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import olympus
import olympus.numpy as jnp
from olympus.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, jaxpr_as_fun, primitives

# For a primitive of one operand its inverse.
INVERSES: dict[Any, Callable[[Any], Any]] = {
    primitives.exp_p: jnp.log, primitives.log_p: jnp.exp, primitives.expm1_p: jnp.log1p,
    primitives.log1p_p: jnp.expm1, primitives.tanh_p: jnp.arctanh, primitives.atanh_p: jnp.tanh,
    primitives.sinh_p: jnp.arcsinh, primitives.asinh_p: jnp.sinh, primitives.neg_p: jnp.negative,
    primitives.logistic_p: lambda y: -jnp.log(1 / y - 1),
}
# For a primitive of two operands what the first was, given result and second; and what the second was, likewise.
FIRST: dict[Any, Callable[[Any, Any], Any]] = {
    primitives.add_p: lambda z, y: z - y, primitives.sub_p: lambda z, y: z + y,
    primitives.mul_p: lambda z, y: z / y, primitives.div_p: lambda z, y: z * y,
    primitives.pow_p: lambda z, y: z ** (1 / y),
}
SECOND: dict[Any, Callable[[Any, Any], Any]] = {
    primitives.add_p: lambda z, x: z - x, primitives.sub_p: lambda z, x: x - z,
    primitives.mul_p: lambda z, x: z / x, primitives.div_p: lambda z, x: x / z,
    primitives.pow_p: lambda z, x: jnp.log(z) / jnp.log(x),
}


class NotInvertibleError(ValueError):
    """The function uses its argument in a way that has no inverse here."""


def inverse(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The inverse of a function of one array, whose argument has the shape and type of its result.

    Args:
        function: The function; every step must use what depends on the argument once.
    """
    def inverted(y: Any) -> Any:
        closed = olympus.make_jaxpr(function)(y)
        (x,) = backwards(closed.jaxpr, closed.consts, [y])
        return x

    return inverted


def backwards(jaxpr: Jaxpr, consts: list[Any], results: list[Any]) -> list[Any]:
    """The arguments of a jaxpr with one, given its results."""
    known: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))

    def is_known(atom: Any) -> bool:
        return isinstance(atom, Literal) or atom in known

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, Literal) else known[atom]

    for eqn in jaxpr.eqns:  # forwards what does not depend on the argument
        if all(map(is_known, eqn.invars)):
            found = eqn.primitive.bind(*map(read, eqn.invars), **eqn.params)
            known.update(zip(eqn.outvars, found if eqn.primitive.multiple_results else [found], strict=True))
    known.update(zip(jaxpr.outvars, results, strict=True))
    for eqn in reversed(jaxpr.eqns):
        missing = [i for i, atom in enumerate(eqn.invars) if not is_known(atom)]
        if missing and all(map(is_known, eqn.outvars)):
            if len(missing) > 1:
                raise NotInvertibleError(f"two operands depend on the argument: {eqn!r}")
            known[eqn.invars[missing[0]]] = undo(eqn, missing[0], [read(v) if is_known(v) else None for v in eqn.invars],
                                                 [read(v) for v in eqn.outvars])
    if not all(map(is_known, jaxpr.invars)):
        raise NotInvertibleError("the result does not depend on the argument")
    return [read(v) for v in jaxpr.invars]


def undo(eqn: JaxprEqn, position: int, operands: list[Any], results: list[Any]) -> Any:
    """The operand at a position, given the others and the results."""
    primitive = eqn.primitive
    inner = eqn.params.get("jaxpr", eqn.params.get("call_jaxpr"))
    if inner is not None and primitive.name in ("jit", "remat2", "custom_jvp_call", "custom_vjp_call"):
        jaxpr = inner.jaxpr if isinstance(inner, ClosedJaxpr) else inner
        if len(jaxpr.invars) != 1:
            raise NotInvertibleError(f"a call with several arguments: {primitive.name}")
        return backwards(jaxpr, inner.consts if isinstance(inner, ClosedJaxpr) else [], results)[0]
    if len(operands) == 1 and primitive in INVERSES:
        return INVERSES[primitive](*results)
    table = FIRST if position == 0 else SECOND
    if len(operands) == 2 and primitive in table:
        return table[primitive](*results, operands[1 - position])
    raise NotInvertibleError(f"there is no inverse of {primitive.name}")


def main() -> None:
    """Inverts a function, and shows that the inverse is a program like any other."""
    def f(x: Any) -> Any:
        return jnp.exp(jnp.tanh(x) * 2 + 1)

    x = jnp.linspace(-1, 1, 5)
    g = olympus.jit(inverse(f))
    print(x)
    print(g(f(x)))
    print(olympus.vmap(olympus.grad(g))(f(x)) * olympus.vmap(olympus.grad(f))(x))  # ones
    print(olympus.make_jaxpr(inverse(f))(f(x)))
    print(jaxpr_as_fun(olympus.make_jaxpr(g)(f(x)))(f(x)))


if __name__ == "__main__":
    main()
