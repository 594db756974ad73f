# SPDX-License-Identifier: Apache-2.0
"""The core's data classes are what Python's are."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any, ClassVar, get_type_hints

import numpy as np
import pytest

from olympus.trees.kinds import fields_of
from olympus_core import dataclass as ours

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

    @decorator
    class Late:
        missing: Any
        set: Any = dataclasses.field(default=3, kw_only=True)
        made: Any = dataclasses.field(init=False, default=4)
        parts: Any = dataclasses.field(init=False, default_factory=list)
        total: Any = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", (self.missing, self.set, self.made, self.parts))

    return {c.__name__: c for c in (Point, Child, Open, Own, Identical, Empty, Late)}


PYTHONS, OURS = classes(dataclasses.dataclass), classes(ours.dataclass)
PUBLIC = classes(ours.public_dataclass)
MADE = [("Point", (1,)), ("Point", (1, 2)), ("Point", (1.0, 0)), ("Point", (NAN,)), ("Child", (1, 2)),
        ("Child", (1, 2, "", [], 3)), ("Open", (1,)), ("Open", (2,)), ("Own", (1,)), ("Own", (2,)),
        ("Identical", (1,)), ("Empty", ()), ("Late", (1,))]


@pytest.mark.parametrize("ours_", [OURS, PUBLIC], ids=["inside", "public"])
@pytest.mark.parametrize("made", MADE, ids=str)
def test_text_hash_and_fields(made: Any, ours_: dict[str, type]) -> None:
    theirs, own = (kinds[made[0]](*made[1]) for kinds in (PYTHONS, ours_))
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


@ours.public_dataclass(frozen=True, slots=True)
class Public:
    """Where pickle finds it."""

    x: int
    y: tuple[int, ...] = ()


@ours.public_dataclass(frozen=True)
class Spacious:
    """The same with a dictionary."""

    x: int


@pytest.mark.parametrize("name", sorted(OURS))
def test_initialisers_take_what_pythons_take(name: str) -> None:
    theirs, own = PYTHONS[name], OURS[name]
    for found, wanted in zip(inspect.signature(own).parameters.values(),
                             inspect.signature(theirs).parameters.values(), strict=True):
        assert (found.name, found.kind, found.annotation) == (wanted.name, wanted.kind, wanted.annotation)
        assert (found.default is found.empty) == (wanted.default is wanted.empty)
    assert own.__init__.__qualname__ == theirs.__init__.__qualname__
    assert get_type_hints(own.__init__) == get_type_hints(theirs.__init__)
    with pytest.raises(TypeError, match=r"__init__\(\)"):
        own(**{"no field": 1})


def test_initialisers_of_subclasses_and_calls_of_super() -> None:
    class Below(OURS["Open"]):  # type: ignore[misc]
        pass

    class Calling(classes(ours.dataclass)["Open"]):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(5)

    assert Below(1).x == 1 and Calling().x == 5
    one, two = OURS["Late"](1), OURS["Late"](1, set=2)
    assert one.total == (1, 3, 4, []) and two.total == (1, 2, 4, []) and one.parts is not two.parts


@pytest.mark.parametrize("cls", [Public, Spacious, PUBLIC["Point"], PUBLIC["Empty"]])
def test_public_frozen_classes_refuse_changes(cls: Any) -> None:
    one = cls() if cls is PUBLIC["Empty"] else cls(1)
    for name in ("x", "other"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"assign to field '{name}'"):
            setattr(one, name, 2)
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"delete field '{name}'"):
            delattr(one, name)


def test_a_subclass_of_a_public_frozen_class_may_have_attributes_of_its_own() -> None:
    class Below(Spacious):
        pass

    one = Below(1)
    one.more = 2  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.x = 3  # type: ignore[misc]
    del one.more  # type: ignore[attr-defined]
    assert one == Below(1) and not hasattr(one, "more")


@pytest.mark.parametrize("decorator", [dataclasses.dataclass, ours.dataclass, ours.public_dataclass])
def test_all_dataclasses_may_extend_public_ones(decorator: Any) -> None:
    @decorator(frozen=True)
    class More(Public):
        z: int = 4

    assert More(1, (), 5).z == 5 and More(1) == More(1) != More(2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        More(1).x = 2  # type: ignore[misc]



@pytest.mark.parametrize("decorator", [dataclasses.dataclass, ours.dataclass, ours.public_dataclass])
def test_what_is_frozen_is_not_extended_by_what_is_not(decorator: Any) -> None:
    with pytest.raises(TypeError, match="frozen"):
        @decorator
        class Loose(Public):
            z: int = 4


def test_copies_of_public_ones() -> None:
    for one, other in ((Public(1, (2, 3)), Public(5, (2, 3))), (Spacious(1), Spacious(5))):
        assert dataclasses.replace(one, x=5) == other  # type: ignore[type-var]
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(one, protocol)) == one
        assert copy.deepcopy(one) == copy.copy(one) == one and hash(one) == hash(copy.copy(one))


def test_frozen_ones_are_static_data_by_their_fields() -> None:
    assert fields_of(Public) == ("x", "y") and fields_of(OURS["Open"]) == () == fields_of(PUBLIC["Own"])


def test_copies() -> None:
    one = Module(1, (2, 3))
    assert dataclasses.replace(one, x=5) == Module(5, (2, 3)) and dataclasses.asdict(one) == {"x": 1, "y": (2, 3)}
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == copy.copy(one) == one
    assert len({one, Module(1, (2, 3)), Module(1)}) == 2
