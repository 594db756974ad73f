# SPDX-License-Identifier: Apache-2.0
"""Begin and end of a job: clients opened and closed in its processes, devices that all agree on, memory over time."""

from __future__ import annotations

import numpy as np

from olympus_core import ops
from olympus_core.program import ProgramBuilder, Value

from ...checks import require, require_equal, require_same_bits
from ...context import Context
from ...memory import require_no_growth
from ...programs import array_type, needs, program_of
from ...requirement import requirement
from .case_lists import process_cases
from .groups import Findings, added, collective, communicate
from .spanning import all_reduce, everybody

_ROUNDS = 100
_BYTES = 1 << 20


@requirement(
    "devices/unique_across_processes",
    "The ids and the texts of devices MUST be unique among the devices of all processes.",
    why="People and logs name devices by them, and processes tell each other of devices by id.",
    profile="multi", cases=process_cases(2, 4),
)
def unique_across_processes(context: Context) -> None:
    """Ids, short texts and long texts of the whole job."""
    devices = context.all_devices
    for what, values in (
        ("ids", [str(d.id) for d in devices]), ("short texts", [str(d) for d in devices]),
        ("long texts", [repr(d) for d in devices]),
    ):
        twice = sorted({v for v in values if values.count(v) > 1})
        require(not twice, observed=f"several devices have the {what} {', '.join(twice)}",
                required=f"{what} are unique in the job")
    told = context.exchange("devices", "\n".join(map(repr, devices)).encode())
    require(len(set(told)) == 1, observed="processes have different lists of devices", required="the same in each")


def _use(context: Context, findings: Findings, what: str) -> None:
    """A communicator, and a program with a collective."""
    devices, kind = context.all_devices, array_type(5, dtype=np.int32)
    values = [np.arange(5, dtype=np.int32) + i for i in range(len(devices))]
    total = added(values)
    for _, buffer in communicate(context, devices, values, collective("all_reduce", "sum"), f"all_reduce {what}"):
        with findings:
            require_same_bits(buffer.to_host(), total, f"all_reduce {what}")

    def body(builder: ProgramBuilder, x: Value) -> list[Value]:
        (doubled,) = builder.emit(ops.add, [x, x])
        return [all_reduce(builder, doubled, everybody(len(devices)))]

    own = [values[i] for i, d in enumerate(devices) if d.is_addressable]
    for array in context.run(program_of("sum", [kind], body), [own], devices)[0]:
        with findings:
            require_same_bits(array, total * 2, f"a program {what}")


@requirement(
    "lifecycle/open_again",
    "After a client has been closed in every process, the platform MUST be openable again in the same processes, with "
    "the same rendezvous, and work.",
    why="Notebooks and tests begin again without new processes.",
    profile="multi", cases=process_cases(2, 4, needs=needs("all_reduce", "add")), fresh=True, seconds=60.0,
)
def open_again(context: Context) -> None:
    """Used, closed, opened, used, closed, opened, used."""
    findings = Findings()
    _use(context, findings, "of the first client")
    for number in ("second", "third"):
        context.reopen()
        _use(context, findings, f"of the {number} client")
    findings.settle()


@requirement(
    "lifecycle/closed_unused",
    "A client that has done nothing MUST close in order, in every process, and leave the job usable.",
    why="Programs that only print their devices, or fail early, end like this.",
    profile="multi", cases=process_cases(2, 4, needs=needs("all_reduce", "add"), quick=()), fresh=True, seconds=60.0,
)
def closed_unused(context: Context) -> None:
    """Opened and closed twice with nothing in between, then used."""
    findings = Findings()
    for _ in range(2):
        context.reopen()
    _use(context, findings, "of a client after two unused ones")
    context.session.close()
    with findings:
        require_equal(len(context.exchange("closed", b"")), context.process_count, "the number of processes")
    findings.settle()


@requirement(
    "memory/returned_after_collectives",
    "The memory of results that are deleted MUST be returned or used again.",
    why="A leak of one result a step ends a training after hours.",
    profile="multi", cases=process_cases(), seconds=90.0,
)
def returned_after_collectives(context: Context) -> None:
    """A hundred rounds of a megabyte for each member, after some that may fill caches."""
    devices = context.all_devices
    values = [np.full(_BYTES // 4, i, np.int32) for i in range(len(devices))]

    def iteration(number: int) -> None:
        label = f"all_reduce in round {number}"
        for _, buffer in communicate(context, devices, values, collective("all_reduce", "max"), label):
            buffer.delete()

    for number in range(20):
        iteration(number)
    require_no_growth(
        context, iteration, iterations=_ROUNDS, nbytes=2 * _BYTES * len(context.devices), what="buffers of collectives")
