# SPDX-License-Identifier: Apache-2.0
"""Events of a process and their listeners: what was traced, compiled and found in caches, how often and how long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.dataclass import public_dataclass

from .config import config
from .errors import ArgumentError, described

TRACED = "/olympus/core/compile/trace_duration"
SPLIT = "/olympus/core/compile/partition_duration"
COMPILED = "/olympus/core/compile/backend_compile_duration"
MEMORY_HIT, MEMORY_MISS = "/olympus/compilation_cache/memory_hits", "/olympus/compilation_cache/memory_misses"
DISK_HIT, DISK_MISS = "/olympus/compilation_cache/cache_hits", "/olympus/compilation_cache/cache_misses"

_WORDS = {TRACED: "traced", SPLIT: "split", COMPILED: "compiled"}
Listener = Callable[..., Any]


@public_dataclass(frozen=True)
class Counter:
    """How often an event came.

    Attributes:
        count: The number of times.
        total: The sum of the durations, in seconds; of time spans too; of scalars the sum of the values.
    """

    count: int
    total: float


_lock = threading.Lock()
_counters: dict[str, Counter] = {}
_events: list[Listener] = []
_durations: list[Listener] = []
_spans: list[Listener] = []
_scalars: list[Listener] = []


def _count(event: str, amount: float) -> None:
    with _lock:
        before = _counters.get(event, Counter(0, 0.0))
        _counters[event] = Counter(before.count + 1, before.total + float(amount))


def record_event(event: str, **kwargs: str | int) -> None:
    """Counts an event and tells the listeners of events.

    Args:
        event: Its name, by convention a path such as ``/my_library/restored``.
        **kwargs: What else is known of it, for the listeners.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.record_event("/example/started")
        >>> monitoring.counters()["/example/started"].count
        1
    """
    _count(event, 0.0)
    for listener in tuple(_events):
        listener(event, **kwargs)


def record_event_duration_secs(event: str, duration: float, **kwargs: str | int) -> None:
    """Counts an event that took some time and tells the listeners of durations.

    Args:
        event: Its name.
        duration: The time in seconds.
        **kwargs: What else is known of it, for the listeners.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.record_event_duration_secs("/example/loaded", 0.5)
        >>> monitoring.counters()["/example/loaded"]
        Counter(count=1, total=0.5)
    """
    _count(event, duration)
    for listener in tuple(_durations):
        listener(event, duration, **kwargs)


def record_event_time_span(event: str, start_time: float, end_time: float, **kwargs: str | int) -> None:
    """Counts an event with its beginning and end and tells the listeners of time spans.

    Args:
        event: Its name.
        start_time: When it began, in seconds.
        end_time: When it ended, in seconds of the same clock.
        **kwargs: What else is known of it, for the listeners.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.record_event_time_span("/example/saved", 1.0, 3.5)
        >>> monitoring.counters()["/example/saved"].total
        2.5
    """
    _count(event, end_time - start_time)
    for listener in tuple(_spans):
        listener(event, start_time, end_time, **kwargs)


def record_scalar(event: str, value: float | int, **kwargs: str | int) -> None:
    """Counts a value and tells the listeners of scalars.

    Args:
        event: The name of what was measured.
        value: The value.
        **kwargs: What else is known of it, for the listeners.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.record_scalar("/example/bytes", 64)
        >>> monitoring.counters()["/example/bytes"].total
        64.0
    """
    _count(event, value)
    for listener in tuple(_scalars):
        listener(event, value, **kwargs)


def register_event_listener(callback: Listener) -> None:
    """Has a function called at every `record_event`.

    Args:
        callback: Takes the event's name, and what else is known by keyword.

    Example:
        >>> from olympus import monitoring
        >>> seen = []
        >>> listener = lambda event, **about: seen.append((event, about))
        >>> monitoring.register_event_listener(listener)
        >>> monitoring.record_event("/example/read", size=3)
        >>> monitoring.unregister_event_listener(listener)
        >>> seen
        [('/example/read', {'size': 3})]
    """
    _events.append(callback)


def register_event_duration_secs_listener(callback: Listener) -> None:
    """Has a function called at every `record_event_duration_secs`: what is traced and compiled is told so.

    Args:
        callback: Takes the event's name, the seconds, and what else is known by keyword.

    Example:
        >>> import olympus
        >>> seen = []
        >>> listener = lambda event, seconds, **about: seen.append((event, about.get("fun_name")))
        >>> olympus.monitoring.register_event_duration_secs_listener(listener)
        >>> def half(x):
        ...     return x / 2
        >>> y = olympus.jit(half)(1.0)
        >>> olympus.monitoring.unregister_event_duration_listener(listener)
        >>> ("/olympus/core/compile/trace_duration", "half") in seen
        True
    """
    _durations.append(callback)


def register_event_time_span_listener(callback: Listener) -> None:
    """Has a function called at every `record_event_time_span`.

    Args:
        callback: Takes the event's name, its beginning and end, and what else is known by keyword.

    Example:
        >>> from olympus import monitoring
        >>> seen = []
        >>> listener = lambda event, start, end, **about: seen.append((event, start, end))
        >>> monitoring.register_event_time_span_listener(listener)
        >>> monitoring.record_event_time_span("/example/span", 1.0, 2.0)
        >>> monitoring.unregister_event_time_span_listener(listener)
        >>> seen
        [('/example/span', 1.0, 2.0)]
    """
    _spans.append(callback)


def register_scalar_listener(callback: Listener) -> None:
    """Has a function called at every `record_scalar`.

    Args:
        callback: Takes the event's name, the value, and what else is known by keyword.

    Example:
        >>> from olympus import monitoring
        >>> seen = []
        >>> listener = lambda event, value, **about: seen.append((event, value))
        >>> monitoring.register_scalar_listener(listener)
        >>> monitoring.record_scalar("/example/size", 3)
        >>> monitoring.unregister_scalar_listener(listener)
        >>> seen
        [('/example/size', 3)]
    """
    _scalars.append(callback)


def _removed(listeners: list[Listener], callback: Listener) -> None:
    if callback not in listeners:
        raise ArgumentError("monitoring", "this listener is not registered", described(callback), "one that is")
    listeners.remove(callback)


def unregister_event_listener(callback: Listener) -> None:
    """Has a function of `register_event_listener` called no more.

    Args:
        callback: The function.

    Raises:
        ArgumentError: It is not registered.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.register_event_listener(print)
        >>> monitoring.unregister_event_listener(print)
    """
    _removed(_events, callback)


def unregister_event_duration_listener(callback: Listener) -> None:
    """Has a function of `register_event_duration_secs_listener` called no more.

    Args:
        callback: The function.

    Raises:
        ArgumentError: It is not registered.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.register_event_duration_secs_listener(print)
        >>> monitoring.unregister_event_duration_listener(print)
    """
    _removed(_durations, callback)


def unregister_event_time_span_listener(callback: Listener) -> None:
    """Has a function of `register_event_time_span_listener` called no more.

    Args:
        callback: The function.

    Raises:
        ArgumentError: It is not registered.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.register_event_time_span_listener(print)
        >>> monitoring.unregister_event_time_span_listener(print)
    """
    _removed(_spans, callback)


def unregister_scalar_listener(callback: Listener) -> None:
    """Has a function of `register_scalar_listener` called no more.

    Args:
        callback: The function.

    Raises:
        ArgumentError: It is not registered.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.register_scalar_listener(print)
        >>> monitoring.unregister_scalar_listener(print)
    """
    _removed(_scalars, callback)


def clear_event_listeners() -> None:
    """Has none of the registered functions called any more.

    Example:
        >>> from olympus import monitoring
        >>> monitoring.register_event_listener(print)
        >>> monitoring.clear_event_listeners()
        >>> monitoring.record_event("/example/ended")
    """
    for listeners in (_events, _durations, _spans, _scalars):
        listeners.clear()


def told(event: str, name: str, seconds: float, about: Sequence[Any] = ()) -> None:
    """Records that a function was traced, split or compiled, and logs it where ``olympus_log_compiles`` is on.

    Args:
        event: `TRACED`, `SPLIT` or `COMPILED`.
        name: The function.
        seconds: How long it took.
        about: What it was traced for, or where it will run.
    """
    record_event_duration_secs(event, seconds, fun_name=name)
    if config.log_compiles:
        import logging  # needed by few

        logging.getLogger("olympus").warning(
            "olympus: %s %s in %.3f s%s", _WORDS[event], name, seconds,
            f" for {', '.join(map(str, about))}" if about else "")


def counters() -> dict[str, Counter]:
    """How often each event came in this process, and how long it took in all.

    Those of olympus: ``/olympus/core/compile/trace_duration``, ``.../partition_duration`` and
    ``.../backend_compile_duration``; ``/olympus/compilation_cache/memory_hits`` and ``memory_misses`` (programs
    that were compiled in this process already, or not), ``cache_hits`` and ``cache_misses`` (object code on disk).
    A call that finds its compiled program at once is not counted: that would cost each call.

    Returns:
        A copy: for each name its `Counter`.

    Example:
        >>> import olympus
        >>> y = olympus.jit(lambda x: x / 3)(1.0)
        >>> olympus.monitoring.counters()["/olympus/core/compile/trace_duration"].count > 0
        True
    """
    with _lock:
        return dict(_counters)
