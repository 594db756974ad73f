# SPDX-License-Identifier: Apache-2.0
"""The table of a profile: its rows add up to the whole, lines are the user's, limits and merged processes are right."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import profiler
from olympus.profiler import accounting, page, perfetto, report, writing
from olympus.profiler.accounting import PYTHON, Limits, Row
from olympus.profiler.profile import Profile, Span
from olympus_core.plugin import KernelDescription, KernelTimes

SECOND = 1_000_000_000


def profile(spans: list[Span], rows: Any = (), kernels: Any = (), process: int = 0) -> Profile:
    """Ten seconds of a process."""
    found = Profile(process, 1, "host", 1, "", 0, 0, 0, 10 * SECOND, 1, {1: "MainThread"}, spans, (),
                    np.zeros((0, 4), np.int64), 0, [], True, [])
    found.add_kernels(KernelTimes(tuple(kernels), np.array(rows, np.int64).reshape(-1, 4), {}, 0))
    return found


def span(
    kind: str, start: float, end: float, name: str = "f", line: str = "a.py:1", thread: int = 1, **about: Any
) -> Span:
    return Span(kind, name, line, thread, int(start * SECOND), int(end * SECOND), about)


def seconds(rows: list[Row]) -> dict[str, float]:
    return {row.what: row.seconds for row in accounting.totals(rows)}


def test_every_instant_is_in_one_row() -> None:
    kernels = [KernelDescription("sin", "a.py:3", 100, 10.0), KernelDescription("add", "a.py:4", 50, 5.0)]
    second = 1_000_000_000
    found = accounting.rows_of(profile(
        [span("call", 1, 5), span("execution", 1, 5), span("compile", 0, 1), span("trace", 0, 1.5),
         span("waiting", 4, 6, "all_reduce at a.py:9", ""), span("ready", 5, 8), span("transfer", 9, 12, bytes=8)],
        [(0, 1, 2 * second, 3 * second), (1, 1, 3 * second, 3 * second + second // 2), (0, 2, 2 * second, 3 * second)],
        kernels))
    assert seconds(found) == pytest.approx({
        "kernels": 1.5, "waiting for other processes": 2.0, "compiling": 1.0, "tracing": 0.5, "transfers": 1.0,
        "around kernels": 1.0, "calls": 0.0, "waiting for devices": 2.0, PYTHON: 1.0})
    assert sum(seconds(found).values()) == pytest.approx(10.0)
    lines = {row.line: row for row in found if row.what == "kernels" and row.line}
    # Two threads were at the first line at the same time: together they had 1.5 s, of which it gets 4 parts of 5.
    assert lines["a.py:3"].seconds == pytest.approx(1.2) and lines["a.py:4"].seconds == pytest.approx(0.3)
    assert lines["a.py:3"].took == pytest.approx(2.0) and lines["a.py:3"].bytes == 200
    assert next(row.line for row in found if row.what == "waiting for other processes" and row.line) == "a.py:9"


def test_rows_of_random_profiles_add_up() -> None:
    draw = np.random.default_rng(3)
    kinds = ["call", "execution", "compile", "trace", "partition", "operation", "callback", "waiting", "collective",
             "transfer", "ready", "device"]
    for _ in range(50):
        starts = draw.uniform(-1, 10.5, 30)
        spans = [span(str(draw.choice(kinds)), s, s + draw.exponential(0.5), thread=int(draw.integers(1, 3)))
                 for s in starts]
        rows = [(int(draw.integers(2)), 1, int(s * 1e9), int((s + d) * 1e9))
                for s, d in zip(draw.uniform(0, 9, 20), draw.exponential(0.2, 20), strict=True)]
        kernels = [KernelDescription("a", "a:1", 1, 1.0), KernelDescription("b", "", 1, 1.0)]
        found = accounting.rows_of(profile(spans, rows, kernels))
        assert sum(seconds(found).values()) == pytest.approx(10.0)
        assert all(row.seconds >= -1e-9 for row in found)
        for what, whole in seconds(found).items():
            lines = [row.seconds for row in found if row.what == what and row.line]
            assert not lines or sum(lines) == pytest.approx(whole)


def test_a_real_profile_adds_up_and_names_the_lines(tmp_path: Path) -> None:
    def inner(x: Any) -> Any:
        return jnp.sin(x) @ x

    profiler.start_trace(tmp_path)
    f = olympus.jit(inner)
    x = jnp.ones((128, 128))
    for _ in range(3):
        f(x).block_until_ready()
    y = jnp.cos(x)
    z = jnp.cos(x)
    np.asarray(y + z)
    found = profiler._stopped()
    rows = accounting.rows_of(found)
    told = seconds(rows)
    assert sum(told.values()) == pytest.approx(found.seconds, rel=1e-6)
    assert {"kernels", "compiling", "tracing", "partitioning", "transfers", PYTHON} <= set(told)
    first = inner.__code__.co_firstlineno
    lines = {row.line.rpartition(":")[2]: row for row in rows if row.what == "kernels" and row.line}
    assert all(row.line.startswith(__file__) for row in lines.values())
    product = lines[str(first + 1)]
    assert "sin" in product.name and "dot_general" in product.name
    assert product.work >= 3 * 2 * 128**3
    # One program that two lines call: each has its own kernels.
    assert lines[str(first + 8)].name == lines[str(first + 9)].name == "cos"


def test_kernels_have_the_bytes_and_the_arithmetic_of_their_operands(tmp_path: Path) -> None:
    x, y = jnp.ones((64, 32)), jnp.ones((32, 16))
    product = olympus.jit(lambda x, y: x @ y)
    product(x, y).block_until_ready()
    profiler.start_trace(tmp_path)
    product(x, y).block_until_ready()
    found = profiler._stopped()
    (kernel,) = (k for k in found.kernels if k.name == "dot_general")
    assert kernel.bytes == 4 * (64 * 32 + 32 * 16 + 64 * 16)
    assert kernel.work == 2 * 64 * 32 * 16


def test_the_share_of_the_limit_is_the_greater_one() -> None:
    row = Row("kernels", "a.py:1", "add", 1.0, 1, bytes=5e9, work=1e9, took=1.0)
    assert accounting.share(row, Limits(10e9, 100e9)) == (0.5, "of bandwidth")
    assert accounting.share(row, Limits(100e9, 2e9)) == (0.5, "of arithmetic")
    assert accounting.share(row._replace(took=0.0), Limits(1.0, 1.0)) == (0.0, "")


def test_the_limits_are_those_of_a_machine() -> None:
    found = accounting.measured()
    assert 1e8 < found.bandwidth < 1e13 and 1e8 < found.arithmetic < 1e14


def test_who_waited_for_whom() -> None:
    def content(process: int, arrivals: list[float]) -> dict[str, Any]:
        spans = [span("waiting", a, 5.0 + i, f"all_reduce {i}", "", launch=7, processes=(0, 1))
                 for i, a in enumerate(arrivals)]
        found = perfetto.content_of(profile(spans, process=process), {})
        return found

    whole = perfetto.merged([content(0, [1.0, 5.5]), content(1, [4.0, 5.0])])
    waits = report.waits_of(whole["traceEvents"])
    assert waits == pytest.approx({(0, 1): 3.0, (1, 0): 0.5})
    one_sided = perfetto.merged([content(0, [1.0])])
    assert report.waits_of(one_sided["traceEvents"]) == {}


def test_processes_on_one_axis() -> None:
    early, late = profile([span("trace", 1, 2)]), profile([span("trace", 1, 2)], process=1)
    late.offset = 4000 * SECOND  # more than an hour later, by the clock of process 0
    whole = perfetto.merged([perfetto.content_of(p, {}) for p in (late, early)])
    times = {e["pid"]: e["ts"] for e in whole["traceEvents"] if e["ph"] == "X" and e["cat"] == "compilation"}
    assert times[1] - times[0] == pytest.approx(4000e6)
    assert whole["metadata"]["epoch_ns"] == 0


@pytest.mark.parametrize("count", [0, 1, 3, 4, 7])
def test_what_is_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(perfetto, "_PIECE", 3)
    content = perfetto.content_of(profile([span("trace", i, i + 1, "f\u00fc[, ]") for i in range(count)]), {"a": [1]})
    content["traceEvents"] = [e for e in content["traceEvents"] if e["ph"] == "X"]
    assert len(content["traceEvents"]) == count
    perfetto.write(content, str(tmp_path / "a.json.gz"))
    found = perfetto.read(tmp_path / "a.json.gz")
    assert found == json.loads(json.dumps(content, default=str)) and list(found["metadata"]["counters"]) == sorted(
        found["metadata"]["counters"])


def test_only_the_last_process_reads_what_the_others_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    plain = perfetto.read
    monkeypatch.setattr(perfetto, "read", lambda path: read.append(path) or plain(path))
    for job in ("one", "two"):  # the second one's files take the place of the first one's
        read.clear()
        mine = [profile([span("trace", 1, 2)], process=process) for process in range(3)]
        for found in mine:
            found.processes, found.job = 3, job
        assert [writing.write(found, tmp_path, {}, True) for found in mine[:2]] == [None, None] and not read
        whole = writing.write(mine[2], tmp_path, {}, True)
        assert whole is not None and [m["process"] for m in whole["metadata"]["processes"]] == [0, 1, 2]
        assert {m["job"] for m in whole["metadata"]["processes"]} == {job} and len(read) == 3


def test_the_page_fetches_nothing_and_escapes_what_it_shows() -> None:
    rows = accounting.rows_of(profile([span("trace", 1, 2, "</script><b>f")]))
    content = perfetto.content_of(profile([span("trace", 1, 2, "</script><b>f")]), {
        "table": [list(row) for row in rows], "limits": [1e9, 1e10], "program": "a<b>.py",
        "memory": {"peak": 2 << 20, "lines": [["<i>.py:3", 1 << 20, 2]]}})
    text = page.page(perfetto.merged([content]))
    assert "http" not in text and "src=" not in text and "@import" not in text and "url(" not in text
    assert "a&lt;b&gt;.py" in text and "&lt;i&gt;.py:3" in text
    assert text.count("</script>") == 2 and "\\u003c/script>\\u003cb>f" in text
    assert "prefers-color-scheme: dark" in text


def test_a_recording_opens_no_devices_and_ends_where_there_were_none(tmp_path: Path) -> None:
    profiler.start_trace(tmp_path)
    begun = time.perf_counter_ns()
    found = profiler._stopped()
    assert found.start <= begun <= found.end and found.kernels == ()
    assert sum(seconds(accounting.rows_of(found)).values()) == pytest.approx(found.seconds)
