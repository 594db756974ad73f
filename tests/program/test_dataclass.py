# SPDX-License-Identifier: Apache-2.0
"""The core's data classes are what Python's are."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import numpy as np
import pytest

from olympus_core.program import dataclass as ours

NAN = float("nan")


def classes(decorator: Any) -> dict[str, type]:
    """The same classes, made by one of the decorators."""

    @decorator(frozen=True, slots=True)
    class Point:
        x: Any
        y: Any = 0
        kind: ClassVar[str] = "point"
        note: Any = dataclasses.field(default="", compare=False)
        inner: list[int] = dataclasses.field(default_factory=list, repr=False, hash=False)

    @decorator(frozen=True, slots=True)
    class Child(Point):
        z: Any = 1

    @decorator
    class Open:
        x: Any

    @decorator(frozen=True)
    class Own:
        x: Any

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

    @decorator(eq=False)
    class Identical:
        x: Any

    @decorator(frozen=True)
    class Empty:
        pass

    return {c.__name__: c for c in (Point, Child, Open, Own, Identical, Empty)}


PYTHONS, OURS = classes(dataclasses.dataclass), classes(ours.dataclass)
MADE = [("Point", (1,)), ("Point", (1, 2)), ("Point", (1.0, 0)), ("Point", (NAN,)), ("Child", (1, 2)),
        ("Child", (1, 2, "", [], 3)), ("Open", (1,)), ("Open", (2,)), ("Own", (1,)), ("Own", (2,)),
        ("Identical", (1,)), ("Empty", ())]


@pytest.mark.parametrize("made", MADE, ids=str)
def test_text_hash_and_fields(made: Any) -> None:
    theirs, own = (kinds[made[0]](*made[1]) for kinds in (PYTHONS, OURS))
    if made[0] != "Identical":
        assert repr(own).rpartition("<locals>.")[2] == repr(theirs).rpartition("<locals>.")[2]
    assert (type(own).__hash__ is None) == (type(theirs).__hash__ is None)
    if made[0] in ("Point", "Child", "Empty"):
        assert hash(own) == hash(theirs)
    assert [f.name for f in dataclasses.fields(own)] == [f.name for f in dataclasses.fields(theirs)]
    assert hasattr(own, "__dict__") == hasattr(theirs, "__dict__")
    assert type(own).__match_args__ == type(theirs).__match_args__


def test_equality() -> None:
    for a in MADE:
        for b in MADE:
            theirs, own = ([kinds[name](*args) for name, args in (a, b)] for kinds in (PYTHONS, OURS))
            assert (own[0] == own[1]) == (theirs[0] == theirs[1]), (a, b)
    array = np.zeros(3)  # an identical item is equal, whatever its own comparison says
    assert OURS["Open"](array) == OURS["Open"](array) and OURS["Open"](1) != 1
    assert OURS["Point"](1, note="a") == OURS["Point"](1, note="b")


@ours.dataclass(frozen=True, slots=True)
class Module:
    """Where pickle finds it."""

    x: int
    y: tuple[int, ...] = ()


def test_copies() -> None:
    one = Module(1, (2, 3))
    assert dataclasses.replace(one, x=5) == Module(5, (2, 3)) and dataclasses.asdict(one) == {"x": 1, "y": (2, 3)}
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == copy.copy(one) == one
    assert len({one, Module(1, (2, 3)), Module(1)}) == 2
