# SPDX-License-Identifier: Apache-2.0
"""Faults: processes that die, abort or never join; the others get an error and can end."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.plugin import Pending, Transfer
from olympus_core.program import Program

from ...checks import require, require_raises
from ...context import Context
from ...errors import Failed
from ...programs import array_type, needs, program_of
from ...requirement import Case, requirement
from ..multi.case_lists import process_cases, spelled
from ..multi.groups import begin, collective, own_buffers
from ..multi.spanning import all_reduce, everybody

_SOON = 20.0  # seconds in which survivors must have their error, and in which a client must have closed
_AT_ONCE = 2.0
_SIZE = 1 << 20

Step = Callable[[], Any]


def _program(count: int) -> Program:
    """A sum over all devices."""
    kind = array_type(_SIZE // count, dtype=np.int32)
    return program_of("sum", [kind], lambda builder, x: [all_reduce(builder, x, everybody(count))])


def _begins(context: Context) -> dict[str, Callable[[], Pending]]:
    """The communications that the processes begin together, repeatedly."""
    devices, count = context.all_devices, len(context.all_devices)
    communicator = context.communicator()
    values = [np.full(_SIZE // count, i, np.int32) for i in range(count)]
    firsts = [i for i, d in enumerate(devices) if d.local_index == 0]
    ends = list(zip(firsts, [*firsts[1:], firsts[0]], strict=True))  # each process's first device, and the next one's

    def exchange() -> Pending:
        kind = (values[0].shape, values[0].dtype)
        return communicator.exchange(
            [Transfer(s, t, context.put(values[s], devices[s]), *kind) for s, t in ends if devices[s].is_addressable],
            [Transfer(s, t, None, *kind) for s, t in ends if devices[t].is_addressable],
        )

    return {
        "all_reduce": lambda: begin(context, devices, values, collective("all_reduce", "sum")),
        "all_gather": lambda: begin(context, devices, values, collective("all_gather", 0)),
        "exchange": exchange,
        "barrier": communicator.barrier,
    }


def _require_error_soon(step: Step, what: str) -> None:
    """Fails unless a repeated step raises an error soon."""
    started = time.monotonic()
    while time.monotonic() - started < _SOON:
        try:
            step()
        except Failed:
            raise
        except Exception:  # noqa: BLE001  (whichever it is: the runtime words it)
            break
    took = time.monotonic() - started
    require(took < _SOON, observed=f"{what} had no error after {took:.1f} s",
            required=f"an error in every surviving process within {_SOON:g} s")


def _require_end(context: Context, what: str) -> None:
    """Fails unless the client closes soon and leaves no thread that would keep the process from ending."""
    started = time.monotonic()
    # Closing a platform may raise the failure of the job.
    with contextlib.suppress(Exception):
        context.communicator().abort("a process is lost")
    with contextlib.suppress(Exception):
        context.session.close()
    took = time.monotonic() - started
    require(took < _SOON, observed=f"after {what} it took {took:.1f} s to close", required=f"at most {_SOON:g} s")
    end = time.monotonic() + _AT_ONCE
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.main_thread():
            thread.join(max(0.0, end - time.monotonic()))
            require(not thread.is_alive(), observed=f"thread {thread.name} runs on after {what}",
                    required="nothing keeps a process from ending once its client is closed")


_KINDS = ("all_reduce", "all_gather", "exchange", "barrier", "open_communicator", "program", "close")


def _killed(context: Context, kind: str, casualty: int) -> None:
    """All work together; one begins something and dies, and the survivors go on until they have an error."""
    devices, begins = context.all_devices, _begins(context)
    start = begins.get(kind, begins["barrier"])

    def communicate() -> None:
        context.wait(start(), f"{kind} with a process that was killed")

    def open_and_use() -> None:
        context.wait(context.open_communicator(devices[::-1]).barrier(), "a barrier with a process that was killed")

    step: Step = open_and_use if kind == "open_communicator" else communicate
    communicate()
    if kind == "program":
        program = _program(len(devices))
        executable = context.compile(program, devices)
        inputs = own_buffers(context, devices, [np.ones(program.input_types[0].shape, np.int32) for _ in devices])

        def step() -> None:
            for buffer in executable.execute([inputs])[0]:
                buffer.block_until_ready()

        step()
    context.exchange("all are ready", b"")
    if context.process_index == casualty:
        if kind in begins:
            start()
        context.die()
    if kind != "close":
        _require_error_soon(step, f"{kind} with a process that was killed")
    _require_end(context, f"a process was killed, in {kind}")


@requirement(
    "faults/killed",
    "When a process is killed, every other process MUST get an error, and no hang, from what it does together with it, "
    "and MUST then be able to close the platform and end.",
    why="A job that hangs after a crash holds its machines until somebody looks.",
    profile="full", casualties=(1,), seconds=75.0,
    cases=[
        Case(f"{kind},{spelled(n)}", {"kind": kind}, processes=n, quick=n == 2 and kind == "all_reduce",
             needs=("multi_process", *(needs("all_reduce") if kind == "program" else ())))
        for kind in _KINDS for n in (2, 4)
    ],
)
def killed(context: Context, kind: str) -> None:
    """The second process dies."""
    _killed(context, kind, 1)


@requirement(
    "faults/first_killed",
    "When the first process is killed, every other process MUST get an error, and MUST then be able to close the "
    "platform and end.",
    why="The first process often holds what the others need: addresses, tables, a server.",
    profile="full", casualties=(0,), seconds=75.0, cases=process_cases(4, quick=()),
)
def first_killed(context: Context) -> None:
    """In an all-reduce, as in `faults/killed`."""
    _killed(context, "all_reduce", 0)


@requirement(
    "faults/given_up",
    "When a process gives the job up, by `Rendezvous.abort`, every other process MUST get an error from what it waits "
    "for, and all MUST be able to close the platform.",
    why="An exception in one process, a loss that is no number, must end the whole job.",
    profile="full", cases=process_cases(2, 4), fresh=True, seconds=75.0,
)
def given_up(context: Context) -> None:
    """The second process raises between two collectives; the others wait for it."""
    start = _begins(context)["all_reduce"]

    def step() -> None:
        context.wait(start(), "an all_reduce with a process that has given up")

    step()
    context.exchange("all are ready", b"")
    if context.process_index == 1 and context.rendezvous is not None:
        context.rendezvous.abort("the loss is not a number")
        require_raises(Exception, context.rendezvous.check, "check after abort")
    else:
        _require_error_soon(step, "an all_reduce with a process that has given up")
    _require_end(context, "a process had given up")


@requirement(
    "faults/never_comes",
    "When a process does not come to a communication though it lives, result MUST raise TimeoutError at the deadline, "
    "however often it is asked; after abort every process MUST be able to close the platform.",
    why="Processes that have taken different ways must be found and named, by whoever waits.",
    profile="full", cases=process_cases(2, 4, quick=()), fresh=True, seconds=75.0,
)
def never_comes(context: Context) -> None:
    """The last process does something else; the others wait for a second, twice, and give up."""
    start = _begins(context)["all_reduce"]
    context.wait(start(), "all_reduce")
    last = context.process_count - 1
    failed: Failed | None = None
    if context.process_index != last:
        waiting = start()
        try:
            for _ in range(2):
                started = time.monotonic()
                require_raises(TimeoutError, lambda: waiting.result(context.deadline(1.0)), "result")
                took = time.monotonic() - started
                require(0.95 <= took < 1.0 + _AT_ONCE, observed=f"result gave up after {took:.2f} s",
                        required="TimeoutError at the deadline, in 1 s")
        except Failed as error:
            failed = error
        context.communicator().abort("a process has not come")
    context.exchange("gave up", b"")
    if failed is not None:
        raise failed
    _require_end(context, "a process had not come")


@requirement(
    "faults/program_waits_by_links",
    "An execution that waits for a process that does not come MUST end in an error soon after the links' deadline, at "
    "the call or where its outputs are read.",
    why="A job in which one process went another way hangs; the runtime sets the deadline and names who is missing.",
    profile="full", cases=process_cases(2, needs=needs("all_reduce"), quick=()), fresh=True, seconds=75.0,
)
def program_waits_by_links(context: Context) -> None:
    """The first process executes a sum over all devices alone, with links that wait for a second and a half."""
    devices, program = context.all_devices, _program(len(context.all_devices))
    executable = context.compile(program, devices)
    inputs = own_buffers(context, devices, [np.ones(program.input_types[0].shape, np.int32) for _ in devices])
    for column in executable.execute([inputs]):
        for buffer in column:
            buffer.block_until_ready()
    context.exchange("all have executed", b"")
    error: BaseException | None = None
    took = 0.0
    if context.process_index == 0:
        context.session.links.seconds = 1.5
        started = time.monotonic()
        try:
            for column in executable.execute([inputs]):
                for buffer in column:
                    buffer.block_until_ready()
        except Exception as found:  # noqa: BLE001  (looked at below)
            error = found
        took = time.monotonic() - started
        context.communicator().abort("a process has not come")
    context.exchange("one has executed alone", b"")
    if context.process_index == 0:
        require(error is not None and took < 1.5 + _AT_ONCE * 2,
                observed=f"{type(error).__name__ if error else 'no error'} after {took:.1f} s",
                required="an error once the links give up, after 1.5 s", program=program.text)
    _require_end(context, "a process had not executed")
