"""What stands for private names of JAX that olympus has no other use for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from olympus.extend.core import Primitive
from olympus.numpy.creation import asarray
from olympus.operands import convert
from olympus.tracing import aval_of
from olympus.tracing.trace import is_evaluating as trace_state_clean
from olympus.trees.nodes import default_registry
from olympus_core.errors import NotSupportedError
from olympus_core.runtime.world import opened_world

__all__ = [
    "ExtendedDType", "Unavailable", "api_boundary", "opened_backends", "reconstruct_array", "registered_nodes",
    "stop_gradient_p", "supports_inf", "trace_state_clean",
]

# Neither JAX nor olympus binds it; libraries give it a rule.
stop_gradient_p = Primitive("stop_gradient")


def reconstruct_array(fun: Callable[..., Any], args: Any, state: Any, known: dict[str, Any]) -> Any:
    """The array that JAX has pickled.

    Args:
        fun: Makes a NumPy array without content.
        args: What it takes.
        state: The content.
        known: What is known of it besides: whether its type is weak.
    """
    host = fun(*args)
    host.__setstate__(state)
    found = asarray(host)
    return convert(found, aval_of(found).dtype, True) if known.get("weak_type") else found


class ExtendedDType:
    """The base of element types that libraries define; functions of olympus refuse them with an error of their own."""


class Unavailable:
    """What stands for a name that libraries only mention, and which olympus does not have: any use is an error.

    Args:
        name: The name.
        reason: Why olympus does not have it.
    """

    def __init__(self, name: str, reason: str) -> None:
        self._name, self._reason = name, reason

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Refuses."""
        raise NotSupportedError(self._name, self._reason, "Leave out the part of the library that needs it.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Unavailable(f"{self._name}.{name}", self._reason)


class _Nodes:
    """The classes whose instances are containers."""

    def __contains__(self, cls: type) -> bool:
        return default_registry.is_node(cls)


registered_nodes = _Nodes()


class _Backends(Mapping[str, Any]):
    """The platforms whose devices are open, by name; looking does not open them."""

    def __getitem__(self, name: str) -> Any:
        world = opened_world()
        if world is None:
            raise KeyError(name)
        return world.clients[name]

    def __iter__(self) -> Iterator[str]:
        world = opened_world()
        return iter(() if world is None else world.clients)

    def __len__(self) -> int:
        return sum(1 for _ in self)


opened_backends = _Backends()


def api_boundary(function: Callable[..., Any], **_: Any) -> Callable[..., Any]:
    """The function itself: tracebacks leave out olympus's own frames by the option ``olympus_traceback_filtering``."""
    return function


def supports_inf(dtype: Any) -> bool:
    """Whether an element type has infinities.

    Args:
        dtype: The element type, of floating-point numbers.
    """
    with np.errstate(all="ignore"):
        return bool(np.isinf(np.array(np.inf, dtype).astype(np.float32)))
