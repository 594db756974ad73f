# SPDX-License-Identifier: Apache-2.0
"""Keys of random numbers that are used twice: found in programs before they run, while `olympus_debug_key_reuse` is on.

What uses a key is an annotated call in the programs that are traced then. Each key of an array of keys is a tracked key
that remembers its first use. Programs are gone through with the tracked keys of their inputs: what moves keys moves
these, too; where it is not known which key of an array is meant, it may be any of them. Bodies of loops are gone
through as often as keys need to come back to where they were.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.config import config
from olympus_core.dtypes import is_key
from olympus_core.errors import KeyReuseError
from olympus_core.location import user_location
from olympus_core.program import Operation, Program, Value

from ..array import Array, is_concrete
from ..tracing import aval_of
from ..trees import inside as tree
from .traces.annotations import Annotation, annotation_of, passed

_ROUNDS = 4  # how often bodies of loops are gone through: keys may change places in between
_KNOWN_SIZE = 64  # elements of values that are computed, to know which key of an array is taken


class TrackedKey:
    """One key: the line of its first use, None before."""

    __slots__ = ("used",)

    def __init__(self, used: str | None = None) -> None:
        self.used = used


Keys = np.ndarray  # of objects: for each key the tuple of the cells of which it is one


class KeyUse(Annotation):
    """The annotation of a key that is passed through to what uses it."""

    name = "use_of_a_key"
    primitive = "random_key_use"
    evaluates_alike = False

    def differentiate(
        self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """The same keys, which have no tangents."""
        return passed(primals, self), list(tangents)


def used(key: Any) -> Any:
    """A key, noted as used in the program that is traced, if that is looked for."""
    if config.debug_key_reuse and is_key(aval_of(key).dtype):
        return passed([key], KeyUse())[0]
    return key


def without_uses(program: Program) -> Program:
    """A program in which keys are not used: one that computes again what another has computed."""
    instead: dict[int, Value] = {}

    def known(value: Value) -> Value:
        return instead.get(id(value), value)

    operations = []
    for operation in program.operations:
        operands = tuple(map(known, operation.operands))
        if _is_use(operation):
            instead[id(operation.results[0])] = operands[0]
            continue
        regions = tuple(map(_again, operation.regions))
        operations.append(Operation(operation.record, operands, operation.attributes, regions, operation.results,
                                    operation.location))
    return Program(program.name, program.inputs, tuple(operations), tuple(map(known, program.outputs)))


def _again(region: Program) -> Program:
    found = without_uses(region)
    annotation = annotation_of(region)
    if annotation is None:
        return found
    from .traces.annotations import annotated

    return annotated(found, annotation)


class KeyCheckedCall:
    """A compiled call before which the keys that it uses are looked at.

    Args:
        jitted: Whose call it is, a `Jitted`.
        compiled: The call, a `CompiledCall`.
        traced: What was compiled, a `TracedProgram`.
    """

    direct = None  # there is no way past the look at the keys

    def __init__(self, jitted: Any, compiled: Any, traced: Any) -> None:
        self._compiled, self._program, self._captured = compiled, traced.program, list(traced.captured)
        self._is_users = jitted._is_users
        self.captured, self.is_wanted = compiled.captured, compiled.is_wanted

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """The call's results."""
        given = [*leaves, *self._captured]
        line = None if self._is_users else user_location()
        outputs = _Uses(line).run(self._program, [_cells_of(x) for x in given], [_small(x) for x in given])
        results = self._compiled(leaves)
        for array, cells in zip(tree.leaves(results), outputs, strict=True):
            if cells is not None and is_concrete(array):
                _remember(array, cells)
        return results


_arrays: dict[int, tuple[Any, Keys]] = {}  # the cells of arrays of keys, by their identity


def _remember(array: Any, cells: Keys) -> None:
    identity = id(array)
    _arrays[identity] = (weakref.ref(array, lambda gone: _arrays.pop(identity, None)), cells)


def _cells_of(value: Any) -> Keys | None:
    """The cells of a value; None for what holds no keys."""
    aval = aval_of(value)
    if not is_key(aval.dtype):
        return None
    found = _arrays.get(id(value))
    if found is None or found[0]() is not value:
        cells = _fresh(aval.shape)
        if isinstance(value, Array):
            _remember(value, cells)
        return cells
    return found[1]


def _small(value: Any) -> np.ndarray | None:
    """The content of a value that may be an index."""
    aval = aval_of(value)
    if is_key(aval.dtype) or aval.size > _KNOWN_SIZE or aval.dtype.kind not in "iub":
        return None
    if is_concrete(value) and not value.is_fully_addressable:
        return None
    return np.asarray(value).astype(aval.dtype)


def _fresh(shape: Sequence[int], used: str | None = None) -> Keys:
    """New keys."""
    cells = np.empty(tuple(shape), object)
    for place in np.ndindex(cells.shape):
        cells[place] = (TrackedKey(used),)
    return cells


def _any_of(shape: Sequence[int], keys: Sequence[Keys]) -> Keys:
    """Keys of which each may be any of others."""
    every = tuple({id(c): c for cells in keys for one in cells.reshape(-1) for c in one}.values())
    found = np.empty(tuple(shape), object)
    for place in np.ndindex(found.shape):
        found[place] = every
    return found


def _is_use(operation: Operation) -> bool:
    return operation.record is ops.call and isinstance(annotation_of(operation.regions[0]), KeyUse)


class _Uses:
    """Goes through programs with the cells of their keys.

    Args:
        line: The user's line, if it is that of the whole program, and not those of its operations.
    """

    def __init__(self, line: str | None = None) -> None:
        self._line = line
        self._noted: list[TrackedKey] = []  # in the order of their first uses, so that these can be undone
        self._turns = 0  # how many loops are gone through a further time

    def run(
        self, program: Program, keys: Sequence[Keys | None], values: Sequence[np.ndarray | None]
    ) -> list[Keys | None]:
        """The cells of a program's outputs.

        Args:
            program: The program.
            keys: The cells of its inputs; None for what holds no keys.
            values: The content of its inputs, where it is known.
        """
        known = {id(v): k for v, k in zip(program.inputs, keys, strict=True) if k is not None}
        contents = {id(v): x for v, x in zip(program.inputs, values, strict=True) if x is not None}
        for operation in program.operations:
            given = [known.get(id(v)) for v in operation.operands]
            constants = [contents.get(id(v)) for v in operation.operands]
            if operation.regions or any(k is not None for k in given) or any(
                    is_key(v.type.dtype) for v in operation.results):
                found = self._operation(operation, given, constants)
                known.update((id(v), k) for v, k in zip(operation.results, found, strict=True) if k is not None)
            elif all(c is not None for c in constants) and operation.record.reference is not None and all(
                    v.type.size <= _KNOWN_SIZE for v in operation.results):
                computed = operation.record.reference([np.asarray(c) for c in constants], operation.attributes)
                contents.update((id(v), x) for v, x in zip(operation.results, computed, strict=True))
        return [known.get(id(v)) for v in program.outputs]

    def _operation(
        self, operation: Operation, keys: Sequence[Keys | None], values: Sequence[np.ndarray | None]
    ) -> list[Keys | None]:
        record = operation.record
        if record is ops.call:
            if _is_use(operation):
                self._use(keys[0], operation.location or "")
                return list(keys)
            return self.run(operation.regions[0], keys, values)
        if record is ops.cond:
            return self._cond(operation.regions, keys[1:], values[1:], values[0])
        if record is ops.while_:
            return self._while(operation, keys, values)
        if record is ops.scan:
            return self._scan(operation, keys, values)
        if operation.regions:  # one device's part of the arrays: any of the keys
            (region, *_) = operation.regions
            inside = [k if k is None or k.shape == v.type.shape else _any_of(v.type.shape, [k])
                      for k, v in zip(keys, region.inputs, strict=True)]
            found = self.run(region, inside, [None] * len(inside))
            return [k if k is None or k.shape == v.type.shape else _any_of(v.type.shape, [k])
                    for k, v in zip(found, operation.results, strict=True)]
        return [self._moved(operation, keys, values, i) if is_key(v.type.dtype) else None
                for i, v in enumerate(operation.results)]

    def _moved(
        self, operation: Operation, keys: Sequence[Keys | None], values: Sequence[np.ndarray | None], result: int
    ) -> Keys:
        """The keys that an operation gives: new ones, or those that it moves."""
        given = [k for k in keys if k is not None]
        shape = operation.results[result].type.shape
        if not given:
            return _fresh(shape)
        reference = operation.record.reference
        if reference is not None and all(k is not None or v is not None for k, v in zip(keys, values, strict=True)):
            flat: list[Any] = []
            numbers: list[np.ndarray] = []
            for k, v in zip(keys, values, strict=True):
                if k is None:
                    numbers.append(np.asarray(v))
                else:
                    numbers.append(np.arange(len(flat), len(flat) + k.size).reshape(k.shape))
                    flat += k.reshape(-1).tolist()
            try:
                where = np.asarray(reference(numbers, operation.attributes)[result])
            except Exception:  # noqa: BLE001  # an operation that computes with its operands, and does not only move
                where = np.full((), -1)
            if (where.shape == shape and where.dtype.kind == "i" and where.size
                    and 0 <= where.min() <= where.max() < len(flat)):
                found = np.empty(shape, object)
                for place in np.ndindex(shape):
                    found[place] = flat[where[place]]
                return found
        return _any_of(shape, given)

    def _use(self, keys: Keys | None, location: str) -> None:
        """Notes a use of keys; an error if one was used before."""
        line = self._line or location or "an unknown line"
        cells = {id(c): c for one in (() if keys is None else keys.reshape(-1)) for c in one}
        for cell in cells.values():
            if cell.used is not None:
                raise KeyReuseError(cell.used, line, self._turns > 0 and cell.used == line)
        for cell in cells.values():
            cell.used = line
            self._noted.append(cell)

    def _cond(
        self, branches: Sequence[Program], keys: Sequence[Keys | None], values: Sequence[np.ndarray | None],
        index: np.ndarray | None,
    ) -> list[Keys | None]:
        """Branches, of which one runs: a key is used if it is in any."""
        if index is not None:
            return self.run(branches[min(max(int(index), 0), len(branches) - 1)], keys, values)
        start, ends, results = len(self._noted), list[list[tuple[TrackedKey, str | None]]](), list[list[Keys | None]]()
        for branch in branches:
            results.append(self.run(branch, keys, values))
            ends.append([(cell, cell.used) for cell in self._noted[start:]])
            for cell in self._noted[start:]:
                cell.used = None
            del self._noted[start:]
        for cell, line in (entry for end in ends for entry in end):
            if cell.used is None:
                cell.used = line
                self._noted.append(cell)
        return [self._either([found[i] for found in results]) for i in range(len(results[0]))]

    @staticmethod
    def _either(found: Sequence[Keys | None]) -> Keys | None:
        """Keys that are those of one branch or another."""
        keys = [k for k in found if k is not None]
        if not keys:
            return None
        merged = np.empty(keys[0].shape, object)
        for place in np.ndindex(merged.shape):
            merged[place] = tuple({id(c): c for k in keys for c in k[place]}.values())
        return merged

    @contextmanager
    def _turn(self, number: int) -> Iterator[None]:
        self._turns += number > 0
        try:
            yield
        finally:
            self._turns -= number > 0

    def _while(
        self, operation: Operation, keys: Sequence[Keys | None], values: Sequence[np.ndarray | None]
    ) -> list[Keys | None]:
        condition, body = operation.regions
        count = operation.attributes["constants"]
        constants, carry = list(keys[:count]), list(keys[count:])
        contents = [*values[:count], *[None] * len(carry)]
        for number in range(_ROUNDS):
            with self._turn(number):
                self.run(condition, [*constants, *carry], contents)
                carry = self.run(body, [*constants, *carry], contents)
        return carry

    def _scan(
        self, operation: Operation, keys: Sequence[Keys | None], values: Sequence[np.ndarray | None]
    ) -> list[Keys | None]:
        attributes: Mapping[str, Any] = operation.attributes
        (body,) = operation.regions
        count, carried = attributes["constants"], attributes["carry"]
        length = attributes["length"] if isinstance(attributes["length"], int) else _ROUNDS
        constants, carry = list(keys[:count]), list(keys[count:count + carried])
        scanned = list(keys[count + carried:])
        contents = [*values[:count], *[None] * (len(body.inputs) - count)]
        stacked: list[list[Keys | None]] = []
        # Each turn has keys of its own from what is scanned: all turns, if there are such.
        turns = length if any(k is not None for k in scanned) else min(length, _ROUNDS)
        order = range(length - 1, length - 1 - turns, -1) if attributes["reverse"] else range(turns)
        for number, step in enumerate(order):
            with self._turn(number):
                found = self.run(body, [*constants, *carry, *(None if k is None else k[step] if k.ndim > 1 else _one(
                    k[step]) for k in scanned)], contents)
            carry, rows = found[:carried], found[carried:]
            stacked.append(rows)
        out: list[Keys | None] = []
        for i, value in enumerate(operation.results[carried:]):
            rows_of = [rows[i] for rows in stacked]
            if not is_key(value.type.dtype):
                out.append(None)
            elif len(rows_of) == length and length:
                ordered = rows_of[::-1] if attributes["reverse"] else rows_of
                whole = np.empty(value.type.shape, object)
                for step, row in enumerate(ordered):
                    for place in np.ndindex(value.type.shape[1:]):
                        whole[(step, *place)] = row[place]  # type: ignore[index]
                out.append(whole)
            else:
                last = rows_of[-1] if rows_of else None
                spent = last is not None and any(c.used for one in last.reshape(-1) for c in one)
                out.append(_fresh(value.type.shape, "a line in a loop" if spent else None))
        return [*carry, *out]


def _one(cells: tuple[TrackedKey, ...]) -> Keys:
    """The cells of a single key."""
    found = np.empty((), object)
    found[()] = cells
    return found


def check_program(program: Program) -> None:
    """Looks for keys that a program uses twice, whatever its arguments are.

    Args:
        program: The program, traced while `olympus_debug_key_reuse` is on.

    Raises:
        KeyReuseError: When there is one.
    """
    keys = [_fresh(v.type.shape) if is_key(v.type.dtype) else None for v in program.inputs]
    _Uses().run(program, keys, [None] * len(keys))
