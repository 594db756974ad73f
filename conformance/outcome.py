# SPDX-License-Identifier: Apache-2.0
"""The outcome of a test."""

from __future__ import annotations

import enum
import time
import traceback
import warnings
from dataclasses import dataclass

from olympus_core.errors import NotCompiledWarning

from .context import Context, declared
from .errors import Failed, Skipped
from .profiles import REQUIRED
from .requirement import Test


class Status(str, enum.Enum):
    """How a test ended."""

    PASS = "pass"
    FAIL = "fail"
    NOT_SUPPORTED = "not supported"  # not declared, and refused as it must be
    WAIVED = "waived"  # failed, and covered by a waiver
    WARNING = "warning"  # a SHOULD does not hold
    ERROR = "error"  # an exception outside the contract, or a process that died
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one test: plain data, which can cross processes.

    Args:
        id: The test's.
        status: How it ended.
        seconds: How long it took.
        reason: Why it did not pass, in a sentence.
        observed: What the platform did, for failures.
        required: What the requirement asks for.
        program: The text of the program that showed it, if one did.
        trace: The traceback, for errors; the stacks of all processes, for timeouts.
    """

    id: str
    status: Status
    seconds: float = 0.0
    reason: str = ""
    observed: str = ""
    required: str = ""
    program: str = ""
    trace: str = ""


def run_test(test: Test, context: Context) -> Outcome:
    """Runs one test in this process; returns an outcome, whatever its check raises."""
    started = time.perf_counter()

    def outcome(status: Status, reason: str = "", **rest: str) -> Outcome:
        return Outcome(test.id, status, round(time.perf_counter() - started, 6), reason, **rest)

    lacking = [n for n in test.case.needs if not declared(context.capabilities, len(context.devices), n)]
    # Missing devices are a matter of the machine; everything else is declared.
    undeclared = [n for n in lacking if not n.startswith("devices:")]
    mandatory = [n for n in undeclared if n in REQUIRED[test.profile]]
    if mandatory:
        return outcome(Status.FAIL, observed=f"{', '.join(mandatory)} is not declared",
                       required=f"profile {test.profile} needs it")
    try:
        if undeclared and test.requirement.refusal is not None:
            test.requirement.refusal(context, **test.case.arguments)
        if lacking:
            return outcome(Status.NOT_SUPPORTED, f"{', '.join(lacking)} is not declared")
        with warnings.catch_warnings():
            warnings.simplefilter("error", NotCompiledWarning)  # its table would compute what its kernels should
            test.requirement.check(context, **test.case.arguments)
    except NotCompiledWarning as fault:
        return outcome(Status.FAIL, observed=str(fault), required="code that the platform's own compiler accepts")
    except Skipped as skipped:
        return outcome(Status.NOT_SUPPORTED, skipped.reason)
    except Failed as failed:
        status = Status.FAIL if test.requirement.is_mandatory else Status.WARNING
        return outcome(status, observed=failed.observed, required=failed.required, program=failed.program or "")
    except Exception as error:  # noqa: BLE001  (any error is an outcome)
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return outcome(Status.ERROR, reason, trace=traceback.format_exc())
    return outcome(Status.PASS)
