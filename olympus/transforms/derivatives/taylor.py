# SPDX-License-Identifier: Apache-2.0
"""Taylor mode: all derivatives along a curve up to some order at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.errors import TangentError, described

from ...operands import broadcast
from ...tracing import Aval, aval_of, current_trace, use_trace
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...trees import inside as tree
from ..traces.arithmetic import convert, div, filled, like, scaled
from ..traces.series_trace import SeriesTrace
from .forward import no_change
from .reverse import entered


@entrance
def jet(
    fun: Callable[..., Any], primals: Sequence[Any], series: Sequence[Any], factorial_scaled: bool = True, **_: Any
) -> tuple[Any, Any]:
    """The value of a function of a curve, and its derivatives along it up to some order.

    For ``x(t)`` with ``x(0)`` and its derivatives at zero it gives ``f(x(0))`` and the derivatives of ``f(x(t))`` at
    zero, in time that grows with the order as a polynomial where nested `jvp` doubles it with each; control flow
    (`cond`, `scan`, `while_loop`) is the exception, and is as with nested `jvp`. Each term has the error of a few
    roundings of the products that it sums.

    Args:
        fun: A function of arrays and nested containers of them.
        primals: Its arguments, a tuple or list: where the curve is at zero.
        series: For each argument a list of its derivatives at zero, from the first; for a container, such lists in
            its structure. All lists are of one length. A number stands for an array that is full of it.
        factorial_scaled: Whether terms are derivatives; else they are those divided by k factorial, the coefficients of
            the Taylor series.
        **_: Not used.

    Returns:
        The value, and in its structure lists of the derivatives, as long as those given.

    Raises:
        TangentError: When a term does not fit its argument, and lists differ in length.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental.jet import jet
        >>> value, (first, second) = jet(jnp.exp, (0.0,), ([2.0, 0.0],))
        >>> float(value), float(first), float(second)
        (1.0, 2.0, 4.0)

    References:
        Griewank, Walther, "Evaluating Derivatives", 2008, chapter 13. Bettencourt, Johnson, Duvenaud, "Taylor-mode
        automatic differentiation for higher-order derivatives", 2019.
    """
    if not isinstance(primals, (tuple, list)) or not isinstance(series, (tuple, list)) or len(primals) != len(series):
        raise TangentError("jet", f"{described(primals)} and {described(series)}",
                           "a tuple of arguments and a tuple of lists of terms, one for each")
    leaves, structure = tree.flatten(tuple(primals))
    leaves = [entered(x) for x in leaves]
    lists = structure.flatten_up_to(tuple(series))
    orders = {len(terms) if isinstance(terms, (tuple, list)) else -1 for terms in lists}
    if len(orders) > 1 or -1 in orders:
        raise TangentError("jet", f"{described(series)}", "for each array a list of terms, all of one length")
    order = orders.pop() if orders else 0
    factors = [math.factorial(k) if factorial_scaled else 1 for k in range(1, order + 1)]
    trace = SeriesTrace(current_trace())
    given = []
    for leaf, terms in zip(leaves, lists, strict=True):
        scaled_down = [t if f == 1 else div(t, like(t, f))
                       for t, f in zip([_fitting(term, leaf) for term in terms], factors, strict=True)]
        given.append(trace.wrap(leaf, scaled_down))
    with use_trace(trace):
        result = fun(*tree.unflatten(structure, given))
    outs, out_tree = tree.flatten(result)
    pairs = [trace.split(out) for out in outs]
    trace.close()
    values = [entered(value) for value, _ in pairs]
    found = []
    for value, terms in pairs:
        full = [*terms, *[None] * (order - len(terms))]
        found.append([no_change(value) if t is None else entered(t) if f == 1 else scaled(t, f)
                      for t, f in zip(full, factors, strict=True)])
    return tree.unflatten(out_tree, values), tree.unflatten(out_tree, found)


def _fitting(term: Any, primal: Any) -> Any:
    """A term as an array of the argument's type."""
    aval, own = aval_of(primal), aval_of(term)
    if not has_tangent(aval) or own.shape not in ((), aval.shape) or own.dtype != aval.dtype and not own.weak:
        raise TangentError("jet", repr(own), f"{aval!r}, of a float or complex type")
    if isinstance(term, (int, float, complex)):
        try:
            return filled(Aval(aval.type), term)
        except (TypeError, OverflowError):
            raise TangentError("jet", described(term), repr(aval)) from None
    term = entered(term) if own.dtype == aval.dtype else convert(entered(term), aval.dtype)
    return broadcast(term, aval.shape, weak=False) if own.shape != aval.shape else term
