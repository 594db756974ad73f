# SPDX-License-Identifier: Apache-2.0
"""What a first call that takes long is doing, told on a terminal while it lasts."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from time import perf_counter
from types import FrameType, TracebackType

from olympus_core.config import config
from olympus_core.location import is_users

DELAY, _PERIOD = 2.0, 0.2  # seconds before it is told, and between two times
_PLUGINS = ("olympus_cpu", "olympus_cuda", "olympus_pjrt", "olympus_tpu")


class FirstCall:
    """Around the tracing and compiling of a call: where stderr is a terminal, it is told from two seconds on.

    Args:
        name: The function.

    Example:
        >>> from olympus.progress import FirstCall
        >>> with FirstCall("train_step"):
        ...     pass
    """

    __slots__ = ("is_watched", "name", "since", "thread")

    def __init__(self, name: str) -> None:
        self.name, self.is_watched = name, False

    def __enter__(self) -> None:
        if config.progress and sys.stderr is not None and sys.stderr.isatty():
            self.is_watched, self.since, self.thread = True, perf_counter(), threading.get_ident()
            _watcher.begin(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.is_watched:
            _watcher.end(self)


class _Watcher:
    """A thread that tells of the oldest call that is under way; it is started when there is one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: list[FirstCall] = []
        self._thread: threading.Thread | None = None

    def begin(self, call: FirstCall) -> None:
        with self._changed:
            self._calls.append(call)
            if self._thread is None or not self._thread.is_alive():  # none, or one of before a fork
                self._thread = threading.Thread(target=self._run, name="olympus-progress", daemon=True)
                self._thread.start()
            elif len(self._calls) == 1:
                self._changed.notify()

    def end(self, call: FirstCall) -> None:
        with self._changed:
            self._calls.remove(call)
            if not self._calls:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._calls)
                call = self._calls[0]
            if not self._is_over(call, max(0.0, call.since + DELAY - perf_counter())):
                with contextlib.suppress(OSError, ValueError):  # the terminal is gone
                    self._tell(call)
                self._is_over(call, None)

    def _is_over(self, call: FirstCall, seconds: float | None) -> bool:
        """Waits for a call's end, no longer than some seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: call not in self._calls, seconds)

    def _tell(self, call: FirstCall) -> None:
        from rich.console import Console  # slow to import: only for those who wait anyway
        from rich.live import Live
        from rich.spinner import Spinner

        console = Console(file=sys.stderr)  # this one to the end, whatever the program makes of sys.stderr
        spinner = Spinner("dots", text=_text(call))
        # Prints of the program stay its own: they may break the line, and are never held back.
        with Live(spinner, console=console, transient=True, redirect_stdout=False, redirect_stderr=False,
                  refresh_per_second=8) as live:
            while not self._is_over(call, _PERIOD):
                spinner.update(text=_text(call))
                live.refresh()


def _text(call: FirstCall) -> str:
    return f"olympus: first call of {call.name}, {perf_counter() - call.since:.0f} s: {_doing(call.thread)}"


def _doing(thread: int) -> str:
    """What a thread does, by its frames: the user's line while it traces, or the stage of compilation."""
    import sysconfig  # slow to import

    # Of libraries it is not known whether the user called them, or olympus.
    folders = [sysconfig.get_paths()[kind] + os.sep for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    libraries = (*folders, "<frozen ")
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None:
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        if name == "compile" and module.startswith(_PLUGINS):
            return "compiling"
        if module.startswith("olympus_core.partition"):
            return "splitting it over the devices"
        if is_users(frame) and not frame.f_code.co_filename.startswith(libraries):
            return f"tracing {frame.f_code.co_filename}:{frame.f_lineno}"
        if module == "olympus.transforms.jit" and name == "_place":
            break
        frame = frame.f_back
    return "planning"


_watcher = _Watcher()
