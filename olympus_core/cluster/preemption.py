# SPDX-License-Identifier: Apache-2.0
"""A job that is asked to end: one process gets a signal, and all learn of it at the same step.

Every process counts its steps and asks at each whether the job is to end, which is a test of two flags. The first that
was asked tells the coordinator. The coordinator has every process hold before its next step and say which was its
last one, which the thread that reads messages answers at once; then it names the step after the latest of these. No
process has begun that step, since all hold, and all end at it, however far apart they are.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Collection
from types import FrameType

from olympus_core.errors.cluster import spell
from olympus_core.logs import Log

from .detect.environment import RESTART_VARIABLE
from .failure import Failure, failure
from .wait_limits import LATE

_log = Log(__name__)

HOLDING = "preempted(), to agree on the step at which the job ends"
# Between two looks whether the job has failed while a process holds; its end is told besides.
_LOOK_PERIOD = 0.5


class PreemptionRequest:
    """Whether this process was asked to end, by a signal or by its program.

    Attributes:
        is_made: Whether it was.
        is_watching: Whether the signal is watched, or cannot be.
    """

    def __init__(self) -> None:
        self.is_made = self.is_watching = False
        self._signal: int | None = None
        self._launcher: int | None = None
        self._is_warned = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget_in_child)

    def watch(self, number: int | None) -> None:
        """Has the signal make the request instead of ending the process, unless the program handles it itself.

        Args:
            number: The signal; None for none.
        """
        self.is_watching = True
        if number is None or signal.getsignal(number) is not signal.SIG_DFL:
            return
        if threading.current_thread() is not threading.main_thread():
            self.is_watching = False  # the main thread may come later
            if not self._is_warned:
                self._is_warned = True
                name = signal.Signals(number).name
                _log.warning("%s still ends this process: only its main thread can change that, by preempted()", name)
            return
        self._signal = number
        self._launcher = os.getppid() if RESTART_VARIABLE in os.environ else None
        signal.signal(number, self._on_signal)
        signal.siginterrupt(number, False)  # the calls of the system in native code need not know of it

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._launcher not in (None, os.getppid()):
            # The launcher was killed, and its processes end with it: nobody would wait for what they do.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.make()

    def unwatch(self) -> None:
        """The signal ends the process again, unless the program handles it itself by now."""
        number, self._signal = self._signal, None
        self.is_watching = False
        is_main = threading.current_thread() is threading.main_thread()
        if number is not None and is_main and signal.getsignal(number) == self._on_signal:
            signal.signal(number, signal.SIG_DFL)

    def make(self) -> None:
        """Asks this process, and so its job, to end; may be called by a signal's handler."""
        self.is_made = True

    def _forget_in_child(self) -> None:
        """A forked child is ended by the signal as ever: whoever started it counts on that."""
        self.unwatch()
        self.is_made = False


# Signals are the process's, so there is one.
request = PreemptionRequest()


class PreemptionPoint:
    """What a process has of it: its steps, and the one at which the job ends.

    Args:
        tell: Tells the coordinator that this process was asked to end.
        check: Raises an error where a wait of so many seconds has failed.
    """

    __slots__ = ("_changed", "_check", "_is_told", "_tell", "end", "is_held", "last")

    def __init__(self, tell: Callable[[], None], check: Callable[[float], None]) -> None:
        self._tell, self._check = tell, check
        self.last = -1
        self.end: int | None = None
        self.is_held = self._is_told = False
        self._changed = threading.Event()

    def reached(self, step: int) -> bool:
        """Begins a step; whether the job ends here. Holds while the step of the end is being found."""
        # Written before the flag is read, as `hold` writes the flag before it reads this: one of them sees the other.
        self.last = step
        if self.is_held:
            return self._is_at_end(step)
        if request.is_made and not self._is_told:
            self._is_told = True
            self._tell()
        return False

    def _is_at_end(self, step: int) -> bool:
        started = time.monotonic()
        while self.end is None:
            self._changed.wait(_LOOK_PERIOD)
            if self.end is None:
                self._check(time.monotonic() - started)
        return step >= self.end

    def hold(self) -> int:
        """Has the next step wait for `decide`; the last step that was begun."""
        self.is_held = True
        return self.last

    def decide(self, end: int) -> None:
        """The step at which all processes end."""
        self.end = end
        self._changed.set()

    def wake(self) -> None:
        """The job has failed: who holds looks at once."""
        self._changed.set()


class PreemptionVote:
    """What the coordinator has of it: who has not said yet which step was its last.

    Args:
        processes: Those that are asked.
        asker: The process that was asked to end.
        now: When the vote begins, by the monotonic clock.
        limit: Seconds in which all have to answer. The thread that does is kept from it only by native code that
            keeps Python's lock.
    """

    def __init__(self, processes: Collection[int], asker: int, now: float, limit: float) -> None:
        self.waiting = set(processes)
        self._asker, self._started, self._limit = asker, now, limit
        self._latest = -1

    def hear(self, process: int, last: int) -> int | None:
        """A process's last step; gives the step of the end once all have said theirs."""
        if process not in self.waiting:
            return None
        self._latest = max(self._latest, last)
        return self.forget(process)

    def forget(self, process: int) -> int | None:
        """A process has left, and has no further step; gives the step of the end if it was the last to wait for."""
        if process not in self.waiting:
            return None
        self.waiting.discard(process)
        return None if self.waiting else self._latest + 1

    def overdue(self, now: float) -> Failure | None:
        """The failure, once there was too little time for somebody's answer."""
        if not self.waiting or now - self._started < self._limit:
            return None
        missing, waited = spell(sorted(self.waiting)), now - self._started
        return failure("timeout", label=HOLDING, process=self._asker, seconds=waited, missing=missing, limit=LATE)
