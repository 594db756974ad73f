# SPDX-License-Identifier: Apache-2.0
"""fwd_and_bwd: the forward and the backward pass of a function as two functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...tracing.tracebacks import entrance
from ..arguments import call_positions, chosen_positions, function_given
from ..jit import jit
from .reverse import Pullback, pullback


def fwd_and_bwd(
    fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, jitted: bool = True
) -> tuple[Callable[..., Any], Callable[[Pullback, Any], Any]]:
    """The forward and the backward pass of a function as two functions, each of which is compiled once.

    Args:
        fun: The function.
        argnums: The position, or positions, of the arguments with respect to which.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        jitted: Whether both are compiled.

    Returns:
        ``fwd(*args)``, which gives the result and the residuals (with `has_aux` also the second part), and
        ``bwd(residuals, cotangent)``, which gives the cotangents of the chosen arguments: a tuple where `argnums` is
        a sequence.

    Raises:
        CotangentError: By ``bwd``, when a cotangent does not fit.

    Example:
        >>> import olympus
        >>> fwd, bwd = olympus.fwd_and_bwd(lambda x, y: x * y, argnums=(0, 1))
        >>> y, residuals = fwd(2.0, 3.0)
        >>> [float(c) for c in bwd(residuals, 1.0)]
        [3.0, 2.0]
    """
    function_given("fwd_and_bwd", fun)
    numbers, is_one = chosen_positions("fwd_and_bwd", argnums)

    @entrance
    def fwd(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
        positions = call_positions("fwd_and_bwd", numbers, "argnums", len(args))

        def of_chosen(*chosen: Any) -> Any:
            given = list(args)
            for n, x in zip(positions, chosen, strict=True):
                given[n] = x
            return fun(*given, **kwargs)

        result, back, aux = pullback(of_chosen, [args[n] for n in positions], has_aux, "fwd_and_bwd")
        return (result, back, aux) if has_aux else (result, back)

    @entrance
    def bwd(residuals: Pullback, cotangent: Any) -> Any:
        found = residuals(cotangent)
        return found[0] if is_one else found

    return (jit(fwd), jit(bwd)) if jitted else (fwd, bwd)
