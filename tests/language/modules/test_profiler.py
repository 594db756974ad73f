# SPDX-License-Identifier: Apache-2.0
"""Profiles: what is in them, that they end cleanly, and that nothing is wrapped where none is recorded."""

from __future__ import annotations

import gzip
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, profiler
from olympus.profiler import page, perfetto, report
from olympus.sharding import PartitionSpec as P
from olympus_core import recording
from olympus_core.runtime import execution, opened_world


def spans(folder: Path, pattern: str = "*.trace.json.gz") -> list[dict[str, Any]]:
    """The spans of the one profile in a folder."""
    (file,) = folder.glob(f"plugins/profile/*/{pattern}")
    with gzip.open(file, "rt") as opened:
        content = json.load(opened)
    assert content["metadata"]["is_complete"] and content["metadata"]["dropped_spans"] == 0
    names = {event["name"] for event in content["traceEvents"] if event["ph"] == "M"}
    assert names == {"process_name", "process_sort_index", "thread_name"}
    found = [event for event in content["traceEvents"] if event["ph"] == "X"]
    assert all(event["dur"] >= 0 and 0 <= event["ts"] < 2 * 3600e6 and event["pid"] == 0 for event in found)
    return found


def of(found: list[dict[str, Any]], category: str) -> list[str]:
    return [event["name"] for event in found if event["cat"] == category]


def test_what_is_compiled_called_and_executed_is_told(tmp_path: Path) -> None:
    known = olympus.jit(lambda x: x * 3)
    known(jnp.arange(3.0))

    def fresh(x: Any) -> Any:
        return jnp.sin(x) + 1

    with profiler.trace(tmp_path):
        jitted = olympus.jit(fresh)
        for _ in range(3):
            jitted(jnp.arange(3.0))
        known(jnp.arange(3.0))  # compiled before: its calls are told all the same
    found = spans(tmp_path)
    compiled = of(found, "compilation")
    assert {"trace fresh", "partition fresh", "compile fresh"} <= set(compiled)
    assert of(found, "call").count("fresh") == of(found, "execution").count("fresh") == 3
    assert "<lambda>" in of(found, "call")
    calls = [e for e in found if e["name"] == "fresh" and e["cat"] == "call"]
    ends = [e for e in found if e["name"] == "fresh" and e["cat"] == "execution"]
    assert calls[0]["ts"] <= ends[0]["ts"] and {e["tid"] for e in ends}.isdisjoint({e["tid"] for e in calls})


def test_executions_of_a_device_follow_each_other(tmp_path: Path) -> None:
    f = olympus.jit(lambda x: x @ x)
    x = jnp.ones((64, 64))
    with profiler.trace(tmp_path):
        for _ in range(5):
            x = f(x)
    ends = sorted((e["ts"], e["dur"]) for e in spans(tmp_path) if e["cat"] == "execution")
    assert len(ends) >= 5
    assert all(a + da <= b + 0.5 for (a, da), (b, _) in zip(ends, ends[1:], strict=False))


def test_annotations(tmp_path: Path) -> None:
    @profiler.annotate_function
    def loaded(x: int) -> int:
        return x

    @profiler.annotate_function(name="other", kind="file")
    def stored(x: int) -> int:
        return x

    with profiler.TraceAnnotation("before"):
        pass
    with profiler.trace(tmp_path, create_perfetto_trace=True):
        with profiler.TraceAnnotation("outer", file="a"), profiler.StepTraceAnnotation("step", step_num=7):
            assert loaded(3) == stored(3) == 3
        other = threading.Thread(target=loaded, args=(4,), name="second")
        other.start()
        other.join()
    found = spans(tmp_path)
    assert of(found, "annotation") == [
        loaded.__qualname__, "other", "step 7", "outer", loaded.__qualname__]
    about = {e["name"]: e["args"] for e in found}
    assert about["outer"] == {"file": "a"} and about["step 7"] == {"step_num": 7} and about["other"] == {"kind": "file"}
    assert len({e["tid"] for e in found if e["cat"] == "annotation"}) == 2
    assert spans(tmp_path, "perfetto_trace.json.gz") == found


def test_nothing_is_wrapped_but_while_a_profile_runs(tmp_path: Path) -> None:
    f = olympus.jit(lambda x: x - 1)
    x = jnp.arange(2.0)
    f(x)
    before = {id(p): p.execute for p in execution._programs}
    with profiler.trace(tmp_path):
        assert all(p.execute is not before[id(p)] for p in execution._programs if id(p) in before)
        np.testing.assert_array_equal(f(x), [-1, 0])
    assert all(p.execute is before[id(p)] for p in execution._programs if id(p) in before)
    np.testing.assert_array_equal(f(x), [-1, 0])
    assert "<lambda>" in of(spans(tmp_path), "call")


def test_a_profile_is_written_where_the_block_raises(tmp_path: Path) -> None:
    with pytest.raises(KeyError), profiler.trace(tmp_path), profiler.TraceAnnotation("failing"):
        raise KeyError("gone")
    assert of(spans(tmp_path), "annotation") == ["failing"]


def test_one_profile_at_a_time(tmp_path: Path) -> None:
    with pytest.raises(errors.ProfilerError, match="No profile"):
        profiler.stop_trace()
    with profiler.trace(tmp_path), pytest.raises(RuntimeError, match="already"):
        profiler.start_trace(tmp_path / "other")
    with pytest.raises(errors.NotSupportedError, match="link"):
        profiler.start_trace(tmp_path, create_perfetto_link=True)
    with pytest.raises(errors.ProfilerError):
        profiler.stop_trace()


def test_sharded_donated_and_differentiated_programs(tmp_path: Path) -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    x = olympus.device_put(np.arange(16.0, dtype=np.float32), olympus.sharding.NamedSharding(mesh, P("i")))
    step = olympus.jit(lambda x: x + 1, donate_argnums=0)
    total = olympus.jit(olympus.value_and_grad(lambda x: jnp.sum(x * x)))
    with profiler.trace(tmp_path):
        for _ in range(3):
            x = step(x)
        value, slope = total(x)
    np.testing.assert_array_equal(slope, 2 * (np.arange(16.0) + 3))
    assert float(value) == float(np.sum((np.arange(16.0) + 3) ** 2))
    assert of(spans(tmp_path), "execution").count("<lambda>") >= 3


def test_lines_are_those_of_the_program_where_numpy_asks_for_values(tmp_path: Path) -> None:
    x = olympus.jit(lambda x: x + 1)(jnp.arange(64.0))
    first = test_lines_are_those_of_the_program_where_numpy_asks_for_values.__code__.co_firstlineno
    profiler.start_trace(tmp_path)
    np.round((x, x), 3)  # type: ignore[arg-type]
    double = olympus.jit(lambda x: x * 2)
    for _ in range(3):
        x = double(x)
    y = (double(x),
         double(x + 1))
    found = profiler._stopped()
    del y
    assert {s.location for s in found.spans if s.kind == "transfer"} == {f"{__file__}:{first + 4}"}
    calls = [s.location for s in found.spans if s.kind == "call" and s.name == "<lambda>"]
    assert calls == [f"{__file__}:{first + n}" for n in (7, 7, 7, 8, 9)]


def test_only_platforms_where_programs_ran_are_said_to_tell_nothing(tmp_path: Path) -> None:
    def recorded(platform: str) -> Any:
        profiler.start_trace(tmp_path)
        recorder: Any = recording.recorder
        recorder._unseen.add(platform)  # as if it recorded no kernels; told to programs that are made from now on
        recorder._meet(opened_world())
        olympus.jit(lambda x: x * 5 + len(platform))(jnp.arange(3.0)).block_until_ready()
        return profiler._stopped()

    assert recorded("another").unseen == []
    found = recorded("cpu")
    assert found.unseen == ["cpu"]
    assert [s.kind for s in found.spans if s.name == "<lambda>" and s.kind in ("execution", "device")] == ["device"]
    metadata = perfetto.content_of(found, {"table": [], "limits": None})["metadata"]
    other = {**metadata, "process": 1, "is_complete": False, "dropped_spans": 3}
    whole = {"traceEvents": [], "metadata": {"processes": [metadata, other]}}
    for text in (report.text_of_all(whole), page.page(whole)):
        assert text.lower().count("of kernels on cpu nothing is told") == 1
        assert "rocess 1: 3 spans are not in it" in text and "rocess 1: not all executions had ended" in text
