# SPDX-License-Identifier: Apache-2.0
"""What a process is told, and tells its user, about waits that last: who is late, where, and who waits for it."""

from __future__ import annotations

from olympus_core.errors.cluster import Standing
from olympus_core.logs import Log

from .groups import unspell
from .liveness import SilenceWatch
from .progress import ProcessProgress
from .schema import Message
from .settings import ClusterSettings
from .stacks import stack_of

_log = Log(__name__)

_UNANSWERED = {
    "stopped": "does not run before somebody continues it (kill -CONT)",
    "unresponsive": "gives no answer, and its machine does: it holds Python's lock, or gets no processor",
}
KINDS = frozenset({"probe", "late", "awaited"})


class LateWarnings:
    """The warnings of one process.

    Args:
        process: Its index.
        progress: What it does.
        settings: When to warn.
    """

    def __init__(self, process: int, progress: ProcessProgress, settings: ClusterSettings) -> None:
        self._process, self._progress, self._settings = process, progress, settings
        self._told = 0  # warnings about a coordinator that says nothing

    def hear(self, message: Message) -> Message | None:
        """Handles a message about waits; gives the answer where it wants one."""
        if message["t"] == "probe":
            return {"t": "stack", "token": message["token"], "frames": self._stack()}
        if message["t"] == "late":
            _log.warning("%s", words_of_late(self._process, message))
        elif not self._progress.slow and message["position"] == self._progress.current[0]:
            # Who has declared to be slow knows, and who has gone on since is not late any more.
            frames = self._stack()
            several = len(unspell(message["by"])) > 1
            _log.warning(
                "process%s %s wait%s for this one (process %d) since %.0f s in %s; it is at %s",
                "es" if several else "", message["by"], "" if several else "s", self._process, message["seconds"],
                message["label"], frames[0] if frames else "no line of Python",
            )
        return None

    def watch_coordinator(self, watch: SilenceWatch, own: Standing | None, now: float) -> None:
        """Warns about a coordinator that says nothing while this process waits: nobody else could."""
        times = self._settings.warning_times
        quiet = now - watch.heard if self._progress.waits.are_under_way else 0.0
        due = sum(quiet >= seconds for seconds in times)
        if due > self._told:
            state = watch.look()
            why = "it is stopped by a signal" if state is not None and state.stopped else (
                "it lives: it holds Python's lock, or its machine has no time for it")
            where = f"; it was last seen at {own.text}" if own is not None and own.text else ""
            _log.warning("process %d waits, and process 0 has said nothing for %.0f s: %s%s",
                         self._process, quiet, why, where)
        self._told = due

    def _stack(self) -> list[str]:
        return stack_of(self._progress.waits.free_thread())


def words_of_late(process: int, message: Message) -> str:
    """The warning of a process that waits."""
    words = f"process {process} has waited {message['seconds']:.0f} s in {message['label']}"
    if not message["missing"]:
        return f"{words}: all have come, and {message['moved']} bytes have been moved"
    several = len(unspell(message["missing"])) > 1
    words += f" for process{'es' if several else ''} {message['missing']}"
    for straggler, state, text, seconds, frames in message["stragglers"]:
        words += f"\n  process {straggler} ({state}; {text or 'before its first launch'}, {seconds:.0f} s ago) "
        unanswered = _UNANSWERED.get(state, "gave no answer in time")
        words += f"is at {', called from '.join(frames)}" if frames else unanswered
    return words
