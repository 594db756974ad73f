# SPDX-License-Identifier: Apache-2.0
"""Ordinary differential equations, with derivatives by the adjoint equation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from .. import lax
from .. import numpy as jnp
from ..flatten_util import ravel_pytree
from ..numpy.promotion import inexact_dtype
from ..operands import cast, dtype_of, function_of, shape_of
from ..transforms.derivatives import custom_vjp, vjp
from ..transforms.traces.jvp_trace import float0
from ..trees.functions import leaves, map

__all__ = ["odeint"]
__dir__ = listed(__all__)

# The pair of orders 5 and 4 of Dormand and Prince, and Shampine's value in the middle of a step.
_NODES = np.array([1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (35 / 384 - 5179 / 57600, 0, 500 / 1113 - 7571 / 16695, 125 / 192 - 393 / 640,
          -2187 / 6784 + 92097 / 339200, 11 / 84 - 187 / 2100, -1 / 40)
_MIDDLE = (6025192743 / 30085553152 / 2, 0, 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2,
           187940372067 / 1594534317056 / 2, -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2)


def odeint(
    func: Callable[..., Any], y0: Any, t: Any, *args: Any, rtol: float = 1.4e-8, atol: float = 1.4e-8,
    mxstep: float = np.inf, hmax: float = np.inf,
) -> Any:
    """The solution of ``dy/dt = func(y, t, *args)`` at given times, by an explicit Runge-Kutta method of order 5.

    The steps are chosen so that each is off by less than ``atol + rtol * abs(y)``. Derivatives in reverse mode are by
    the adjoint equation, solved backwards with the same tolerances; there are none in forward mode. What `func`
    depends on is to be in `args`.

    Args:
        func: The right-hand side: a function of the state, the time and `args` whose result is like the state.
        y0: The state at the first time, a tree of arrays.
        t: The times, ascending; results at a time before the steps of an earlier one are NaN.
        *args: Trees of arrays for `func`.
        rtol: The relative tolerance.
        atol: The absolute tolerance.
        mxstep: The most steps between two times; results after as many are those of the last step.
        hmax: The longest step.

    Returns:
        A tree like the state, whose arrays have the times in front; the first ones are those of `y0`.

    Raises:
        ArgumentError: If an argument is no tree of arrays, or the times are not in one dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental.ode import odeint
        >>> y = odeint(lambda y, t: -y, jnp.array(1.0), jnp.array([0.0, 1.0]), rtol=1e-6, atol=1e-6)
        >>> round(float(y[1]), 3)
        0.368

    References:
        Dormand and Prince, A family of embedded Runge-Kutta formulae, 1980. Shampine, Some practical Runge-Kutta
        formulas, 1986. Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.4.
    """
    function_of("odeint", func, "the right-hand side")
    for leaf in leaves((y0, t, args)):
        if not hasattr(leaf, "dtype") and not isinstance(leaf, (bool, int, float, complex)):
            raise ArgumentError("odeint", "an argument is no array", type(leaf).__name__, "trees of arrays and numbers")
    if len(shape_of(t)) != 1 or not shape_of(t)[0]:
        raise ArgumentError("odeint", "the times are not in one dimension", shape_of(t), "one time or more")
    times = jnp.asarray(t)
    times = cast(times, inexact_dtype(dtype_of(times)), "odeint")
    start = map(lambda leaf: cast(jnp.asarray(leaf), inexact_dtype(dtype_of(leaf)), "odeint"), y0)
    flat, unravel = ravel_pytree(start)

    def flat_func(y: Any, time: Any, arguments: Any) -> Any:
        return cast(ravel_pytree(func(unravel(y), time, *arguments))[0], dtype_of(y), "odeint")

    limits = (float(rtol), float(atol), float(mxstep), float(hmax))
    found = _solver(flat_func, limits)(flat, times, tuple(args))
    return _unraveled(found, start)


def _unraveled(found: Any, like: Any) -> Any:
    """The rows of an array as a tree of arrays with the rows in front."""
    offset = 0
    parts = []
    for leaf in leaves(like):
        size = int(np.prod(shape_of(leaf)))
        part = lax.slice_in_dim(found, offset, offset + size, axis=1)
        if dtypes.is_complex(dtype_of(part)) and not dtypes.is_complex(dtype_of(leaf)):
            part = jnp.real(part)
        parts.append(cast(part.reshape((shape_of(found)[0], *shape_of(leaf))), dtype_of(leaf), "odeint"))
        offset += size
    remaining = iter(parts)
    return map(lambda leaf: next(remaining), like)


def _solve(
    func: Callable[..., Any], y0: Any, times: Any, args: Any, rtol: float, atol: float, mxstep: float, hmax: float
) -> Any:
    """The states at all times, in rows: steps as long as the error allows, and a quartic within the last one."""
    most = int(min(mxstep, 2**31 - 2))
    f0 = func(y0, times[0], args)
    dt = jnp.minimum(_first_step(func, y0, times[0], args, f0, rtol, atol), hmax).astype(dtype_of(times))

    def unfinished(state: Any) -> Any:
        count, _, _, now, step, _, _, target = state
        return (now < target) & (count < most) & (step > 0)

    def advance(state: Any) -> Any:
        count, y, f, now, step, before, quartic, target = state
        y_next, f_next, error, middle = _step(func, y, f, now, step, args)
        ratio = _size(error / (atol + rtol * jnp.maximum(jnp.abs(y), jnp.abs(y_next))))
        longer = jnp.clip(_next_step(step, ratio), 0, hmax).astype(dtype_of(step))
        found = (y_next, f_next, now + step, now, _quartic(y, y_next, middle, f, f_next, step))
        accepted = ratio <= 1
        y, f, now, before, quartic = (
            jnp.where(accepted, new, old) for new, old in zip(found, (y, f, now, before, quartic), strict=True))
        return count + 1, y, f, now, longer, before, quartic, target

    def until(carry: Any, target: Any) -> Any:
        state = lax.while_loop(unfinished, advance, (np.int32(0), *carry, target))
        _, y, f, now, step, before, quartic, _ = state
        span = jnp.where(now > before, now - before, 1)
        place, found = ((target - before) / span).astype(dtype_of(y0)), quartic[0]
        for coefficient in range(1, 5):
            found = found * place + quartic[coefficient]
        # The steps only go forward: of what was before the last one nothing is known.
        return (y, f, now, step, before, quartic), jnp.where(target < before, np.nan, found)

    first = jnp.stack([jnp.zeros_like(y0)] * 4 + [y0])
    _, rest = lax.scan(until, (y0, f0, times[0], dt, times[0], first), times[1:])
    return jnp.concatenate([y0[None], rest])


def _step(func: Callable[..., Any], y: Any, f: Any, now: Any, step: Any, args: Any) -> Any:
    """The state and its slope after a step, an estimate of the error, the state in the middle of the step."""
    slopes = [f]
    for node, weights in zip(_NODES, _STAGES, strict=True):
        y_next = y + step.astype(dtype_of(y)) * _weighed(slopes, weights)
        slopes.append(func(y_next, now + step * float(node), args))
    factor = step.astype(dtype_of(y))
    return y_next, slopes[-1], factor * _weighed(slopes, _ERROR), y + factor * _weighed(slopes, _MIDDLE)


def _weighed(slopes: Any, weights: Any) -> Any:
    return sum(float(w) * k for w, k in zip(weights, slopes, strict=True) if w)


def _quartic(y: Any, y_next: Any, middle: Any, f: Any, f_next: Any, step: Any) -> Any:
    """The polynomial over the step, from 0 to 1, of given values and slopes at its ends and a value in its middle."""
    f, f_next = (step.astype(dtype_of(y)) * slope for slope in (f, f_next))
    return jnp.stack([
        -2 * f + 2 * f_next - 8 * y - 8 * y_next + 16 * middle, 5 * f - 3 * f_next + 18 * y + 14 * y_next - 32 * middle,
        -4 * f + f_next - 11 * y - 5 * y_next + 16 * middle, f, y])


def _size(x: Any) -> Any:
    """The root of the mean of squares; 0 of nothing."""
    return jnp.sqrt(jnp.sum(jnp.abs(x) ** 2) / max(int(np.prod(shape_of(x))), 1))


def _next_step(step: Any, ratio: Any) -> Any:
    """At most ten times as long, at least a fifth; no shorter where the error was small enough."""
    least = jnp.where(ratio < 1, 1.0, 0.2)
    known = jnp.where(ratio > 0, ratio, 1)
    factor = jnp.clip(0.9 * known**-0.2, least, 10.0)
    return jnp.where(jnp.isnan(ratio), step * 0.2, step * jnp.where(ratio > 0, factor, 10.0))


def _first_step(func: Callable[..., Any], y0: Any, t0: Any, args: Any, f0: Any, rtol: float, atol: float) -> Any:
    """Hairer, Norsett and Wanner's choice, from the size of the state, its slope and its curvature."""
    scale = atol + jnp.abs(y0) * rtol
    d0, d1 = _size(y0 / scale), _size(f0 / scale)
    h0 = jnp.where((d0 < 1e-5) | (d1 < 1e-5), 1e-6, 0.01 * d0 / jnp.where(d1 == 0, 1, d1)).astype(dtype_of(t0))
    f1 = func(y0 + h0.astype(dtype_of(y0)) * f0, t0 + h0, args)
    d2 = _size((f1 - f0) / scale) / h0
    largest = jnp.maximum(d1, d2)
    h1 = jnp.where(largest <= 1e-15, jnp.maximum(1e-6, h0 * 1e-3), (0.01 / jnp.where(largest == 0, 1, largest)) ** 0.2)
    return jnp.minimum(100.0 * h0, h1)


def _solver(func: Callable[..., Any], limits: tuple[float, float, float, float]) -> Callable[..., Any]:
    @custom_vjp
    def solve(y0: Any, times: Any, args: Any) -> Any:
        return _solve(func, y0, times, args, *limits)

    def forward(y0: Any, times: Any, args: Any) -> Any:
        found = _solve(func, y0, times, args, *limits)
        return found, (found, times, args)

    def backward(kept: Any, cotangent: Any) -> Any:
        found, times, args = kept
        return _adjoint(func, limits, found, times, args, cotangent)

    solve.defvjp(forward, backward)
    return solve


def _adjoint(func: Callable[..., Any], limits: Any, found: Any, times: Any, args: Any, cotangent: Any) -> Any:
    """The adjoint equation: the state and its cotangent from the last time to the first, those of args summed."""
    inexact = [i for i, leaf in enumerate(leaves(args)) if _is_inexact(leaf)]

    def with_args(chosen: Any) -> Any:
        given = iter(chosen)
        numbers = iter(range(len(leaves(args))))
        return map(lambda leaf: next(given) if next(numbers) in inexact else leaf, args)

    chosen = [jnp.asarray(leaf) for i, leaf in enumerate(leaves(args)) if i in inexact]
    n = shape_of(found)[1]
    flat_chosen, unravel_chosen = ravel_pytree(chosen) if chosen else (jnp.zeros(0, dtype_of(found)), lambda x: [])
    kind = np.result_type(dtype_of(found), dtype_of(flat_chosen))

    def backwards(state: Any, time: Any, everything: Any) -> Any:
        y, bar = (cast(part, dtype_of(found), "odeint") for part in (state[:n], state[n:2 * n]))
        values = everything
        _, pull = vjp(lambda y, now, given: func(y, now, with_args(given)), y, -time, values)
        y_bar, _, args_bar = pull(bar)
        dot = func(y, -time, with_args(values))
        flat = ravel_pytree(args_bar)[0] if values else jnp.zeros(0, kind)
        return jnp.concatenate([cast(x, kind, "odeint") for x in (-dot, y_bar, flat)])

    def step(carry: Any, position: Any) -> Any:
        y_bar, args_bar = carry
        y, now, before = found[position], times[position], times[position - 1]
        bar = y_bar + cotangent[position]
        now_bar = jnp.real(jnp.sum(func(y, now, args) * cotangent[position]))
        state = jnp.concatenate([cast(x, kind, "odeint") for x in (y, bar, args_bar)])
        solved = _solve(backwards, state, jnp.stack([-now, -before]), chosen, *limits)[1]
        return (cast(solved[n:2 * n], dtype_of(found), "odeint"), solved[2 * n:]), now_bar

    count = shape_of(times)[0]
    zero = (jnp.zeros_like(found[0]), jnp.zeros(shape_of(flat_chosen), kind))
    (y_bar, args_bar), times_bar = lax.scan(step, zero, jnp.arange(count - 1, 0, -1))
    y_bar = y_bar + cotangent[0]
    first = -jnp.real(jnp.sum(func(found[0], times[0], args) * (y_bar - cotangent[0])))
    all_times = jnp.concatenate([first[None].astype(dtype_of(times)), times_bar[::-1].astype(dtype_of(times))])
    parts = iter(unravel_chosen(cast(args_bar, dtype_of(flat_chosen), "odeint")))
    numbers = iter(range(len(leaves(args))))
    args_cotangent = map(
        lambda leaf: next(parts) if next(numbers) in inexact else np.zeros(shape_of(leaf), float0), args)
    return y_bar, all_times, args_cotangent


def _is_inexact(leaf: Any) -> bool:
    return dtypes.is_float(dtype_of(leaf)) or dtypes.is_complex(dtype_of(leaf))
