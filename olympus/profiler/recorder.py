"""`TraceRecorder`: what is noted from a profile's start to its stop, and nothing more; the rest is done afterwards."""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from threading import get_ident
from time import perf_counter_ns
from typing import Any

import numpy as np

from olympus_core import monitoring, recording
from olympus_core.config import config
from olympus_core.location import user_location
from olympus_core.plugin import Buffer
from olympus_core.plugin.client import Run
from olympus_core.program import operations_of
from olympus_core.runtime import LoadedProgram, get_world, instrument

from .profile import Profile, Span, clock_offset

_WORDS = {monitoring.TRACED: "trace", monitoring.SPLIT: "partition", monitoring.COMPILED: "compile"}
_MOST = 2_000_000  # spans that are kept; what comes after is counted


class TraceRecorder:
    """Records from now on; a `recording.Recorder`.

    Attributes:
        folder: Where the profile is to be written.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        world = get_world()
        self._world, self._offset = world, clock_offset(world.connection)
        self._spans: list[Span] = []
        self._dropped = 0
        self._current: dict[int, list[Any]] = {}  # of each thread the name and line of its call, and whether it queued
        self._threads = {t.ident: t.name for t in threading.enumerate()}
        self._main = get_ident()
        self._clients = [client for client in world.clients.values()]
        self._kernels = [begin() for client in self._clients if (begin := getattr(client, "record_kernels", None))]
        self._watched = [c for c in self._clients if not hasattr(c, "record_kernels")]
        self._last_end = 0
        self._running: queue.SimpleQueue[tuple[str, str, int, Buffer] | None] = queue.SimpleQueue()
        self._watcher: threading.Thread | None = None
        if self._watched:  # what these platforms' programs take is seen from outside only
            self._watcher = threading.Thread(target=self._watch, name="olympus-profiler", daemon=True)
            self._watcher.start()
        monitoring.register_event_duration_secs_listener(self._duration)
        recording.recorder = self
        instrument(self._observed)
        self._start = perf_counter_ns()

    def span(self, kind: str, name: str, start: int, end: int, location: str = "", **about: Any) -> None:
        """See `recording.Recorder.span`."""
        self.note(kind, name, start, end, location, about)

    def note(self, kind: str, name: str, start: int, end: int, location: str, about: dict[str, Any]) -> None:
        """The same, with whatever names a user has chosen in `about`."""
        if len(self._spans) >= _MOST:
            self._dropped += 1
            return
        self._spans.append(Span(kind, name, location, get_ident(), start, end, about))

    def queued(self, work: Callable[[], Any]) -> Callable[[], Any]:
        """See `recording.Recorder.queued`."""
        call = self._current.get(get_ident())
        if call is None:  # a copy, or what a queue waits for at its end
            return work
        call[2] = True
        name, line = call[0], call[1]

        def told() -> Any:
            start = perf_counter_ns()
            try:
                return work()
            finally:
                self.span("execution", name, start, perf_counter_ns(), line)

        return told

    def stop(self) -> Profile:
        """Ends the recording.

        Returns:
            What was recorded.
        """
        end = perf_counter_ns()
        instrument(None)
        recording.recorder = None
        monitoring.unregister_event_duration_listener(self._duration)
        if self._watcher is not None:
            self._running.put(None)
            self._watcher.join(config.late_timeout)  # as long as for anything that is late
        kernels = [found.stop() for found in self._kernels]
        names = {**self._threads, **{t.ident: t.name for t in threading.enumerate()}}
        profile = Profile(
            process=self._world.process_index, processes=self._world.process_count, host=socket.gethostname(),
            pid=os.getpid(), offset=self._offset, start=self._start, end=end, main=self._main,
            threads={i: n for i, n in names.items() if i is not None}, spans=self._spans, kernels=(),
            rows=np.zeros((0, 4), np.int64), dropped=self._dropped + sum(found.lost for found in kernels),
            is_complete=self._watcher is None or not self._watcher.is_alive(), unseen=[
                name for name, client in self._world.clients.items() if client in self._watched],
        )
        for found in kernels:
            profile.add_kernels(found)
        return profile

    def _duration(self, event: str, seconds: float, **about: Any) -> None:
        """A listener of durations: what is told has just ended."""
        end, what = perf_counter_ns(), _WORDS.get(event)
        name = about.pop("fun_name", None)
        shown = f"{what or event} {name}" if name else what or event
        self.span(what or "event", shown, end - int(seconds * 1e9), end, user_location(3) if what else "", **about)

    def _observed(self, program: LoadedProgram, run: Run) -> Run:
        """An execution that is noted."""
        name, local = program.name, program.executable is not None
        is_watched = local and self._world.client(program.mesh.flat_devices[0]) in self._watched
        lines = {o.location for o in operations_of(program.partitioned.device_program.program) if o.location}
        # Of NumPy's functions called outside of any other the program is shared by all lines that call them.
        about = {"by_line": lines <= {program.called_at}}
        current = self._current

        def execute(inputs: Sequence[Sequence[Buffer]]) -> list[list[Buffer]]:
            thread, line = get_ident(), user_location(2)
            before = current.get(thread)
            call = current[thread] = [name, line, False]
            start = perf_counter_ns()
            try:
                outputs = run(inputs)
            finally:
                end = perf_counter_ns()
                if before is None:
                    del current[thread]
                else:
                    current[thread] = before
                if len(self._spans) < _MOST:
                    self._spans.append(Span("call", name, line, thread, start, end, about))
                    if not is_watched and not call[2]:
                        self._spans.append(Span("execution", name, line, thread, start, end, about))
                else:
                    self._dropped += 1
            if is_watched:
                first = next((buffers[0] for buffers in outputs if buffers), None)
                if first is not None:
                    self._running.put((name, line, start, first))
            return outputs

        return execute

    def _watch(self) -> None:
        while (found := self._running.get()) is not None:
            name, line, start, buffer = found
            with contextlib.suppress(Exception):  # the program's own error, or a buffer that was donated since
                buffer.block_until_ready()
            # A device's executions come one after the other.
            begin, self._last_end = max(start, self._last_end), perf_counter_ns()
            self.span("device", name, begin, self._last_end, line)
            del found, buffer
