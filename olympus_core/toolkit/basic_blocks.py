# SPDX-License-Identifier: Apache-2.0
"""Basic blocks (straight-line code) as generated Python functions: no dictionary and no loop at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.codewriter import CodeWriter, indented
from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Operation, Value

from .arrays import ArrayBuffer
from .flatten import CONTROL, Flat, flatten
from .local import LOCAL_COLLECTIVES
from .optable import Kernel, OperationTable

# Bytes up to which the results of operations on constants are kept; larger ones are computed at every run.
_KEPT_BYTES = 1 << 20

Positions = Sequence[int]
WrapBuffer = Callable[[Any, Device], Any]


class BasicBlockCompiler:
    """Turns basic blocks into functions ``f(local_index, *arrays) -> tuple``.

    `local_index` is the local device's index: a block is the same for all devices but for `axis_index`.

    Args:
        table: The platform's operations.
        positions: For each local device its position among the program's devices.
        wrap: Makes a buffer of an array and its device. Buffers give the array back as `array`.
    """

    wants_guard = True  # whether generated functions call the table's functions without their guard
    code_bytes = 0  # memory that generated code takes
    scratch_bytes = 0  # memory that an execution takes besides its results, at least

    def __init__(self, table: OperationTable, positions: Positions, wrap: WrapBuffer = ArrayBuffer) -> None:
        self.table, self.positions, self.wrap = table, positions, wrap

    # An element is what is passed between the stages of a program that communicates: here one of the table's arrays.

    def entering(self, buffer: Any) -> Any:
        """The element of an input buffer."""
        return buffer.array

    def leaving(self, element: Any, device: Device) -> Any:
        """The output buffer of an element."""
        return self.wrap(self.table.settle(element), device)

    def to_host(self, element: Any) -> np.ndarray:
        """The content of an element, in host memory."""
        return self.table.to_host(element)

    def from_host(self, array: np.ndarray) -> Any:
        """An element with the content of a new array."""
        return self.table.from_host(array)

    def part(self, element: Any, index: int) -> Any:
        """The part of an element at an index of its first dimension."""
        return element[index, ...]

    def stack(self, type: ArrayType) -> Any:
        """What is filled with elements along its first dimension, and given as one element."""
        return ArrayStack(type, self.to_host, self.from_host)

    def function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str
    ) -> Callable[..., tuple[Any, ...]]:
        """The function of a block; intermediate arrays are dropped after their last use."""
        writer = _Writer(self, inputs, name)
        lines = writer.body(operations, outputs, held=inputs)
        lines.append(f"return ({', '.join(writer.names[id(v)] for v in outputs)}{',' if outputs else ''})")
        return writer.code.define(["local_index", *(writer.names[id(v)] for v in inputs)], lines)

    def columns_function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str,
        count: int,
    ) -> Callable[..., tuple[Any, ...]]:
        """The function of a block for several devices together: local indices and columns in, columns out."""
        guard, function = self.table.guard, self.function(operations, inputs, outputs, name)

        def in_turn(local_indices: Sequence[int], *columns: Sequence[Any]) -> tuple[Any, ...]:
            rows = [
                guard(function, local_index, *[column[i] for column in columns])
                for i, local_index in enumerate(local_indices)
            ]
            return tuple([row[n] for row in rows] for n in range(len(outputs)))

        in_turn.lines = function.lines  # type: ignore[attr-defined]  # as generated functions have them
        return in_turn

    def execute_function(self, flat: Flat, devices: Sequence[Device], name: str, donated: Sequence[int] = ()) -> Any:
        """The whole program as a function ``execute(inputs) -> outputs`` of buffers, all devices in turn.

        `donated` names inputs whose memory may be reused; here none is.
        """
        writer = _Writer(self, flat.inputs, name)
        names = [writer.names[id(v)] for v in flat.inputs]
        body = writer.body(flat.operations, flat.outputs, held=flat.inputs)
        writer.code.namespace.update(wrap=self.wrap, settle=self.table.settle, local_indices=tuple(enumerate(devices)))
        results = [self._finished(writer, v) for v in flat.outputs]
        columns = [f"i{i}" for i in range(len(names))]
        lines = [f"{''.join(c + ', ' for c in columns)}= inputs"] if columns else []
        if len(devices) == 1:
            writer.code.namespace["device"] = devices[0]
            lines += ["local_index = 0", *(f"{n} = {c}[0].array" for n, c in zip(names, columns, strict=True)), *body]
            return writer.code.define(["inputs"], [*lines, f"return [{', '.join(f'[{r}]' for r in results)}]"])
        targets, iterables = ["(local_index, device)", *names], ["local_indices", *columns]
        loop = f"for ({', '.join(targets)},) in zip({', '.join(iterables)}):"
        outputs = [f"o{i}" for i in range(len(results))]
        # All arrays are read first: another thread may delete the buffers while the function runs.
        lines += [f"{c} = [b.array for b in {c}]" for c in columns]
        lines += [f"{o} = []" for o in outputs]
        appended = [f"{o}.append({r})" for o, r in zip(outputs, results, strict=True)]
        lines += [loop, *indented([*body, *appended] or ["pass"])]
        return writer.code.define(["inputs"], [*lines, f"return [{', '.join(outputs)}]"])

    @staticmethod
    def _finished(writer: _Writer, value: Value) -> str:
        name = writer.names[id(value)]
        return f"wrap({name}, device)" if id(value) in writer.fresh else f"wrap(settle({name}), device)"

    def seconds(self) -> float | None:
        """An estimate of the time that what was compiled takes; None where the operations' own estimates have to do."""
        return None

    def described(self, source: str) -> str:
        """The text of a compiled program: its functions, and what they call."""
        return source

    def runs_together(self, operation: Operation) -> bool:
        """Whether an operation that needs other devices can stand in a generated function."""
        return False

    def runs_by_reference(self, operation: Operation) -> bool:
        """Whether the platform leaves an operation to the host, where it runs by its reference between two blocks."""
        return False

    def local_collective(self, operation: Operation, local_indices: Positions) -> Callable[[Sequence[Any]], list[Any]]:
        """A collective among devices of this process, by their local indices: their arrays in, their arrays out."""
        attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        run = LOCAL_COLLECTIVES[operation.name]
        return lambda members: [self.from_host(x) for x in run([self.to_host(m) for m in members], attributes)]

    def kernel(self, operation: Operation) -> Kernel:
        """The kernel of an operation that needs no other device."""
        if operation.name == "axis_index":
            return Kernel(self._axis_index(operation).__getitem__, takes_device=True)
        if operation.name in CONTROL:
            return control_kernel(operation, self)
        return self.table.kernel(operation)

    def region(self, region: Any, name: str) -> Callable[..., tuple[Any, ...]]:
        """The function of a region that communicates with nobody."""
        flat = flatten(region)
        return self.function(flat.operations, flat.inputs, flat.outputs, name)

    def _axis_index(self, operation: Operation) -> list[Any]:
        member = {p: i for group in operation.attributes["group"].groups for i, p in enumerate(group)}
        dtype = operation.results[0].type.dtype
        return [read_only(self.table.from_host(np.array(member[p], dtype))) for p in self.positions]


class _Writer:
    """Names, lines and bound objects of one generated function."""

    def __init__(self, compiler: BasicBlockCompiler, inputs: Sequence[Value], name: str) -> None:
        self.compiler = compiler
        self.names = {id(v): f"x{i}" for i, v in enumerate(dict.fromkeys(inputs))}
        self.code = CodeWriter(name)
        self.fresh: set[int] = {id(v) for v in inputs}  # whole buffers already: nothing to settle

    def body(self, operations: Sequence[Operation], outputs: Sequence[Value], held: Sequence[Value]) -> list[str]:
        last: dict[int, int] = {}
        for i, operation in enumerate(operations):
            last.update((id(v), i) for v in operation.operands)
            last.update((id(v), i) for v in operation.results if id(v) not in last)
        kept = {id(v) for v in (*outputs, *held)}
        lines: list[str] = []
        for i, operation in enumerate(operations):
            lines += self._step(i, operation)
            touched = dict.fromkeys(id(v) for v in (*operation.operands, *operation.results))
            dead = [self.names[v] for v in touched if last[v] == i and v not in kept and self.names[v][0] != "c"]
            if dead and i + 1 < len(operations):
                lines.append(f"del {', '.join(dead)}")
        return lines

    def _step(self, i: int, operation: Operation) -> list[str]:
        kernel = self.compiler.kernel(operation)
        results = operation.results
        if is_kept(operation, [self.names[id(v)] for v in operation.operands]):
            operands = [self.code.namespace[self.names[id(v)]] for v in operation.operands]
            values = self.compiler.table.guard(kernel.function, *operands)
            for n, (v, array) in enumerate(zip(results, values if kernel.is_tuple else (values,), strict=True)):
                self.names[id(v)] = f"c{i}_{n}"
                self.code.namespace[f"c{i}_{n}"] = read_only(array)
            return []
        for n, v in enumerate(results):
            self.names[id(v)] = f"v{i}_{n}" if len(results) > 1 else f"v{i}"
            if kernel.is_fresh:
                self.fresh.add(id(v))
        self.code.namespace[f"k{i}"] = kernel.function
        operands = [self.names[id(v)] for v in operation.operands]
        arguments = ["local_index", *operands] if kernel.takes_device else operands
        targets = "".join(f"{self.names[id(v)]}, " for v in results) if kernel.is_tuple else self.names[id(results[0])]
        return [f"{targets.rstrip(' ')} = k{i}({', '.join(arguments)})" if results else f"k{i}({', '.join(arguments)})"]


def control_kernel(operation: Operation, compiler: BasicBlockCompiler) -> Kernel:
    """The kernel of `cond`, `while` or `scan` whose regions communicate with nobody: each device by itself."""
    functions = [compiler.region(region, operation.name) for region in operation.regions]
    make = {"cond": _cond, "while": _while, "scan": _scan}[operation.name]
    return Kernel(make(operation, functions, compiler.table), is_tuple=True, takes_device=True)


def _cond(operation: Operation, branches: list[Any], table: OperationTable) -> Callable[..., tuple[Any, ...]]:
    to_host, last = table.to_host, len(branches) - 1

    def kernel(local_index: int, index: Any, *arguments: Any) -> tuple[Any, ...]:
        return branches[min(max(int(to_host(index)), 0), last)](local_index, *arguments)

    return kernel


def _while(operation: Operation, functions: list[Any], table: OperationTable) -> Callable[..., tuple[Any, ...]]:
    to_host, (condition, body), count = table.to_host, functions, operation.attributes["constants"]

    def kernel(local_index: int, *arguments: Any) -> tuple[Any, ...]:
        constants, carry = arguments[:count], arguments[count:]
        while to_host(condition(local_index, *constants, *carry)[0]):
            carry = body(local_index, *constants, *carry)
        return carry

    return kernel


def _scan(operation: Operation, functions: list[Any], table: OperationTable) -> Callable[..., tuple[Any, ...]]:
    (body,) = functions
    shape = ScanShape(operation)
    new_stack = table.stack or (lambda type_: ArrayStack(type_, table.to_host, table.from_host))

    def kernel(local_index: int, *arguments: Any) -> tuple[Any, ...]:
        constants, carry, sequences = shape.split(arguments)
        stacks = [new_stack(type_) for type_ in shape.stack_types]
        for i in shape.steps:
            results = body(local_index, *constants, *carry, *(x[i, ...] for x in sequences))
            carry = results[: shape.carry]
            for stack, slice_ in zip(stacks, results[shape.carry :], strict=True):
                stack.put(i, slice_)
        return (*carry, *(stack.array() for stack in stacks))

    return kernel


class ArrayStack:
    """An array that is filled along its first dimension, in the host's memory.

    Args:
        type: Of the whole.
        read: Gives a part's content.
        make: Makes the whole what parts are.
    """

    def __init__(self, type: ArrayType, read: Callable[[Any], np.ndarray], make: Callable[[np.ndarray], Any]) -> None:
        self._array, self._read, self._make = np.empty(type.shape, type.dtype), read, make

    def put(self, i: int, part: Any) -> None:
        """Copies a part to its position."""
        self._array[i, ...] = self._read(part)

    def array(self) -> Any:
        """The whole; nothing is put into it afterwards."""
        return self._make(self._array)


class ScanShape:
    """How a scan's operands and results are divided into constants, carry and sequences."""

    def __init__(self, operation: Operation) -> None:
        attributes = operation.attributes
        self.constants, self.carry, self.length = (attributes[k] for k in ("constants", "carry", "length"))
        self.stack_types = [v.type for v in operation.results[self.carry :]]
        self.steps = range(self.length - 1, -1, -1) if attributes["reverse"] else range(self.length)

    def split(self, arguments: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
        """Constants, carry and sequences among the operands."""
        end = self.constants + self.carry
        return arguments[: self.constants], arguments[self.constants : end], arguments[end:]


def is_kept(operation: Operation, operands: Sequence[str]) -> bool:
    """Whether the operation is computed once: it depends on constants (names with ``c``) only and is small."""
    if operation.regions or operation.record.has_effects or operation.name == "axis_index":
        return False
    if not all(name[0] == "c" for name in operands):
        return False
    return operation.name == "constant" or sum(v.type.nbytes for v in operation.results) <= _KEPT_BYTES


def read_only(array: Any) -> Any:
    """The array; nobody can write to it through NumPy."""
    if isinstance(array, np.ndarray) and array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array
