# SPDX-License-Identifier: Apache-2.0
"""The writer of StableHLO: lines, names of values, and helpers for emission functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.program import ArrayType, Operation, Program, Value

from .literals import dense, integers, results_text, type_text, types_text
from .policy import TypePolicy


@dataclass(frozen=True, slots=True)
class Name:
    """A value of the text.

    Args:
        text: Its name, with the percent sign.
        type: Its shape and element type.
    """

    text: str
    type: ArrayType

    @property
    def dtype(self) -> np.dtype:
        """Its element type."""
        return self.type.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""
        return self.type.shape


Emission = Callable[["Writer", Operation, Sequence[Name]], Sequence[Name]]
Body = Callable[["Writer", Sequence[Name]], Sequence[Name]]


@dataclass(slots=True)
class Module:
    """The state that all functions of a module share.

    Args:
        policy: The policy.
        replicas: The replica id of each device that runs the module, by its position in the program.
        emissions: The emission function of every operation.
        locations: What locations of operations begin with, such as ``"jit(f)"``; empty where none are written.

    Attributes:
        functions: The texts of functions that others call.
        called: The names of those that are programs.
        composites: The names of those that compute functions which StableHLO lacks.
    """

    policy: TypePolicy
    replicas: Mapping[int, int]
    emissions: Mapping[str, Emission]
    locations: str = ""
    functions: list[str] = field(default_factory=list)
    called: dict[Program, str] = field(default_factory=dict)
    composites: dict[tuple[str, ArrayType], str] = field(default_factory=dict)


class Writer:
    """Writes the operations of one function or region.

    Args:
        module: The module's state.
        counter: Numbers the values of a function.
        indent: The indentation of lines.
    """

    def __init__(self, module: Module, counter: Iterator[int] | None = None, indent: str = "    ") -> None:
        self.module = module
        self.counter = itertools.count() if counter is None else counter
        self.indent = indent
        self.lines: list[str] = []
        self.location = ""  # what ends the lines of the operation that is being written
        self._constants: dict[tuple[ArrayType, str], Name] = {}

    # Whole programs

    def inline(self, program: Program, inputs: Sequence[Name]) -> list[Name]:
        """Writes a program's operations; returns the names of its outputs."""
        names: dict[Value, Name] = dict(zip(program.inputs, inputs, strict=True))
        emissions, policy = self.module.emissions, self.module.policy
        for operation in program.operations:
            for value in operation.results:
                policy.check(value.type.dtype, operation.location or f"a result of {operation.name}")
            emission = emissions.get(operation.name)
            if emission is None:
                raise NotSupportedError(f"operation {operation.name}", f"{policy.name} cannot be given it",
                                        "Run this part on platform cpu; exported.serialize() holds it for olympus.")
            around = self.location
            if self.module.locations:
                self.location = located(self.module.locations, operation)
            results = emission(self, operation, [names[v] for v in operation.operands])
            self.location = around
            names.update(zip(operation.results, results, strict=True))
        return [names[v] for v in program.outputs]

    def region(self, types: Sequence[ArrayType], body: Body, end: str = "stablehlo.return") -> str:
        """The text of a region with a block of these argument types."""
        inner = Writer(self.module, self.counter, self.indent + "  ")
        inner.location = self.location
        arguments = [Name(f"%a{next(self.counter)}", t) for t in types]
        results = body(inner, arguments)
        inner.finish(results, end)
        head = ""
        if arguments:
            inside = ", ".join(f"{a.text}: {type_text(a.type)}" for a in arguments)
            head = f"{self.indent}^bb0({inside}):\n"
        return "{\n" + head + "\n".join(inner.lines) + f"\n{self.indent}}}"

    def define(self, name: str, types: Sequence[ArrayType], outputs: Sequence[ArrayType], body: Body) -> None:
        """Writes a function that others of the module call."""
        inner = Writer(self.module)
        arguments = [Name(f"%arg{i}", t) for i, t in enumerate(types)]
        inner.finish(body(inner, arguments), "func.return")
        inputs = ", ".join(f"{a.text}: {type_text(a.type)}" for a in arguments)
        lines, results = "\n".join(inner.lines), results_text(outputs) if outputs else "()"
        self.module.functions.append(f"  func.func private @{name}({inputs}) -> {results} {{\n{lines}\n  }}")

    def finish(self, results: Sequence[Name], end: str) -> None:
        """Writes the last operation of a block."""
        self.lines.append(f'{self.indent}"{end}"({_names(results)}) : {types_text([r.type for r in results])} -> ()')

    # One operation

    def write(
        self, name: str, operands: Sequence[Name], types: Sequence[ArrayType], attributes: str = "",
        regions: Sequence[str] = (),
    ) -> list[Name]:
        """Writes one operation in the generic form, which is the same in every version; its results."""
        number = f"%{next(self.counter)}"
        results = [number] if len(types) == 1 else [f"{number}#{i}" for i in range(len(types))]
        made = "" if not types else f"{number} = " if len(types) == 1 else f"{number}:{len(types)} = "
        dialect = "" if "." in name else "stablehlo."
        inside = f" ({', '.join(regions)})" if regions else ""
        extra = f" {{{attributes}}}" if attributes else ""
        self.lines.append(
            f'{self.indent}{made}"{dialect}{name}"({_names(operands)}){inside}{extra} : '
            f"{types_text([v.type for v in operands])} -> {results_text(types)}{self.location}"
        )
        return [Name(result, t) for result, t in zip(results, types, strict=True)]

    def op(
        self, name: str, operands: Sequence[Name], type: ArrayType, attributes: str = "", regions: Sequence[str] = ()
    ) -> Name:
        """Writes an operation of one result."""
        return self.write(name, operands, [type], attributes, regions)[0]

    def same(self, name: str, *operands: Name) -> Name:
        """Writes an operation whose result is of the operands' type."""
        return self.op(name, operands, operands[0].type)

    def compare(self, direction: str, x: Name, y: Name) -> Name:
        """A comparison: ``EQ NE LT LE GT GE``."""
        # The type follows from the operands, but without it some compilers compare constants as unsigned integers.
        kind = {"i": "SIGNED", "u": "UNSIGNED", "b": "UNSIGNED"}.get(x.dtype.kind, "FLOAT")
        return self.op("compare", [x, y], x.type.with_dtype(dtypes.bool_),
                       f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                       f"compare_type = #stablehlo<comparison_type {kind}>")

    def select(self, predicate: Name, on_true: Name, on_false: Name) -> Name:
        """One of two values at each index."""
        return self.op("select", [predicate, on_true, on_false], on_true.type)

    def convert(self, x: Name, dtype: np.dtype) -> Name:
        """The plain conversion, without the rules of the operation `convert`."""
        return x if x.dtype == dtype else self.op("convert", [x], x.type.with_dtype(dtype))

    def bitcast(self, x: Name, dtype: np.dtype) -> Name:
        """The same bits."""
        return x if x.dtype == dtype else self.op("bitcast_convert", [x], x.type.with_dtype(dtype))

    def splat(self, number: Any, type: ArrayType) -> Name:
        """A constant of equal elements."""
        return self.constant(np.broadcast_to(np.asarray(number).astype(type.dtype), type.shape))

    def like(self, number: Any, x: Name) -> Name:
        """A constant of a value's type, of equal elements."""
        return self.constant(np.broadcast_to(np.asarray(number).astype(x.dtype), x.shape))

    def scalar(self, number: Any, dtype: np.dtype) -> Name:
        """A constant without dimensions."""
        return self.constant(np.asarray(number).astype(dtype))

    def constant(self, value: np.ndarray) -> Name:
        """A constant; written once in each region."""
        type_ = ArrayType(value.shape, value.dtype)
        text = dense(value)
        found = self._constants.get((type_, text))
        if found is None:
            found = self.op("constant", [], type_, f"value = {text} : {type_text(type_)}")
            self._constants[type_, text] = found
        return found

    def broadcast(self, x: Name, shape: Sequence[int], dimensions: Sequence[int] = ()) -> Name:
        """A value repeated along the dimensions that it lacks."""
        if x.shape == tuple(shape):
            return x
        return self.op("broadcast_in_dim", [x], x.type.with_shape(shape),
                       f"broadcast_dimensions = {integers(dimensions)}")

    def reshape(self, x: Name, shape: Sequence[int]) -> Name:
        """The same elements in another shape."""
        return x if x.shape == tuple(shape) else self.op("reshape", [x], x.type.with_shape(shape))

    def slice(
        self, x: Name, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None
    ) -> Name:
        """The elements between these indices."""
        steps = [1] * len(starts) if strides is None else strides
        shape = [max(0, -(-(end - start) // step)) for start, end, step in zip(starts, limits, steps, strict=True)]
        return self.op("slice", [x], x.type.with_shape(shape),
                       f"start_indices = {integers(starts)}, limit_indices = {integers(limits)}, "
                       f"strides = {integers(steps)}")

    def iota(self, shape: Sequence[int], dtype: np.dtype, dimension: int) -> Name:
        """The index along a dimension."""
        return self.op("iota", [], ArrayType(shape, dtype), f"iota_dimension = {dimension} : i64")

    def combine(self, function: str, x: Name, y: Name) -> Name:
        """An operation of two operands; a maximum or minimum propagates NaN, also where the compiler does not."""
        result = self.same(function, x, y)
        if function not in ("maximum", "minimum") or self.module.policy.keeps_nan or not dtypes.is_float(x.dtype):
            return result
        return self.select(self.compare("NE", y, y), y, result)

    def reduce(self, x: Name, start: Name, dimensions: Sequence[int], function: str) -> Name:
        """A reduction by one operation."""
        if not dimensions:
            return x
        shape = [n for d, n in enumerate(x.shape) if d not in dimensions]
        return self.op("reduce", [x, start], x.type.with_shape(shape), f"dimensions = {integers(dimensions)}",
                       [self.folding(function, x.dtype)])

    def folding(self, function: str, dtype: np.dtype) -> str:
        """The region that combines two scalars by one operation."""
        return self.region([ArrayType((), dtype)] * 2, lambda inner, pair: [inner.combine(function, *pair)])

    def wide(self, x: Name) -> Name:
        """The value in the element type in which the operation set computes: float32 for narrower floats."""
        return self.convert(x, wide_dtype(x.dtype))


def located(root: str, operation: Operation) -> str:
    """An operation's location: the path of its scopes to its name, and the user's line where it is known.

    Source: MLIR's `LocationAttr` (https://mlir.llvm.org/docs/Dialects/Builtin/#location-attributes).
    """
    place, _, scope = (operation.location or "").removesuffix(")").partition(" (")
    name = "/".join(filter(None, (root, scope, operation.name)))
    file, _, line = place.rpartition(":")
    at = f"({_quoted(file)}:{line}:0)" if line.isdecimal() else ""
    return f" loc({_quoted(name)}{at})"


def _quoted(text: str) -> str:
    """A text in MLIR's quotes."""
    kept = "".join(c if c.isprintable() and c not in '"\\' else f"\\{ord(c):02X}" for c in text if ord(c) >= 32)
    return f'"{kept}"'


def wide_dtype(dtype: np.dtype) -> np.dtype:
    """Float32 for all narrower floats."""
    return dtypes.float32 if is_narrow(dtype) else dtype


def is_narrow(dtype: np.dtype) -> bool:
    """Whether it is a float narrower than float32."""
    return dtypes.is_float(dtype) and dtype.itemsize < 4


def _names(values: Sequence[Name]) -> str:
    return ", ".join(v.text for v in values)
