"""How two functions differ, as programs: which equations one has and the other has not.

    $ python differ.py
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Any

import olympus
import olympus.numpy as jnp
from olympus.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, jaxprs_in_params


def differences(first: Callable[..., Any], second: Callable[..., Any], *args: Any) -> list[str]:
    """The equations that only one of two functions has, in order: with ``-`` those of the first, with ``+`` the second's.

    Operands are told by how they were computed, so that an equation is the same wherever it stands and however its
    variables are named.

    Args:
        first: A function.
        second: Another one.
        *args: Arguments of both.
    """
    left, right = (list(lines(olympus.make_jaxpr(f)(*args).jaxpr)) for f in (first, second))
    found = []
    matcher = difflib.SequenceMatcher(None, [key for key, _ in left], [key for key, _ in right], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            found += [f"- {text}" for _, text in left[a:b]]
            found += [f"+ {text}" for _, text in right[c:d]]
    return found


def lines(jaxpr: Jaxpr, indent: str = "") -> Iterator[tuple[Any, str]]:
    """For each equation, those of sub-programs behind their own, what makes it the same as another one, and its text."""
    ways: dict[Any, Any] = {v: ("argument", i) for i, v in enumerate(jaxpr.invars)}
    ways.update((v, ("constant", i, v.aval.str_short())) for i, v in enumerate(jaxpr.constvars))

    def way(atom: Any) -> Any:
        return ("literal", str(atom.val), atom.aval.str_short()) if isinstance(atom, Literal) else ways[atom]

    for eqn in jaxpr.eqns:
        inner = list(jaxprs_in_params(eqn.params))
        key = hash((eqn.primitive.name, plain(eqn), tuple(map(way, eqn.invars)), indent))
        ways.update((v, (key, i)) for i, v in enumerate(eqn.outvars))
        kinds = " ".join(v.aval.str_short(True) for v in eqn.outvars)
        given = ", ".join(v.aval.str_short(True) for v in eqn.invars)
        yield key, f"{indent}{kinds} = {eqn.primitive.name}({given}) {plain(eqn)}  # {eqn.source_info}"
        for sub in inner:
            yield from lines(sub, indent + "  ")


def plain(eqn: JaxprEqn) -> str:
    """The parameters of an equation that are no sub-programs."""
    def is_program(value: Any) -> bool:
        return isinstance(value, (Jaxpr, ClosedJaxpr)) or isinstance(value, tuple) and any(map(is_program, value))

    kept = {k: v for k, v in sorted(eqn.params.items()) if not is_program(v) and v is not None and k != "rule"}
    return " ".join(f"{k}={v}" for k, v in kept.items())


def main() -> None:
    """Compares two ways to write a softmax."""
    def naive(x: Any) -> Any:
        e = jnp.exp(x)
        return e / e.sum()

    def stable(x: Any) -> Any:
        e = jnp.exp(x - x.max())
        return e / e.sum()

    print("\n".join(differences(naive, stable, jnp.ones(8))))


if __name__ == "__main__":
    main()
