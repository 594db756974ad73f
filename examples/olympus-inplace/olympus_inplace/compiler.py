"""A compiler: one Python function for each program, whose operations write into memory that was planned before.

The function is written out for every device: value 3 on device 1 is `v3_1`. An operation that NumPy can do in place
gets its memory from a list of blocks, and gives it back after its last use; results get memory of their own, or that of
a donated input that nobody needs any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.ops import OPERATIONS
from olympus_core.plugin import Buffer, Device
from olympus_core.program import ArrayType, DeviceProgram, Operation, Value
from olympus_core.toolkit import LOCAL_COLLECTIVES, own_arrays, quietly

_REAL = {dtypes.float32, dtypes.float64}
_INTEGERS = set(dtypes.INTEGERS)
_BOOL = {dtypes.bool_}

# Operation: the function that takes `out`, and the element types for which both mean the same.
_UFUNCS: dict[str, tuple[np.ufunc, set[np.dtype]]] = {
    "neg": (np.negative, _REAL | _INTEGERS), "abs": (np.absolute, _REAL), "floor": (np.floor, _REAL),
    "ceil": (np.ceil, _REAL), "exp": (np.exp, _REAL), "log": (np.log, _REAL), "sqrt": (np.sqrt, _REAL),
    "sin": (np.sin, _REAL), "cos": (np.cos, _REAL), "tanh": (np.tanh, _REAL), "is_finite": (np.isfinite, _REAL),
    "not": (np.invert, _INTEGERS | _BOOL), "add": (np.add, _REAL | _INTEGERS), "sub": (np.subtract, _REAL | _INTEGERS),
    "mul": (np.multiply, _REAL | _INTEGERS), "div": (np.divide, _REAL), "pow": (np.power, _REAL),
    "max": (np.maximum, _REAL | _INTEGERS | _BOOL), "min": (np.minimum, _REAL | _INTEGERS | _BOOL),
    "and": (np.bitwise_and, _INTEGERS | _BOOL), "or": (np.bitwise_or, _INTEGERS | _BOOL),
    "xor": (np.bitwise_xor, _INTEGERS | _BOOL), "eq": (np.equal, _REAL | _INTEGERS | _BOOL),
    "ne": (np.not_equal, _REAL | _INTEGERS | _BOOL), "lt": (np.less, _REAL | _INTEGERS),
    "le": (np.less_equal, _REAL | _INTEGERS), "gt": (np.greater, _REAL | _INTEGERS),
    "ge": (np.greater_equal, _REAL | _INTEGERS),
}
_REDUCTIONS = {"reduce_sum": np.add, "reduce_max": np.maximum, "reduce_min": np.minimum}
_VIEWS: dict[str, Callable[[np.ndarray, Operation], np.ndarray]] = {
    "reshape": lambda x, o: x.reshape(o.results[0].type.shape),
    "transpose": lambda x, o: x.transpose(tuple(o.attributes["permutation"])),
    "slice": lambda x, o: x[(*map(slice, o.attributes["starts"], o.attributes["limits"],
                                  o.attributes["strides"] or [1] * x.ndim), ...)],
    "reverse": lambda x, o: np.flip(x, tuple(o.attributes["dimensions"])),
    "broadcast_in_dim": lambda x, o: np.broadcast_to(
        np.expand_dims(x, tuple(set(range(o.results[0].type.ndim)) - set(o.attributes["dimensions"]))),
        o.results[0].type.shape),
}


def can_compile(program: DeviceProgram) -> bool:
    """Whether all is here: straight lines, no calls into the user's Python, no other process."""
    return not program.spans_processes and all(
        o.name in OPERATIONS and o.record.category not in ("control", "host") for o in program.program.operations)


class CompiledProgram:
    """The executable of a program.

    Args:
        program: The program.
        wrap: Makes a buffer of an array that nobody else has, and its device.
    """

    def __init__(self, program: DeviceProgram, wrap: Callable[[np.ndarray, Device], Any]) -> None:
        self._program, self._wrap = program, wrap
        writer = _Writer(program)
        self._source, self._blocks, self._taken = writer.source(), writer.blocks, writer.taken
        environment = writer.environment
        exec(compile(self._source, f"<{program.program.name}>", "exec"), environment)  # noqa: S102
        self._function = environment["function"]
        self._spare: list[list[np.ndarray]] = []  # sets of blocks that no execution uses now: one for each thread

    def execute(self, inputs: Sequence[Sequence[Buffer]]) -> list[list[Any]]:
        """Runs the function in blocks of its own."""
        columns = own_arrays(inputs, self._taken)
        try:
            blocks = self._spare.pop()
        except IndexError:
            blocks = [np.empty(t.shape, t.dtype) for t in self._blocks]
        results = quietly(self._function, columns, blocks)
        self._spare.append(blocks)
        return [[self._wrap(x, d) for x, d in zip(column, self._program.local_devices, strict=True)]
                for column in results]

    def text(self) -> str:
        """The function's source."""
        return self._source

    def cost(self) -> dict[str, float]:
        """The memory that is planned, and what goes in and out."""
        inner = self._program.program
        return {"bytes": float(sum(t.nbytes for t in (*inner.input_types, *inner.output_types))),
                "peak_memory_bytes": float(sum(t.nbytes for t in self._blocks))}


class _Writer:
    """Writes the function, and plans its memory."""

    def __init__(self, program: DeviceProgram) -> None:
        self.program, self.inner = program, program.program
        self.count = len(program.local_devices)
        self.environment: dict[str, Any] = {"empty": np.empty, "array": np.array}
        self.blocks: list[ArrayType] = []
        self._lines: list[str] = []
        self._names: dict[int, list[str]] = {}  # of a value on each device
        self._base: dict[int, Value] = {}  # whose memory a value looks at
        self._seen_by_others: set[int] = set()  # values whose memory other devices may look at
        self._held: dict[int, list[int]] = {}  # the blocks that hold a value
        self._free: dict[ArrayType, list[int]] = {}
        self._last = self._last_uses()
        self._outputs = {id(v) for v in self.inner.outputs}
        self._direct: set[int] = set()  # values whose memory is a result's already
        self.taken: list[int] = []  # donated inputs that results are written over
        self._gifts = [i for i in program.donated if self.inner.inputs[i] not in self.inner.outputs]

    def source(self) -> str:
        """The whole function."""
        for i, value in enumerate(self.inner.inputs):
            names = self._names[id(value)] = [f"x{i}_{d}" for d in range(self.count)]
            self._lines += [f"{', '.join(names)}, = columns[{i}]"]
        for i, operation in enumerate(self.inner.operations):
            self._operation(i, operation)
            for value in {id(v): v for v in (*operation.operands, *operation.results)}.values():
                if self._last.get(id(self._root(value)), -1) <= i:
                    for block in self._held.pop(id(self._root(value)), ()):
                        self._free.setdefault(self.blocks[block], []).append(block)
        results, seen = [], set()
        for value in self.inner.outputs:
            is_own = id(value) in self._direct and id(value) not in seen
            seen.add(id(value))
            names = self._names[id(value)]
            results.append("[" + ", ".join(n if is_own else f"array({n}, order='C')" for n in names) + "]")
        body = [*self._lines, f"return [{', '.join(results)}]"]
        return "def function(columns, blocks):\n" + "".join(f"    {line}\n" for line in body)

    def _last_uses(self) -> dict[int, int]:
        """The last operation that needs a value's memory: also through views of it, and as what a collective gave."""
        last: dict[int, int] = {}
        for i, operation in enumerate(self.inner.operations):
            if operation.name in _VIEWS or operation.name in LOCAL_COLLECTIVES:
                self._base[id(operation.results[0])] = operation.operands[0]
            if operation.name in LOCAL_COLLECTIVES:
                self._seen_by_others.add(id(self._root(operation.operands[0])))
            for value in (*operation.operands, *operation.results):
                last[id(self._root(value))] = i
        for value in self.inner.outputs:
            last[id(self._root(value))] = len(self.inner.operations)
        return last

    def _root(self, value: Value) -> Value:
        while id(value) in self._base:
            value = self._base[id(value)]
        return value

    def _operation(self, i: int, operation: Operation) -> None:
        call = self._in_place(operation)
        if call is not None:
            function = self._bind(f"{operation.name}_{i}", call)
            result = operation.results[0]
            into = self._memory(i, operation)
            names = self._names[id(result)] = [f"v{i}_{d}" for d in range(self.count)]
            for d, (name, memory) in enumerate(zip(names, into, strict=True)):
                self._lines.append(f"{name} = {memory}; {function}({self._arguments(operation, d)}out={name})")
            return
        names_of = [[f"v{i}r{n}_{d}" for d in range(self.count)] for n in range(len(operation.results))]
        for value, names in zip(operation.results, names_of, strict=True):
            self._names[id(value)] = names
        if operation.name in LOCAL_COLLECTIVES:
            self._collective(i, operation)
            return
        for d in range(self.count):
            targets = "".join(f"{names[d]}, " for names in names_of)
            function = self._bind(f"{operation.name}_{i}_{d}", self._plain(operation, d))
            self._lines.append(f"{targets}= {function}({self._arguments(operation, d)})")

    def _in_place(self, operation: Operation) -> Callable[..., Any] | None:
        """A function of the operands and of where the result goes; None where NumPy has none."""
        name, result = operation.name, operation.results[0].type
        types = [v.type for v in operation.operands]
        if name in _UFUNCS and types[0].dtype in _UFUNCS[name][1]:
            return _UFUNCS[name][0]
        if name in _REDUCTIONS and types[0].dtype in _REAL | _INTEGERS and types[0].size:
            reduce, axes = _REDUCTIONS[name].reduce, tuple(operation.attributes["dimensions"])
            return lambda x, out: reduce(x, axes, result.dtype, out) if axes else np.copyto(out, x)
        if name == "concatenate":
            axis = operation.attributes["dimension"]
            return lambda *parts, out: np.concatenate(parts, axis, out)
        if name == "select" and types[0].shape == result.shape:
            return lambda chosen, yes, no, out: np.copyto(out, np.where(chosen, yes, no))
        if name == "dot_general" and types[0].dtype == types[1].dtype == result.dtype and result.dtype in _REAL:
            attributes = operation.attributes
            is_matrix = tuple(attributes["lhs_contracting"]) == (1,) and tuple(attributes["rhs_contracting"]) == (0,)
            return np.matmul if is_matrix and types[0].ndim == types[1].ndim == 2 else None
        return None

    def _memory(self, i: int, operation: Operation) -> list[str]:
        """Where the result goes on each device."""
        result = operation.results[0]
        if id(result) in self._outputs:
            self._direct.add(id(result))
            for gift in self._gifts:
                value = self.inner.inputs[gift]
                # The operation itself may still read it: NumPy minds overlapping memory, but on one device only.
                is_free = self._last.get(id(value), -1) < i + (id(value) not in self._seen_by_others)
                if value.type == result.type and is_free:
                    self._gifts.remove(gift)
                    self.taken.append(gift)
                    return [f"x{gift}_{d}" for d in range(self.count)]
            dtype = self._bind(f"t{i}", result.type.dtype)
            return [f"empty({result.type.shape}, {dtype})"] * self.count
        free, taken = self._free.setdefault(result.type, []), []
        for _ in range(self.count):
            if not free:
                free.append(len(self.blocks))
                self.blocks.append(result.type)
            taken.append(free.pop())
        self._held[id(result)] = taken
        return [f"blocks[{block}]" for block in taken]

    def _plain(self, operation: Operation, device: int) -> Callable[..., Sequence[Any]]:
        """A function that gives new arrays, or views."""
        if operation.name in _VIEWS:
            view = _VIEWS[operation.name]
            return lambda x: (view(x, operation),)
        if operation.name == "axis_index":
            here = self.program.local_positions[device]
            group = next(g for g in operation.attributes["group"].groups if here in g)
            index = np.array(group.index(here), operation.results[0].type.dtype)
            return lambda: (index,)
        reference, attributes = operation.record.reference, operation.attributes
        return lambda *operands: [np.asarray(r) for r in reference(operands, attributes)]  # type: ignore[misc]

    def _collective(self, i: int, operation: Operation) -> None:
        """A call for each group; arrays that members share are only read."""
        attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        run = LOCAL_COLLECTIVES[operation.name]
        function = self._bind(f"{operation.name}_{i}", lambda *members: run(members, attributes))
        operand, result = self._names[id(operation.operands[0])], self._names[id(operation.results[0])]
        for group in operation.attributes["group"].groups:
            self._lines.append(
                f"{''.join(result[p] + ', ' for p in group)}= {function}({', '.join(operand[p] for p in group)})")

    def _arguments(self, operation: Operation, device: int) -> str:
        return "".join(f"{self._names[id(v)][device]}, " for v in operation.operands)

    def _bind(self, name: str, value: Any) -> str:
        self.environment[name] = value
        return name
