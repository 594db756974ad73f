"""Collectives made of point-to-point messages: the same bits for every member and every distribution of members.

Only bytes travel; all arithmetic is done here, in the order of `reduce.tree_blocks`. So every element type works, and
four processes with two devices each give exactly what one process with eight gives. Each function is a generator of
`Phase`: whoever drives it starts a phase's messages, waits until they are done, and asks for the next.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Reduction, Transfer

from .phases import Block, Members, Phase, Steps, as_bytes, gather_rows
from .quiet import quietly
from .reduce import Combine, combiner, tree_reduce, working_dtype

# Up to here every process gets everything and reduces alone: one exchange instead of two.
SMALL_BYTES = 32 * 1024
# Up to here everybody sends to everybody at once; above, rounds of growing distance need fewer messages.
_FEW_PROCESSES = 8
# From here a broadcast is spread in parts first.
_LARGE_BROADCAST = 1 << 20

Arrays = Sequence[np.ndarray]


def all_reduce(members: Members, inputs: Arrays, reduction: Reduction) -> Steps:
    """See `Communicator.all_reduce`."""
    first = inputs[0]
    shape, dtype, count = first.shape, first.dtype, first.size
    work = working_dtype(dtype)
    combine = combiner(reduction, work)
    blocks = _own_blocks(members, [np.ascontiguousarray(x).reshape(-1) for x in inputs], work, combine)
    is_small = count * work.itemsize <= SMALL_BYTES
    if is_small and len(members.processes) > _FEW_PROCESSES:
        parts = yield from _gathered_blocks(members, blocks, work, count)
        return [_rounded(_combined(members, parts, combine), dtype).reshape(shape)] * len(inputs)
    bounds = [(0, count)] * len(members.processes) if is_small else _bounds(count, len(members.processes))
    parts, phase = _scattered(members, blocks, bounds)
    yield phase
    total = _rounded(_combined(members, parts, combine), dtype)
    if not is_small:
        low, high = bounds[members.place]
        result = np.empty(count, dtype)
        result[low:high] = total
        yield _spread(members, result, bounds)
        total = result
    return [total.reshape(shape)] * len(inputs)


def reduce_scatter(members: Members, inputs: Arrays, dimension: int, reduction: Reduction) -> Steps:
    """See `Communicator.reduce_scatter`."""
    dtype, size = inputs[0].dtype, members.size
    work = working_dtype(dtype)
    combine = combiner(reduction, work)
    fronted = [np.moveaxis(x, dimension, 0) for x in inputs]
    part_shape = (fronted[0].shape[0] // size, *fronted[0].shape[1:])
    blocks = _own_blocks(members, [np.ascontiguousarray(x).reshape(size, -1) for x in fronted], work, combine)
    mine = list(members.mine)
    phase = Phase()
    parts: list[Sequence[np.ndarray]] = [()] * len(members.processes)
    parts[members.place] = [block[mine] for block in blocks]
    for i in members.others:
        process = members.processes[i]
        for block in blocks:
            phase.send(process, block[list(members.positions[i])])
        parts[i] = [np.empty((len(mine), math.prod(part_shape)), work) for _ in members.trees[i]]
        for part in parts[i]:
            phase.receive(process, part)
    yield phase
    total = _rounded(_combined(members, parts, combine), dtype)
    return [np.ascontiguousarray(np.moveaxis(row.reshape(part_shape), 0, dimension)) for row in total]


def all_gather(members: Members, inputs: Arrays, dimension: int) -> Steps:
    """See `Communicator.all_gather`."""
    shape, dtype = inputs[0].shape, inputs[0].dtype
    rows = np.empty((members.size, *shape), dtype)
    for position, x in zip(members.mine, inputs, strict=True):
        rows[position] = x
    if rows.nbytes <= SMALL_BYTES and len(members.processes) > _FEW_PROCESSES:
        sizes = [len(p) * inputs[0].nbytes for p in members.positions]
        blobs = yield from gather_rows(members, as_bytes(rows[list(members.mine)]), sizes)
        for positions, blob in zip(members.positions, blobs, strict=True):
            rows[list(positions)] = blob.view(dtype).reshape(-1, *shape)
    else:
        phase = Phase()
        for i in members.others:
            process = members.processes[i]
            for position in members.mine:
                phase.send(process, rows[position])
            for position in members.positions[i]:
                phase.receive(process, rows[position])
        yield phase
    moved = np.moveaxis(rows, 0, dimension)
    whole = (*shape[:dimension], members.size * shape[dimension], *shape[dimension + 1 :])
    return [np.ascontiguousarray(moved).reshape(whole)] * len(inputs)


def all_to_all(members: Members, inputs: Arrays, split_dimension: int, concat_dimension: int) -> Steps:
    """See `Communicator.all_to_all`."""
    size = members.size
    pieces = [np.split(x, size, split_dimension) for x in inputs]
    part = pieces[0][0]
    phase = Phase()
    received: dict[int, np.ndarray] = {}  # by place: (its members, my members, the part's shape)
    for i in members.others:
        process = members.processes[i]
        phase.send(process, np.stack([np.stack([own[j] for j in members.positions[i]]) for own in pieces]))
        received[i] = np.empty((len(members.positions[i]), len(inputs), *part.shape), part.dtype)
        phase.receive(process, received[i])
    yield phase
    row: dict[int, Any] = {}
    results = []
    for n, target in enumerate(members.mine):
        for i, positions in enumerate(members.positions):
            for m, source in enumerate(positions):
                row[source] = pieces[m][target] if i == members.place else received[i][m, n]
        results.append(np.concatenate([row[j] for j in range(size)], concat_dimension))
    return results


def permute(members: Members, inputs: Arrays, pairs: Sequence[tuple[int, int]]) -> Steps:
    """See `Communicator.permute`."""
    own = dict(zip(members.mine, inputs, strict=True))
    found: dict[int, np.ndarray] = {}
    phase = Phase()
    for source, target in sorted(pairs):
        if source in own and target in own:
            found[target] = own[source]
        elif source in own:
            phase.send(members.processes[members.place_of[target]], own[source])
        elif target in own:
            found[target] = np.empty(inputs[0].shape, inputs[0].dtype)
            phase.receive(members.processes[members.place_of[source]], found[target])
    yield phase
    return [found[p] if p in found else np.zeros(inputs[0].shape, inputs[0].dtype) for p in members.mine]


def broadcast(members: Members, inputs: Arrays, source: int) -> Steps:
    """See `Communicator.broadcast`."""
    root, count = members.place_of[source], len(members.processes)
    if members.place == root:
        data = np.ascontiguousarray(inputs[members.mine.index(source)])
    else:
        data = np.empty(inputs[0].shape, inputs[0].dtype)
    if data.nbytes >= _LARGE_BROADCAST and count > 2:
        yield from _spread_from(members, root, as_bytes(data))
    else:
        turn = (members.place - root) % count  # a binomial tree whose root has turn 0
        distance = 1
        while distance < count:
            phase = Phase()
            if turn < distance and turn + distance < count:
                phase.send(members.processes[(members.place + distance) % count], data)
            elif distance <= turn < 2 * distance:
                phase.receive(members.processes[(members.place - distance) % count], data)
            yield phase
            distance *= 2
    return [data] * len(inputs)


def exchange(members: Members, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Steps:
    """See `Communicator.exchange`."""
    own = frozenset(members.mine)
    phase = Phase()
    here: dict[tuple[int, int], deque[np.ndarray]] = {}
    # Both sides list the transfers between two members in the same order, not those between two processes.
    for send in sorted(sends, key=lambda t: (t.source, t.target)):
        if send.buffer is None:
            raise OlympusInternalError(f"the transfer {send.source} -> {send.target} has nothing to send")
        if send.target in own:
            here.setdefault((send.source, send.target), deque()).append(send.buffer.to_host())
        else:
            phase.send(members.processes[members.place_of[send.target]], send.buffer.to_host())
    found: list[np.ndarray | None] = [None] * len(receives)
    for n, receive in sorted(enumerate(receives), key=lambda item: (item[1].source, item[1].target)):
        if receive.source in own:
            found[n] = here[receive.source, receive.target].popleft()
        else:
            array = found[n] = np.empty(receive.shape, receive.dtype)
            phase.receive(members.processes[members.place_of[receive.source]], array)
    yield phase
    return [array for array in found if array is not None]


def barrier(members: Members) -> Steps:
    """See `Communicator.barrier`."""
    yield from gather_rows(members, np.zeros(1, np.uint8), [1] * len(members.processes))
    return []


def _spread_from(members: Members, root: int, data: Block) -> Generator[Phase, None, None]:
    """A broadcast in two phases: every process gets a part from the root, then the parts from each other."""
    bounds = _bounds(data.size, len(members.processes))
    phase = Phase()
    if members.place == root:
        for i in members.others:
            phase.send(members.processes[i], data[slice(*bounds[i])])
    else:
        phase.receive(members.processes[root], data[slice(*bounds[members.place])])
    yield phase
    phase = Phase()
    for i in members.others:
        if i != root:
            phase.send(members.processes[i], data[slice(*bounds[members.place])])
        if members.place != root:
            phase.receive(members.processes[i], data[slice(*bounds[i])])
    if members.place == root:
        phase = Phase()  # it has everything, and the others have its part only from the second phase
        for i in members.others:
            phase.send(members.processes[i], data[slice(*bounds[root])])
    yield phase


def _spread(members: Members, result: np.ndarray, bounds: Sequence[tuple[int, int]]) -> Phase:
    """The phase in which every process sends its part of an array to all others."""
    phase = Phase()
    for i in members.others:
        process = members.processes[i]
        phase.send(process, result[slice(*bounds[members.place])])
        phase.receive(process, result[slice(*bounds[i])])
    return phase


def _own_blocks(members: Members, inputs: Arrays, work: np.dtype, combine: Combine) -> list[np.ndarray]:
    """This process's members, reduced as far as they can be alone."""
    converted = [x if x.dtype == work else x.astype(work) for x in inputs]
    tree = members.trees[members.place]
    if len(tree) == len(converted):
        return converted
    own = {(p, p + 1): x for p, x in zip(members.mine, converted, strict=True)}
    return [quietly(tree_reduce, own, start, stop, combine) for start, stop in tree]


def _scattered(
    members: Members, blocks: Arrays, bounds: Sequence[tuple[int, int]]
) -> tuple[list[Sequence[np.ndarray]], Phase]:
    """The phase in which every process sends each other one its part of all blocks; and the parts, by place."""
    low, high = bounds[members.place]
    phase = Phase()
    parts: list[Sequence[np.ndarray]] = [()] * len(members.processes)
    parts[members.place] = [block[low:high] for block in blocks]
    for i in members.others:
        process, (start, stop) = members.processes[i], bounds[i]
        for block in blocks:
            phase.send(process, block[start:stop])
        parts[i] = [np.empty(high - low, blocks[0].dtype) for _ in members.trees[i]]
        for part in parts[i]:
            phase.receive(process, part)
    return parts, phase


def _gathered_blocks(
    members: Members, blocks: Arrays, work: np.dtype, count: int
) -> Generator[Phase, None, list[Sequence[np.ndarray]]]:
    """All processes' blocks, by place."""
    sizes = [len(tree) * count * work.itemsize for tree in members.trees]
    rows = yield from gather_rows(members, as_bytes(np.stack(blocks)), sizes)
    # A row may begin anywhere in what was received: elements want their own alignment.
    return [np.frombuffer(row.tobytes(), np.uint8).view(work).reshape(-1, count) for row in rows]


def _combined(members: Members, parts: Sequence[Sequence[np.ndarray]], combine: Combine) -> np.ndarray:
    known = {block: part for tree, own in zip(members.trees, parts, strict=True)
             for block, part in zip(tree, own, strict=True)}
    return quietly(tree_reduce, known, 0, members.size, combine)  # type: ignore[no-any-return]


def _rounded(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return array if array.dtype == dtype else quietly(array.astype, dtype)  # type: ignore[no-any-return]


def _bounds(count: int, parts: int) -> list[tuple[int, int]]:
    edges = [count * i // parts for i in range(parts + 1)]
    return list(zip(edges, edges[1:], strict=False))
