# SPDX-License-Identifier: Apache-2.0
"""Collectives made of point-to-point messages: the same bits for every member and every distribution of members.

Only bytes travel; all arithmetic is done here, in the order of `reduce.tree_blocks`. So every element type works, and
four processes with two devices each give exactly what one process with eight gives. Each function is a generator of
`Phase`: whoever drives it starts a phase's messages, waits until they are done, and asks for the next.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Reduction, Transfer

from .phases import Block, Members, Phase, Steps, as_bytes, gather_rows
from .quiet import quietly
from .reduce import Combine, combiner, tree_reduce, working_dtype

# Up to here every process gets everything and reduces alone: one exchange instead of two.
SMALL_BYTES = 32 * 1024
# One process's share of a round: near its cache's size, and not so small that the rounds' starts count.
_ROUND_BYTES = 4 << 20
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
    if is_small and len(members.processes) > _FEW_PROCESSES and _is_butterfly(members):
        total = yield from _reduced_by_halves(members, blocks[0], combine)
        return [_rounded(total, dtype).reshape(shape)] * len(inputs)
    if is_small and len(members.processes) > _FEW_PROCESSES:
        parts = yield from _gathered_blocks(members, blocks, work, count)
        return [_rounded(_combined(members, parts, combine), dtype).reshape(shape)] * len(inputs)
    if is_small:
        parts, phase = _scattered(members, blocks, [(0, count)] * len(members.processes))
        yield phase
        return [_rounded(_combined(members, parts, combine), dtype).reshape(shape)] * len(inputs)
    result = np.empty(count, dtype)
    yield from _reduce_in_rounds(members, blocks, result, combine)
    return [result.reshape(shape)] * len(inputs)


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
    parts: list[Arrays] = [()] * len(members.processes)
    parts[members.index] = [block[mine] for block in blocks]
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
    received: dict[int, np.ndarray] = {}  # by index: (its members, my members, the part's shape)
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
                row[source] = pieces[m][target] if i == members.index else received[i][m, n]
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
            phase.send(members.processes[members.index_of[target]], own[source])
        elif target in own:
            found[target] = np.empty(inputs[0].shape, inputs[0].dtype)
            phase.receive(members.processes[members.index_of[source]], found[target])
    yield phase
    return [found[p] if p in found else np.zeros(inputs[0].shape, inputs[0].dtype) for p in members.mine]


def broadcast(members: Members, inputs: Arrays, source: int) -> Steps:
    """See `Communicator.broadcast`."""
    root, count = members.index_of[source], len(members.processes)
    if members.index == root:
        data = np.ascontiguousarray(inputs[members.mine.index(source)])
    else:
        data = np.empty(inputs[0].shape, inputs[0].dtype)
    if data.nbytes >= _LARGE_BROADCAST and count > 2:
        yield from _spread_from(members, root, as_bytes(data))
    else:
        relative = (members.index - root) % count  # index relative to the root, of a binomial tree
        distance = 1
        while distance < count:
            phase = Phase()
            if relative < distance and relative + distance < count:
                phase.send(members.processes[(members.index + distance) % count], data)
            elif distance <= relative < 2 * distance:
                phase.receive(members.processes[(members.index - distance) % count], data)
            yield phase
            distance *= 2
    return [data.reshape(inputs[0].shape)] * len(inputs)  # what was made contiguous has a dimension at least


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
            phase.send(members.processes[members.index_of[send.target]], send.buffer.to_host())
    found: list[np.ndarray | None] = [None] * len(receives)
    for n, receive in sorted(enumerate(receives), key=lambda item: (item[1].source, item[1].target)):
        if receive.source in own:
            found[n] = here[receive.source, receive.target].popleft()
        else:
            array = found[n] = np.empty(receive.shape, receive.dtype)
            phase.receive(members.processes[members.index_of[receive.source]], array)
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
    if members.index == root:
        for i in members.others:
            phase.send(members.processes[i], data[slice(*bounds[i])])
    else:
        phase.receive(members.processes[root], data[slice(*bounds[members.index])])
    yield phase
    phase = Phase()
    for i in members.others:
        if i != root:
            phase.send(members.processes[i], data[slice(*bounds[members.index])])
        if members.index != root:
            phase.receive(members.processes[i], data[slice(*bounds[i])])
    if members.index == root:
        phase = Phase()  # it has everything, and the others have its part only from the second phase
        for i in members.others:
            phase.send(members.processes[i], data[slice(*bounds[root])])
    yield phase


def _own_blocks(members: Members, inputs: Arrays, work: np.dtype, combine: Combine) -> list[np.ndarray]:
    """This process's members, reduced as far as they can be alone."""
    converted = [x if x.dtype == work else x.astype(work) for x in inputs]
    tree = members.trees[members.index]
    if len(tree) == len(converted):
        return converted
    own = {(p, p + 1): x for p, x in zip(members.mine, converted, strict=True)}
    return [quietly(tree_reduce, own, start, stop, combine) for start, stop in tree]


def _is_butterfly(members: Members) -> bool:
    """Whether the processes are the leaves of a complete binary tree, which is the reduction's own."""
    count = len(members.processes)
    each, rest = divmod(members.size, count)
    is_complete = not rest and not count & (count - 1)
    return is_complete and all(tree == ((i * each, (i + 1) * each),) for i, tree in enumerate(members.trees))


def _reduced_by_halves(members: Members, block: np.ndarray, combine: Combine) -> Generator[Phase, None, np.ndarray]:
    """Recursive doubling: in each phase the halves of a subtree exchange and combine what they have in its order."""
    held, distance = block, 1
    while distance < len(members.processes):
        partner = members.index ^ distance
        phase, received = Phase(), np.empty_like(held)
        phase.send(members.processes[partner], held)
        phase.receive(members.processes[partner], received)
        yield phase
        left, right = (held, received) if members.index < partner else (received, held)
        held = np.asarray(quietly(combine, left, right))
        distance *= 2
    return held


def _reduce_in_rounds(
    members: Members, blocks: Arrays, result: np.ndarray, combine: Combine
) -> Generator[Phase, None, None]:
    """Every process reduces its share of each round and sends it to all, while the next round's shares come in.

    So what is received stays in the cache until it is used, and its memory is used again.
    """
    count, processes = result.size, len(members.processes)
    rounds = -(-count * blocks[0].itemsize // (_ROUND_BYTES * processes))
    space: list[Arrays] = []
    before: list[tuple[int, int]] = []
    for low, high in _bounds(count, rounds):
        bounds = [(low + start, low + stop) for start, stop in _bounds(high - low, processes)]
        parts, phase = _scattered(members, blocks, bounds, space)
        if before:
            _add_spreading(phase, members, result, before)
        yield phase
        start, stop = bounds[members.index]
        _combine_into(result[start:stop], members, parts, combine)
        before = bounds
    phase = Phase()
    _add_spreading(phase, members, result, before)
    yield phase


def _scattered(
    members: Members, blocks: Arrays, bounds: Sequence[tuple[int, int]], space: list[Arrays] | None = None
) -> tuple[list[Arrays], Phase]:
    """The phase in which every process sends each other one its part of all blocks; and the parts, by index.

    `space` is where the parts are received; it is made at the first call.
    """
    low, high = bounds[members.index]
    dtype = blocks[0].dtype
    if not space:
        space = [] if space is None else space
        space += [[np.empty(high - low + 1, dtype) for _ in tree] for tree in members.trees]
    phase = Phase()
    parts: list[Arrays] = [[part[: high - low] for part in own] for own in space]
    parts[members.index] = [block[low:high] for block in blocks]
    for i in members.others:
        process, (start, stop) = members.processes[i], bounds[i]
        for block in blocks:
            phase.send(process, block[start:stop])
        for part in parts[i]:
            phase.receive(process, part)
    return parts, phase


def _add_spreading(phase: Phase, members: Members, result: np.ndarray, bounds: Sequence[tuple[int, int]]) -> None:
    """Every process sends its part of an array to all others."""
    for i in members.others:
        process = members.processes[i]
        phase.send(process, result[slice(*bounds[members.index])])
        phase.receive(process, result[slice(*bounds[i])])


def _gathered_blocks(
    members: Members, blocks: Arrays, work: np.dtype, count: int
) -> Generator[Phase, None, list[Arrays]]:
    """All processes' blocks, by index."""
    sizes = [len(tree) * count * work.itemsize for tree in members.trees]
    rows = yield from gather_rows(members, as_bytes(np.stack(blocks)), sizes)
    # A row may begin anywhere in what was received: elements want their own alignment.
    parts: list[Arrays] = []
    for row in rows:
        parts.append(list(np.frombuffer(row.tobytes(), np.uint8).view(work).reshape(-1, count)))
    return parts


def _combined(members: Members, parts: Sequence[Arrays], combine: Combine) -> np.ndarray:
    total: np.ndarray = quietly(tree_reduce, _by_block(members, parts), 0, members.size, combine)
    return total


def _combine_into(result: np.ndarray, members: Members, parts: Sequence[Arrays], combine: Combine) -> None:
    known = _by_block(members, parts)
    if len(known) == 2 and result.dtype == parts[0][0].dtype:
        left, right = (known[block] for block in sorted(known))  # the two halves of the tree
        quietly(partial(combine, out=result), left, right)
    else:
        result[...] = _rounded(quietly(tree_reduce, known, 0, members.size, combine), result.dtype)


def _by_block(members: Members, parts: Sequence[Arrays]) -> dict[tuple[int, int], np.ndarray]:
    return {block: part for tree, own in zip(members.trees, parts, strict=True)
            for block, part in zip(tree, own, strict=True)}


def _rounded(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    if array.dtype == dtype:
        return array
    rounded: np.ndarray = quietly(array.astype, dtype)
    return rounded


def _bounds(count: int, parts: int) -> list[tuple[int, int]]:
    edges = [count * i // parts for i in range(parts + 1)]
    return list(zip(edges, edges[1:], strict=False))
