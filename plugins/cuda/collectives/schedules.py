# SPDX-License-Identifier: Apache-2.0
"""The collectives as schedules: work before NCCL's calls, the calls, and work after them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Reduction, Transfer

from . import point_to_point
from .local_group import LocalGroup
from .local_rank import LocalRank, Output
from .nccl_types import BYTES, DATA_TYPE, OPERATION
from .point_to_point import Message
from .reductions import NcclReduction, native

Buffers = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Schedule:
    """A collective whose first part is enqueued.

    Args:
        outputs: Its results.
        call: Makes the NCCL calls; None where no other GPU takes part.
        after: Enqueues the work that makes the results of what was received; None where there is none.
    """

    outputs: list[Output]
    call: Callable[[], None] | None = None
    after: Callable[[], None] | None = None


def all_reduce(group: LocalGroup, inputs: Buffers, reduction: Reduction) -> Schedule:
    """See `Communicator.all_reduce`."""
    shape, dtype = inputs[0].shape, inputs[0].dtype
    outputs = _outputs(group, shape, dtype)
    return _reduced(group, inputs, reduction, outputs, [[o.address for o in _of(outputs, p)] for p in group.ranks])


def all_gather(group: LocalGroup, inputs: Buffers, dimension: int) -> Schedule:
    """See `Communicator.all_gather`."""
    shape, dtype, count = inputs[0].shape, inputs[0].dtype, group.layout.size
    whole = (*shape[:dimension], shape[dimension] * count, *shape[dimension + 1:])
    outputs = _outputs(group, whole, dtype)
    rows, width = math.prod(shape[:dimension]), math.prod(shape[dimension:]) * dtype.itemsize
    nbytes, slots = rows * width, group.layout.slots
    # Where the gathered order is already that of the result, it is received there directly.
    direct = rows == 1 and slots == tuple(range(count))
    firsts = [_of(outputs, rank)[0] for rank in group.ranks]
    gathered = [f.address if direct else p.scratch(nbytes * count) for f, p in zip(firsts, group.ranks, strict=True)]
    call = _gather(group, inputs, nbytes, gathered)

    def spread() -> None:
        for rank, first, source in zip(group.ranks, firsts, gathered, strict=True):
            if not direct:
                for position, slot in enumerate(slots):
                    rank.copy_rows(first.address + position * width, source + slot * nbytes, rows, width,
                                    count * width, width)
            for other in _of(outputs, rank)[1:]:
                rank.copy(other.address, first.address, nbytes * count)

    return Schedule(outputs, call, spread)


def reduce_scatter(group: LocalGroup, inputs: Buffers, dimension: int, reduction: Reduction) -> Schedule:
    """See `Communicator.reduce_scatter`."""
    shape, dtype, count = inputs[0].shape, inputs[0].dtype, group.layout.size
    part = (*shape[:dimension], shape[dimension] // count, *shape[dimension + 1:])
    rows, width = math.prod(shape[:dimension]), math.prod(part[dimension:]) * dtype.itemsize
    outputs = _outputs(group, part, dtype)
    how, even = native(dtype, reduction), group.layout.even
    if group.nccl is not None and how is not None and even is not None:
        return _scattered(group, inputs, how, outputs, rows, width)
    wholes = [rank.scratch(rows * width * count) for rank in group.ranks]
    reduced = _reduced(group, inputs, reduction, outputs, [[whole] for whole in wholes])

    def cut() -> None:
        if reduced.after is not None:
            reduced.after()
        for rank, whole in zip(group.ranks, wholes, strict=True):
            for output in _of(outputs, rank):
                rank.copy_rows(output.address, whole + output.participant.position * width, rows, width, width,
                                count * width)

    return Schedule(outputs, reduced.call, cut)


def all_to_all(group: LocalGroup, inputs: Buffers, split_dimension: int, concat_dimension: int) -> Schedule:
    """See `Communicator.all_to_all`."""
    shape, dtype, count = inputs[0].shape, inputs[0].dtype, group.layout.size
    piece = [*shape]
    piece[split_dimension] //= count
    whole = [*piece]
    whole[concat_dimension] *= count
    outputs = _outputs(group, whole, dtype)
    nbytes = math.prod(piece) * dtype.itemsize
    from_rows = math.prod(shape[:split_dimension])
    to_rows = math.prod(piece[:concat_dimension])
    messages: list[Message] = []
    received: list[tuple[LocalRank, Output, int]] = []
    for rank in group.ranks:
        for output in _of(outputs, rank):
            participant = output.participant
            source = rank.address(inputs[participant.index])
            if from_rows != 1 and nbytes:
                cut, width = rank.scratch(nbytes * count), nbytes // from_rows
                for i in range(count):
                    rank.copy_rows(cut + i * nbytes, source + i * width, from_rows, width, width, count * width)
                source = cut
            target = output.address if to_rows == 1 else rank.scratch(nbytes * count)
            received.append((rank, output, target))
            for i in range(count):
                messages.append(Message(participant.position, i, source=source + i * nbytes, nbytes=nbytes))
                messages.append(Message(i, participant.position, target=target + i * nbytes, nbytes=nbytes))

    def join() -> None:
        for rank, output, target in received:
            if target != output.address and nbytes:
                width = nbytes // to_rows
                for i in range(count):
                    rank.copy_rows(output.address + i * width, target + i * nbytes, to_rows, width, count * width,
                                    width)

    return Schedule(outputs, point_to_point.enqueue(group, messages), join)


def permute(group: LocalGroup, inputs: Buffers, pairs: Sequence[tuple[int, int]]) -> Schedule:
    """See `Communicator.permute`."""
    outputs = _outputs(group, inputs[0].shape, inputs[0].dtype)
    nbytes, messages = outputs[0].type.nbytes, []
    to, of = dict(pairs), {target: source for source, target in pairs}
    for rank in group.ranks:
        for output in _of(outputs, rank):
            position = output.participant.position
            if position in to:
                source = rank.address(inputs[output.participant.index])
                messages.append(Message(position, to[position], source=source, nbytes=nbytes))
            if position in of:
                messages.append(Message(of[position], position, target=output.address, nbytes=nbytes))
            else:
                rank.zero(output.address, nbytes)
    return Schedule(outputs, point_to_point.enqueue(group, messages))


def broadcast(group: LocalGroup, inputs: Buffers, source: int) -> Schedule:
    """See `Communicator.broadcast`."""
    outputs = _outputs(group, inputs[0].shape, inputs[0].dtype)
    nbytes, root = outputs[0].type.nbytes, group.layout.rank_of[source]
    firsts = [_of(outputs, rank)[0] for rank in group.ranks]
    sent = [f.address for f in firsts]
    for i, rank in enumerate(group.ranks):
        for participant in rank.participants:
            if participant.position == source:
                sent[i] = rank.address(inputs[participant.index])

    def call() -> None:
        for rank, first, address in zip(group.ranks, firsts, sent, strict=True):
            group.call("ncclBroadcast", rank, address, first.address, nbytes, BYTES, root)

    def spread() -> None:
        for rank, first, address in zip(group.ranks, firsts, sent, strict=True):
            for output in _of(outputs, rank):
                rank.copy(output.address, first.address if group.nccl is not None else address, nbytes)

    return Schedule(outputs, call if group.nccl is not None and nbytes else None, spread)


def exchange(group: LocalGroup, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Schedule:
    """See `Communicator.exchange`."""
    outputs, messages = [], []
    for send in sends:
        rank, _ = group.at(send.source)
        source = rank.address(_given(send))
        nbytes = math.prod(send.shape) * np.dtype(send.dtype).itemsize
        messages.append(Message(send.source, send.target, source=source, nbytes=nbytes))
    for receive in receives:
        rank, participant = group.at(receive.target)
        outputs.append(rank.output(participant, receive.shape, np.dtype(receive.dtype)))
        messages.append(Message(receive.source, receive.target, target=outputs[-1].address,
                                nbytes=outputs[-1].type.nbytes))
    return Schedule(outputs, point_to_point.enqueue(group, messages))


def barrier(group: LocalGroup) -> Schedule:
    """See `Communicator.barrier`."""
    if group.nccl is None:
        return Schedule([])
    marks = [rank.scratch(4) for rank in group.ranks]
    for rank, mark in zip(group.ranks, marks, strict=True):
        rank.zero(mark, 4)

    def call() -> None:
        for rank, mark in zip(group.ranks, marks, strict=True):
            group.call("ncclAllReduce", rank, mark, mark, 4, BYTES, OPERATION["max"])

    return Schedule([], call)


def _given(send: Transfer) -> Any:
    if send.buffer is None:
        raise OlympusInternalError("a transfer is to be sent without its content")
    return send.buffer


def _outputs(group: LocalGroup, shape: Sequence[int], dtype: np.dtype) -> list[Output]:
    """Memory for one result of each participant, in the order of the participants."""
    found = {m.index: p.output(m, shape, dtype) for p in group.ranks for m in p.participants}
    return [found[i] for i in range(len(found))]


def _of(outputs: Sequence[Output], rank: LocalRank) -> list[Output]:
    return [output for output in outputs if output.rank is rank]


def _packed(rank: LocalRank, inputs: Buffers, nbytes: int) -> int:
    """The address of the concatenated inputs of a rank's participants."""
    addresses = [rank.address(inputs[participant.index]) for participant in rank.participants]
    if len(addresses) == 1:
        return addresses[0]
    packed = rank.scratch(nbytes * len(addresses))
    for i, address in enumerate(addresses):
        rank.copy(packed + i * nbytes, address, nbytes)
    return packed


def _gather(group: LocalGroup, inputs: Buffers, nbytes: int, gathered: Sequence[int]) -> Callable[[], None] | None:
    """Gathers all participants' inputs on every rank, ordered by rank; returns the NCCL calls that this takes."""
    packed = [_packed(rank, inputs, nbytes) for rank in group.ranks]
    if group.nccl is None:
        for rank, source, target in zip(group.ranks, packed, gathered, strict=True):
            rank.copy(target, source, nbytes * len(rank.participants))
        return None
    even = group.layout.even

    def call() -> None:
        for rank, source, target in zip(group.ranks, packed, gathered, strict=True):
            if even is not None:
                group.call("ncclAllGather", rank, source, target, nbytes * even, BYTES)
                continue
            for number, positions in enumerate(group.layout.participants):
                there = target + group.layout.offset(number) * nbytes
                sent = source if number == rank.number else there
                group.call("ncclBroadcast", rank, sent, there, nbytes * len(positions), BYTES, number)

    return call if nbytes else None


def _reduced(
    group: LocalGroup, inputs: Buffers, reduction: Reduction, outputs: list[Output], targets: Sequence[Sequence[int]]
) -> Schedule:
    """The reduction of all participants' inputs, stored at some addresses of each rank."""
    dtype, count = inputs[0].dtype, math.prod(inputs[0].shape)
    how = native(dtype, reduction)
    if how is None or group.nccl is None:
        return _reduced_here(group, inputs, reduction, outputs, targets)
    size, nbytes = count * how.parts, count * how.parts * how.work.itemsize
    partial = [_prepared(rank, inputs, dtype, how, count) for rank in group.ranks]
    received = [rank.scratch(nbytes) if how.needs_kernels else addresses[0]
                for rank, addresses in zip(group.ranks, targets, strict=True)]

    def call() -> None:
        for rank, source, target in zip(group.ranks, partial, received, strict=True):
            group.call("ncclAllReduce", rank, source, target, size, DATA_TYPE[how.work], OPERATION[how.operation])

    def finish() -> None:
        for rank, source, addresses in zip(group.ranks, received, targets, strict=True):
            _restored(rank, addresses[0], source, dtype, how, count)
            for other in addresses[1:]:
                rank.copy(other, addresses[0], count * dtype.itemsize)

    return Schedule(outputs, call if count else None, finish)


def _reduced_here(
    group: LocalGroup, inputs: Buffers, reduction: Reduction, outputs: list[Output], targets: Sequence[Sequence[int]]
) -> Schedule:
    """An all-reduce as a gather and a reduction on every rank: all reduce in one order and get the same bits."""
    dtype, count, participants = inputs[0].dtype, math.prod(inputs[0].shape), group.layout.size
    nbytes = count * dtype.itemsize
    gathered = [rank.scratch(nbytes * participants) for rank in group.ranks]
    call = _gather(group, inputs, nbytes, gathered)

    def finish() -> None:
        for rank, source, addresses in zip(group.ranks, gathered, targets, strict=True):
            rank.reduce(addresses[0], source, dtype, reduction, participants, count)
            for other in addresses[1:]:
                rank.copy(other, addresses[0], nbytes)

    return Schedule(outputs, call, finish)


def _scattered(
    group: LocalGroup, inputs: Buffers, how: NcclReduction, outputs: list[Output], rows: int, width: int
) -> Schedule:
    """A reduce-scatter by NCCL, for groups in which every rank has the same number of participants."""
    dtype, participants, layout = inputs[0].dtype, group.layout.size, group.layout
    nbytes, count = rows * width, rows * width // inputs[0].dtype.itemsize
    here = len(group.ranks[0].participants)
    stands = rows == 1 and layout.slots == tuple(range(participants))
    sources, received = [], []
    for rank in group.ranks:
        arranged = []
        for participant in rank.participants:
            address = rank.address(inputs[participant.index])
            if not stands:
                parts = rank.scratch(nbytes * participants)
                for position, slot in enumerate(layout.slots):
                    rank.copy_rows(parts + slot * nbytes, address + position * width, rows, width, width,
                                    participants * width)
                address = parts
            arranged.append(address)
        sources.append(_combined(rank, arranged, dtype, how, count * participants))
        size = count * how.parts * how.work.itemsize * here
        received.append(rank.scratch(size) if how.needs_kernels or here > 1 else _of(outputs, rank)[0].address)

    def call() -> None:
        for rank, source, target in zip(group.ranks, sources, received, strict=True):
            group.call("ncclReduceScatter", rank, source, target, count * how.parts * here, DATA_TYPE[how.work],
                      OPERATION[how.operation])

    def finish() -> None:
        for rank, source in zip(group.ranks, received, strict=True):
            for i, output in enumerate(_of(outputs, rank)):
                part = source + i * count * how.parts * how.work.itemsize
                _restored(rank, output.address, part, dtype, how, count)

    return Schedule(outputs, call if count else None, finish)


def _prepared(rank: LocalRank, inputs: Buffers, dtype: np.dtype, how: NcclReduction, count: int) -> int:
    """The address of the reduction of a rank's own participants, in the type that NCCL takes."""
    return _combined(rank, [rank.address(inputs[m.index]) for m in rank.participants], dtype, how, count)


def _combined(rank: LocalRank, addresses: Sequence[int], dtype: np.dtype, how: NcclReduction, count: int) -> int:
    if len(addresses) == 1 and not how.needs_kernels:
        return addresses[0]
    nbytes = count * how.parts * how.work.itemsize
    packed = rank.scratch(nbytes * len(addresses))
    for i, address in enumerate(addresses):
        target = packed + i * nbytes
        if how.ordered:
            rank.order(target, address, dtype, how.operation, count)
        elif how.converted:
            rank.convert(target, address, how.work, dtype, count)
        else:
            rank.copy(target, address, nbytes)
    if len(addresses) == 1:
        return packed
    partial = rank.scratch(nbytes)
    rank.reduce(partial, packed, how.work, how.operation, len(addresses), count * how.parts)
    return partial


def _restored(rank: LocalRank, target: int, source: int, dtype: np.dtype, how: NcclReduction, count: int) -> None:
    """Enqueues the conversion of NCCL's results to the array's elements."""
    if how.ordered:
        rank.order(target, source, dtype, how.operation, count, back=True)
    elif how.converted:
        rank.convert(target, source, dtype, how.work, count)
    else:
        rank.copy(target, source, count * dtype.itemsize)
