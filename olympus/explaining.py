"""explain: the communication that a call, or a `device_put`, would make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.errors import ArgumentError
from olympus_core.program import ArrayType, Program
from olympus_core.runtime.placing import movement

from .array import is_concrete
from .tracing.tracebacks import entrance
from .transforms.device_put import target
from .transforms.jit import Jitted


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


make_jaxpr = make_program  # the name that users of such libraries look for
