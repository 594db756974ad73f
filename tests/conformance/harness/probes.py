# SPDX-License-Identifier: Apache-2.0
"""Checks that do what platforms must not: what the harness makes of them is tested.

Workers import this file as they import the suite's; here `PROBES` holds the tests, and the suite does not.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
import timeit

from olympus_conformance import requirement as _module  # noqa: F401  (the package has a function of that name)
from olympus_conformance.checks import require, require_equal, require_raises
from olympus_conformance.requirement import Case, Test, requirement
from olympus_core.errors import CollectiveTimeoutError, JobAbortedError, ProcessLostError

_requirements = sys.modules["olympus_conformance.requirement"]._requirements
_BEFORE = dict(_requirements)
LONG = 60.0  # longer than any test of the harness


def probe(name: str, processes: int = 1, statement: str = "It MUST hold.", **rest):
    return requirement(
        f"probe/{name}", statement, why="It is a test of the harness.", profile="minimal",
        cases=[Case(processes=processes)], **{"seconds": 30.0, **rest})


@probe("passes")
def passes(context) -> None:
    require_equal(context.put(7).to_host().item(), 7, "a buffer")


@probe("fails")
def fails(context) -> None:
    require(False, observed="one", required="another", program="program f()")


@probe("warns", statement="It SHOULD hold.")
def warns(context) -> None:
    require(False, observed="one", required="another")


@probe("raises")
def raises(context) -> None:
    raise KeyError("nobody knows it")


@probe("exits")
def exits(context) -> None:
    sys.exit(3)


@probe("crashes")
def crashes(context) -> None:
    sys.stderr.write("last words\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGSEGV)


@probe("crashes_later")
def crashes_later(context) -> None:
    """When the test is over: in the next one, or between."""
    signal.setitimer(signal.ITIMER_REAL, 0.05)


def hang_here() -> None:
    ctypes.CDLL(None).pause()  # lets other threads run


def hang_and_hold_here() -> None:
    ctypes.PyDLL(None).pause()  # keeps the interpreter to itself


@probe("hangs", seconds=0.3)
def hangs(context) -> None:
    hang_here()


@probe("hangs_and_holds", seconds=0.3)
def hangs_and_holds(context) -> None:
    hang_and_hold_here()


@probe("one_hangs", processes=2, seconds=0.5)
def one_hangs(context) -> None:
    if context.process_index == 1:
        hang_here()


@probe("together", processes=2)
def together(context) -> None:
    mine = bytes([context.process_index])
    require_equal(context.rendezvous.exchange("all", mine), [b"\0", b"\1"], "what all have brought")
    require_equal(context.rendezvous.exchange("turned", mine, [1, 0]), [b"\1", b"\0"], "in the order asked for")
    require_equal(context.rendezvous.exchange("alone", mine, [context.process_index]), [mine], "one's own")
    require_equal(len(set(context.rendezvous.hosts)), 1, "the number of machines")
    require(context.rendezvous.job.isalnum(), observed=context.rendezvous.job, required="letters and digits")
    require_equal([d.process_index for d in context.all_devices], [0, 0, 1, 1], "the devices' processes")
    fastest = min(timeit.repeat(context.rendezvous.check, number=1000, repeat=5)) / 1000
    require(fastest < 1e-6, observed=f"check takes {fastest * 1e6} us", required="less than one")


@probe("one_fails", processes=2)
def one_fails(context) -> None:
    require(context.process_index == 0, observed="process 1", required="process 0")
    context.rendezvous.exchange("never", b"", timeout=LONG)


@probe("one_dies", processes=2)
def one_dies(context) -> None:
    if context.process_index == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    context.rendezvous.exchange("never", b"", timeout=LONG)


@probe("casualty", processes=2, casualties=(1,))
def casualty(context) -> None:
    rendezvous = context.rendezvous
    if context.process_index == 1:
        context.die()
    error = require_raises(ProcessLostError, lambda: rendezvous.exchange("never", b"", timeout=LONG), "exchange")
    require_equal(error.process, 1, "the process that is lost")
    require_equal(require_raises(ProcessLostError, rendezvous.check, "check").process, 1, "the process that is lost")


@probe("casualty_lives", processes=2, casualties=(1,))
def casualty_lives(context) -> None:
    pass


@probe("aborts", processes=2)
def aborts(context) -> None:
    rendezvous = context.rendezvous
    if context.process_index == 1:
        rendezvous.abort("enough")
        require_raises(JobAbortedError, rendezvous.check, "check of the one that aborts")
    else:
        error = require_raises(JobAbortedError, lambda: rendezvous.exchange("never", b"", timeout=LONG), "exchange")
        require_equal((error.process, error.reason), (1, "enough"), "who aborts, and why")


@probe("misses", processes=2)
def misses(context) -> None:
    rendezvous = context.rendezvous
    if context.process_index == 0:
        error = require_raises(
            CollectiveTimeoutError, lambda: rendezvous.exchange("lonely", b"", timeout=0.1), "exchange")
        require_equal(error.missing, (1,), "who is missing")
    rendezvous.exchange("both", b"")


@probe("whose", processes=2)
def whose(context) -> None:
    """Is only used to look at the processes' identifiers."""
    pids = [int(pid) for pid in context.exchange("pids", str(os.getpid()).encode())]
    require(False, observed=f"{pids}", required="")


@probe("whose_fresh", processes=1, fresh=True)
def whose_fresh(context) -> None:
    require(False, observed=f"{os.getpid()}", required="")


@probe("cannot_close", fresh=True)
def cannot_close(context) -> None:
    def close() -> None:
        raise OSError("it is stuck")

    context.client.close = close


@probe("slow", seconds=5.0)
def slow(context) -> None:
    time.sleep(0.2)


PROBES = {r.name.partition("/")[2]: Test(r, r.cases[0]) for n, r in _requirements.items() if n not in _BEFORE}
if "pytest" in sys.modules:  # the suite of this process is the suite alone
    for _test in PROBES.values():
        del _requirements[_test.requirement.name]
