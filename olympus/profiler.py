"""Where time goes: one trace file for each process, in the format that Perfetto, Chrome and TensorBoard read.

Recorded are the spans that a program names, what is traced, split and compiled, every execution from its call to its
result's being there, and the counters of `olympus.monitoring`. Where nothing is recorded, nothing costs anything: what
is executed is wrapped only while a profile runs.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import os
import queue
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ParamSpec, TypeVar

from olympus_core import monitoring
from olympus_core.config import config
from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError, ProfilerError
from olympus_core.plugin import Buffer
from olympus_core.plugin.client import Run
from olympus_core.runtime import get_world, instrument

P = ParamSpec("P")
R = TypeVar("R")

__all__ = ["StepTraceAnnotation", "TraceAnnotation", "annotate_function", "start_trace", "stop_trace", "trace"]
__dir__ = listed(__all__)

_WORDS = {monitoring.TRACED: "trace", monitoring.SPLIT: "partition", monitoring.COMPILED: "compile"}
_DEVICES = 1 << 30  # the row of executions, beside those of threads
_MOST = 2_000_000  # spans that are kept; what comes after is counted
_lock = threading.Lock()
_recording: _Recording | None = None


class _Recording:
    """What is recorded from a start to a stop.

    Args:
        folder: Where it is to be written.
        is_twofold: Whether it is to be written under Perfetto's usual name, too.
    """

    def __init__(self, folder: str, is_twofold: bool) -> None:
        self.folder, self.is_twofold = folder, is_twofold
        self.process = get_world().process_index
        # Spans are measured by a clock that only goes forward, and told in time of day: that of all processes.
        self._offset = time.time_ns() - time.perf_counter_ns()
        self.events: list[dict[str, Any]] = []
        self.dropped = 0
        self._threads: dict[int, str] = {}
        self._last_end = 0
        self._running: queue.SimpleQueue[tuple[str, int, Buffer] | None] = queue.SimpleQueue()
        self._watcher = threading.Thread(target=self._watch, name="olympus-profiler", daemon=True)
        self._watcher.start()

    def span(
        self, name: str, start: int, end: int, category: str, about: dict[str, Any], row: int | None = None
    ) -> None:
        """Notes a span, in nanoseconds of `time.perf_counter_ns`."""
        if len(self.events) >= _MOST:
            self.dropped += 1
            return
        if row is None:
            row = threading.get_ident() & (_DEVICES - 1)
            self._threads.setdefault(row, threading.current_thread().name)
        self.events.append({
            "name": name, "cat": category, "ph": "X", "pid": self.process, "tid": row,
            "ts": (start + self._offset) / 1e3, "dur": (end - start) / 1e3, "args": about})

    def duration(self, event: str, seconds: float, **about: Any) -> None:
        """A listener of durations: what is told has just ended."""
        end = time.perf_counter_ns()
        what, name = _WORDS.get(event, event), about.get("fun_name")
        self.span(f"{what} {name}" if name else what, end - int(seconds * 1e9), end, "compilation", about)

    def observed(self, name: str, run: Run) -> Run:
        """An execution that is noted: its call in the row of its thread, and until its first result is there."""
        def execute(inputs: Sequence[Sequence[Buffer]]) -> list[list[Buffer]]:
            start = time.perf_counter_ns()
            outputs = run(inputs)
            self.span(name, start, time.perf_counter_ns(), "call", {})
            first = next((buffers[0] for buffers in outputs if buffers), None)
            if first is not None:
                self._running.put((name, start, first))
            return outputs

        return execute

    def _watch(self) -> None:
        while (found := self._running.get()) is not None:
            name, start, buffer = found
            with contextlib.suppress(Exception):  # the program's own error, or a buffer that was donated since
                buffer.block_until_ready()
            # A device's executions come one after the other.
            begin, self._last_end = max(start, self._last_end), time.perf_counter_ns()
            self.span(name, begin, self._last_end, "execution", {}, _DEVICES)
            del found, buffer

    def close(self) -> None:
        """Waits for the executions that were called, as long as for anything that is late."""
        self._running.put(None)
        self._watcher.join(config.late_timeout)

    def write(self) -> None:
        """Writes the file."""
        meta = [{"name": "process_name", "ph": "M", "pid": self.process, "args": {"name": f"process {self.process}"}},
                *({"name": "thread_name", "ph": "M", "pid": self.process, "tid": row, "args": {"name": name}}
                  for row, name in ((_DEVICES, "executions"), *self._threads.items()))]
        about = {name: [counter.count, counter.total] for name, counter in sorted(monitoring.counters().items())}
        content = {"displayTimeUnit": "ns", "traceEvents": meta + self.events, "metadata": {
            "counters": about, "dropped_spans": self.dropped, "is_complete": not self._watcher.is_alive()}}
        folder = os.path.join(self.folder, "plugins", "profile", time.strftime("%Y_%m_%d_%H_%M_%S"))
        os.makedirs(folder, exist_ok=True)
        host = re.sub(r"[^\w.-]", "_", socket.gethostname())
        names = [f"{host}.{self.process}.trace.json.gz", *(["perfetto_trace.json.gz"] if self.is_twofold else [])]
        for name in names:
            with gzip.open(os.path.join(folder, name), "wt", encoding="utf-8") as file:
                json.dump(content, file, default=str)


def start_trace(
    log_dir: str | os.PathLike[str], create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
    profiler_options: Any = None,
) -> None:
    """Begins to record what this process does.

    Args:
        log_dir: The folder below which `stop_trace` writes
            ``plugins/profile/TIME/HOST.PROCESS.trace.json.gz``, which TensorBoard finds there.
        create_perfetto_link: Must be false: nothing is served.
        create_perfetto_trace: Write ``perfetto_trace.json.gz`` beside it, under the name that Perfetto's users know.
        profiler_options: Taken, and without a meaning: all is recorded.

    Raises:
        ProfilerError: A profile is being recorded already.
        NotSupportedError: For a link.

    Example:
        >>> import olympus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     olympus.profiler.start_trace(folder)
        ...     with olympus.profiler.TraceAnnotation("doubling"):
        ...         y = olympus.jit(lambda x: x * 2)(1.0).block_until_ready()
        ...     olympus.profiler.stop_trace()
    """
    global _recording
    if create_perfetto_link:
        raise NotSupportedError("start_trace(create_perfetto_link=True)", "no file is served to a web page",
                                "Open the file at ui.perfetto.dev yourself; its name ends in .trace.json.gz.")
    with _lock:
        if _recording is not None:
            raise ProfilerError(True, _recording.folder)
        _recording = _Recording(os.fspath(log_dir), create_perfetto_trace)
        monitoring.register_event_duration_secs_listener(_recording.duration)
        instrument(_recording.observed)


def stop_trace() -> None:
    """Ends the recording and writes it.

    Raises:
        ProfilerError: Nothing is being recorded.
        OSError: The file cannot be written.

    Example:
        >>> import olympus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     olympus.profiler.start_trace(folder)
        ...     olympus.profiler.stop_trace()
    """
    global _recording
    with _lock:
        recording, _recording = _recording, None
        if recording is None:
            raise ProfilerError(False)
        instrument(None)
        monitoring.unregister_event_duration_listener(recording.duration)
    recording.close()
    recording.write()


@contextlib.contextmanager
def trace(
    log_dir: str | os.PathLike[str], create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
    profiler_options: Any = None,
) -> Iterator[None]:
    """Records what this process does in a block; the file is written where the block raises, too.

    Args:
        log_dir: As `start_trace` takes it.
        create_perfetto_link: Likewise.
        create_perfetto_trace: Likewise.
        profiler_options: Likewise.

    Raises:
        ProfilerError: A profile is being recorded already.
        NotSupportedError: For a link.

    Example:
        >>> import olympus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, olympus.profiler.trace(folder):
        ...     y = olympus.jit(lambda x: x + 1)(1.0)
    """
    start_trace(log_dir, create_perfetto_link, create_perfetto_trace, profiler_options)
    try:
        yield
    finally:
        stop_trace()


class TraceAnnotation(contextlib.ContextDecorator):
    """A block that has a name in profiles.

    Args:
        name: The name.
        **kwargs: What else is to be shown.

    Example:
        >>> from olympus import profiler
        >>> with profiler.TraceAnnotation("load", file="a.npy"):
        ...     content = [1, 2]
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self._name, self._about, self._starts = name, kwargs, list[int]()

    def __enter__(self) -> TraceAnnotation:
        self._starts.append(time.perf_counter_ns())
        return self

    def __exit__(self, *error: object) -> None:
        start, recording = self._starts.pop(), _recording
        if recording is not None:
            recording.span(self._name, start, time.perf_counter_ns(), "annotation", self._about)


class StepTraceAnnotation(TraceAnnotation):
    """A step of a training loop, with its number.

    Args:
        name: What the steps are called.
        **kwargs: ``step_num``, the step's number, and what else is to be shown.

    Example:
        >>> from olympus import profiler
        >>> for step in range(2):
        ...     with profiler.StepTraceAnnotation("train", step_num=step):
        ...         pass
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        number = kwargs.get("step_num")
        super().__init__(name if number is None else f"{name} {number}", **kwargs)


def annotate_function(
    func: Callable[P, R] | None = None, name: str | None = None, **decorator_kwargs: Any
) -> Any:
    """A function whose calls have a name in profiles.

    Args:
        func: The function; left out, what decorates one is given.
        name: The name; the function's own where it is left out.
        **decorator_kwargs: What else is to be shown.

    Returns:
        The function, or the decorator.

    Example:
        >>> from olympus import profiler
        >>> @profiler.annotate_function
        ... def load():
        ...     return 3
        >>> load()
        3
    """
    if func is None:
        return functools.partial(annotate_function, name=name, **decorator_kwargs)
    shown = name or str(getattr(func, "__qualname__", None) or repr(func))

    @functools.wraps(func)
    def annotated(*args: P.args, **kwargs: P.kwargs) -> R:
        with TraceAnnotation(shown, **decorator_kwargs):
            return func(*args, **kwargs)

    return annotated
