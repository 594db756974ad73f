# SPDX-License-Identifier: Apache-2.0
"""Events and their listeners: what is traced, compiled and found in caches, and what libraries tell by the same way."""

from __future__ import annotations

from olympus_core.deferred import listed
from olympus_core.monitoring import (
    Counter,
    clear_event_listeners,
    counters,
    record_event,
    record_event_duration_secs,
    record_event_time_span,
    record_scalar,
    register_event_duration_secs_listener,
    register_event_listener,
    register_event_time_span_listener,
    register_scalar_listener,
    unregister_event_duration_listener,
    unregister_event_listener,
    unregister_event_time_span_listener,
    unregister_scalar_listener,
)

__all__ = [
    "Counter", "clear_event_listeners", "counters", "record_event", "record_event_duration_secs",
    "record_event_time_span", "record_scalar", "register_event_duration_secs_listener", "register_event_listener",
    "register_event_time_span_listener", "register_scalar_listener", "unregister_event_duration_listener",
    "unregister_event_listener", "unregister_event_time_span_listener", "unregister_scalar_listener",
]
__dir__ = listed(__all__)
