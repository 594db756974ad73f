# SPDX-License-Identifier: Apache-2.0
"""Functions of vectors made least by quasi-Newton methods, as programs that can be compiled and mapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .. import lax
from .. import numpy as jnp
from ..numpy.promotion import inexact_dtype
from ..operands import cast, dtype_of, function_of, integer, shape_of
from ..tracing.tracebacks import entrance
from ..transforms.derivatives import value_and_grad

__all__ = ["OptimizeResults", "minimize"]
__dir__ = listed(__all__)

_ARMIJO, _WOLFE = 1e-4, 0.9  # how much the function must fall, and its slope flatten, in a step
_BRACKETING, _ZOOMING, _FOUND = 0, 1, 2
LBFGS = "l-bfgs-experimental-do-not-rely-on-this"


class OptimizeResults(NamedTuple):
    """What `minimize` found.

    Args:
        x: The point.
        success: Whether the gradient there is small enough.
        status: 0 for success; 1 at the limit of steps, 2 and 3 at those of evaluations; 4 where the function no longer
            falls (L-BFGS); 5 where a line search found no step.
        fun: The function there.
        jac: Its gradient.
        hess_inv: An approximation of the inverse of its second derivative; None where the method has none.
        nfev: How often the function was evaluated.
        njev: How often its gradient was.
        nit: The number of steps.

    References:
        SciPy, scipy.optimize.OptimizeResult.
    """

    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


class _Point(NamedTuple):
    """A point of a line search: how far, the function and its slope along the line there, its gradient."""

    step: Any
    value: Any
    slope: Any
    gradient: Any


class _Search(NamedTuple):
    """A line search: what it does next, its next step, its interval, what it found, how often it evaluated."""

    phase: Any
    step: Any
    low: _Point
    high: _Point
    found: _Point
    count: Any


def _chosen(condition: Any, yes: _Point, no: _Point) -> _Point:
    return _Point(*(jnp.where(condition, a, b) for a, b in zip(yes, no, strict=True)))


def _interpolated(low: _Point, high: _Point) -> Any:
    """The minimum of the cubic through both ends, or the middle where it has none well inside."""
    width = high.step - low.step
    d1 = low.slope + high.slope - 3 * (low.value - high.value) / (low.step - high.step)
    root = jnp.sqrt(jnp.maximum(d1 * d1 - low.slope * high.slope, 0)) * jnp.sign(width)
    cubic = high.step - width * (high.slope + root - d1) / (high.slope - low.slope + 2 * root)
    share = (cubic - low.step) / width
    return jnp.where((share > 0.1) & (share < 0.9), cubic, low.step + width / 2)  # NaN counts as outside


def _line_search(
    evaluate: Callable[[Any], tuple[Any, Any]], x: Any, direction: Any, start: _Point, first: Any, limit: int,
) -> _Search:
    """A step that fulfils the strong Wolfe conditions, or the approximate ones where rounding hides the first.

    References:
        J. Nocedal and S. J. Wright, Numerical Optimization, 2nd edition, algorithms 3.5 and 3.6.
        W. W. Hager and H. Zhang, A new conjugate gradient method with guaranteed descent, 2005, section 4.
    """
    precision = float(jnp.finfo(dtype_of(x)).eps)
    noise = precision * jnp.abs(start.value)

    def step(state: _Search) -> _Search:
        phase, low, high = state.phase, state.low, state.high
        value, gradient = evaluate(x + state.step * direction)
        here = _Point(state.step, value, jnp.vdot(gradient, direction), gradient)
        falls = value <= start.value + _ARMIJO * here.step * start.slope
        approximate = ((value <= start.value + noise) & (here.slope <= (2 * _ARMIJO - 1) * start.slope)
                       & (here.slope >= _WOLFE * start.slope))
        bracketing = phase == _BRACKETING
        lower = (value < low.value) | (bracketing & (state.count == 0))
        good = approximate | (falls & lower & (jnp.abs(here.slope) <= -_WOLFE * start.slope))
        too_far = ~(falls & lower)
        rising = jnp.where(bracketing, here.slope >= 0, here.slope * (high.step - low.step) >= 0)
        new_high = _chosen(too_far, here, _chosen(rising, low, high))
        new_low = _chosen(too_far, low, here)
        zooming = ~bracketing | too_far | rising
        further = jnp.where(zooming, _interpolated(new_low, new_high), 2 * here.step)
        phase = jnp.where(good, _FOUND, jnp.where(zooming, _ZOOMING, jnp.int32(_BRACKETING)))
        return _Search(phase, further, new_low, new_high, _chosen(good, here, state.found), state.count + 1)

    state = _Search(jnp.int32(_BRACKETING), first, start, start, start, jnp.int32(0))
    state = lax.while_loop(lambda s: (s.phase != _FOUND) & (s.count < limit), step, state)
    # At the limit the best point that fell enough will do.
    usable = (state.phase != _FOUND) & (state.low.step > 0) & (state.low.value < start.value)
    return state._replace(found=_chosen(usable, state.low, state.found),
                          phase=jnp.where(usable, _FOUND, state.phase))


def _norm(x: Any, order: Any) -> Any:
    return jnp.linalg.norm(x, ord=order)


class _Step(NamedTuple):
    """A quasi-Newton method between two steps."""

    x: Any
    value: Any
    gradient: Any
    memory: Any
    count: Any
    evaluations: Any
    converged: Any
    status: Any  # negative while it goes on


def _descend(
    function: Callable[[Any], Any], x: Any, memory: Any, direction_of: Callable[[Any, Any], Any],
    remembered: Callable[[Any, Any, Any], Any], order: Any, gtol: float, limits: Mapping[str, Any],
) -> _Step:
    """Steps along directions that a memory of earlier steps gives.

    Args:
        function: The function.
        x: Where to begin.
        memory: The memory at the beginning.
        direction_of: The memory and a gradient to a direction.
        remembered: The memory, a step and the change of the gradient to the next memory.
        order: The norm of gradients.
        gtol: The norm at which it ends.
        limits: `steps`, `evaluations`, `line` (of one line search) and `ftol`, None where there is none.
    """
    evaluate = value_and_grad(function)
    value, gradient = evaluate(x)
    converged = _norm(gradient, order) < gtol
    running = jnp.int32(-1)
    state = _Step(x, value, gradient, memory, jnp.int32(0), jnp.int32(1), converged,
                  jnp.where(converged, 0, running))

    def step(state: _Step) -> _Step:
        direction = direction_of(state.memory, state.gradient)
        slope = jnp.vdot(state.gradient, direction)
        uphill = ~(slope < 0)  # rounding has spoilt the memory: go down the gradient
        direction = jnp.where(uphill, -state.gradient, direction)
        slope = jnp.where(uphill, -jnp.vdot(state.gradient, state.gradient), slope)
        start = _Point(jnp.zeros_like(state.value), state.value, slope, state.gradient)
        # A first step of length one at most; later ones are those of Newton's method.
        length = jnp.linalg.norm(state.gradient)
        first = jnp.where((state.count == 0) | uphill, jnp.minimum(1.0, 1.01 / length), 1.0).astype(state.value.dtype)
        search = _line_search(evaluate, state.x, direction, start, first, limits["line"])
        found, failed = search.found, search.phase != _FOUND
        change = found.step * direction
        memory = remembered(state.memory, change, found.gradient - state.gradient)
        count, evaluations = state.count + 1, state.evaluations + search.count
        converged = _norm(found.gradient, order) < gtol
        status = jnp.where(count >= limits["steps"], 1, running)
        if limits["evaluations"] is not None:
            status = jnp.where(evaluations >= limits["evaluations"], 2, status)
        if limits["ftol"] is not None:
            status = jnp.where(state.value - found.value < limits["ftol"], 4, status)
        status = jnp.where(converged, 0, jnp.where(failed, 5, status))
        return _Step(state.x + change, found.value, found.gradient, memory, count, evaluations, converged, status)

    return lax.while_loop(lambda s: s.status < 0, step, state)


def _bfgs(
    function: Callable[[Any], Any], x: Any, norm: Any = jnp.inf, gtol: float = 1e-5, maxiter: int | None = None,
    line_search_maxiter: int = 20,
) -> OptimizeResults:
    size = shape_of(x)[0]
    identity = jnp.eye(size, dtype=dtype_of(x))

    def remembered(inverse: Any, s: Any, y: Any) -> Any:
        product = jnp.vdot(y, s)
        rho = jnp.where(product > 0, 1 / jnp.where(product > 0, product, 1), 0)
        left = identity - rho * jnp.outer(s, y)
        updated = left @ inverse @ left.T + rho * jnp.outer(s, s)
        return jnp.where(product > 0, updated, inverse)

    limits = {"steps": 200 * size if maxiter is None else maxiter, "evaluations": None, "line": line_search_maxiter,
              "ftol": None}
    end = _descend(function, x, identity, lambda inverse, g: -(inverse @ g), remembered, norm, gtol, limits)
    return OptimizeResults(end.x, end.converged, end.status, end.value, end.gradient, end.memory, end.evaluations,
                           end.evaluations, end.count)


def _lbfgs(
    function: Callable[[Any], Any], x: Any, maxiter: int | None = None, norm: Any = jnp.inf, maxcor: int = 10,
    ftol: float = 2.220446049250313e-09, gtol: float = 1e-5, maxfun: int | None = None, maxgrad: int | None = None,
    maxls: int = 20,
) -> OptimizeResults:
    size, dtype = shape_of(x)[0], dtype_of(x)
    memory = (jnp.zeros((maxcor, size), dtype), jnp.zeros((maxcor, size), dtype), jnp.zeros(maxcor, dtype),
              jnp.ones((), dtype))

    def direction_of(memory: Any, gradient: Any) -> Any:
        s, y, rho, gamma = memory  # the newest step last; rho is zero where there is none

        def backward(i: Any, state: Any) -> Any:
            q, alphas = state
            k = maxcor - 1 - i
            alpha = rho[k] * jnp.vdot(s[k], q)
            return q - alpha * y[k], alphas.at[k].set(alpha)

        q, alphas = lax.fori_loop(0, maxcor, backward, (gradient, jnp.zeros(maxcor, dtype)))
        return -lax.fori_loop(
            0, maxcor, lambda k, z: z + s[k] * (alphas[k] - rho[k] * jnp.vdot(y[k], z)), gamma * q)

    def remembered(memory: Any, step: Any, change: Any) -> Any:
        s, y, rho, gamma = memory
        product = jnp.vdot(change, step)
        fits = product > 0
        safe = jnp.where(fits, product, 1)
        new = (jnp.roll(s, -1, 0).at[-1].set(step), jnp.roll(y, -1, 0).at[-1].set(change),
               jnp.roll(rho, -1).at[-1].set(1 / safe), safe / jnp.where(fits, jnp.vdot(change, change), 1))
        return tuple(jnp.where(fits, a, b) for a, b in zip(new, memory, strict=True))

    counts = [n for n in (maxfun, maxgrad) if n is not None]
    limits = {"steps": 200 * size if maxiter is None else maxiter, "evaluations": min(counts) if counts else None,
              "line": maxls, "ftol": ftol}
    end = _descend(function, x, memory, direction_of, remembered, norm, gtol, limits)
    return OptimizeResults(end.x, end.converged, end.status, end.value, end.gradient, None, end.evaluations,
                           end.evaluations, end.count)


_METHODS: dict[str, tuple[Callable[..., OptimizeResults], frozenset[str]]] = {
    "bfgs": (_bfgs, frozenset({"norm", "gtol", "maxiter", "line_search_maxiter"})),
    LBFGS: (_lbfgs, frozenset({"maxiter", "norm", "maxcor", "ftol", "gtol", "maxfun", "maxgrad", "maxls"})),
}


@entrance
def minimize(
    fun: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResults:
    """Finds a point at which a function is least, near a first guess.

    It can be jitted and mapped; derivatives through it are had from `olympus.lax.custom_root` of the gradient.

    Args:
        fun: A function ``(x, *args) -> scalar`` that has a derivative.
        x0: Where to begin, a vector of real numbers.
        args: Further arguments of the function.
        method: ``"BFGS"``, or the method with limited memory under JAX's name for it.
        tol: The greatest norm of the gradient at the end; `gtol` of the options, where they have it, otherwise.
        options: Of BFGS `maxiter`, `gtol`, `norm` and `line_search_maxiter`; of the other one `maxiter`, `gtol`,
            `ftol`, `norm`, `maxcor`, `maxfun`, `maxgrad` and `maxls`.

    Returns:
        What was found.

    Raises:
        ArgumentError: If `x0` is no real vector, the function gives no scalar, or a method or option is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.optimize import minimize
        >>> found = minimize(lambda x: ((x - 1) ** 2).sum(), jnp.zeros(3), method="BFGS")
        >>> bool(found.success), [round(float(v), 4) for v in found.x]
        (True, [1.0, 1.0, 1.0])

    References:
        J. Nocedal and S. J. Wright, Numerical Optimization, 2nd edition, algorithms 6.1 and 7.4.
    """
    name = "minimize"
    function_of(name, fun, "fun")
    known = _METHODS.get(method.lower()) if isinstance(method, str) else None
    if known is None:
        raise ArgumentError(name, "the method is not known", described(method), f"'BFGS' or {LBFGS!r}")
    if not isinstance(args, tuple):
        raise ArgumentError(name, "the further arguments are no tuple", described(args), "args=(...,)")
    run, names = known
    given = dict(options or {})
    if set(given) - names:
        raise ArgumentError(name, f"{method} has no such option", sorted(set(given) - names), sorted(names))
    if tol is not None:
        given["gtol"] = tol
    for key in ("maxiter", "line_search_maxiter", "maxcor", "maxfun", "maxgrad", "maxls"):
        if given.get(key) is not None:
            given[key] = integer(name, given[key], key, 1 if key == "maxcor" else 0)
    if len(shape_of(x0)) != 1:
        raise ArgumentError(name, "x0 is no vector", shape_of(x0), "a shape (n,)",
                            "Flatten it with olympus.flatten_util.ravel_pytree.")
    x = cast(x0, inexact_dtype(dtype_of(x0)), name)
    if dtypes.is_complex(dtype_of(x)):
        raise ArgumentError(name, "x0 is complex", dtype_of(x), "real numbers",
                            "Minimize over the real and imaginary parts.")
    return run(lambda x: fun(x, *args), x, **given)
