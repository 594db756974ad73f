# SPDX-License-Identifier: Apache-2.0
"""Recompilation is visible: events and counters, logs of compiles, and why a call was not known."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import monitoring

TRACE = "/olympus/core/compile/trace_duration"
COMPILE = "/olympus/core/compile/backend_compile_duration"


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.WARNING, "olympus")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "olympus"]


def test_listeners() -> None:
    seen: list[Any] = []
    kinds = {
        "event": (monitoring.register_event_listener, monitoring.unregister_event_listener),
        "duration": (monitoring.register_event_duration_secs_listener, monitoring.unregister_event_duration_listener),
        "span": (monitoring.register_event_time_span_listener, monitoring.unregister_event_time_span_listener),
        "scalar": (monitoring.register_scalar_listener, monitoring.unregister_scalar_listener),
    }
    listeners = {kind: lambda *given, kind=kind, **about: seen.append((kind, *given, about)) for kind in kinds}
    for kind, (register, _) in kinds.items():
        register(listeners[kind])
    before = monitoring.counters().get("/test/span", monitoring.Counter(0, 0.0))
    monitoring.record_event("/test/event", size=3)
    monitoring.record_event_duration_secs("/test/duration", 0.5)
    monitoring.record_event_time_span("/test/span", 1.0, 3.0)
    monitoring.record_scalar("/test/scalar", 7, unit="m")
    for kind, (_, unregister) in kinds.items():
        unregister(listeners[kind])
    monitoring.record_event("/test/event")
    assert seen == [("event", "/test/event", {"size": 3}), ("duration", "/test/duration", 0.5, {}),
                    ("span", "/test/span", 1.0, 3.0, {}), ("scalar", "/test/scalar", 7, {"unit": "m"})]
    after = monitoring.counters()["/test/span"]
    assert (after.count, after.total) == (before.count + 1, before.total + 2.0)
    with pytest.raises(ValueError):
        monitoring.unregister_event_listener(listeners["event"])


def test_what_is_traced_and_compiled_is_counted() -> None:
    durations: list[tuple[str, str]] = []

    def listen(event: str, seconds: float, **about: Any) -> None:
        assert seconds >= 0
        durations.append((event, about["fun_name"]))

    def counted(x: Any) -> Any:
        return jnp.sin(x) * 41

    f, x = olympus.jit(counted), jnp.arange(5.0)
    monitoring.register_event_duration_secs_listener(listen)
    try:
        f(x)
        first = [entry for entry in durations if entry[1] == "counted"]
        f(x)
        assert [entry for entry in durations if entry[1] == "counted"] == first
        before = monitoring.counters()
        olympus.jit(lambda x: jnp.sin(x) * 41)(x)  # the same program
        after = monitoring.counters()
    finally:
        monitoring.unregister_event_duration_listener(listen)
    assert {event for event, _ in first} == {TRACE, COMPILE, "/olympus/core/compile/partition_duration"}
    hits = "/olympus/compilation_cache/memory_hits"
    assert after[COMPILE] == before[COMPILE] and after[TRACE].count == before[TRACE].count + 1
    assert after[hits].count > before.get(hits, monitoring.Counter(0, 0.0)).count


def test_compiles_are_logged(lines: Any) -> None:
    def logged(x: Any) -> Any:
        return x * 43

    olympus.jit(logged)(1.0)
    assert not lines()
    with olympus.log_compiles():
        olympus.jit(lambda y: logged(y) + 1)(np.ones(3, np.float32))
    assert [line.split(" in ")[0] for line in lines()] == [
        "olympus: traced <lambda>", "olympus: split <lambda>", "olympus: compiled <lambda>"]
    assert "float32[3]" in lines()[0]


@olympus.explain_cache_misses()
def test_why_a_call_is_not_known(lines: Any) -> None:
    def step(params: Any, x: Any, mode: str = "a") -> Any:
        return params["w"] * x

    f = olympus.jit(step, static_argnames="mode")
    w, x = jnp.ones(3), jnp.arange(3.0)

    def told(*args: Any, **kwargs: Any) -> str:
        before = len(lines())
        f(*args, **kwargs)
        new = lines()[before:]
        assert len(new) <= 1
        return new[0] if new else ""

    assert "never called before" in told({"w": w}, x) and f"{__file__}:" in lines()[-1]
    assert told({"w": w}, x) == ""
    assert "x is float32[1], and was float32[3]" in told({"w": w}, jnp.ones(1))
    assert "x is int32[3], and was float32[3]" in told({"w": w}, jnp.arange(3))
    assert "params['w'] is float32[]" in told({"w": jnp.float32(1)}, x)
    assert "the static mode is 'b', and was not given" in told({"w": w}, x, mode="b")
    assert "another structure" in told({"w": w, "b": w}, x)
    with olympus.numpy_rank_promotion("warn"):
        assert "olympus_numpy_rank_promotion is 'warn', and was 'allow'" in told({"w": w}, x)
    moved = olympus.device_put(x, olympus.devices()[-1])
    assert "x is on " in told({"w": w}, moved) and "(committed), and was on" in lines()[-1]
    assert "numbers and NumPy arrays" in told({"w": w}, np.arange(3, dtype=np.float32))
    assert told({"w": w}, moved) == ""

    g = olympus.jit(lambda v: v * 2)
    g(x)
    g(np.float32(1))
    g(1.0)  # nearer to the number of the same shape than to the array
    assert "v is float32[], and was float32[] (the same but that the element type is a Python number's" in lines()[-1]

    def make() -> Any:
        return olympus.jit(lambda v: v - 47)

    make()(x)
    make()(x)
    assert "a new function made at a line that made one before" in lines()[-1]
