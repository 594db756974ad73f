# SPDX-License-Identifier: Apache-2.0
"""Host code: the generated Python function that calls a plan's kernels, and who owns each block of memory in it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from olympus_core import recording
from olympus_core.codewriter import CodeWriter, indented
from olympus_core.program import Operation, Value

from .basic_blocks import is_kept, read_only
from .fused_base import FusedBase
from .fusion import KernelStep, OperationStep, Plan, ViewStep
from .kept_plans import PlanRecorder, StoredStep
from .optable import Kernel

GroupStep = KernelStep | StoredStep | ViewStep
Step = GroupStep | OperationStep


class HostCodeWriter:
    """Writes a plan out as a Python function.

    A name stands for one allocation or array or, for several devices, for a list with one for each.

    Args:
        compiler: For the operations that are not generated.
        plan: The plan.
        count: Number of devices that the function runs for.
        name: What it is, for people.
        donated: Indices of the inputs whose memory may be written over.
        kind: What the function's parameters are: ``"buffer"`` for columns of buffers, ``"array"`` for arrays.
        recorder: Takes down what the plan became, for later processes.
    """

    def __init__(
        self, compiler: FusedBase, plan: Plan, count: int, name: str, donated: Sequence[int] = (),
        kind: str = "buffer", recorder: PlanRecorder | None = None,
    ) -> None:
        self._recorder = recorder
        self.compiler, self.plan, self.count, self.name = compiler, plan, count, name
        generator = self.generator = compiler.generator
        self.code = CodeWriter(name, {
            "to_array": generator.array, "to_allocation": generator.allocation,
            "wrap_allocation": generator.wrap_allocation, "wrap_array": generator.wrap_array,
            "devices": compiler.devices, "is_exclusive": generator.is_exclusive,
            "are_exclusive": generator.are_exclusive,
        })
        # The functions that call what is made; weak, since what is made holds what may renew it.
        self._written: list[weakref.ref[Any]] = []
        self.lines: list[str] = []
        self.allocations: dict[Value, str] = {}
        self.arrays: dict[Value, str] = {}
        self.roots: dict[Value, Value] = {v: v for v in plan.inputs}  # whose memory a value is
        self.owned: set[Value] = set()  # roots that this function made and nobody else holds
        self.blocks: set[Value] = set()  # roots that kernels made
        self.numbers = {v: i for i, v in enumerate(dict.fromkeys(plan.inputs))}
        self.columns = [f"i{self.numbers[v]}" for v in plan.inputs]
        # What is read of buffers is read first of all: another thread may delete them while the function runs.
        self.head: list[str] = []
        self.parameters = [f"p{self.numbers[v]}" for v in plan.inputs]
        self.donated = {plan.inputs[i] for i in donated if plan.inputs.count(plan.inputs[i]) == 1}
        self.local_index = "local_indices" if count > 1 else "local_indices[0]" if kind == "buffer" else "local_index"
        self.device = "devices[local_indices[0]]"  # where there is one
        for v, i in self.numbers.items():
            if kind == "array":
                self.arrays[v] = f"p{i}"
            else:
                self.allocations[v] = f"b{i}"
                read = f"i{i}[0].allocation" if count == 1 else f"[b.allocation for b in i{i}]"
                self.head.append(f"b{i} = {read}")
        self.last = _last_steps(plan)
        self._write(plan)
        if recorder is not None:
            recorder.finish(self.roots)

    def column(self, value: Value) -> str:
        """An expression: a value as a column of buffers."""
        one, device = self.count == 1, self.device
        root = self.roots[value]
        if root not in self.numbers and root not in self.blocks:  # of an array the allocation alone would not keep it
            array = self.array(value)
            return f"[wrap_array({array}, {device})]" if one else (
                f"[wrap_array(a, devices[p]) for a, p in zip({array}, local_indices)]")
        type_ = self.code.bind(value.type, "t")
        allocation = self.allocations[root if root in self.numbers else value]
        return f"[wrap_allocation({allocation}, {type_}, {device})]" if one else (
            f"[wrap_allocation(c, {type_}, devices[p]) for c, p in zip({allocation}, local_indices)]")

    def array(self, value: Value) -> str:
        """A name: a value as an array, or a list of arrays."""
        if value not in self.arrays:
            root = self.roots[value]
            if root in self.numbers:  # its buffer has it
                name, column = self.code.fresh("a"), f"i{self.numbers[root]}"
                self.head.append(f"{name} = " + (f"{column}[0].array" if self.count == 1 else
                                                 f"[b.array for b in {column}]"))
                self.arrays[value] = name if value is root else self._seen_as(name, value)
            else:
                self.arrays[value] = self.code.fresh("a")
                type_ = self.code.bind(value.type, "t")
                self._assign(self.arrays[value], f"to_array({{}}, {type_})", self.allocations[value])
        name = self.arrays[value]
        return f"[{name}] * {self.count}" if name[0] == "c" and self.count > 1 else name

    def allocation(self, value: Value) -> str:
        """A name: a value as an allocation, or a list of allocations."""
        if value not in self.allocations:
            array = self.arrays[value]
            if array[0] == "c":  # a constant: its allocation is known now
                name = self.code.bind(self.generator.allocation(self.code.namespace[array]), "c")
            else:
                name = self.code.fresh("x")
                self._assign(name, "to_allocation({})", array)
            self.allocations[value] = name
        name = self.allocations[value]
        return f"[{name}] * {self.count}" if name[0] == "c" and self.count > 1 else name

    def define(self, parameters: Sequence[str], result: str, first: Sequence[str] = ()) -> Any:
        """The function with these parameters and this result."""
        lines = [*first, *self.head, *self.lines, f"return {result}"]
        function = self.code.define(parameters, lines)
        self._written.append(weakref.ref(function))
        return function

    def _write(self, plan: Plan) -> None:
        """All steps; neighbouring kernels and views become one call."""
        group: list[tuple[int, GroupStep]] = []
        done: set[int] = set()
        for i, step in enumerate(plan.steps):
            if not isinstance(step, OperationStep):
                group.append((i, step))
                continue
            if i in done:
                self._let_go(i)
                continue
            if self._is_kept(step.operation):  # computed now: the kernels around it stay together
                self._operation(step.operation)
                continue
            made = self.generator.made_step(step.operation)
            summed = self._summed(plan, i) if made is not None else None
            if made is not None and summed is None:
                group.append((i, made))
                continue
            self._close(group)
            if summed is not None:
                self._sum_of_members(step.operation, *summed)
                done.add(i + 1)
            else:
                self._operation(step.operation)
            self._let_go(i)
        self._close(group)

    def _is_kept(self, operation: Operation) -> bool:
        """Whether an operation's results are constants."""
        return is_kept(operation, [self.arrays.get(v, self.allocations.get(v, "?")) for v in operation.operands])

    def _summed(self, plan: Plan, i: int) -> tuple[Operation, Any] | None:
        """The next step's operation, if it adds up all devices' results of this one's and nothing else needs them.

        With it the platform's step for both, if it has one; else None.
        """
        step, following = plan.steps[i], plan.steps[i + 1] if i + 1 < len(plan.steps) else None
        if not isinstance(step, OperationStep) or not isinstance(following, OperationStep):
            return None
        result, reduction = step.operation.results[0], following.operation
        is_sum = reduction.name == "all_reduce" and reduction.attributes["reduction"] == "sum"
        if not is_sum or reduction.operands[0] is not result or self.last[result] > i + 1 or self.count == 1:
            return None
        made = self.generator.made_sum(step.operation, len(self.compiler.local_groups(reduction)[0]))
        return (reduction, made) if made is not None else None

    def _sum_of_members(self, operation: Operation, reduction: Operation, step: Any) -> None:
        """An operation and the sum of all devices' results, as one step for each group."""
        groups, result = self.compiler.local_groups(reduction), reduction.results[0]
        self._is_more_than_one_call()
        function = self._made([step], step.inputs, step.outputs, {}, 1)
        columns = [self.allocation(v) for v in operation.operands]
        self.roots[operation.results[0]], self.roots[result] = operation.results[0], result
        self.allocations[result] = self.code.fresh("x")
        self.blocks.add(result)  # one block for all of a group: nobody's to write over
        index_of = {p: i for i, group in enumerate(groups) for p in group}
        for i, group in enumerate(groups):
            members = ", ".join(f"{c}[{p}]" if c[0] != "[" else c[1:c.index("]")] for c in columns for p in group)
            self.lines.append(f"r{i} = {function}({members})")
        self.lines.append(f"{self.allocations[result]} = [{', '.join(f'r{index_of[p]}' for p in range(self.count))}]")

    def _close(self, group: list[tuple[int, GroupStep]]) -> None:
        """The call of a group of kernels."""
        if any(not isinstance(step, ViewStep) for _, step in group):
            self._call([step for _, step in group], group[-1][0])
        else:
            for _, step in group:
                if isinstance(step, ViewStep):
                    self._view(step)
        if group:
            self._let_go(group[-1][0])
        group.clear()

    def _call(self, steps: Sequence[GroupStep], end: int) -> None:
        made = dict.fromkeys(v for step in steps for v in _made(step))
        inputs = [v for v in dict.fromkeys(v for step in steps for v in _read(step)) if v not in made]
        for v in made:
            self.roots[v] = v
        for step in steps:
            if isinstance(step, ViewStep):
                self.roots[step.result] = self.roots[step.source]
        # Of values that share memory one is made, the others are views of it; views of inputs are no outputs.
        leaving = [v for v in made if self.roots[v] is v and self.last[v] > end]
        reused = self._reusable(steps, inputs, leaving, end)
        # What this function made it may write over in any case; of what is donated it is known at run time.
        asked = {v: source for v, source in reused.items() if self.roots[source] in self.donated}
        sure = {v: source for v, source in reused.items() if v not in asked}
        star = "*" if self.count > 1 else ""
        arguments = ", ".join(f"{star}{self.allocation(v)}" for v in inputs)
        for v in leaving:
            self.allocations[v] = self.code.fresh("x")
            self.owned.add(v)
            if v not in reused or self.roots[reused[v]] in self.blocks | self.donated:
                self.blocks.add(v)

        if self._recorder is not None:
            self._recorder.group(inputs, leaving, reused)

        def call(over: Mapping[Value, Value]) -> list[str]:
            function = self._made(steps, inputs, leaving, over)
            lines = self._results([v for v in leaving if v not in over], f"{function}({arguments})")
            return lines + [f"{self.allocations[v]} = {self.allocations[source]}" for v, source in over.items()]

        if asked:
            self._give(asked.values())
            asks = "is_exclusive" if self.count == 1 else "are_exclusive"
            conditions = " and ".join(f"{asks}({self.allocations[v]})" for v in asked.values())
            self.lines += [f"if {conditions}:", *indented(call(reused)), "else:", *indented(call(sure))]
        else:
            self.lines += call(sure)
        for v, source in reused.items():
            if v not in self.blocks:  # written over an array, which must be kept
                self.arrays[v] = self._seen_as(self.arrays[source], v)
        for step in steps:
            if isinstance(step, ViewStep) and self.last[self.roots[step.result]] > end:
                self._view(step)

    def _give(self, values: Iterable[Value]) -> None:
        """Takes donated inputs out of their buffers, so that only those who hold them already can reach them."""
        for v in values:
            column = f"i{self.numbers[v]}"
            self.lines.append(f"{column}[0].give()" if self.count == 1 else f"for b in {column}: b.give()")
            # Arrays that looked at the memory for operations of the table count as holders, too.
            seen = [u for u in self.arrays if self.roots[u] is v]
            names = dict.fromkeys(self.arrays.pop(u) for u in seen)
            if names:
                self.lines.append(f"del {', '.join(names)}")

    def _made(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int | None = None,
    ) -> str:
        """The name of the platform's callable for a group; a better one may replace it later."""
        name, written = self.code.bind(None, "k"), self._written

        def renew(function: Callable[..., Any]) -> None:
            for reference in written:
                caller = reference()
                if caller is not None:
                    caller.__globals__[name] = function

        make = partial(self.generator.make, steps, inputs, outputs, reused, count or self.count, self.name, renew)
        made = make() if self._recorder is None else self._recorder.make(make, reused)
        self.code.namespace[name] = made
        self.compiler.code_bytes += self.generator.code_bytes(made)
        scratch_of = getattr(self.generator, "scratch_bytes", None)  # a platform need not tell
        if scratch_of is not None:
            self.compiler.scratch_bytes = max(self.compiler.scratch_bytes, scratch_of(made))
        return name

    def _results(self, values: Sequence[Value], call: str) -> list[str]:
        """Lines that give names to what a group's call gives."""
        if not values:
            return [call]
        if self.count == 1:
            return [f"{', '.join(self.allocations[v] for v in values)} = {call}"]
        if len(values) == 1:
            return [f"{self.allocations[values[0]]} = {call}"]
        cuts = [f"{self.allocations[v]} = r[{i * self.count}:{(i + 1) * self.count}]" for i, v in enumerate(values)]
        return [f"r = {call}", *cuts]

    def _reusable(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], leaving: Sequence[Value], end: int
    ) -> dict[Value, Value]:
        """For outputs of a group the input that dies there and whose memory they may take."""
        reused: dict[Value, Value] = {}
        through: dict[Value, Value] = {}  # what is updated on the way, and the input that it began as
        final = {self.roots[v]: n for n, step in enumerate(steps) for v in _read(step)}
        for n, step in enumerate(steps):
            if isinstance(step, ViewStep):
                continue
            for source, target in step.reusable:
                value, output = step.inputs[source], step.outputs[target]
                root, begin = self.roots[value], through.get(value, value)
                # Nothing reads it later, nor this step at another position.
                once = [self.roots[v] for v in step.inputs].count(root) == 1
                dies = once and final[root] == n and self.last[root] <= end
                first = self.roots[begin]
                mine = first in self.owned or (first in self.donated and begin is first)
                if not dies or not mine or begin not in inputs or begin.type.nbytes != output.type.nbytes:
                    continue
                if output not in leaving:
                    if getattr(step, "updating", None) is not None:
                        through[output] = begin
                elif output not in reused:
                    reused[output] = begin
        return reused

    def _view(self, step: ViewStep) -> None:
        """The same memory under another type: an allocation has none, an array is seen anew."""
        source, result = step.source, step.result
        self.roots[result] = self.roots[source]
        if self.roots[source] in self.blocks or source not in self.arrays:
            self.allocations[result] = self.allocations[source]
            return
        name = self.arrays[source]
        type_ = result.type
        if name[0] == "c":
            self.arrays[result] = self.code.bind(_view_of(self.code.namespace[name], type_), "c")
            return
        self.arrays[result] = self._seen_as(name, result)

    def _seen_as(self, array: str, value: Value) -> str:
        """The name of an array's memory seen as another value."""
        name, self.code.namespace["view_of"] = self.code.fresh("a"), _view_of
        self._assign(name, f"view_of({{}}, {self.code.bind(value.type, 't')})", array)
        return name

    def _collective(self, operation: Operation) -> None:
        """A collective among this process's devices: the platform's own, or reductions and gathers as kernels."""
        (operand,), (result,) = operation.operands, operation.results
        groups = self.compiler.local_groups(operation)
        self.roots[result] = result
        made = self.compiler.made_collective(operation, groups)
        if made is not None:
            allocation, self.allocations[result] = self.allocation(operand), self.code.fresh("x")
            self.blocks.add(result)
            self.owned.add(result)
            function = self.code.bind(_told(operation, made), "k")
            self.lines.append(f"{self.allocations[result]} = {function}({allocation})")
            return
        planned = self.compiler.collective_kernels(operation, len(groups[0]))
        if planned is None:
            # A result may be another device's operand itself: nobody may write over either.
            self.owned.discard(self.roots[operand])
            self.donated.discard(self.roots[operand])
            function = self.code.bind(_told(operation, self.compiler.collective_of_arrays(operation, groups)), "k")
            array, self.arrays[result] = self.array(operand), self.code.fresh("a")
            self.lines.append(f"{self.arrays[result]} = {function}({array})")
            return
        steps, inputs, outputs = planned
        self._is_more_than_one_call()
        function = self._made(steps, inputs, outputs, {}, 1)
        allocation, self.allocations[result] = self.allocation(operand), self.code.fresh("x")
        self.blocks.add(result)  # one block for all of a group: nobody's to write over
        if groups == [tuple(range(self.count))]:
            self.lines.append(f"{self.allocations[result]} = [{function}(*{allocation})] * {self.count}")
            return
        calls = [f"r{i} = {function}({', '.join(f'{allocation}[{p}]' for p in g)})" for i, g in enumerate(groups)]
        group_of = {p: i for i, group in enumerate(groups) for p in group}
        results = ", ".join(f"r{group_of[p]}" for p in range(self.count))
        self.lines += [*calls, f"{self.allocations[result]} = [{results}]"]

    def _operation(self, operation: Operation) -> None:
        if operation.record.communicates:
            self._is_more_than_one_call()
            self._collective(operation)
            return
        kernel = self.compiler.kernel(operation)
        if self._is_kept(operation):
            operands = [self.code.namespace[self.arrays[v]] for v in operation.operands]
            values = self.compiler.table.guard(kernel.function, *operands)
            for v, array in zip(operation.results, values if kernel.is_tuple else (values,), strict=True):
                self.roots[v] = v
                kept = read_only(self.generator.settled(array))
                self.arrays[v] = self.code.bind(kept, "c")
                if self._recorder is not None:
                    self._recorder.constant(v, kept)
            return
        self._is_more_than_one_call()
        self.generator.note_fallback(operation)
        function = self.code.bind(self._called(kernel, operation), "k")
        arguments = ", ".join([self.local_index, *(self.array(v) for v in operation.operands)])
        for v in operation.results:
            self.roots[v] = v
            self.arrays[v] = self.code.fresh("a")
        self.lines.append(f"{''.join(self.arrays[v] + ', ' for v in operation.results)}= {function}({arguments})")
        if kernel.is_fresh:
            self.owned.update(operation.results)
        else:  # a result may be a view of an operand
            roots = {self.roots[v] for v in operation.operands}
            self.owned -= roots
            self.donated -= roots

    def _called(self, kernel: Kernel, operation: Operation) -> Callable[..., tuple[Any, ...]]:
        """A table's kernel as a function of local indices and columns that gives a tuple of settled results."""
        guard, settled, run = self.compiler.table.guard, self.generator.settled, kernel.function
        takes, is_tuple = kernel.takes_device, kernel.is_tuple
        kind = "callback" if operation.record.category == "host" else "operation"
        name, location = operation.name, operation.location

        def one(local_index: int, *arrays: Any) -> tuple[Any, ...]:
            to = recording.recorder
            return run_one(local_index, *arrays) if to is None else recording.timed(
                to, kind, name, location, run_one, local_index, *arrays)

        def run_one(local_index: int, *arrays: Any) -> tuple[Any, ...]:
            # Regions of control flow guard their own operations.
            result = run(local_index, *arrays) if takes else guard(run, *arrays)
            return tuple(map(settled, result)) if is_tuple else (settled(result),)

        if self.count == 1:
            return one

        def several(local_indices: Sequence[int], *columns: Sequence[Any]) -> tuple[Any, ...]:
            rows = [one(local_index, *[column[i] for column in columns]) for i, local_index in enumerate(local_indices)]
            return tuple(map(list, zip(*rows, strict=True)))

        return several

    def _is_more_than_one_call(self) -> None:
        if self._recorder is not None:
            self._recorder.give_up()

    def _let_go(self, i: int) -> None:
        """Deletes the names of values whose last use was this step."""
        dead = {v for v in self.roots if self.last.get(self.roots[v], -1) <= i}
        names: dict[str, None] = {}
        for held in (self.allocations, self.arrays):
            for v in [v for v in held if v in dead]:
                name = held.pop(v)
                if name[0] != "c":
                    names[name] = None
        if names:
            self.lines.append(f"del {', '.join(names)}")

    def _assign(self, name: str, expression: str, source: str) -> None:
        """``name = expression of source``, device by device."""
        self.lines.append(f"{name} = {expression.format(source)}" if self.count == 1 else
                          f"{name} = [{expression.format('e')} for e in {source}]")


def _told(operation: Operation, run: Callable[[Sequence[Any]], list[Any]]) -> Callable[[Sequence[Any]], list[Any]]:
    """A collective that a profile hears of."""
    name, location, size = operation.name, operation.location, operation.operands[0].type.nbytes

    def told(members: Sequence[Any]) -> list[Any]:
        to = recording.recorder
        return run(members) if to is None else recording.timed(
            to, "collective", name, location, run, members, bytes=size)

    return told


def _last_steps(plan: Plan) -> dict[Value, int]:
    """For each value that owns memory the last step that needs it, or a later number where it leaves."""
    root = {v: v for v in plan.inputs}
    last: dict[Value, int] = dict.fromkeys(plan.inputs, -1)
    for i, step in enumerate(plan.steps):
        for v in _read(step):
            last[root[v]] = i
        for v in _made(step):
            root[v] = root[step.source] if isinstance(step, ViewStep) else v
            last[root[v]] = i
    for v in plan.outputs:
        last[root[v]] = len(plan.steps)
    return last


def _view_of(array: Any, type: Any) -> Any:
    """An array's bytes under another type."""
    return (array if array.dtype == type.dtype else array.reshape(-1).view(type.dtype)).reshape(type.shape)


def _read(step: Step) -> Iterable[Value]:
    if isinstance(step, OperationStep):
        return step.operation.operands
    return (step.source,) if isinstance(step, ViewStep) else step.inputs


def _made(step: Step) -> Iterable[Value]:
    if isinstance(step, OperationStep):
        return step.operation.results
    return (step.result,) if isinstance(step, ViewStep) else step.outputs
