# SPDX-License-Identifier: Apache-2.0
"""The division of a machine's GPUs among its processes, where the user has not chosen any."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from olympus_core.plugin import PlatformSettings

if TYPE_CHECKING:
    from ..gpu import Gpu

_LABEL = "cuda/gpus"


def assigned(gpus: Sequence[Sequence[str]], mine: int) -> list[int]:
    """The GPUs of one of a machine's processes, by its own ordinals.

    Processes that see different GPUs, because a launcher chose them, use what they see. Processes that see the same
    GPUs divide them evenly in their order; where there are more processes than GPUs, neighbours share one.

    Args:
        gpus: For each process of the machine the names of the GPUs that it sees.
        mine: The index of the process that is asked about.

    Example:
        >>> assigned([["a", "b", "c", "d"]] * 2, 1), assigned([["a"], ["b"]], 1), assigned([["a"]] * 2, 1)
        ([2, 3], [0], [0])
    """
    seen = gpus[mine]
    sharers = [i for i, other in enumerate(gpus) if set(other) & set(seen)]
    position, processes, count = sharers.index(mine), len(sharers), len(seen)
    if not all(list(gpus[i]) == list(seen) for i in sharers):
        return list(range(count))  # the processes see them in different orders: no division is obvious to all
    first, last = position * count // processes, (position + 1) * count // processes
    return list(range(first, max(last, first + 1)))


def own_gpus(gpu: Gpu, settings: PlatformSettings) -> Sequence[int] | None:
    """The GPUs of this process; None for all that it sees. A collective call of all processes of a job."""
    rendezvous, chosen = settings.rendezvous, settings.local_device_ids
    if rendezvous is None or settings.process_count < 2:
        return chosen
    seen = [pci_bus_id(gpu, ordinal) for ordinal in range(gpu.count)]
    facts = {"gpus": [seen[i] for i in chosen if 0 <= i < len(seen)] if chosen is not None else seen,
             "chosen": chosen is not None}
    answers = [json.loads(a) for a in rendezvous.exchange(_LABEL, json.dumps(facts).encode())]
    if chosen is not None:
        return chosen
    here = rendezvous.hosts[settings.process_index]
    beside = [i for i, host in enumerate(rendezvous.hosts) if host == here and not answers[i]["chosen"]]
    return assigned([answers[i]["gpus"] for i in beside], beside.index(settings.process_index))


def pci_bus_id(gpu: Gpu, ordinal: int) -> str:
    """A name of a GPU that is unique on its machine."""
    return str(gpu.runtime.deviceGetPCIBusId(ordinal))
