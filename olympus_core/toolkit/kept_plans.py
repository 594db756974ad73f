# SPDX-License-Identifier: Apache-2.0
"""Plans that an earlier process made, on disk beside the code: a later one need not plan, nor write kernels.

Kept are the programs of one device that are one native call: a group of kernels, with constants and views around it.
What is kept holds no code and no text that is run: numbers of values, their types, and what the platform says of its
call (the names of the functions in its object code, sizes, slots). It is signed like object code, and read as data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.ops import OPERATIONS, constant
from olympus_core.plugin.version import VERSION
from olympus_core.program import Operation, Program, Value, operations_of

from . import object_code
from .flatten import Flat
from .fusion import OperationStep, Plan, ViewStep
from .objectcache import ObjectCache, state_of_sources
from .stored_data import UnfitData, array_of, packed, type_data, type_of, unpacked

Lines = tuple[list[str], list[int]]  # of a program: each once, and for each operation the number of its line
Over = tuple[tuple[int, int], ...]  # pairs of an input and the output that is written over it, by their numbers

_MOST_CONSTANTS = 1 << 20  # bytes of a program's constants that are kept with its plan
_FEWEST_OPERATIONS = 6  # fewer are planned as fast as read
_FORMAT = 2
# Folders of the core whose modules decide what becomes a kernel, and how host code calls it.
_PLANNERS = ("ops", "program", "toolkit", "toolkit/fusion", "toolkit/loops", "toolkit/passes")


@dataclass(frozen=True, slots=True, eq=False)
class StoredStep:
    """A group of kernels in a plan that was kept.

    Args:
        inputs: What its call takes.
        outputs: What it gives.
        reusable: Pairs (input, output) where the output may be written into the input's memory.
        calls: The platform's data of the call, for each choice of outputs that are written over inputs.
        seconds: A guess at how long it takes.
        again: Makes the program's call with these outputs over these inputs anew, from a plan, optimised.
        lines: For each line of the program that was kept that of this one, where the two are cut into lines alike.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    reusable: Over
    calls: Mapping[Over, bytes]
    seconds: float
    again: Callable[[Over], Callable[..., Any]]
    lines: Mapping[str, str]

    def call(self, reused: Mapping[Value, Value]) -> tuple[bytes, Callable[[], Callable[..., Any]]]:
        """The data of the call that writes these outputs over these inputs, and what makes it anew, optimised.

        Raises:
            UnfitData: When it was not kept.
        """
        over = _over(reused, self.inputs, self.outputs)
        if over not in self.calls:
            raise UnfitData("it writes other outputs over its inputs")
        again = self.again
        return self.calls[over], lambda: again(over)


class PlanStore:
    """Where plans are kept.

    Args:
        cache: The folder of object code; None: plans are kept only in stored executables.
        identity: Gives what the platform's plans and code depend on besides the program.
    """

    def __init__(self, cache: ObjectCache | None, identity: Callable[[], str]) -> None:
        self._cache, self._identity = cache, identity

    def key(self, fingerprint: str, donated: Sequence[int]) -> str:
        """The key of a program.

        Args:
            fingerprint: The program's.
            donated: The numbers of the inputs whose memory may be written over.
        """
        of = f"plan {_FORMAT}|{VERSION}|{fingerprint}|{sorted(donated)}|{self._identity()}|{_planners()}"
        return hashlib.sha256(of.encode()).hexdigest()

    def keeps(self, program: Program) -> bool:
        """Whether a program's plan is kept: it takes long, and no operation is a user's, whose code no text tells.

        Args:
            program: The program.
        """
        if self._cache is None and not object_code.is_exchanged():
            return False
        operations = operations_of(program)
        return len(operations) >= _FEWEST_OPERATIONS and all(OPERATIONS.get(o.name) is o.record for o in operations)

    def load(self, key: str, flat: Flat, again: Callable[[Over], Callable[..., Any]], lines: Lines) -> Plan | None:
        """The plan of a program, or None.

        Args:
            key: The program's key.
            flat: The program.
            again: Makes a call of it anew.
            lines: Its lines.
        """
        if object_code.is_recorded():  # what is kept may not be optimised yet
            return None
        data = object_code.given_code(key)
        if data is None and self._cache is not None and self._cache.has(key):
            data = self._cache.load(key)
        if data is None:
            return None
        try:
            found = _read(data, flat, again, lines)
        except (UnfitData, LookupError, TypeError, ValueError):
            return None
        object_code.note(key, data)
        return found

    def store(self, key: str, data: bytes, seconds: float) -> None:
        """Keeps the data of a plan.

        Args:
            key: The program's key.
            data: The data.
            seconds: How long it took to make the plan and its call.
        """
        object_code.note(key, data)
        if self._cache is not None:
            self._cache.store(key, data, seconds)


class PlanRecorder:
    """Takes down how a plan became one call, and keeps it; and again when its code was optimised.

    Args:
        store: Where it is kept.
        key: Under which key.
        plan: The plan.
        seconds: A guess at how long the plan takes.
        lines: The program's lines.
        is_hot: Whether only optimised code is wanted.

    Attributes:
        made: The calls, for each choice of outputs that are written over inputs.
    """

    def __init__(
        self, store: PlanStore, key: str, plan: Plan, seconds: float, lines: Lines, is_hot: bool = False
    ) -> None:
        self.made: dict[Over, Callable[..., Any]] = {}
        self.is_hot, self._lines = is_hot, lines
        self._store, self._key, self._plan, self._seconds = store, key, plan, seconds
        self._begun = monotonic()
        self._is_given_up = False
        self._constants: dict[Value, np.ndarray] = {}
        self._call: tuple[Sequence[Value], Sequence[Value]] | None = None
        self._overs: list[Over] = []
        self._reusable: Over = ()
        self._calls: dict[Over, bytes] = {}
        self._results: list[int] | None = None

    def give_up(self) -> None:
        """The program is more than one call."""
        self._is_given_up = True

    def constant(self, value: Value, array: Any) -> None:
        """Told of a constant."""
        if isinstance(array, np.ndarray):
            self._constants[value] = array
        else:
            self.give_up()

    def group(self, inputs: Sequence[Value], outputs: Sequence[Value], reused: Mapping[Value, Value]) -> None:
        """Told of a group of kernels; `reused` has all outputs that may be written over inputs."""
        if self._call is not None:
            self.give_up()
        self._call, self._reusable = (tuple(inputs), tuple(outputs)), _over(reused, inputs, outputs)

    def make(self, make: Callable[..., Callable[..., Any]], reused: Mapping[Value, Value]) -> Callable[..., Any]:
        """The platform's call of the group, of which the data are taken down when they are there.

        Args:
            make: Makes it, when it is told what to tell the data, and whether only optimised code is wanted.
            reused: Outputs that are written over inputs.
        """
        over = () if self._call is None else _over(reused, *self._call)
        self._overs.append(over)

        def take(data: bytes) -> None:
            self._calls[over] = data
            self._keep()

        self.made[over] = made = make(on_stored=take, is_hot=self.is_hot)
        return made

    def finish(self, roots: Mapping[Value, Value]) -> None:
        """Told that all steps are known.

        Args:
            roots: Whose memory each value is.
        """
        inputs, outputs = self._call or ((), ())
        # An input may stand twice among the plan's: the last of its numbers is as good.
        known = {v: i for i, v in enumerate((*self._plan.inputs, *self._constants, *outputs))}
        size = sum(array.nbytes for array in self._constants.values())
        needed = {*inputs, *(roots[v] for v in self._plan.outputs)}
        if self._call is None or self._is_given_up or size > _MOST_CONSTANTS or not needed <= set(known):
            self._is_given_up = True
            return
        self._numbers = known
        self._results = [known[roots[v]] for v in self._plan.outputs]
        self._keep()

    def _keep(self) -> None:
        if self._is_given_up or self._results is None or self._call is None or set(self._calls) < set(self._overs):
            return
        inputs, outputs = self._call
        header = {
            "constants": [type_data(v.type) for v in self._constants], "inputs": [self._numbers[v] for v in inputs],
            "outputs": [type_data(v.type) for v in outputs], "reusable": self._reusable, "overs": list(self._calls),
            "results": [[n, type_data(v.type)] for n, v in zip(self._results, self._plan.outputs, strict=True)],
            "seconds": self._seconds, "lines": self._lines,
        }
        blobs = [np.ascontiguousarray(a).tobytes() for a in self._constants.values()]
        self._store.store(self._key, packed(header, [*blobs, *self._calls.values()]), monotonic() - self._begun)

def lines_of(program: Program) -> Lines:
    """The user's lines of a program's operations.

    Args:
        program: The program.
    """
    numbers: dict[str, int] = {}
    each = [numbers.setdefault(o.location or "", len(numbers)) for o in operations_of(program)]
    return list(numbers), each


def _moved(kept: Sequence[Any], lines: Lines) -> dict[str, str]:
    """For each line of a kept program that of this one; nothing where operations that shared a line do not any more."""
    was, each = kept
    return dict(zip(map(str, was), lines[0], strict=True)) if each == lines[1] else {}


@lru_cache(maxsize=1)
def _planners() -> str:
    """The state of the core's source files that plan: part of every key."""
    return state_of_sources(Path(__file__).parent.parent, _PLANNERS)


def _over(reused: Mapping[Value, Value], inputs: Sequence[Value], outputs: Sequence[Value]) -> Over:
    places = {v: i for i, v in enumerate(inputs)}
    return tuple(sorted((places[source], outputs.index(v)) for v, source in reused.items()))


def _read(data: bytes, flat: Flat, again: Callable[[Over], Callable[..., Any]], lines: Lines) -> Plan:
    header, blobs = unpacked(data)
    constants = [Value(type_of(t)) for t in header["constants"]]
    arrays = [array_of(v.type, content) for v, content in zip(constants, blobs, strict=False)]
    outputs = tuple(Value(type_of(t)) for t in header["outputs"])
    known = (*flat.inputs, *constants, *outputs)
    overs = [tuple((i, o) for i, o in over) for over in header["overs"]]
    calls = dict(zip(overs, blobs[len(arrays):], strict=True))
    step = StoredStep(tuple(known[n] for n in header["inputs"]), outputs,
                      tuple((i, o) for i, o in header["reusable"]), calls, float(header["seconds"]), again,
                      _moved(header["lines"], lines))
    steps: list[Any] = [OperationStep(Operation(constant, (), {"value": array}, (), (v,)))
                        for v, array in zip(constants, arrays, strict=True)]
    steps.append(step)
    results = []
    for (n, kind), wanted in zip(header["results"], flat.outputs, strict=True):
        source, found = known[n], type_of(kind)
        if found != wanted.type or found.nbytes != source.type.nbytes:
            raise UnfitData("it gives other types than the program")
        if found != source.type:
            source = Value(found)
            steps.append(ViewStep(source, known[n]))
        results.append(source)
    return Plan(flat.inputs, tuple(steps), tuple(results))


__all__ = ["PlanRecorder", "PlanStore", "StoredStep", "lines_of"]
