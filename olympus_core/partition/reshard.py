# SPDX-License-Identifier: Apache-2.0
"""From one placement to another on the same mesh: the cheapest sequence of steps, found by search.

A state is a `ValueSharding`. Steps are slice (free), all-to-all (axes move between dimensions), permute (another
order of axes), all-gather, and for partial values reduce-scatter and all-reduce. The cost of a step is the bytes that
a device receives and a little for its start; no state may need more memory than the larger of source and target, unless
nothing else leads there. The state space is small (axes of a mesh, dimensions of an array), so a shortest-path search
settles it.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims

from .value_sharding import MeshShape, ValueSharding, local_shape, mesh_order, parts, sizes_of

StepKind = Literal["slice", "all_gather", "all_to_all", "permute", "all_reduce", "reduce_scatter"]


@dataclass(frozen=True, slots=True)
class ReshardStep:
    """One step of a plan.

    Args:
        kind: What is done.
        axes: The axes whose devices talk (for a slice: none talk, these are the axes added).
        after: The placement that it leads to.
        bytes: What each device receives.
        dimension: The dimension that is gathered or scattered, or that an all-to-all joins.
        split_dimension: The dimension that an all-to-all splits.
    """

    kind: StepKind
    axes: tuple[str, ...]
    after: ValueSharding
    bytes: int
    dimension: int = -1
    split_dimension: int = -1


@dataclass(frozen=True, slots=True)
class ReshardPlan:
    """The steps from `source` to `target`.

    Args:
        mesh_shape: Name and size of each mesh axis.
        shape: The whole array's shape.
        itemsize: Bytes of one element.
        source: Where it begins.
        target: Where it ends.
        steps: What is done, in order.
    """

    mesh_shape: MeshShape
    shape: tuple[int, ...]
    itemsize: int
    source: ValueSharding
    target: ValueSharding
    steps: tuple[ReshardStep, ...]

    @property
    def bytes(self) -> int:
        """What each device receives in all steps together."""
        return sum(step.bytes for step in self.steps)

    @property
    def cost(self) -> int:
        """What plans are compared by: the bytes, and something for every time that the devices talk."""
        talks = sum(step.kind != "slice" for step in self.steps)
        return self.bytes + talks * _start_cost(max(self.local_bytes(self.source), self.local_bytes(self.target)))

    def local_bytes(self, sharding: ValueSharding) -> int:
        """The memory that one device needs in a state of the plan."""
        return math.prod(local_shape(self.mesh_shape, self.shape, sharding.dims)) * self.itemsize

    def __str__(self) -> str:
        devices = parts(self.mesh_shape, [name for name, _ in self.mesh_shape])
        lines = [f"reshard {list(self.shape)} from {self.source} to {self.target}"]
        lines += [
            f"  {step.kind:<14} over {','.join(step.axes):<10} -> {step.after}: "
            f"{step.bytes} bytes per device, {step.bytes * devices} in all"
            for step in self.steps
        ]
        lines.append(f"  total: {self.bytes} bytes per device, {self.bytes * devices} in all")
        return "\n".join(lines)


@lru_cache(maxsize=4096)
def plan_reshard(
    mesh_shape: MeshShape, shape: tuple[int, ...], itemsize: int, source: ValueSharding, target: ValueSharding
) -> ReshardPlan:
    """The cheapest sequence of steps between two placements.

    Args:
        mesh_shape: Name and size of each mesh axis.
        shape: The whole array's shape; it divides in source and target.
        itemsize: Bytes of one element.
        source: The placement that is there; axes of size 1 left out.
        target: The placement that is wanted; partial only over axes over which `source` is.

    Returns:
        The plan; without steps when both are the same.

    Example:
        >>> print(plan_reshard((("a", 2),), (4, 4), 4, ValueSharding((("a",), ())), ValueSharding(((), ("a",)))))
        reshard [4, 4] from P('a', None) to P(None, 'a')
          all_to_all     over a          -> P(None, 'a'): 16 bytes per device, 32 in all
          total: 16 bytes per device, 32 in all
    """
    search = _Search(mesh_shape, shape, itemsize, source, target)
    steps = () if source == target else search.run(bounded=True)
    if steps is None:
        steps = search.run(bounded=False)
    if steps is None:
        raise OlympusInternalError(f"no way from {source} to {target} for an array of shape {shape}")
    return ReshardPlan(mesh_shape, shape, itemsize, source, target, _merged(mesh_shape, source, steps))


@lru_cache(maxsize=4096)
def permute_pairs(
    mesh_shape: MeshShape, source: Dims, target: Dims
) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """Which member sends its part to which, for two dims with the same parts per dimension.

    Args:
        mesh_shape: Name and size of each mesh axis.
        source: The dims that are there.
        target: The dims that are wanted.

    Returns:
        The axes of the group, in the mesh's order, and pairs of positions in it; a member that already has its
        part keeps it.
    """
    axes = _axes_of(mesh_shape, source, target)
    sizes = [sizes_of(mesh_shape)[axis] for axis in axes]
    coordinates = dict(zip(axes, np.indices(sizes).reshape(len(sizes), -1), strict=True))

    def parts_held(dims: Dims) -> list[tuple[int, ...]]:
        columns = []
        for group in dims:
            part = np.zeros(math.prod(sizes), dtype=np.int64)
            for axis in group:
                part = part * sizes_of(mesh_shape)[axis] + coordinates[axis]
            columns.append(part.tolist())
        return list(zip(*columns, strict=True))

    held, wanted = parts_held(source), parts_held(target)
    free: dict[tuple[int, ...], list[int]] = {}
    for member, part in enumerate(held):
        if wanted[member] != part:
            free.setdefault(part, []).append(member)
    pairs = [
        (member if held[member] == part else free[part].pop(0), member) for member, part in enumerate(wanted)
    ]
    return axes, tuple(pairs)


def _start_cost(largest: int) -> int:
    """What a step costs besides its bytes: it has to be started, and takes the data through memory once more.

    In proportion to the data, so that a plan does not depend on its scale.
    """
    return largest // 8


class _Search:
    """Dijkstra's search over placements; steps that cannot be of use on the way to the target are left out."""

    def __init__(
        self, mesh_shape: MeshShape, shape: tuple[int, ...], itemsize: int, source: ValueSharding, target: ValueSharding
    ) -> None:
        self.mesh_shape, self.shape = mesh_shape, shape
        self.source, self.target = source, target
        self.total = math.prod(shape) * itemsize
        used = [axis for sharding in (source, target) for group in sharding.dims for axis in group]
        self.axes = mesh_order(mesh_shape, [*used, *source.partial])
        self.sizes = sizes_of(mesh_shape)
        self.home = {axis: d for d, group in enumerate(target.dims) for axis in group}  # where each axis has to go
        self.target_parts = tuple(self.parts(group) for group in target.dims)

    def parts(self, axes: tuple[str, ...]) -> int:
        count = 1
        for axis in axes:
            count *= self.sizes[axis]
        return count

    def local_bytes(self, dims: Dims) -> int:
        count = 1
        for group in dims:
            for axis in group:
                count *= self.sizes[axis]
        return self.total // count

    def run(self, bounded: bool) -> tuple[ReshardStep, ...] | None:
        largest = max(self.local_bytes(self.source.dims), self.local_bytes(self.target.dims))
        limit, start = largest if bounded else self.total, _start_cost(largest)
        best: dict[ValueSharding, tuple[int, int]] = {self.source: (0, 0)}
        came: dict[ValueSharding, tuple[ValueSharding, ReshardStep]] = {}
        tie = itertools.count()
        heap = [(0, 0, next(tie), self.source)]
        while heap:
            cost, count, _, state = heapq.heappop(heap)
            if (cost, count) > best[state]:
                continue
            if state == self.target:
                return self._path(came)
            for step in self.steps(state):
                if self.local_bytes(step.after.dims) > limit:
                    continue
                # Free steps count too, so that of equal plans the shortest is taken.
                score = (cost + step.bytes + (start if step.kind != "slice" else 0), count + 1)
                if step.after not in best or score < best[step.after]:
                    best[step.after] = score
                    came[step.after] = (state, step)
                    heapq.heappush(heap, (*score, next(tie), step.after))
        return None

    def _path(self, came: dict[ValueSharding, tuple[ValueSharding, ReshardStep]]) -> tuple[ReshardStep, ...]:
        steps: list[ReshardStep] = []
        state = self.target
        while state != self.source:
            state, step = came[state]
            steps.append(step)
        return tuple(reversed(steps))

    def fits(self, dims: Dims, d: int) -> bool:
        return self.shape[d] % self.parts(dims[d]) == 0

    def steps(self, state: ValueSharding) -> Iterator[ReshardStep]:
        dims, size = state.dims, self.local_bytes(state.dims)
        busy = {axis for group in dims for axis in group}
        yield from self._reductions(state, size)
        for axis, d in self.home.items():
            if axis not in busy and axis not in state.partial:
                after = _with(dims, {d: (*dims[d], axis)})
                if self.fits(after, d):
                    yield ReshardStep("slice", (axis,), _at(state, after), 0, d)
        for d, group in enumerate(dims):
            for start in range(_settled(group, self.target.dims[d]), len(group)):
                kept, moved = group[:start], group[start:]
                count = self.parts(moved)
                yield ReshardStep("all_gather", moved, _at(state, _with(dims, {d: kept})), size * (count - 1), d)
                other = self.home.get(moved[0], d)
                if other != d and all(self.home.get(axis) == other for axis in moved):
                    after = _with(dims, {d: kept, other: (*dims[other], *moved)})
                    if self.fits(after, other):
                        received = size // count * (count - 1)
                        yield ReshardStep("all_to_all", moved, _at(state, after), received, d, other)
        if not state.partial:
            for after in self._permutations(dims):
                axes = _axes_of(self.mesh_shape, dims, after)
                yield ReshardStep("permute", axes, ValueSharding(after), size)

    def _reductions(self, state: ValueSharding, size: int) -> Iterator[ReshardStep]:
        pending = tuple(axis for axis in state.partial if axis not in self.target.partial)
        if not pending:
            return
        kept = tuple(axis for axis in state.partial if axis not in pending)
        count = self.parts(pending)
        reduction = state.reduction if kept else None
        yield ReshardStep(
            "all_reduce", pending, ValueSharding(state.dims, kept, reduction), -(-2 * size * (count - 1) // count)
        )
        for axis in pending:
            rest = tuple(other for other in state.partial if other != axis)
            count = self.sizes[axis]
            for d, group in enumerate(state.dims):
                after = _with(state.dims, {d: (*group, axis)})
                if self.home.get(axis, d) == d and self.fits(after, d):
                    sharding = ValueSharding(after, rest, state.reduction if rest else None)
                    yield ReshardStep("reduce_scatter", (axis,), sharding, size // count * (count - 1), d)

    def _permutations(self, dims: Dims) -> Iterator[Dims]:
        """Dims with the same parts per dimension, from which the target may be nearer."""
        if tuple(self.parts(group) for group in dims) == self.target_parts and dims != self.target.dims:
            yield self.target.dims
        for d, group in enumerate(dims):
            # First what stays here, in the target's order, then what is gathered, last what goes elsewhere.
            order = tuple(sorted(group, key=lambda axis: self._nearness(axis, d)))
            if order != group:
                yield _with(dims, {d: order})
        at = {axis: d for d, group in enumerate(dims) for axis in group}
        for axis, other in itertools.combinations(self.axes, 2):
            here, there = at.get(axis, -1), at.get(other, -1)
            if self.sizes[axis] == self.sizes[other] and here != there:
                if (here >= 0 and self.home.get(other) == here) or (there >= 0 and self.home.get(axis) == there):
                    swap = {axis: other, other: axis}
                    yield tuple(tuple(swap.get(name, name) for name in group) for group in dims)

    def _nearness(self, axis: str, d: int) -> tuple[int, int, int]:
        home = self.home.get(axis)
        if home is None:
            return 1, 0, 0
        return (0 if home == d else 2), home, self.target.dims[home].index(axis)


def _settled(group: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """How many of the major axes are already as wanted."""
    count = 0
    while count < len(group) and count < len(wanted) and group[count] == wanted[count]:
        count += 1
    return count


def _axes_of(mesh_shape: MeshShape, *placements: Dims) -> tuple[str, ...]:
    return mesh_order(mesh_shape, [axis for dims in placements for group in dims for axis in group])


def _with(dims: Dims, changes: dict[int, tuple[str, ...]]) -> Dims:
    return tuple(changes.get(d, group) for d, group in enumerate(dims))


def _at(state: ValueSharding, dims: Dims) -> ValueSharding:
    return ValueSharding(dims, state.partial, state.reduction)


def _merged(mesh_shape: MeshShape, source: ValueSharding, steps: tuple[ReshardStep, ...]) -> tuple[ReshardStep, ...]:
    """Neighbouring slices become one, and so do reduce-scatters of one dimension."""
    merged: list[ReshardStep] = []
    for step in steps:
        last = merged[-1] if merged else None
        if last is not None and last.kind == step.kind == "slice":
            merged[-1] = ReshardStep("slice", last.axes + step.axes, step.after, 0)
        elif last is not None and last.kind == step.kind == "reduce_scatter" and last.dimension == step.dimension:
            total = last.bytes + step.bytes
            merged[-1] = ReshardStep("reduce_scatter", last.axes + step.axes, step.after, total, step.dimension)
        else:
            merged.append(step)
    return tuple(merged)
