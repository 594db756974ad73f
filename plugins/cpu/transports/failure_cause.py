"""Why a transport has failed: the job knows better than a connection, and a moment later."""

from __future__ import annotations

import math
import time

from olympus_core.plugin import Rendezvous

_CAUSE_TIME = 3.0  # for the job to say which process is lost, when a transport has only noticed that something is
_LOOK = 0.01


def await_cause(rendezvous: Rendezvous, deadline: float = math.inf) -> None:
    """Gives the job time to say which process is lost; raises that error.

    Args:
        rendezvous: Where a failure of the job shows.
        deadline: When the caller's patience ends.
    """
    deadline = min(deadline, time.monotonic() + _CAUSE_TIME)
    while time.monotonic() < deadline:
        rendezvous.check()
        time.sleep(_LOOK)
