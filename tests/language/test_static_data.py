# SPDX-License-Identifier: Apache-2.0
"""Static data that are equal and not interchangeable: numbers of other classes, zeros, data that change."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, tree
from olympus.trees.generated import unpacker
from olympus.trees.kinds import marks_of

OFTEN = 40  # traversals after which generated functions do them


class Box:
    """A container with any static data."""

    def __init__(self, x: Any, data: Any) -> None:
        self.x, self.data = x, data


olympus.tree_util.register_pytree_node(Box, lambda b: (b.x, b.data), lambda data, children: Box(children, data))


class Named(NamedTuple):
    rate: float


@dataclasses.dataclass(frozen=True)
class Frozen:
    rate: float
    name: str = "a"


@dataclasses.dataclass
class Unhashable:
    rates: list[float]


@dataclasses.dataclass(frozen=True)
class HoldsList:
    rates: list[float]
    more: dict[str, Any]


class Plain:
    """Equal to itself alone."""


PLAIN = Plain()
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda n: n, "tuple": lambda n: ("a", n), "nested": lambda n: ((n,), "a", None), "list": lambda n: [n],
    "dict": lambda n: {"a": n}, "key": lambda n: {n: "a"}, "named": Named, "frozen": Frozen,
    "in a frozen": lambda n: HoldsList([n], {}), "below": lambda n: HoldsList(["a"], {"a": OrderedDict(b=n)}),
    "beside an object": lambda n: (PLAIN, n), "beside a class": lambda n: (n, int, np.add), "set": lambda n: {n},
}
PAIRS = [(1, 1.0), (1, True), (0, False), (0.0, -0.0), (1.0, 1 + 0j)]


def _number(data: Any) -> Any:
    """The number in data that a wrapper made."""
    if isinstance(data, (bool, int, float, complex)):
        return data
    if isinstance(data, dict):
        data = [*data, *data.values()]
    elif dataclasses.is_dataclass(data):
        data = list(vars(data).values())
    elif not isinstance(data, (tuple, list, set)):
        return None
    return next((found for found in map(_number, data) if found is not None), None)


def _is_number(found: Any, wanted: Any) -> bool:
    return type(found) is type(wanted) and repr(found) == repr(wanted)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_jit_traces_for_what_is_given(wrapper: str, pair: tuple[Any, Any]) -> None:
    wrap = WRAPPERS[wrapper]
    x = jnp.ones(2, jnp.int32) if 0.0 not in pair else jnp.ones(2)
    traced = olympus.jit(lambda box: box.x[0] * _number(box.data))
    for _ in range(OFTEN):
        for number in (*pair, pair[0]):
            found, expected = traced(Box((x,), wrap(number))), x * number
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(np.signbit(np.real(found)), np.signbit(np.real(expected)))
            assert _is_number(_number(olympus.jit(lambda b: b)(Box((x,), wrap(number))).data), number)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_trees_keep_their_own(wrapper: str, pair: tuple[Any, Any]) -> None:
    """Also where functions were generated, and where parts of a tree are equal."""
    wrap = WRAPPERS[wrapper]
    value = [Box((1, 2, 3), wrap(number)) for number in (*pair, *pair)]
    for _ in range(OFTEN):
        leaves, structure = tree.flatten(value)
        for found in (tree.unflatten(structure, leaves), tree.map(lambda x: x, value)):
            assert all(_is_number(_number(box.data), number) for box, number in zip(found, pair * 2, strict=True))
    first, second = (tree.structure(Box((1,), wrap(number))) for number in pair)
    assert (first == second) == (wrap(pair[0]) == wrap(pair[1]))
    assert first.marks != second.marks
    taken = unpacker(first)
    assert taken is not None and taken(Box((5,), wrap(pair[1]))) is None
    assert taken(Box((5,), wrap(pair[0]))) == [5]


@pytest.mark.parametrize("change", [
    lambda data: data.update(k=3), lambda data: data["inner"].append(1), lambda data: data.pop("inner")])
def test_data_that_are_changed_in_place_are_new_data(change: Callable[[dict[str, Any]], Any]) -> None:
    data: dict[str, Any] = {"k": 2, "inner": [1]}
    traced = olympus.jit(lambda box: box.x[0] * box.data["k"] + len(box.data.get("inner", ())))
    box = Box((jnp.ones(2),), data)
    for _ in range(5):
        np.testing.assert_array_equal(traced(box), [3, 3])
    change(data)
    for _ in range(5):
        np.testing.assert_array_equal(traced(box), [data["k"] + len(data.get("inner", ()))] * 2)


def test_data_that_the_function_changes_are_new_data() -> None:
    data = {"calls": 0}

    @olympus.jit
    def traced(box: Any) -> Any:
        box.data["calls"] += 1
        return box.x[0] * box.data["calls"]

    for count in (1, 2, 3):
        np.testing.assert_array_equal(traced(Box((jnp.ones(2),), data)), [count] * 2)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("wrapper", ["itself", "tuple", "nested", "named", "frozen", "beside an object"])
def test_static_arguments(wrapper: str, pair: tuple[Any, Any]) -> None:
    wrap = WRAPPERS[wrapper]
    x = jnp.ones(1, jnp.int32) if 0.0 not in pair else jnp.ones(1)
    by_number = olympus.jit(lambda x, data: x * _number(data), static_argnums=1)
    by_name = olympus.jit(lambda x, *, data: x * _number(data), static_argnames="data")
    for number in (*pair, pair[0]):
        data, expected = wrap(number), x * number
        mapped = olympus.pmap(lambda x, data: x * _number(data), static_broadcasted_argnums=1,
                              devices=olympus.devices()[:1])
        inside = olympus.jit(lambda x, data=data: (by_number(x, data), by_number(x, wrap(pair[0]))))
        for found in (by_number(x, data), by_name(x, data=data), mapped(x, data), inside(x)[0]):
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(np.signbit(np.real(found)), np.signbit(np.real(expected)))


@pytest.mark.parametrize("pair", [
    (np.float32(0), np.float32(-0.0)), (np.int32(1), np.float32(1)), (np.array(1), np.array(1.0)),
    (np.array([1]), np.array([1.0])), (np.array([0.0]), np.array([-0.0])), (jnp.int32(1), jnp.float32(1)),
    (jnp.float32(0), jnp.float32(-0.0)), (jnp.float32(1), jnp.asarray(1.0))], ids=repr)
def test_arrays_and_scalars_of_numpy(pair: tuple[Any, Any]) -> None:
    """Such data are no good style, and count with their element types and bits."""
    x = jnp.ones(1, jnp.bfloat16) if pair[0].dtype == pair[1].dtype else jnp.ones(1, jnp.int32)
    traced = olympus.jit(lambda box: box.x[0] * box.data)
    for number in (*pair, *pair, pair[0]):
        found, expected = traced(Box((x,), number)), x * number
        assert found.dtype == expected.dtype and olympus.typeof(found) == olympus.typeof(expected)
        np.testing.assert_array_equal(np.signbit(np.asarray(found, np.float32)),
                                      np.signbit(np.asarray(expected, np.float32)))
    assert len({marks_of(number) for number in pair}) == 2


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_carries_of_loops(pair: tuple[Any, Any]) -> None:
    def body(carry: Any, _: Any) -> tuple[Any, Any]:
        return carry, carry.x[0] * _number(carry.data)

    for number in (*pair, pair[0]):
        _, found = lax.scan(body, Box((jnp.ones(1),), ("a", number)), None, length=1)
        assert found.dtype == (jnp.ones(1) * number).dtype
        np.testing.assert_array_equal(np.signbit(np.real(found[0])), np.signbit(np.real(jnp.ones(1) * number)))


def test_a_message_tells_what_differs(caplog: pytest.LogCaptureFixture) -> None:
    traced = olympus.jit(lambda box: box.x[0])
    with olympus.explain_cache_misses(True):
        traced(Box((jnp.ones(1),), 1))
        traced(Box((jnp.ones(1),), 1.0))
    assert "another structure" in caplog.text and "Box[1.0]" in caplog.text


def test_marks_look_into_containers() -> None:
    assert marks_of(Unhashable([1])) == marks_of(Unhashable([1.0]))  # the class's own word
    for one, other in ((range(3), range(3)), ((1, "a"), (1, "a")), (Frozen(1.0), Frozen(1.0)), ({1, 2}, {2, 1}),
                       (Frozen, Frozen), ((), ()), ({}, {})):
        assert marks_of(one) == marks_of(other) and hash(marks_of(one)) == hash(marks_of(other))
    for one, other in (((1, "a"), (1.0, "a")), (Frozen(1.0), Frozen(1)), ({1}, {True}), ({"a": 0.0}, {"a": -0.0})):
        assert marks_of(one) != marks_of(other)


class Unreadable:
    """Like an array, and nobody may read it."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("read")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unreadable)

    __hash__ = None  # type: ignore[assignment]


def test_trees_are_taken_apart_without_a_look_at_arrays_in_static_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def mapped(data: Any) -> Any:
        return tree.map(lambda x: x + 1, Box((1,), data)).data

    held = Unreadable()
    assert mapped(held) is held and olympus.jit(lambda box: box.x[0])(Box((jnp.ones(2),), held)).shape == (2,)
    large = jnp.zeros(1000)
    monkeypatch.setattr(type(large), "__array__", lambda *_, **__: pytest.fail("read"))
    assert mapped(large) is large
    olympus.jit(lambda x: mapped(x[0]) is x[0] and x)(large)


def _of_module() -> None:
    """A function that its module has."""


@pytest.mark.parametrize("data", [("a", "b"), (1, True, 2.5), (_of_module, int, np.add, PLAIN, olympus.jit, "a")])
def test_trees_that_are_flattened_again_and_again_are_known(data: Any) -> None:
    """Though nobody keeps the structure, as long as it holds nothing that might live longer for it."""
    made = tree.structure(Box((1, 2), data))
    number = id(made)
    del made
    assert id(tree.structure(Box((3, 4), data))) == number
    for _ in range(OFTEN):
        assert tree.map(lambda x: x, Box((1, 2), data)).data == data
    assert tree.structure(Box((3, 4), data))._unpack is not None


class Strange:
    """What no attribute can be asked of."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_objects_of_users_are_not_kept() -> None:
    filled = Plain()
    filled.size = 5  # type: ignore[attr-defined]
    for held in (Strange(), filled, lambda: 0, functools.partial(_of_module)):
        structure = tree.structure(Box((1,), (held, 1)))
        assert structure._has_objects and structure is tree.structure(Box((2,), (held, 1)))


def test_structures_go_with_their_trees() -> None:
    """Objects in static data live no longer than the structures that have them."""
    import gc
    import weakref

    held = Plain()
    held.size = 5  # type: ignore[attr-defined]
    structure = tree.structure(Box((1,), (held, 1)))
    assert tree.structure(Box((2,), (held, 1))) is structure
    gone = weakref.ref(held)
    del held, structure
    gc.collect()
    assert gone() is None
