# SPDX-License-Identifier: Apache-2.0
"""Communicators: opened for any group, many at once, and closed again."""

from __future__ import annotations

import itertools
import math
import os
import threading

import numpy as np

from olympus_core.plugin import Communicator, Device, DeviceDescription, Group

from ...checks import require, require_equal, require_refusal
from ...context import Context
from ...memory import require_no_growth
from ...requirement import requirement
from .case_lists import process_cases
from .groups import Devices, Findings, all_groups, is_here, own_buffers, own_groups, require_results

_MANY = 20
_OPENINGS = 30
_FEW_THREADS = 4
_FEW_FILES = 16


def _positions_gathered(
    context: Context, findings: Findings, communicator: Communicator, devices: Devices, label: str, base: int = 0
) -> None:
    """An all-gather of everybody's position: shows who takes part, and in which order."""
    values = [np.array([base + i], np.int32) for i in range(len(devices))]
    pending = communicator.all_gather(own_buffers(context, devices, values), 0)
    require_results(context, findings, devices, pending, [np.concatenate(values)] * len(devices), label)


@requirement(
    "communicators/any_group",
    "open_communicator MUST give a communicator of any group of the platform's devices, of whatever processes and in "
    "whatever order, whose `group` is the one that was asked for.",
    why="A mesh's axes give groups in every order, and a mesh may leave out devices or whole processes.",
    profile="multi", cases=process_cases(),
)
def any_group(context: Context) -> None:
    """Opens one of each kind, uses it, and closes it before the next."""
    findings = Findings()
    for name, devices in own_groups(context):
        communicator = context.open_communicator(devices)
        with findings:
            require(communicator.group.devices == devices, observed=f"the group is {communicator.group}",
                    required=f"{name}: {Group(devices)}")
        _positions_gathered(context, findings, communicator, devices, f"all_gather among {name}")
        communicator.close()
    findings.settle()


@requirement(
    "communicators/many_at_once",
    "Communicators of many groups, overlapping ones and several of one group among them, MUST be usable at the same "
    "time without disturbing each other.",
    why="Every axis of every mesh of a program has its own.",
    profile="multi", cases=process_cases(), seconds=60.0,
)
def many_at_once(context: Context) -> None:
    """Twenty groups of the same devices in different orders, and one twice; used alternately, closed in order."""
    findings = Findings()
    step = max(1, math.factorial(len(context.all_devices)) // _MANY)
    orders = list(itertools.islice(itertools.permutations(context.all_devices), 0, step * (_MANY - 1), step))
    groups = [*orders, orders[0], *(devices for _, devices in all_groups(context))]
    opened = [(n, devices, context.open_communicator(devices)) for n, devices in enumerate(groups) if is_here(devices)]
    for iteration in range(3):
        pendings = []
        for number, devices, communicator in opened:
            values = [np.array([iteration, number, i], np.int32) for i in range(len(devices))]
            pendings.append(communicator.all_gather(own_buffers(context, devices, values), 0))
        for (number, devices, _), pending in zip(opened, pendings, strict=True):
            wanted = np.ravel([[iteration, number, i] for i in range(len(devices))]).astype(np.int32)
            label = f"all_gather {iteration} in group {number} of {len(groups)}"
            require_results(context, findings, devices, pending, [wanted] * len(devices), label)
    for _, _, communicator in opened:
        communicator.close()
    findings.settle()


@requirement(
    "communicators/open_and_close",
    "Closing a communicator MUST give back what it holds: opened and closed again and again, it takes no more threads, "
    "files or memory.",
    why="Programs that come and go open communicators for as long as a job lasts.",
    profile="multi", cases=process_cases(), seconds=90.0,
)
def open_and_close(context: Context) -> None:
    """The same group again and again, with a use each time; compared with the state after some."""
    findings, devices = Findings(), context.all_devices
    used: list[tuple[int, int]] = []

    def iteration(number: int) -> None:
        communicator = context.open_communicator(devices)
        _positions_gathered(context, findings, communicator, devices, f"all_gather, opening {number}", number)
        communicator.close()

    for number in range(_OPENINGS):
        iteration(number)
    context.exchange("opened for a while", b"")
    used.append(_held())
    require_no_growth(context, iteration, iterations=2 * _OPENINGS, nbytes=4 << 20, what="communicators")
    context.exchange("opened for long", b"")
    used.append(_held())
    for what, (before, after), few in zip(
        ("threads", "open files"), zip(*used, strict=True), (_FEW_THREADS, _FEW_FILES), strict=True
    ):
        require(after <= before + few, observed=f"{2 * _OPENINGS} openings took {after - before} {what}",
                required=f"at most {few}, which is what may come and go otherwise")
    findings.settle()


def _held() -> tuple[int, int]:
    """Threads and open files of this process; zero files where the system does not say."""
    try:
        files = len(os.listdir("/proc/self/fd"))
    except OSError:
        files = 0
    return threading.active_count(), files


@requirement(
    "communicators/within_a_process",
    "open_communicator MUST work for any devices of one process, without a rendezvous; a platform that does not "
    "declare `multi_process` MUST refuse a group of several processes with NotSupportedError.",
    why="Meshes of one process's devices are what everybody begins with, and a silent wrong answer is worse than none.",
    profile="single",
)
def within_a_process(context: Context) -> None:
    """All own devices in both orders; then a stranger's device."""
    findings = Findings()
    for devices in dict.fromkeys((context.devices, context.devices[::-1], context.devices[:1])):
        communicator = context.client.open_communicator(Group(devices), None)
        _positions_gathered(context, findings, communicator, devices, f"all_gather among {len(devices)} devices")
        communicator.close()
    if not context.capabilities.multi_process:
        description = DeviceDescription(1 << 20, "stranger", "STRANGER", "Stranger()")
        stranger = Device(description, platform=context.platform.name, process_index=1, local_index=0,
                          is_addressable=False)
        group = Group((context.devices[0], stranger))
        with findings:
            require_refusal(lambda: context.client.open_communicator(group, None), f"open_communicator of {group}")
    findings.settle()


@requirement(
    "communicators/opened_by_some",
    "open_communicator MUST need the processes of the group only.",
    why="Processes that do not take part in a mesh run something else meanwhile, or wait for its result.",
    profile="multi", cases=process_cases(4, quick=(4,)), fresh=True,  # nothing before has brought all together
)
def opened_by_some(context: Context) -> None:
    """The first two processes and the last two open theirs and use them, while the others do nothing of the kind."""
    findings = Findings()
    for name, members in (("the first two", {0, 1}), ("the last two", {2, 3})):
        devices = tuple(d for d in context.all_devices if d.process_index in members)
        if is_here(devices):
            communicator = context.open_communicator(devices)
            _positions_gathered(context, findings, communicator, devices, f"all_gather among {name} processes")
            communicator.close()
        context.exchange(f"opened by {name}", b"")
    with findings:
        require_equal(context.process_count, 4, "the number of processes")
    findings.settle()
