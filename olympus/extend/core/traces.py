# SPDX-License-Identifier: Apache-2.0
"""Questions about what is being traced, and types of values that libraries ask for."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ConcretizationError

from ...tracing import EVALUATING, Aval, StagingTrace, Tracer, aval_of, current_trace, use_trace
from ...transforms.context import bound_axes
from ...transforms.jaxpr import Var
from ...transforms.traces.batching_trace import BatchingTrace

array_types = frozenset({np.ndarray, *(dtype.type for dtype in dtypes.KNOWN)})


class OpaqueTraceState:
    """What is being traced, to be compared with another time: equal as long as nothing else is traced."""

    __slots__ = ("_trace",)

    def __init__(self) -> None:
        trace = current_trace()
        try:
            self._trace: Callable[[], Any] = weakref.ref(trace)
        except TypeError:
            self._trace = lambda: trace

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpaqueTraceState) and (own := self._trace()) is not None and own is other._trace()

    __hash__ = None  # type: ignore[assignment]


def get_opaque_trace_state(convention: str | None = None) -> OpaqueTraceState:
    """What is being traced now, as a value that is equal to another one while that stays so.

    Args:
        convention: Accepted for compatibility.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import get_opaque_trace_state
        >>> outside = get_opaque_trace_state()
        >>> inside = []
        >>> y = olympus.jit(lambda x: inside.append(get_opaque_trace_state() == outside) or x)(1.0)
        >>> get_opaque_trace_state() == outside, inside
        (True, [False])
    """
    return OpaqueTraceState()


def find_top_trace(xs: Iterable[Any]) -> Any:
    """The trace in which an operation on these values would be bound: the current one.

    Args:
        xs: Any values.

    Example:
        >>> from olympus.extend.core import find_top_trace
        >>> find_top_trace([1.0]) is find_top_trace([])
        True
    """
    return current_trace()


@contextmanager
def take_current_trace() -> Iterator[Any]:
    """Gives the current trace, and evaluates in the block.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import set_current_trace, take_current_trace
        >>> with take_current_trace() as trace, set_current_trace(trace):
        ...     y = olympus.numpy.sin(0.0)
    """
    trace = current_trace()
    with use_trace(EVALUATING):
        yield trace


@contextmanager
def set_current_trace(trace: Any, check_leaks: bool = False) -> Iterator[None]:
    """Makes a trace the current one in the block.

    Args:
        trace: The trace, such as `take_current_trace` gives it.
        check_leaks: Accepted for compatibility.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import find_top_trace, set_current_trace
        >>> with set_current_trace(find_top_trace([])):
        ...     y = olympus.numpy.sin(0.0)
    """
    with use_trace(trace):
        yield


def _surrounding() -> Iterator[Any]:
    trace: Any = current_trace()
    while trace is not None:
        yield trace
        trace = getattr(trace, "parent", getattr(trace, "parent_trace", None))


def unsafe_am_i_under_a_jit_DO_NOT_USE() -> bool:
    """Whether a program is being traced here.

    Example:
        >>> from olympus.extend.core import unsafe_am_i_under_a_jit_DO_NOT_USE
        >>> unsafe_am_i_under_a_jit_DO_NOT_USE()
        False
    """
    return any(isinstance(trace, StagingTrace) for trace in _surrounding())


def unsafe_am_i_under_a_vmap_DO_NOT_USE() -> bool:
    """Whether `vmap` maps the function that is being called here, as far as no jitted function stands between.

    Example:
        >>> from olympus.extend.core import unsafe_am_i_under_a_vmap_DO_NOT_USE
        >>> unsafe_am_i_under_a_vmap_DO_NOT_USE()
        False
    """
    return any(isinstance(trace, BatchingTrace) for trace in _surrounding())


def unsafe_get_axis_names_DO_NOT_USE() -> list[Any]:
    """The names of axes that collectives may take here.

    Example:
        >>> from olympus.extend.core import unsafe_get_axis_names_DO_NOT_USE
        >>> unsafe_get_axis_names_DO_NOT_USE()
        []
    """
    return list(bound_axes())


def nonempty_axis_env_DO_NOT_USE() -> bool:
    """Whether there is a name that collectives may take here.

    Example:
        >>> from olympus.extend.core import nonempty_axis_env_DO_NOT_USE
        >>> nonempty_axis_env_DO_NOT_USE()
        False
    """
    return bool(bound_axes())


def concrete_or_error(force: Callable[[Any], Any] | None, val: Any, context: str = "") -> Any:
    """A value that must be known now.

    Args:
        force: What is made of it, such as `int`; None for the value as it is.
        val: The value.
        context: What is to be said in the error.

    Raises:
        ConcretizationError: When it is being traced.

    Example:
        >>> from olympus.extend.core import concrete_or_error
        >>> concrete_or_error(int, 3.0)
        3
    """
    if isinstance(val, Tracer):
        raise ConcretizationError(context or "a value that must be known", repr(aval_of(val)))
    return val if force is None else force(val)


def gensym() -> Callable[[Aval], Var]:
    """A function that makes new variables of jaxprs, given their types.

    Example:
        >>> import olympus
        >>> olympus.extend.core.gensym()(olympus.typeof(1.0)).aval
        float32[]
    """
    return Var
