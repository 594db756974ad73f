# SPDX-License-Identifier: Apache-2.0
"""Opening communicators: over NCCL where all processes of a group have it, else over the memory of the host."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from olympus_core.plugin import Communicator, Device, Group, PlatformSettings, Rendezvous
from olympus_core.toolkit import Carrier, LocalCommunicator

from ..errors import CarriedByHostWarning, NcclNotFoundError
from ..memory import StreamContext
from .assignment import pci_bus_id
from .communicator import CudaCommunicator
from .kernels import Kernels
from .layout import GpuLocation, Layout
from .local_group import LocalGroup
from .local_rank import KEPT_BYTES, LocalRank, Participant
from .nccl_communicators import NcclCommunicators
from .nccl_library import Library, library
from .programs import ProgramCollectives
from .progress import Progress

if TYPE_CHECKING:
    from ..compiled.code import CodeStore


class Collectives:
    """All communication of one client.

    Args:
        contexts: The streams of this process's devices, by their local indices.
        store: The client's machine code.
        settings: The settings that the client was opened with.
        wrap: Makes a buffer of a NumPy array and its device.
    """

    def __init__(
        self, contexts: Sequence[StreamContext], store: CodeStore, settings: PlatformSettings,
        wrap: Callable[[Any, Device], Any],
    ) -> None:
        self._contexts, self._wrap = contexts, wrap
        self._kernels = Kernels(store)
        self._carrier = Carrier(settings, wrap)
        self._process, self._wait_timeout = settings.process_index, settings.wait_timeout
        self._progress = Progress()
        self._opened: dict[tuple[int, ...], int] = {}
        self._warned: set[str] = set()
        check = settings.rendezvous.check if settings.rendezvous is not None else _nothing
        self.programs = ProgramCollectives(contexts, self._kernels, find_library, self._progress.lock, check)

    def open(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """The communicator of a group; all its processes call this in the same order."""
        mine = {p: self._contexts[group.devices[p].local_index] for p in group.local_positions}
        bootstrap = Bootstrap(group, rendezvous, self._numbered(group))
        # A group on one GPU needs no NCCL, which is then not even loaded.
        needed = bootstrap.spans or len({context.ordinal for context in mine.values()}) > 1
        found, missing = find_library() if needed else (None, "")
        gpus = {p: [context.ordinal, pci_bus_id(context.gpu, context.ordinal)] for p, context in mine.items()}
        answers = bootstrap.exchange("", {"process": self._process, "gpus": gpus, "missing": missing})
        locations = {
            int(position): GpuLocation(answer["process"], ordinal, f"{bootstrap.machine(answer['process'])} {bus_id}")
            for answer in answers for position, (ordinal, bus_id) in answer["gpus"].items()
        }
        layout = Layout(tuple(locations[i] for i in range(len(group.devices))))
        reason = next((a["missing"] for a in answers if a["missing"]), "")
        if layout.shared_gpu:
            reason = f"processes {list(layout.shared_gpu)} share a GPU, which NCCL does not serve"
        if len(layout.ranks) > 1 and (reason or found is None):
            return self._carried(group, rendezvous, reason)
        ranks = self._ranks(group, layout, mine)
        nccl = None
        if len(layout.ranks) > 1 and found is not None:
            leads = group.devices[0].is_addressable
            names = bootstrap.exchange("'s name", {"id": found.unique_id().hex()} if leads else {})
            nccl = NcclCommunicators(found, ranks[0].context.gpu, bytes.fromhex(next(n["id"] for n in names if n)),
                            len(layout.ranks), [(rank.number, rank.context.ordinal) for rank in ranks])
            nccl.open(bootstrap.check, [str(d) for d in group.devices], self._wait_timeout)
        return CudaCommunicator(group, LocalGroup(layout, ranks, nccl), self._progress, bootstrap.check)

    def close(self) -> None:
        """Closes the transport over the host, if it was used, and the collectives of programs."""
        self.programs.close()
        self._carrier.close()

    def _ranks(self, group: Group, layout: Layout, mine: dict[int, StreamContext]) -> list[LocalRank]:
        index_of = {position: i for i, position in enumerate(sorted(mine))}
        here = [r for r, positions in enumerate(layout.participants) if positions[0] in mine]
        ranks = []
        for index, number in enumerate(here):
            positions = layout.participants[number]
            beside = mine[positions[0]]
            context = StreamContext(
                beside.gpu, beside.ordinal, f"communicator on {beside.name}", KEPT_BYTES, beside.wait_timeout)
            participants = tuple(Participant(p, index_of[p], mine[p]) for p in positions)
            ranks.append(LocalRank(number, index, context, participants, self._kernels))
        return ranks

    def _carried(self, group: Group, rendezvous: Rendezvous | None, reason: str) -> Communicator:
        if reason not in self._warned:
            self._warned.add(reason)
            warnings.warn(CarriedByHostWarning(reason), stacklevel=4)
        if len(group.processes) < 2:
            return LocalCommunicator(group, self._wrap)
        return self._carrier.open(group, rendezvous)

    def _numbered(self, group: Group) -> str:
        """A label for the rendezvous, equal in all processes of the group and different for each communicator."""
        ids = tuple(d.id for d in group.devices)
        count = self._opened[ids] = self._opened.get(ids, 0) + 1
        digest = hashlib.sha256(repr(ids).encode()).hexdigest()[:16]
        return f"cuda communicator {count} of {len(ids)} devices {digest}"


class Bootstrap:
    """The exchange among the processes of a group while they open a communicator.

    Args:
        group: The devices.
        rendezvous: The connection between the processes; None in a job of one process.
        label: A label for the exchange.
    """

    def __init__(self, group: Group, rendezvous: Rendezvous | None, label: str) -> None:
        self._processes, self._rendezvous, self._label = group.processes, rendezvous, label
        self.spans = rendezvous is not None and len(group.processes) > 1

    def exchange(self, what: str, facts: dict[str, Any]) -> list[dict[str, Any]]:
        """Exchanges facts with all processes of the group: those of each process, in the order of the group."""
        if self._rendezvous is None or not self.spans:
            return [facts]
        answers = self._rendezvous.exchange(f"{self._label}{what}", json.dumps(facts).encode(), self._processes)
        return [json.loads(answer) for answer in answers]

    def machine(self, process: int) -> str:
        """The name of a process's machine."""
        return "" if self._rendezvous is None else self._rendezvous.hosts[process]

    def check(self) -> None:
        """Raises once a process of the job has failed."""
        if self._rendezvous is not None:
            self._rendezvous.check()


def find_library() -> tuple[Library | None, str]:
    """NCCL, or None and the reason why it is not there."""
    try:
        return library(), ""
    except NcclNotFoundError:
        return None, "NCCL is not installed in every process (pip install 'olympus-runtime[cuda]')"


def _nothing() -> None:
    """The check for failed processes in a job of one process."""
