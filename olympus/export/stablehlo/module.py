# SPDX-License-Identifier: Apache-2.0
"""Modules of StableHLO as functions: each operation of a portable artefact is done by a function of `olympus.lax`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olympus_core.errors import ArtefactError
from olympus_core.program import ArrayType

from ...tracing import aval_of
from .bytecode import Block, Bytecode, Instruction
from .vhlo import Constant, Entries, FunctionType

# What artefacts of one device say of shardings, which means nothing there. Those of several devices are refused before.
_MESH = "sdy.mesh"
_SHARDINGS = ("sdy.sharding_constraint", "sdy.propagation_barrier", "builtin.unrealized_conversion_cast")
_MOST_CALLS = 64  # one in another
_MOST_STEPS = 1 << 16  # operations that are traced, those of functions as often as they are called


@dataclass(slots=True, eq=False)
class Function:
    """A function of a module.

    Attributes:
        block: What it does.
        type: Its type.
    """

    block: Block
    type: FunctionType


@dataclass(slots=True, eq=False)
class Step:
    """An operation that is done.

    Attributes:
        name: Its name, without the dialect's and the version.
        operands: What it works on.
        properties: Its properties by name.
        types: Its results' types.
        regions: Its regions, as functions of what they are given that give a list.
        blocks: The regions' blocks, for those that are recognised rather than run.
        outside: The values that regions may use, by their numbers.
        module: The module.
        further: The other attributes by name.
    """

    name: str
    operands: list[Any]
    properties: Mapping[str, Any]
    types: list[Any]
    regions: list[Callable[..., list[Any]]]
    blocks: list[Block]
    outside: Mapping[int, Any]
    module: Module
    further: Mapping[str, Any]

    @property
    def type(self) -> ArrayType:
        """The one result's type."""
        if len(self.types) != 1 or not isinstance(self.types[0], ArrayType):
            raise ArtefactError(f"operation {self.name} has other results than it should")
        return self.types[0]

    def arrays(self, count: int | None = None) -> list[Any]:
        """The operands, of which there must be so many."""
        if count is not None and len(self.operands) != count:
            raise ArtefactError(f"operation {self.name} has {len(self.operands)} operands, and takes {count}")
        return self.operands

    def integer(self, name: str) -> int:
        """A property that is an integer."""
        found = self.properties.get(name)
        if type(found) is not int:
            raise ArtefactError(f"property {name} of operation {self.name} is no integer", repr(found)[:80])
        return found

    def integers(self, name: str) -> tuple[int, ...]:
        """A property that is a list of integers."""
        return tuple(int(n) for n in self.numbers(name).reshape(-1))

    def numbers(self, name: str) -> Any:
        """A property that is an array of integers; it is small, for its elements stand in the module or are few."""
        found = self.properties.get(name)
        if not isinstance(found, Constant) or found.type.size > 4096 or found.type.dtype.kind not in "biu":
            raise ArtefactError(f"property {name} of operation {self.name} is no list of integers", repr(found)[:80])
        return found.array()

    def flag(self, name: str) -> bool:
        """A property that is true or false."""
        found = self.properties.get(name)
        if not isinstance(found, bool):
            raise ArtefactError(f"property {name} of operation {self.name} is neither true nor false")
        return found

    def value(self, region: int, number: int, arguments: Sequence[Any]) -> Any:
        """A value on the way of a region, by its number."""
        return self.module.run_until(self.blocks[region], arguments, self.outside, number)

    def refused(self, why: str) -> ArtefactError:
        """The error for what is not translated."""
        return ArtefactError(f"operation {self.name} of its module is not read: {why}")


Translation = Callable[[Step], Any]


class Module:
    """A module of VHLO.

    Args:
        data: Its bytecode.
        table: The translation of each operation.

    Raises:
        ArtefactError: For bytes that are none, by all methods for what cannot be translated.
    """

    def __init__(self, data: bytes, table: Mapping[str, Translation]) -> None:
        self._table = table
        code = Bytecode(data)
        self.entries = Entries(code)
        self.functions: dict[str, Function] = {}
        self._calls, self._steps = 0, 0
        for outer in code.block.operations:
            if outer.name != "builtin.module" or len(outer.regions) != 1 or len(outer.regions[0]) != 1:
                raise ArtefactError("its module is none", outer.name)
            for operation in outer.regions[0][0].operations:
                self._add(operation)

    def _add(self, operation: Instruction) -> None:
        if operation.name == _MESH:
            return
        name = _short(operation.name)
        if name is None or operation.name.partition(".")[0] != "vhlo" or name[0] != "func":
            raise ArtefactError("its module has something else than functions", operation.name)
        found = self.entries.properties(f"{name[0]}_v{name[1]}", operation)[0]
        kind = found.get("function_type")
        if not isinstance(kind, FunctionType) or len(operation.regions) != 1 or len(operation.regions[0]) != 1:
            raise ArtefactError("a function of its module is none")
        self.functions[self.entries.text(found.get("sym_name"))] = Function(operation.regions[0][0], kind)

    def call(self, name: Any, arguments: Sequence[Any]) -> list[Any]:
        """Calls a function.

        Args:
            name: Its name.
            arguments: Arrays, traced ones too.
        """
        function = self.functions.get(name) if isinstance(name, str) else None
        if function is None:
            raise ArtefactError("its module calls a function that it lacks", repr(name)[:80])
        if self._calls >= _MOST_CALLS:
            raise ArtefactError("functions of its module call each other too deep")
        _check_types(arguments, function.type.inputs, "a function's arguments")
        self._calls += 1
        try:
            found = self._run(function.block, arguments, {})
        finally:
            self._calls -= 1
        _check_types(found, function.type.outputs, "a function's results")
        return found

    def run_until(self, block: Block, arguments: Sequence[Any], outside: Mapping[int, Any], number: int) -> Any:
        """The value with a number, of a block that is run until it is there."""
        return self._run(block, arguments, outside, number)[0]

    def _run(
        self, block: Block, arguments: Sequence[Any], outside: Mapping[int, Any], until: int | None = None
    ) -> list[Any]:
        if len(arguments) != len(block.arguments):
            raise ArtefactError("a block of its module takes another number of arguments")
        values = {**outside, **{block.first + i: x for i, x in enumerate(arguments)}}
        _check_types(arguments, [self.entries.type(t) for t in block.arguments], "a block's arguments")
        if until is not None and until in values:
            return [values[until]]
        for number, operation in enumerate(block.operations):
            name = _short(operation.name)
            try:
                operands = [values[n] for n in operation.operands]
            except KeyError as error:
                raise ArtefactError("its module uses a value that is not there") from error
            if operation.name in _SHARDINGS and len(operands) == len(operation.results) == 1:
                values[operation.first] = operands[0]
                continue
            if name is None or not operation.name.startswith("vhlo."):
                raise ArtefactError("its module has an operation of a dialect that is not read", operation.name)
            if name[0] == "return":
                if number != len(block.operations) - 1:
                    raise ArtefactError("a block of its module goes on after its end")
                return operands
            results = self._done(operation, name, operands, values)
            values.update({operation.first + i: x for i, x in enumerate(results)})
            if until is not None and until in values:
                return [values[until]]
        raise ArtefactError("a block of its module has no end")

    def _done(
        self, operation: Instruction, name: tuple[str, int], operands: list[Any], values: Mapping[int, Any]
    ) -> list[Any]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise ArtefactError("its module has too many operations")
        translate = self._table.get(name[0])
        if translate is None:
            raise ArtefactError(f"operation {name[0]} of its module is not read")
        blocks = [region[0] for region in operation.regions if len(region) == 1]
        if len(blocks) != len(operation.regions):
            raise ArtefactError("a region of its module has not one block")
        types = [self.entries.type(t) for t in operation.results]
        properties, further = self.entries.properties(f"{name[0]}_v{name[1]}", operation)
        step = Step(name[0], operands, properties, types, [self._region(block, values) for block in blocks], blocks,
                    values, self, further)
        found = translate(step)
        results = list(found) if isinstance(found, (list, tuple)) else [found]
        _check_types(results, types, f"the results of operation {name[0]}")
        return results

    def _region(self, block: Block, values: Mapping[int, Any]) -> Callable[..., list[Any]]:
        return lambda *arguments: self._run(block, arguments, values)


def _short(name: str) -> tuple[str, int] | None:
    """An operation's name without the dialect's, and its version."""
    short, mark, version = name.partition(".")[2].rpartition("_v")
    return (short, int(version)) if mark and version.isdecimal() and len(version) < 4 else None


def _check_types(values: Sequence[Any], types: Sequence[Any], what: str) -> None:
    if len(values) != len(types) or any(
            (x is None) != (t is None) or t is not None and (not isinstance(t, ArrayType) or aval_of(x).type != t)
            for x, t in zip(values, types, strict=True)):
        given = ", ".join("token" if x is None else str(aval_of(x).type) for x in values)
        raise ArtefactError(f"{what} in its module have other types than they should",
                            f"{given}; {', '.join(map(str, types))}"[:200])


__all__ = ["Function", "Module", "Step", "Translation"]
