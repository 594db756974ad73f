# SPDX-License-Identifier: Apache-2.0
"""The cause of a transport's failure, which the job reports a moment after a connection fails."""

from __future__ import annotations

import math
import time

from olympus_core.plugin import Rendezvous

_CAUSE_TIME = 3.0  # seconds for the job to report which process is lost
_CHECK_PERIOD = 0.01


def await_cause(rendezvous: Rendezvous, deadline: float = math.inf) -> None:
    """Waits until the job reports which process is lost, and raises that error; returns if it does not.

    Args:
        rendezvous: Reports failures of the job.
        deadline: The caller's deadline.
    """
    deadline = min(deadline, time.monotonic() + _CAUSE_TIME)
    while time.monotonic() < deadline:
        rendezvous.check()
        time.sleep(_CHECK_PERIOD)
