"""What a function computes, primitive by primitive: a table of its arithmetic and of its loops.

    $ python costs.py
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn

MOVES = {"broadcast_in_dim", "reshape", "transpose", "slice", "concatenate", "pad", "rev", "gather", "dynamic_slice",
         "dynamic_update_slice", "convert_element_type", "bitcast_convert_type", "iota", "select_n", "copy"}
CALLS = {"jit", "remat2", "custom_jvp_call", "custom_vjp_call", "custom_vmap_call"}


class Cost(NamedTuple):
    """How often a primitive runs, and how many elements or multiplications and additions that takes.

    Attributes:
        count: How often it runs.
        flops: What it computes in all.
        bytes: What it reads and writes in all, if nothing is kept between equations.
    """

    count: int = 0
    flops: int = 0
    bytes: int = 0

    def __add__(self, other: Any) -> Cost:  # type: ignore[override]
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))

    def times(self, n: int) -> Cost:
        """All figures for running it so often."""
        return Cost(*(a * n for a in self))


def costs(function: Callable[..., Any], *args: Any) -> dict[str, Cost]:
    """The cost of each primitive in a function.

    Args:
        function: The function.
        *args: Its arguments: arrays, or what stands for them.
    """
    return count(olympus.make_jaxpr(function)(*args).jaxpr)


def count(jaxpr: Jaxpr) -> dict[str, Cost]:
    """The cost of each primitive in a jaxpr, loops counted as often as they run; of a while loop one step."""
    found: dict[str, Cost] = {}

    def add(parts: dict[str, Cost], times: int = 1) -> None:
        for name, cost in parts.items():
            found[name] = found.get(name, Cost()) + cost.times(times)

    for eqn in jaxpr.eqns:
        name, params = eqn.primitive.name, eqn.params
        if name == "scan":
            add(count(params["jaxpr"].jaxpr), params["length"])
        elif name == "while":
            add(count(params["cond_jaxpr"].jaxpr))
            add(count(params["body_jaxpr"].jaxpr))
        elif name == "cond":
            add(max((count(branch.jaxpr) for branch in params["branches"]), key=flops))
        elif name in CALLS:
            inner = params.get("jaxpr", params.get("call_jaxpr"))
            add(count(inner.jaxpr if isinstance(inner, ClosedJaxpr) else inner))
        else:
            add({name: equation(eqn)})
    return found


def flops(parts: dict[str, Cost]) -> int:
    """The sum over all primitives."""
    return sum(cost.flops for cost in parts.values())


def equation(eqn: JaxprEqn) -> Cost:
    """The cost of one equation without sub-programs."""
    moved = sum(v.aval.size * np.dtype(v.aval.dtype).itemsize for v in [*eqn.invars, *eqn.outvars])
    out = sum(v.aval.size for v in eqn.outvars)
    if eqn.primitive.name == "dot_general":
        (contracting, _), _ = eqn.params["dimension_numbers"]
        out *= 2 * math.prod(eqn.invars[0].aval.shape[d] for d in contracting)
    elif eqn.primitive.name in MOVES:
        out = 0
    elif "axes" in eqn.params or "axis" in eqn.params:  # reductions and running sums
        out = eqn.invars[0].aval.size
    return Cost(1, out, moved)


def table(parts: dict[str, Cost]) -> str:
    """The costs as text, the dearest first."""
    rows = sorted(parts.items(), key=lambda item: (-item[1].flops, item[0]))
    lines = [f"{name:20} {cost.count:8} {cost.flops:12} {cost.bytes:12}" for name, cost in rows]
    return "\n".join([f"{'primitive':20} {'count':>8} {'flops':>12} {'bytes':>12}", *lines])


def main() -> None:
    """Counts a small recurrent network."""
    def network(w: Any, xs: Any) -> Any:
        return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), h.sum()), jnp.zeros(64), xs)

    found = costs(network, jnp.ones((64, 64)), jnp.ones((100, 64)))
    print(table(found))
    print(f"{flops(found)} in all; {Counter({n: c.flops for n, c in found.items()}).most_common(1)[0][0]} most")


if __name__ == "__main__":
    main()
