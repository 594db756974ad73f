"""The array that users hold: the runtime's, with NumPy's operators."""

from __future__ import annotations

from typing import Any

from olympus_core import runtime
from olympus_core.partition import explicit_layout
from olympus_core.placement import NamedSharding

from .tracing import ArrayOperators, Aval


class ArrayMeta(type(runtime.Array)):  # type: ignore[misc]
    """Lets ``isinstance(x, olympus.Array)`` hold for traced values too, as users of such libraries expect."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return type.__instancecheck__(cls, instance) or (cls is Array and isinstance(instance, ArrayOperators))


class Array(ArrayOperators, runtime.Array, metaclass=ArrayMeta):
    """An immutable array on the devices of one or more processes.

    Made by the functions of olympus; see `olympus.device_put` and `olympus.numpy.array`.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = jnp.arange(3.0)
        >>> x + 1
        Array([1., 2., 3.], dtype=float32)
    """

    __slots__ = ()

    @property
    def aval(self) -> Aval:
        """What tracing knows of it."""
        signature = self._signature
        layout = None
        if isinstance(signature.sharding, NamedSharding) and signature.sharding.mesh.has_explicit_axes:
            layout = explicit_layout(signature.sharding.layout(len(signature.type.shape)))
        return Aval(signature.type, signature.weak, layout)

    __str__ = runtime.Array.__str__
    __repr__ = runtime.Array.__repr__
    __hash__ = None  # type: ignore[assignment]


def is_concrete(value: Any) -> bool:
    """Whether the value is an array with content; traced values, which are instances of `Array` too, are not."""
    return isinstance(value, runtime.Array)
