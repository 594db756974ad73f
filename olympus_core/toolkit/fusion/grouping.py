# SPDX-License-Identifier: Apache-2.0
"""Which values have memory of their own, and which of them one kernel computes together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.ops import OPERATIONS
from olympus_core.ops.sources import is_splat
from olympus_core.program import Operation, OperationRecord, Value

from ..flatten import Flat
from .coordinates import NeedsSplit, Unexpressible
from .elements import MOVING
from .group import Body, Group, Mismatch
from .lowering import CUMULATIVE, REDUCTIONS, domain_of
from .options import FusionOptions
from .updates import updates_of

Supports = Callable[[OperationRecord | None, tuple[np.dtype, ...]], bool]
ROOTS = frozenset({*REDUCTIONS, *CUMULATIVE, "scatter"})  # never computed inside another member
MUCH_LARGER = 4  # times as many elements
_VIEWS = frozenset({"reshape", "bitcast_convert"})
_MOVES = frozenset(MOVING) - {"reshape", "broadcast_in_dim"}  # what is read once for each result, and elsewhere


class Materialise(Exception):  # not an error: planning begins again
    """Values that must have memory of their own, because what reads them cannot say where in affine form."""

    def __init__(self, values: Iterable[Value]) -> None:
        super().__init__(values)
        self.values = tuple(values)


@dataclass(frozen=True, slots=True)
class ProducerSubgraph:
    """What it takes to compute an element of a value from those that are there.

    Args:
        leaves: Those: members of kernels and values that have memory.
        operations: A bit for every operation.
        cost: Its cost, in additions.
        is_pointwise: Whether every element depends on elements at its own position only; any iteration space will do.
        sources: About how many operands an element may come from.
    """

    leaves: tuple[Value, ...]
    operations: int = 0
    cost: float = 1.0
    is_pointwise: bool = True
    sources: int = 1


class Grouping:
    """Goes through a program once and gives every value that needs memory to a step.

    Args:
        flat: The program, lowered.
        supports: What the platform's emitter can compute.
        options: Limits.
        forced: Values that need memory whatever they cost.
    """

    def __init__(self, flat: Flat, supports: Supports, options: FusionOptions, forced: set[Value]) -> None:
        self.flat, self.supports, self.options, self.forced = flat, supports, options, forced
        self.numbers = {o: i for i, o in enumerate(flat.operations)}
        self.producers = {v: o for o in flat.operations for v in o.results}
        self.fused = {o for o in flat.operations if self._is_fused(o)}
        self.wanted = {*flat.outputs, *forced}  # must have memory
        self.wanted.update(v for o in flat.operations if o not in self.fused for v in o.operands)
        self.wanted.update(o.results[0] for o in self.fused if len(o.operands) > options.most_pieces)  # concatenations
        self.users: dict[Value, list[Operation]] = {}
        for operation in flat.operations:
            for value in dict.fromkeys(operation.operands):
                self.users.setdefault(value, []).append(operation)
        self.roots = {o for o in self.fused if o.name in ROOTS} | self._windows()
        self.sinks = self._sinks()
        self.subgraphs: dict[Value, ProducerSubgraph] = {v: ProducerSubgraph((v,)) for v in flat.inputs}
        self.steps: list[Group | Operation] = []  # an operation that is fused stands for a view
        self.before: list[int] = []  # for each step, a bit for every step that must come first, itself included
        self.needed_earlier: dict[int, list[int]] = {}  # by step, those begun before it that must come after it
        self.step_of: dict[Value, int] = {}
        self.owner: dict[Value, Group] = {}
        last_effect = 0
        for operation in flat.operations:
            if operation in self.fused:
                self._fuse(operation)
                continue
            after = self._before(operation.operands)
            if operation.has_effects or operation.record.category == "collective":  # these keep their order
                after |= last_effect
                last_effect = after | 1 << len(self.steps)
            self._begin(operation, after)
            for value in operation.results:
                self.step_of[value], self.subgraphs[value] = len(self.steps) - 1, ProducerSubgraph((value,))
        for group in self.groups:
            self.wanted.update(v for leaves in group.leaves.values() for v in leaves if self.owner.get(v) is not group)

    @property
    def groups(self) -> list[Group]:
        """The steps that are kernels."""
        return [step for step in self.steps if isinstance(step, Group)]

    def body(self, group: Group) -> Body:
        """What writes a group's elements."""

        def producer(value: Value) -> Operation | None:
            operation = self.producers.get(value) if self.owner.get(value, group) is group else None
            return operation if operation in self.fused or (operation and operation.name == "constant") else None

        return Body(producer, group)

    def operations_of(self, bits: int) -> list[Operation]:
        """The operations that bits stand for."""
        found = []
        while bits:
            found.append(self.flat.operations[(bits & -bits).bit_length() - 1])
            bits &= bits - 1
        return found

    def order(self) -> list[Group | Operation]:
        """The steps, each after those it needs; otherwise in the order in which they were begun."""
        done, ordered, waiting = 0, [], list(range(len(self.steps)))
        while waiting:
            first = next(i for i in waiting if not self.before[i] & ~done & ~(1 << i))
            waiting.remove(first)
            done |= 1 << first
            ordered.append(self.steps[first])
        return ordered

    def _is_fused(self, operation: Operation) -> bool:
        values, name = (*operation.operands, *operation.results), operation.name
        types = tuple(v.type.dtype for v in values)
        if any(v.type.size == 0 for v in values) or not all(self.supports(None, (t,)) for t in dict.fromkeys(types)):
            return False
        if name in MOVING:
            is_apart = operation.results[0] in self.forced  # it could not be cut into sections
            most = self.options.most_pieces if is_apart else max(self.options.most_pieces, self.options.sections)
            fits = name != "concatenate" or len(operation.operands) <= most
            return fits and (name != "constant" or is_splat(operation.attributes["value"]))
        if name in ROOTS:  # the emitter is asked for what these combine elements by
            combine = operation.attributes["combine"] if name == "scatter" else {**REDUCTIONS, **CUMULATIVE}[name]
            return combine == "set" or self.supports(OPERATIONS[combine], (values[0].type.dtype,) * 3)
        elementwise = operation.record.category == "elementwise"
        return elementwise and self.supports(operation.record, types)

    def _windows(self) -> set[Operation]:
        """Windows that are written from one large array in memory to another; others are fused with what is around."""
        large = {o for o in self.fused if o.name == "dynamic_update_slice" and self._is_much_larger(o)}
        begun: set[Operation] = set()
        for operation in self.flat.operations:
            if operation in large:
                producer = self.producers.get(operation.operands[0])
                if producer not in self.fused or producer.name in ROOTS or producer in begun:
                    begun.add(operation)
        found: set[Operation] = set()
        for operation in reversed(self.flat.operations):
            if operation in begun:
                (x,) = operation.results
                updated = (u for u in self.users.get(x, ()) if u.operands[0] is x)
                if x in self.wanted or any(u.name == "scatter" or u in found for u in updated):
                    found.add(operation)
        return found

    def _is_much_larger(self, operation: Operation) -> bool:
        size, least = operation.operands[0].type.size, self.options.least_updated
        return self.options.updates_in_place and size >= max(least, MUCH_LARGER * updates_of(operation).type.size)

    def _sinks(self) -> dict[Operation, int]:
        """For each fused operation, a bit for every member that would compute it if it had no memory."""
        sinks: dict[Operation, int] = {}
        reached: dict[Operation, int] = {}  # what a use by the operation leads to
        for position, operation in enumerate(reversed(self.flat.operations)):
            if operation in self.fused:
                users = [u for v in operation.results for u in self.users.get(v, ()) if u in self.fused]
                sinks[operation] = 0
                for user in users:
                    sinks[operation] |= reached[user]
                is_root = operation in self.roots or not self.wanted.isdisjoint(operation.results)
                reached[operation] = 1 << position if is_root else sinks[operation]
        return sinks

    def _before(self, values: Iterable[Value]) -> int:
        bits = 0
        for value in values:
            if value in self.step_of:
                bits |= self.before[self.step_of[value]]
        return bits

    def _begin(self, step: Group | Operation, after: int) -> None:
        self.before.append(after | 1 << len(self.steps))
        self.steps.append(step)

    def _fuse(self, operation: Operation) -> None:
        """Finds out what an operation's results are computed from, and gives those that need memory to a kernel."""
        parts = [self.subgraphs[v] for v in operation.operands]
        leaves = tuple(dict.fromkeys(v for p in parts for v in p.leaves))
        bits, cost = 1 << self.numbers[operation], operation.record.cost
        for part in parts:
            # What several operands have in common is computed once.
            new = part.operations & ~bits
            cost += part.cost if new == part.operations else sum(o.record.cost for o in self.operations_of(new))
            bits |= new
        pointwise = all(p.is_pointwise for p in parts) and self._keeps_positions(operation)
        sources = max((p.sources for p in parts), default=1)
        if operation.name == "concatenate" and self.options.sections:  # an element is one operand's
            sources, cost = sum(p.sources for p in parts), operation.record.cost + max(p.cost for p in parts)
        subgraph = ProducerSubgraph(leaves, bits, cost, pointwise, sources)
        for value in operation.results:
            if operation in self.roots:
                self._reduce(operation, subgraph)
            elif value in self.wanted and operation.name in _VIEWS and self.has_memory(operation.operands[0]):
                self.wanted.add(operation.operands[0])
                self.step_of[value], self.subgraphs[value] = len(self.steps), subgraph
                self._begin(operation, self._before(operation.operands))
            elif value in self.wanted or self._is_anchor(operation, value, subgraph):
                self._assign(value, subgraph)
            else:
                self.subgraphs[value] = subgraph

    def has_memory(self, value: Value) -> bool:
        """Whether a value is an input, or made by a step of its own, or stored by a kernel."""
        return value not in self.producers or value in self.step_of or self.producers[value] not in self.fused

    @staticmethod
    def _keeps_positions(operation: Operation) -> bool:
        name = operation.name
        if name in ("broadcast_in_dim", "iota"):
            return operation.results[0].type.ndim <= 1 if name == "iota" else operation.operands[0].type.size == 1
        return name not in MOVING or name in ("reshape", "constant")

    def _is_anchor(self, operation: Operation, value: Value, subgraph: ProducerSubgraph) -> bool:
        """Whether computing it for every reader would cost too much."""
        options = self.options
        if subgraph.operations.bit_count() > options.largest_body or len(subgraph.leaves) >= options.most_parameters:
            return True
        if subgraph.cost * self._moved_uses(value) >= options.recompute_limit:
            return True
        if 2 * subgraph.sources > options.sections > 0:
            return True
        if subgraph.cost < options.recompute_limit:
            return False
        sinks, size = self.sinks[operation], value.type.size
        grows = any(u.name in ("broadcast_in_dim", "gather") and u.results[0].type.size > size
                    for u in self.users.get(value, ()))
        return grows or bool(sinks & (sinks - 1))

    def _moved_uses(self, value: Value) -> int:
        """How many readers, without the first, would compute it at other positions: steps of stencils multiply."""
        moved = sum(u.name in _MOVES for u in self.users.get(value, ()))
        return max(0, moved - 1)

    def _assign(self, value: Value, subgraph: ProducerSubgraph) -> None:
        """Gives an elementwise member to a kernel that fits, or to a new one."""
        for group in self._candidates(subgraph, shared=subgraph.is_pointwise):
            full = value.type.size == group.size
            if group.kind != "loops" or not (full or value.type.size == group.rows):
                continue
            used = group.phase_of(subgraph.leaves)
            if self._is_too_long(group, used) or not (subgraph.is_pointwise or self._fits(group, [value], full)):
                continue
            self._join(group, value, subgraph, used, used)
            return
        group = Group(len(self.steps), ((value.type.size, False),) if value.type.size > 1 else ())
        self._begin(group, 0)
        if not subgraph.is_pointwise and not self._fits(group, [value], True):
            raise Materialise(self.producers[value].operands)
        self._join(group, value, subgraph, 0, 0)

    def _reduce(self, operation: Operation, subgraph: ProducerSubgraph) -> None:
        """Gives a reduction, a running one or updates of an array to a kernel."""
        (value, x), name = (operation.results[0], operation.operands[0]), operation.name
        if name in REDUCTIONS:
            space, kind = domain_of(x.type.shape, operation.attributes["dimensions"]), "loops"
            for group in self._candidates(subgraph, shared=True):
                same = group.kind == kind and group.domain == space
                grows = group.is_flat and group.size == x.type.size and any(v in group.members for v in subgraph.leaves)
                used = group.phase_of(subgraph.leaves)
                old, values = group.space, [x] if same else [*group.members, x]
                group.space = group.space if same else space if grows else old
                if (same or grows) and not self._is_too_long(group, used):
                    pointwise = subgraph.is_pointwise and (same or group.is_pointwise)
                    if pointwise or self._fits(group, values, True):
                        self._join(group, value, subgraph, used + 1, used)
                        return
                group.space = old
        elif name in CUMULATIVE:
            space, kind = domain_of(x.type.shape, (operation.attributes["dimension"],)), "running"
        else:
            if not self.subgraphs[x].is_pointwise:
                raise Materialise((x,))
            updates = updates_of(operation)
            space, kind = ((updates.type.size, False),) if updates.type.size > 1 else (), "scatter"
        group = Group(len(self.steps), space, kind=kind)
        self._begin(group, 0)
        if kind != "scatter" and not subgraph.is_pointwise and not self._fits(group, [x], True):
            raise Materialise((x,))
        self._join(group, value, subgraph, 1 if name in REDUCTIONS else 0, 0)

    def _candidates(self, subgraph: ProducerSubgraph, shared: bool) -> Iterable[Group]:
        """Kernels that may compute one more member from these leaves, those begun last first."""
        after = self._before(subgraph.leaves)
        for number in range(len(self.steps) - 1, max(-1, len(self.steps) - 65), -1):
            group = self.steps[number]
            if not isinstance(group, Group):
                continue
            inside = bool(after >> number & 1) and any(v in group.members for v in subgraph.leaves)
            if not inside and not (shared and any(v.type.size > 1 and v in group.reads for v in subgraph.leaves)):
                continue
            operations = (group.operations | subgraph.operations).bit_count()
            buffers = len(group.reads.union(subgraph.leaves)) + len(group.members)
            if operations > self.options.largest_kernel or buffers >= self.options.most_parameters:
                continue
            if not self._before(v for v in subgraph.leaves if v not in group.members) >> number & 1:
                yield group

    def _is_too_long(self, group: Group, used: int) -> bool:
        """Whether a further phase would go through memory again, column by column."""
        if not used or not group.is_column(self.options):
            return False
        return group.size // group.rows > self.options.longest_column

    def _fits(self, group: Group, values: list[Value], full: bool) -> bool:
        """Whether elements can be written down in the group's iteration space, which is refined where needed."""
        old = group.space
        for _ in range(32):
            body = self.body(group)
            try:
                for value in values:
                    body.probe(value, body.whole if full else body.rows)
            except NeedsSplit as need:
                group.split(body.indices.index(need.index), need.inner)
            except (Unexpressible, Mismatch) as problem:
                group.space = old
                if isinstance(problem, Unexpressible) and not group.members:
                    raise Materialise(problem.args[0].results) from problem
                return False
            else:
                return True
        group.space = old
        return False

    def _join(self, group: Group, value: Value, subgraph: ProducerSubgraph, phase: int, used: int) -> None:
        group.add(self.producers[value], value, subgraph.leaves, phase, used)
        group.is_pointwise &= subgraph.is_pointwise
        group.operations |= subgraph.operations
        self.owner[value], self.step_of[value], self.subgraphs[value] = group, group.number, ProducerSubgraph((value,))
        after = self._before(v for v in subgraph.leaves if self.owner.get(v) is not group)
        # Only the last steps take members: what needs this one is among those, or is known.
        for step in (*self.needed_earlier.get(group.number, ()), *range(group.number, len(self.steps))):
            if self.before[step] >> group.number & 1:
                later = (after & ~self.before[step]) >> step + 1
                self.before[step] |= after
                while later:
                    self.needed_earlier.setdefault(step + (later & -later).bit_length(), []).append(step)
                    later &= later - 1
