# SPDX-License-Identifier: Apache-2.0
"""explain: the communication that a call, or a `device_put`, would make; and programs, as text and as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal, overload

from olympus_core.errors import ArgumentError
from olympus_core.program import ArrayType, Program
from olympus_core.runtime.placing import movement

from .array import is_concrete
from .operands import integer
from .tracing.trace import kept_calls
from .tracing.tracebacks import entrance
from .tracing.wrapping import wraps
from .transforms.arguments import function_given, positions
from .transforms.context import ManualAxes, use_manual_axes
from .transforms.device_put import target
from .transforms.jit import Jitted
from .transforms.stages import Traced

if TYPE_CHECKING:
    from .transforms.jaxpr import ClosedJaxpr


@entrance
def explain(function: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """Lists each collective that a call makes: operation, source line, axes, bytes, and why.

    Nothing runs; the arguments' shardings decide.

    Args:
        function: A function of arrays, jitted or not.
        *args: Its arguments.
        **kwargs: Its named arguments.

    Returns:
        A table as text.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import NamedSharding, PartitionSpec as P
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> x = olympus.device_put(jnp.arange(8.0), NamedSharding(mesh, P("x")))
        >>> "all_reduce" in olympus.explain(jnp.sum, x)
        True
    """
    jitted = function if isinstance(function, Jitted) else Jitted(function)
    return jitted.lower(*args, **kwargs).compile().collectives_text()


def explain_device_put(x: Any, device: Any) -> str:
    """Lists the steps by which `device_put` would move an array, with the bytes of each; nothing moves.

    Args:
        x: An array.
        device: Where it shall be: a sharding, a device, or a `PartitionSpec` under `set_mesh`.

    Returns:
        The plan as text.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import NamedSharding, PartitionSpec as P
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> x = olympus.device_put(jnp.zeros((8, 8)), NamedSharding(mesh, P("x")))
        >>> print(olympus.explain_device_put(x, NamedSharding(mesh, P(None, "x"))))
        reshard [8, 8] from P('x', None) to P(None, 'x')
          all_to_all     over x          -> P(None, 'x'): 28 bytes per device, 224 in all
          total: 28 bytes per device, 224 in all
    """
    if not is_concrete(x):
        raise ArgumentError("explain_device_put", "an array is needed", f"{x!r} of type {type(x).__name__}",
                            "an olympus array: a host value is copied from each process's own memory")
    ndim = len(x.shape)
    type_ = ArrayType(x.shape, x.dtype)
    return str(movement(type_, x.sharding.layout(ndim), target(device).layout(ndim)))


def make_program(function: Callable[..., Any]) -> Callable[..., Program]:
    """A function that traces instead of running: what `jit` would compile, before it is split over devices.

    Args:
        function: A function of arrays, jitted or not.

    Returns:
        A function of the same arguments (or `ShapeDtypeStruct`) that gives the program.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> print(olympus.make_program(lambda x: jnp.sin(x))(1.0))
        program(%0: float32[]) {
          %1: float32[] = sin %0
          return %1
        }
    """
    jitted = function if isinstance(function, Jitted) else Jitted(function)
    return entrance(lambda *args, **kwargs: jitted.trace(*args, **kwargs).program)


@overload
def make_jaxpr(
    fun: Callable[..., Any], static_argnums: int | Sequence[int] = (),
    axis_env: Sequence[tuple[str, int]] | None = None, return_shape: Literal[False] = False,
) -> Callable[..., ClosedJaxpr]: ...
@overload
def make_jaxpr(
    fun: Callable[..., Any], static_argnums: int | Sequence[int] = (),
    axis_env: Sequence[tuple[str, int]] | None = None, *, return_shape: Literal[True],
) -> Callable[..., tuple[ClosedJaxpr, Any]]: ...
def make_jaxpr(
    fun: Callable[..., Any], static_argnums: int | Sequence[int] = (),
    axis_env: Sequence[tuple[str, int]] | None = None, return_shape: bool = False,
) -> Callable[..., Any]:
    """A function that traces instead of running, and gives the program as data: a closed jaxpr.

    A call of a user's jitted function stands in it as an equation of the primitive `jit`, of one of olympus's own
    functions as its operations.

    Args:
        fun: A function of arrays, jitted or not.
        static_argnums: Positions of the arguments that are Python values.
        axis_env: Names and sizes of axes that collectives in the function may name.
        return_shape: Whether to give the results' structure as well, with `ShapeDtypeStruct` as leaves.

    Returns:
        A function of the same arguments (or `ShapeDtypeStruct`) that gives the jaxpr.

    Raises:
        ArgumentError: For what is no function, or names no axes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> closed = olympus.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)
        >>> print(closed)
        { lambda ; a:f32[]. let
            b:f32[] = sin a
            c:f32[] = mul b 2.0:f32[]
          in (c,) }
        >>> closed.jaxpr.eqns[1].primitive.name, closed.out_avals
        ('mul', [float32[]])
    """
    function_given("make_jaxpr", fun)
    numbers = positions("make_jaxpr", static_argnums, "static_argnums")
    axes = tuple((name, integer("make_jaxpr", size, "the size of an axis", 1)) for name, size in axis_env or ())

    def made(*args: Any, **kwargs: Any) -> Any:
        traced = _traced(fun, numbers, axes, args, kwargs)
        return (traced.jaxpr, traced.out_info) if return_shape else traced.jaxpr

    made.__name__ = f"make_jaxpr({getattr(fun, '__name__', type(fun).__name__)})"
    return entrance(made)


def _traced(
    fun: Callable[..., Any], static: tuple[int, ...], axes: tuple[tuple[str, int], ...], args: Any, kwargs: Any
) -> Traced:
    from .transforms.traces.jitted_calls import kept_call

    if isinstance(fun, Jitted) and any(fun.statics) and not static:
        known = fun  # which knows its static arguments
    else:
        known = Jitted(wraps(fun)(lambda *a, **k: fun(*a, **k)), static_argnums=static)
    around = use_manual_axes(ManualAxes(axes, tuple(name for name, _ in axes))) if axes else nullcontext()
    token = kept_calls.set(kept_call)
    try:
        with around:
            return known.trace(*args, **kwargs)
    finally:
        kept_calls.reset(token)
