"""Which GPUs of a machine belong to which of its processes, where nobody has said so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from olympus_core.plugin import PlatformSettings

if TYPE_CHECKING:
    from ..gpu import Gpu

_LABEL = "cuda/cards"


def assigned(cards: Sequence[Sequence[str]], mine: int) -> list[int]:
    """The GPUs of one of a machine's processes, as it counts them.

    A launcher that shows each process its own GPUs has said all. Processes that see the same GPUs divide them evenly
    in their order; where there are more processes than GPUs, neighbours share one.

    Args:
        cards: For each process of the machine what the GPUs that it sees are called.
        mine: Which of them is asked about.

    Example:
        >>> assigned([["a", "b", "c", "d"]] * 2, 1), assigned([["a"], ["b"]], 1), assigned([["a"]] * 2, 1)
        ([2, 3], [0], [0])
    """
    seen = cards[mine]
    sharers = [i for i, other in enumerate(cards) if set(other) & set(seen)]
    position, processes, count = sharers.index(mine), len(sharers), len(seen)
    if not all(list(cards[i]) == list(seen) for i in sharers):
        return list(range(count))  # no way to divide them that all would come to
    first, last = position * count // processes, (position + 1) * count // processes
    return list(range(first, max(last, first + 1)))


def own_gpus(gpu: Gpu, settings: PlatformSettings) -> Sequence[int] | None:
    """The GPUs of this process; None for all that it sees. Called by all processes of a job."""
    rendezvous, chosen = settings.rendezvous, settings.local_device_ids
    if rendezvous is None or settings.process_count < 2:
        return chosen
    seen = [card_name(gpu, ordinal) for ordinal in range(gpu.count)]
    facts = {"cards": [seen[i] for i in chosen if 0 <= i < len(seen)] if chosen is not None else seen,
             "chosen": chosen is not None}
    answers = [json.loads(a) for a in rendezvous.exchange(_LABEL, json.dumps(facts).encode())]
    if chosen is not None:
        return chosen
    here = rendezvous.hosts[settings.process_index]
    beside = [i for i, host in enumerate(rendezvous.hosts) if host == here and not answers[i]["chosen"]]
    return assigned([answers[i]["cards"] for i in beside], beside.index(settings.process_index))


def card_name(gpu: Gpu, ordinal: int) -> str:
    """What no other GPU of the machine is called."""
    return str(gpu.runtime.deviceGetPCIBusId(ordinal))
