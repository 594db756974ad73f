"""Collectives of compiled programs among this process's devices: enqueued as a whole, and nothing waits for GPUs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from olympus_core.program import ArrayType, Operation
from olympus_core.toolkit.fused_collectives import local_program

from ..buffer import DeviceArray
from ..errors import CarriedByCopiesWarning, NcclError
from ..memory import Lane
from . import steps
from .clique import Clique, is_settled_within
from .crew import Crew
from .kernels import Kernels
from .layout import Layout, Seat
from .library import Library
from .place import KEPT_BYTES, Member, Place

Plan = Callable[[Crew, Sequence[DeviceArray]], steps.Step]


class ProgramCollectives:
    """The collectives of all programs of one client.

    All of a GPU's are enqueued in one stream, which nothing else uses: it waits for what the members' lanes were given
    before, and they for it afterwards. What other threads give to the lanes meanwhile can therefore never come between
    the parts of a collective that need each other.

    Args:
        lanes: The lanes of this process's devices.
        kernels: This process's kernels.
        find: Looks for NCCL; gives it, or None and why.
        lock: A re-entrant lock, held while something is enqueued: NCCL wants one order on all GPUs.
        check: Raises once a process of the job has failed.
    """

    def __init__(
        self, lanes: Sequence[Lane], kernels: Kernels, find: Callable[[], tuple[Library | None, str]],
        lock: Any, check: Callable[[], None],
    ) -> None:
        self.lock, self._check = lock, check
        self._devices, self._gpu = lanes, lanes[0].gpu
        self._kernels, self._find = kernels, find
        self._lanes: dict[int, Lane] = {}
        self._cliques: dict[tuple[int, ...], Clique] = {}
        self._failure: BaseException | None = None
        self._lost: list[Any] = []  # memory that a GPU may still use
        self._warned = False

    def made(self, operation: Operation, groups: Sequence[Sequence[Lane]]) -> ProgramCollective | None:
        """A collective, ready; None where the toolkit's kernels do as well.

        Args:
            operation: The operation.
            groups: The members' lanes, group by group.

        Raises:
            NcclOpeningError: If NCCL does not connect the GPUs in time.
            NcclError: If it fails.
        """
        type_ = operation.operands[0].type
        layouts = [Layout(tuple(Seat(0, lane.ordinal, str(lane.ordinal)) for lane in group)) for group in groups]
        spans = any(len(layout.ranks) > 1 for layout in layouts)
        library = self._library() if spans else None
        if library is None:
            if local_program(operation, len(groups[0])) is not None:
                return None  # fused kernels on the first one's GPU
            layouts = [Layout((layout.seats[0],) * layout.size) for layout in layouts]
        attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        plan = partial(_planned, getattr(steps, operation.name), attributes)
        with self.lock:
            crews = [self._crew(layout, group, library) for layout, group in zip(layouts, groups, strict=True)]
        return ProgramCollective(self, plan, type_, crews, [lane for group in groups for lane in group])

    def begin(self, cliques: Sequence[Clique], calls: Sequence[Callable[[], None]]) -> None:
        """Makes calls of NCCL as one group, and waits until it has enqueued them; the caller holds the lock.

        Raises:
            NcclError: If it does not.
        """
        def all_calls() -> None:
            for call in calls:
                call()

        try:
            cliques[0].begin(all_calls)
            self._settle(cliques)
        except BaseException as error:
            self.fail(error if isinstance(error, Exception) else NcclError("ncclGroupEnd", "interrupted"))
            raise

    def require(self, cliques: Sequence[Clique]) -> None:
        """Raises what NCCL has failed with, if it has.

        Raises:
            NcclError: Of this client's collectives, now or before.
        """
        if cliques:
            self._tell()
        try:
            self._settle(cliques)
        except Exception as error:
            self.fail(error)
            raise

    def fail(self, error: BaseException) -> None:
        """Ends all that NCCL has under way."""
        if self._failure is None:
            self._failure = error
            for clique in self._cliques.values():
                clique.abort()

    def watch(self) -> None:
        """Raises what NCCL has failed with, in a thread that waits for a GPU.

        Raises:
            NcclError: If it has: what the GPUs were given may never end, or end with nothing.
        """
        if self._failure is None and self.lock.acquire(blocking=False):  # else another thread is about to see it
            try:
                for clique in self._cliques.values():
                    clique.is_settled()
            except Exception as error:  # noqa: BLE001  (it is raised below)
                self.fail(error)
            finally:
                self.lock.release()
        self._tell()

    def keep_after_failure(self, things: Sequence[Any]) -> None:
        """Keeps what a GPU may still use if NCCL has failed; else what was enqueued is done in order."""
        if self._failure is not None:
            self._lost.extend(things)

    def close(self) -> None:
        """Gives everything back."""
        with self.lock:
            for lane in self._devices:
                lane.watch = None
            for clique in self._cliques.values():
                clique.close(self._check)
            self._cliques.clear()
            for lane in self._lanes.values() if self._failure is None else ():
                lane.close()
            self._lanes.clear()

    def _tell(self) -> None:
        """Raises what NCCL has failed with, at every call anew."""
        if self._failure is not None:
            raise self._failure.with_traceback(None)

    def _settle(self, cliques: Sequence[Clique]) -> None:
        seconds = self._devices[0].patience  # the first time NCCL connects the GPUs
        if not is_settled_within(cliques, self._check, seconds):
            raise NcclError("ncclGroupEnd", f"nothing was enqueued within {seconds:g} s")

    def _library(self) -> Library | None:
        library, reason = self._find()
        if library is None and not self._warned:
            self._warned = True
            warnings.warn(CarriedByCopiesWarning(reason), stacklevel=5)
        return library

    def _crew(self, layout: Layout, lanes: Sequence[Lane], library: Library | None) -> Crew:
        places = []
        for rank, positions in enumerate(layout.members):
            ordinal = layout.ranks[rank].ordinal
            own = {lane.ordinal: lane for lane in reversed(lanes)}[ordinal]
            members = tuple(Member(p, p, lanes[p] if lanes[p].ordinal == ordinal else own) for p in positions)
            places.append(Place(rank, rank, self._lane(ordinal), members, self._kernels))
        clique = self._clique(tuple(place.lane.ordinal for place in places), library)
        return Crew(layout, places, clique)

    def _lane(self, ordinal: int) -> Lane:
        found = self._lanes.get(ordinal)
        if found is None:
            patience = self._devices[0].patience
            found = Lane(self._gpu, ordinal, f"collectives on GPU {ordinal}", KEPT_BYTES, patience)
            found.siblings = self._devices
            self._lanes[ordinal] = found
        return found

    def _clique(self, ordinals: tuple[int, ...], library: Library | None) -> Clique | None:
        if len(ordinals) < 2 or library is None:
            return None
        self._tell()
        found = self._cliques.get(ordinals)
        if found is None:
            with self._gpu.using(ordinals[0]):
                found = Clique(library, self._gpu, library.unique_id(), len(ordinals), tuple(enumerate(ordinals)))
                found.open(self._check, [f"GPU {ordinal}" for ordinal in ordinals], self._devices[0].patience)
            self._cliques[ordinals] = found
            for lane in self._devices:
                lane.watch = self.watch
        return found


class ProgramCollective:
    """One collective of a program, for all its groups: cells in, cells out.

    Args:
        home: The client's.
        plan: Enqueues the first part of it for one group.
        type: Each member's operand.
        crews: The groups.
        lanes: The members' lanes, one group after the other.
    """

    def __init__(
        self, home: ProgramCollectives, plan: Plan, type: ArrayType, crews: Sequence[Crew], lanes: Sequence[Lane]
    ) -> None:
        self._home, self._plan, self._type, self._crews, self._lanes = home, plan, type, tuple(crews), tuple(lanes)
        self._cliques = tuple(dict.fromkeys(crew.clique for crew in crews if crew.clique is not None))
        self._places = [place for crew in crews for place in crew.places]
        self._following = {m.lane: place.lane for place in self._places for m in place.members}

    def __call__(self, cells: Sequence[Any]) -> list[Any]:
        """Enqueues it.

        Args:
            cells: The members' operands, one group after the other.

        Returns:
            Their results, each of its own memory on its device's GPU.

        Raises:
            NcclError: If NCCL does not do it, or has failed before.
        """
        home = self._home
        with home.lock:
            home.require(self._cliques)
            try:
                begun = self._enqueued(iter([DeviceArray(cell, self._type) for cell in cells]))
            except BaseException:
                home.keep_after_failure([*cells, *(place.taken() for place in self._places)])
                raise
            finally:
                for place in self._places:
                    place.lane.ticks += 1
                    place.taken()  # given back in the order of the stream
            for lane, after in self._following.items():
                lane.wait_for(after)
                with lane.lock:
                    lane.ticks += 1  # whoever asks when its work is done now asks for this, too
                if lane.ticks >= lane.pace.next:
                    lane.mark()
            cells = [output.cell for step in begun for output in step.outputs]
            return [cell if cell.lane.ordinal == lane.ordinal else cell.copied_to(lane)
                    for cell, lane in zip(cells, self._lanes, strict=True)]

    def _enqueued(self, inputs: Iterator[DeviceArray]) -> list[steps.Step]:
        begun = [self._plan(crew, list(islice(inputs, crew.layout.size))) for crew in self._crews]
        calls = [step.call for step in begun if step.call is not None]
        if calls:
            self._home.begin(self._cliques, calls)
        for step in begun:
            if step.after is not None:
                step.after()
        return begun


def _planned(
    step: Callable[..., steps.Step], attributes: Mapping[str, Any], crew: Crew, inputs: Sequence[DeviceArray]
) -> steps.Step:
    return step(crew, inputs, **attributes)
