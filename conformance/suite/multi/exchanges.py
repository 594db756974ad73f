# SPDX-License-Identifier: Apache-2.0
"""Single buffers between members, and barriers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Device, Transfer

from ...checks import require, require_equal, require_raises, require_same_bits
from ...context import Context
from ...requirement import requirement
from .case_lists import process_cases
from .groups import Devices, Findings, host, is_here, own_groups, random_of
from .groups import all_groups as groups_of

_SHAPES = ((), (0, 2), (1,), (7,), (50, 20))
_DTYPES = (dtypes.bool_, dtypes.int32, dtypes.uint32, dtypes.float32)


def _parcels(context: Context, name: str, devices: Devices) -> list[tuple[int, int, np.ndarray]]:
    """Source, target and content of many transfers: several of one shape between two members, none between others."""
    random = random_of(context, name)
    parcels: list[tuple[int, int, np.ndarray]] = []
    for number in range(4 * len(devices)):
        source, target = (int(p) for p in random.choice(len(devices), 2, replace=False))
        shape, dtype = _SHAPES[number % len(_SHAPES)], _DTYPES[number % len(_DTYPES)]
        for repeat in range(1 + number % 3):
            parcels.append((source, target, np.full(shape, number * 3 + repeat).astype(dtype)))
    large = np.arange(1 << 18, dtype=np.int32)
    return [*parcels, (0, len(devices) - 1, large), (len(devices) - 1, 0, -large)]


@requirement(
    "collectives/exchange",
    "exchange MUST move any number of buffers each way between the members of a group, keep the order of those "
    "between two members, and give the results in the order of `receives`.",
    why="Arrays are moved from one sharding to another with it; exchanged buffers are wrong results without an error.",
    profile="multi", cases=process_cases(), seconds=60.0,
)
def exchange(context: Context) -> None:
    """Many transfers of many kinds at once; then none at all, and from one member to another only."""
    findings = Findings()
    for name, devices in own_groups(context):
        if len(devices) < 2:
            continue
        parcels = _parcels(context, name, devices)
        for kind, chosen in (("many", parcels), ("none", []), ("one way", [p for p in parcels if p[:2] == (0, 1)])):
            _exchange(context, findings, f"exchange of {kind} among {name}", devices, chosen)
    findings.settle()


def _exchange(
    context: Context, findings: Findings, label: str, devices: Sequence[Device],
    parcels: Sequence[tuple[int, int, np.ndarray]],
) -> None:
    sends = [
        Transfer(source, target, context.put(value, devices[source]), value.shape, value.dtype)
        for source, target, value in parcels if devices[source].is_addressable
    ]
    # The receiving side lists the sources in another order; between two members the order is the same.
    received = sorted((p for p in parcels if devices[p[1]].is_addressable), key=lambda p: (-p[0], p[1]))
    receives = [Transfer(source, target, None, value.shape, value.dtype) for source, target, value in received]
    results = context.wait(context.communicator(devices).exchange(sends, receives), label)
    with findings:
        require_equal(len(results), len(receives), f"the number of results of {label}")
        for i, (buffer, (source, target, value)) in enumerate(zip(results, received, strict=True)):
            what = f"receive {i} of {label}, from {source} to {target},"
            require_same_bits(host(buffer, devices[target], what), value, what)


@requirement(
    "collectives/barrier",
    "A barrier MUST be done only when every process of the group has called it, and give no buffers.",
    why="What one process does after a barrier relies on what the others have done before it.",
    profile="multi", cases=process_cases(),
)
def barrier(context: Context) -> None:
    """One process of each group comes late, another one in each iteration."""
    findings = Findings()
    for iteration, (name, devices) in enumerate(groups_of(context)):
        processes = context.group(devices).processes
        late = processes[iteration % len(processes)]
        is_late = context.process_index == late
        label = f"a barrier among {name}"
        communicator = context.communicator(devices) if is_here(devices) else None  # which may wait for everybody
        pending = communicator.barrier() if communicator is not None and not is_late else None
        with findings:
            if pending is not None:
                require(not pending.is_done(), observed=f"{label} is done", required=f"not before process {late} calls")
                require_raises(TimeoutError, partial(pending.result, context.deadline(0.0)), f"result of {label}")
        context.exchange(f"{label}, iteration {iteration}", b"")
        if communicator is not None and is_late:
            pending = communicator.barrier()
        if pending is not None:
            results = context.wait(pending, label)
            with findings:
                require_equal(list(results), [], f"the result of {label}")
    findings.settle()
