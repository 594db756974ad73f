# SPDX-License-Identifier: Apache-2.0
"""`TraceRecorder`: what is noted from a profile's start to its stop, and nothing more; the rest is done afterwards."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from sys import _getframe
from threading import get_ident
from time import perf_counter_ns
from types import CodeType, FrameType
from typing import Any

import numpy as np

from olympus_core import location, monitoring, recording
from olympus_core.config import config
from olympus_core.plugin import Buffer, KernelRecording
from olympus_core.plugin.client import Run
from olympus_core.program import operations_of
from olympus_core.runtime import LoadedProgram, instrument, opened_world
from olympus_core.runtime.memory_needs import Holder, holders
from olympus_core.runtime.world import World

from .profile import Profile, Span, clock_offset

_WORDS = {monitoring.TRACED: "trace", monitoring.SPLIT: "partition", monitoring.COMPILED: "compile"}
_numbers = itertools.count()
_LOOK_EACH = 50_000_000  # nanoseconds between two looks at memory
_GROWTH, _LEAST_BYTES = 1.25, 1 << 24  # of what arrays hold, before their lines are looked for again
_VALUES = 5
_MOST_VALUES = 5_000_000
_MOST = 2_000_000  # spans that are kept; what comes after is counted


# A line, or where in a function's code a call stands: what line that is takes long to find in a long function.
Place = str | tuple[CodeType, int]


class TraceRecorder:
    """Records from now on; a `recording.Recorder`.

    Attributes:
        folder: Where the profile is to be written.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._number = next(_numbers)
        self._process, self._processes, self._job = 0, 1, ""
        self._offset: int | None = None
        self._spans: list[Span] = []
        self._calls: list[Any] = []  # of each call five values
        self._dropped = 0
        self._code: CodeType | None = None  # of the functions that run programs
        self._queued: set[tuple[int, int]] = set()  # thread and start of the calls that went into queues
        self._threads = {t.ident: t.name for t in threading.enumerate()}
        self._main = get_ident()
        self._kernels: dict[str, KernelRecording] = {}  # by platform
        self._unseen: set[str] = set()  # platforms of whose kernels nothing is told
        self._silent: set[str] = set()  # those of them where programs ran
        self._last_end = 0
        self._lines: dict[int, Place] = {}  # by the identity of a buffer, the line that made it
        self._texts: dict[tuple[int, int], tuple[CodeType, str]] = {}  # lines of places, with what holds the code
        self._peak: list[Holder] = []
        self._seen_bytes, self._next_look = 0, 0
        self._running: queue.SimpleQueue[tuple[str, str, int, Buffer] | None] = queue.SimpleQueue()
        self._watcher: threading.Thread | None = None
        self._meet(opened_world())
        monitoring.register_event_duration_secs_listener(self._duration)
        recording.recorder = self
        instrument(self._observed)
        self._start = perf_counter_ns()

    def _meet(self, world: World | None) -> None:
        """Begins with the devices, once they are open: a recording opens none."""
        if world is None:
            return
        if self._offset is None or world.connection is not None and not self._job:
            self._process, self._processes = world.process_index, world.process_count
            self._job = world.connection.job if world.connection is not None else ""
            self._offset = clock_offset(world.connection)
        for name, client in world.clients.items():
            begin = getattr(client, "record_kernels", None)
            if begin is None:
                self._unseen.add(name)
            elif name not in self._kernels:
                self._kernels[name] = begin()
        if self._unseen and self._watcher is None:  # what their programs take is seen from outside only
            self._watcher = threading.Thread(target=self._watch, name="olympus-profiler", daemon=True)
            self._watcher.start()

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
        # What is called now is not kept for each call, but looked for where it is wanted.
        frame, code = _getframe(1), self._code
        while frame.f_code is not code:
            if frame.f_back is None:  # a copy, or what a queue waits for at its end
                return work
            frame = frame.f_back
        call = frame.f_locals
        self._queued.add((call["thread"], call["start"]))
        name, line = call["told"][1]["name"], self._line(call["line"])

        def told() -> Any:
            start = perf_counter_ns()
            try:
                return work()
            finally:
                self.span("execution", name, start, perf_counter_ns(), line)

        return told

    def made(self, buffers: Sequence[Any], location: str) -> None:
        """See `recording.Recorder.made`."""
        for buffer in buffers:  # a later one with the identity of one that is gone comes here, too
            self._lines[id(buffer)] = location

    def line_of(self, buffer: Any) -> str:
        """See `recording.Recorder.line_of`."""
        return self._line(self._lines.get(id(buffer), ""))

    def _line(self, place: Place) -> str:
        """``file:line``; empty where it is not known."""
        if isinstance(place, str):
            return place
        code, at = place
        found = self._texts.get((id(code), at))
        if found is None:
            number = next((line for begin, end, line in code.co_lines() if begin <= at < end and line is not None),
                          code.co_firstlineno)
            found = self._texts[id(code), at] = code, f"{code.co_filename}:{number}"
        return found[1]

    def _look(self) -> None:
        """Now and then, where arrays hold much more than when it looked before: notes which lines made them."""
        held = 0
        world = opened_world()
        for name, client in world.clients.items() if world is not None else ():
            stats = client.memory_stats(world.local_devices(name)[0]) if world is not None else {}
            held += stats.get("bytes_in_arrays", stats.get("bytes_in_use", 0))
        if held > max(_GROWTH * self._seen_bytes, _LEAST_BYTES):
            self._seen_bytes = held
            self._note_holders()
        self._next_look = perf_counter_ns() + _LOOK_EACH

    def _note_holders(self) -> None:
        found = holders()
        if sum(one.size for one in found) > sum(one.size for one in self._peak):
            self._peak = found

    def stop(self) -> Profile:
        """Ends the recording, once what was begun is done.

        Returns:
            What was recorded.
        """
        world = opened_world()
        begun = perf_counter_ns()
        for client in world.clients.values() if world is not None else ():
            client.synchronize()
        end = perf_counter_ns()
        self.span("ready", "the end of the profile", begun, end)
        self._note_holders()
        instrument(None)
        recording.recorder = None
        monitoring.unregister_event_duration_listener(self._duration)
        if self._watcher is not None:
            self._running.put(None)
            self._watcher.join(config.late_timeout)  # as long as for anything that is late
        kernels = [found.stop() for found in self._kernels.values()]
        spans = [*self._spans, *self._call_spans()]
        names = {**self._threads, **{t.ident: t.name for t in threading.enumerate()}}
        profile = Profile(
            process=self._process, processes=self._processes, host=socket.gethostname(), pid=os.getpid(), job=self._job,
            number=self._number, offset=clock_offset(None) if self._offset is None else self._offset,
            start=self._start, end=end, main=self._main,
            threads={i: n for i, n in names.items() if i is not None},
            spans=spans, kernels=(),
            rows=np.zeros((0, 4), np.int64), dropped=self._dropped + sum(found.lost for found in kernels),
            peak=self._peak,
            is_complete=self._watcher is None or not self._watcher.is_alive(), unseen=sorted(self._silent),
        )
        for found in kernels:
            profile.add_kernels(found)
        return profile

    def _duration(self, event: str, seconds: float, **about: Any) -> None:
        """A listener of durations: what is told has just ended."""
        end, what = perf_counter_ns(), _WORDS.get(event)
        name = about.pop("fun_name", None)
        shown = f"{what or event} {name}" if name else what or event
        line = location.user_location(3) if what else ""
        self.span(what or "event", shown, end - int(seconds * 1e9), end, line, **about)

    def _observed(self, program: LoadedProgram, run: Run) -> Run:
        """An execution that is noted."""
        self._meet(opened_world())
        name, platform = program.name, program.mesh.flat_devices[0].platform
        is_watched = program.executable is not None and platform in self._unseen
        own = {o.location for o in operations_of(program.partitioned.device_program.program) if o.location}
        # Of NumPy's functions called outside of any other the program is shared by all lines that call them.
        told = platform if is_watched else "", {"name": name, "by_line": own <= {program.called_at}}
        is_single = len(program.out_layouts) == len(program.partitioned.device_program.local_positions) == 1
        calls, lines, append, places = self._calls, self._lines, self._calls.extend, dict[int, Place]()
        own_modules, excluded = location.own_modules, location.EXCLUDED_FILES

        # Each line of it is paid for by each call that is recorded.
        def execute(inputs: Sequence[Sequence[Buffer]]) -> list[list[Buffer]]:
            thread = get_ident()
            frame: FrameType | None = _getframe(1).f_back  # olympus calls this; then as `users_frame`, without its call
            while frame is not None:
                is_own = own_modules.get(frame.f_globals.get("__name__", ""))
                if not is_own:
                    if is_own is None or excluded:
                        frame = location.users_frame(frame)
                    break
                frame = frame.f_back
            line: Place = ""
            if frame is not None:
                at = frame.f_lasti
                line = places.get(at, "")
                if not line or line[0] is not frame.f_code:
                    line = places[at] = frame.f_code, at
            start = perf_counter_ns()
            try:
                outputs = run(inputs)
            finally:
                end = perf_counter_ns()
                if len(calls) < _MOST_VALUES:  # values one after the other: nothing for the garbage collector
                    append((told, line, thread, start, end))
                else:
                    self._dropped += 1
            if is_single:
                lines[id(outputs[0][0])] = line
            else:
                for column in outputs:
                    for buffer in column:
                        lines[id(buffer)] = line
            if end > self._next_look:
                self._look()
            if is_watched:
                first = next((buffers[0] for buffers in outputs if buffers), None)
                if first is not None:
                    self._running.put((name, self._line(line), start, first))
            return outputs

        self._code = execute.__code__
        return execute

    def _call_spans(self) -> Iterator[Span]:
        values = iter(self._calls)
        for (watched, about), place, thread, start, end in zip(*[values] * _VALUES, strict=True):
            line = self._line(place)
            yield Span("call", about["name"], line, thread, start, end, about)
            if watched:
                self._silent.add(watched)
            elif (thread, start) not in self._queued:
                yield Span("execution", about["name"], line, thread, start, end, about)

    def _watch(self) -> None:
        while (found := self._running.get()) is not None:
            name, line, start, buffer = found
            with contextlib.suppress(Exception):  # the program's own error, or a buffer that was donated since
                buffer.block_until_ready()
            # A device's executions come one after the other.
            begin, self._last_end = max(start, self._last_end), perf_counter_ns()
            self.span("device", name, begin, self._last_end, line)
            del found, buffer
