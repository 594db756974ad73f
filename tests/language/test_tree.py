# SPDX-License-Identifier: Apache-2.0
"""Trees: containers, structures, paths, registration, errors."""

from __future__ import annotations

import dataclasses
import pickle
from collections import OrderedDict, defaultdict, namedtuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import tree, tree_util
from olympus.trees.generated import packer, unpacker
from olympus_core.errors import TreeError

Point = namedtuple("Point", ["x", "y"])

trees = st.recursive(
    st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(
        st.text("abc", max_size=2), inner, max_size=3) | st.builds(Point, inner, inner),
    max_leaves=12,
)


@given(trees)
@settings(max_examples=100)
def test_taken_apart_and_put_together(value: Any) -> None:
    leaves, structure = tree.flatten(value)
    assert tree.unflatten(structure, leaves) == value
    assert structure.num_leaves == len(leaves) == len(tree.leaves(value))
    assert tree.structure(value) == structure and hash(tree.structure(value)) == hash(structure)
    assert tree.map(lambda x: x, value) == value
    assert [leaf for _, leaf in tree.leaves_with_path(value)] == leaves
    assert pickle.loads(pickle.dumps(structure)) == structure


@given(trees, trees)
@settings(max_examples=100)
def test_structures_are_equal_exactly_when_trees_are_alike(a: Any, b: Any) -> None:
    alike = tree.map(lambda x: 0, a) == tree.map(lambda x: 0, b) and repr(tree.map(lambda x: 0, a)) == repr(
        tree.map(lambda x: 0, b))
    assert (tree.structure(a) == tree.structure(b)) == alike


@pytest.mark.parametrize("value, text", [
    (1, "PyTreeDef(*)"), (None, "PyTreeDef(None)"), ((1,), "PyTreeDef((*,))"), ([], "PyTreeDef([])"),
    ({"b": [1, 2], "a": 3}, "PyTreeDef({'a': *, 'b': [*, *]})"), ((1, (2, None)), "PyTreeDef((*, (*, None)))"),
    (Point(1, 2), "PyTreeDef(CustomNode(namedtuple[Point], [*, *]))"),
    (OrderedDict(b=1, a=2), "PyTreeDef(CustomNode(OrderedDict[('b', 'a')], [*, *]))"),
])
def test_texts(value: Any, text: str) -> None:
    assert repr(tree.structure(value)) == text


def test_orders_of_dictionaries() -> None:
    assert tree.leaves({"b": 1, "a": 2}) == [2, 1]
    assert tree.leaves(OrderedDict(b=1, a=2)) == [1, 2]
    found = tree.map(lambda x: x + 1, defaultdict(list, {"b": 1, "a": 2}))
    assert isinstance(found, defaultdict) and found.default_factory is list and found == {"a": 3, "b": 2}
    with pytest.raises(TreeError, match="cannot be compared"):
        tree.leaves({1: 0, "a": 0})


def test_structures_keep_what_is_equal_and_not_the_same() -> None:
    """1, 1.0 and True are equal keys and different programs."""
    for key in (1, 1.0, True):
        (found,) = tree.map(lambda x: x, {key: 0})
        assert type(found) is type(key)


def test_is_leaf() -> None:
    value = {"a": [1, 2], "b": None}
    assert tree.leaves(value, is_leaf=lambda x: isinstance(x, list)) == [[1, 2]]
    assert tree.leaves(value, is_leaf=lambda x: x is None) == [1, 2, None]
    assert tree.map(len, value, is_leaf=lambda x: isinstance(x, list)) == {"a": 2, "b": None}


def test_is_leaf_is_asked_about_leaves_too() -> None:
    """Functions with side effects, such as a search for an object that stands twice, count on it."""
    value, asked = [1, (2, None), {"a": 3}], []

    def asks(x: Any) -> bool:
        asked.append(x)
        return False

    for use in (tree.leaves, tree.structure, tree.leaves_with_path, tree.flatten, tree.flatten_with_path,
                lambda x, is_leaf: tree.map(lambda y: y, x, is_leaf=is_leaf)):
        asked.clear()
        use(value, is_leaf=asks)
        assert asked == [value, 1, (2, None), 2, None, {"a": 3}, 3]
    asked.clear()
    tree.leaves_with_path(value, is_leaf=lambda path, x: asks(x), is_leaf_takes_path=True)
    assert len(asked) == 7
    pair = (5, 6)  # of a broadcast it is asked about the prefix alone
    assert tree.broadcast([pair, 1], [(1, 2), 3], is_leaf=lambda x: isinstance(x, tuple)) == [(pair, pair), 1]


def test_map_over_several_trees() -> None:
    assert tree.map(lambda x, y: (x, y), {"a": 1}, {"a": [2, 3]}) == {"a": (1, [2, 3])}
    with pytest.raises(TreeError, match=r"At \['a'\], a tree has another number of children") as caught:
        tree.map(lambda x, y: 0, {"a": [1, 2]}, {"a": [1]})
    assert isinstance(caught.value, ValueError) and "expected" in str(caught.value)
    with pytest.raises(TreeError, match="another container"):
        tree.map(lambda x, y: 0, [1], (1,))
    with pytest.raises(TreeError, match="other keys"):
        tree.map(lambda x, y: 0, {"a": 1}, {"b": 1})


def test_unflatten_counts() -> None:
    with pytest.raises(TreeError, match="3 leaves"):
        tree.unflatten(tree.structure([1, 2]), [1, 2, 3])


def test_folds() -> None:
    assert tree.reduce(lambda a, b: a + b, [1, {"a": 2}], 10) == 13
    assert tree.reduce_associative(lambda a, b: a + b, [["a"], ["b", "c"], "d", "e"]) == "abcde"
    assert tree.reduce_associative(max, [], identity=0) == 0
    with pytest.raises(TreeError, match="nothing to reduce"):
        tree.reduce_associative(max, [])
    assert tree.all([True, {"a": 1}]) and not tree.all([0]) and tree.all([])


def test_transpose_and_broadcast() -> None:
    inner, outer = tree.structure({"a": 0, "b": 0}), tree.structure((0, 0, 0))
    rows = tuple({"a": i, "b": -i} for i in range(3))
    assert tree.transpose(outer, inner, rows) == {"a": (0, 1, 2), "b": (0, -1, -2)}
    assert tree.transpose(outer, None, rows) == {"a": (0, 1, 2), "b": (0, -1, -2)}
    assert tree.broadcast({"a": 1, "b": 2}, {"a": [0, 0], "b": 0}) == {"a": [1, 1], "b": 2}
    assert outer.compose(inner) == tree.structure(rows)


class Flat:
    """A container that gives the leaves of all that is in it."""

    def __init__(self, leaves: list[Any], structure: Any) -> None:
        self.leaves, self.structure = leaves, structure


tree.register_pytree_node(
    Flat, lambda f: (f.leaves, f.structure), lambda structure, leaves: Flat(list(leaves), structure))


def test_transpose_of_containers_that_give_the_leaves_of_all_below() -> None:
    outer, inner = tree.structure(Flat([0, 0], tree.structure({"a": 0, "b": 0}))), tree.structure([0, 0, 0])
    whole = Flat([1, 2, 3, 4, 5, 6], tree.structure({"a": [0, 0, 0], "b": [0, 0, 0]}))
    found = tree.transpose(outer, inner, whole)
    assert [each.leaves for each in found] == [[1, 4], [2, 5], [3, 6]]
    assert {each.structure for each in found} == {tree.structure({"a": 0, "b": 0})}
    for wrong in (Flat([1, 2, 3, 4], None), [1, 2, 3, 4, 5, 6]):
        with pytest.raises(TreeError):
            tree.transpose(outer, inner, wrong)
    with pytest.raises(TreeError):
        tree.transpose(tree.structure([0, 0]), tree.structure([0, 0]), [1, 2, 3, 4])


def test_paths() -> None:
    value = {"a": [1, Point(2, 3)], "b": None}
    assert [tree.keystr(path) for path, _ in tree.leaves_with_path(value)] == ["['a'][0]", "['a'][1].x", "['a'][1].y"]
    paths = [tree.keystr(p, simple=True, separator="/") for p, _ in tree.flatten_with_path(value)[0]]
    assert paths == ["a/0", "a/1/x", "a/1/y"]
    assert tree.map_with_path(lambda path, x, y: (tree.keystr(path), x * y), [2], [3]) == [("[0]", 6)]


class Box:
    """A container of one."""

    def __init__(self, item: Any, label: Any) -> None:
        self.item, self.label = item, label


tree.register_pytree_node(Box, lambda box: ((box.item,), box.label), lambda label, items: Box(*items, label))


@tree.register_dataclass
@dataclasses.dataclass
class Layer:
    """A dataclass with a static field."""

    weights: Any
    bias: Any
    name: str = dataclasses.field(metadata={"static": True}, default="layer")


@tree.register_static
@dataclasses.dataclass(frozen=True)
class Option:
    """Static as a whole."""

    value: int


def test_registered_classes() -> None:
    box = tree.map(lambda x: x + 1, Box([1, 2], "label"))
    assert (box.item, box.label) == ([2, 3], "label")
    assert tree.structure(Box(1, "a")) != tree.structure(Box(1, "b"))
    assert tree.structure(Box(1, 5)) == tree.structure(Box(2, 5)) and hash(tree.structure(Box(1, 5))) == hash(
        tree.structure(Box(2, 5)))
    layer = Layer(1, {"b": 2}, name="first")
    assert tree.map(lambda x: x * 2, layer) == Layer(2, {"b": 4}, name="first")
    assert [tree.keystr(p) for p, _ in tree.leaves_with_path(layer)] == [".weights", ".bias['b']"]
    assert tree.leaves([Option(1), 2]) == [2] and tree.structure(Option(1)) != tree.structure(Option(2))
    with pytest.raises(TreeError, match="registered as a container already"):
        tree.register_pytree_node(Box, lambda box: ((), None), lambda data, items: None)


def test_registration_checks_fields() -> None:
    @dataclasses.dataclass
    class Wrong:
        a: int
        b: int

    with pytest.raises(TreeError, match="not those of the fields"):
        tree.register_dataclass(Wrong, data_fields=["a"], meta_fields=["c"])
    with pytest.raises(TreeError, match="belong together"):
        tree.register_dataclass(Wrong, data_fields=["a"])
    with pytest.raises(TreeError, match="not a dataclass"):
        tree.register_dataclass(type("Plain", (), {}))
    tree.register_dataclass(Wrong, data_fields=["b"], meta_fields=["a"])
    assert tree.leaves(Wrong(1, 2)) == [2]


def test_classes_with_methods() -> None:
    @tree_util.register_pytree_node_class
    class Pair:
        def __init__(self, a: Any, b: Any) -> None:
            self.pair = a, b

        def tree_flatten(self) -> Any:
            return self.pair, None

        @classmethod
        def tree_unflatten(cls, data: Any, children: Any) -> Pair:
            return cls(*children)

    assert tree_util.tree_map(lambda x: -x, Pair(1, 2)).pair == (-1, -2)
    assert tree.keystr(tree.leaves_with_path(Pair(1, 2))[1][0]) == "[<flat index 1>]"


def test_containers_cross_jit() -> None:
    @olympus.jit
    def step(layer: Layer, box: Box) -> tuple[Layer, Box]:
        return Layer(layer.weights * 2, layer.bias, layer.name), Box(box.item + 1, box.label)

    layer, box = step(Layer(jnp.ones(2), {"b": 3.0}, name="x"), Box(1, "y"))
    assert layer.name == "x" and layer.weights.tolist() == [2, 2] and float(layer.bias["b"]) == 3
    assert int(box.item) == 2 and box.label == "y"
    add = tree.Partial(lambda x, y, z=0: x + y + z, 1, z=2)
    assert int(olympus.jit(lambda f, v: f(v))(add, 4)) == 7


def test_older_names() -> None:
    assert tree_util.tree_leaves([1, (2,)]) == [1, 2]
    assert tree_util.treedef_tuple((tree.structure(1), tree.structure([1]))) == tree.structure((1, [1]))
    assert tree_util.treedef_is_leaf(tree.structure(1)) and tree_util.all_leaves([1, 2])
    assert tree.structure((1, [2])).node_data() == (tuple, None)


def _nested() -> st.SearchStrategy[Any]:
    keys = st.text(max_size=3)
    return st.recursive(st.integers() | st.none(), lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(keys, inner, max_size=3)
    ), max_leaves=12)


@given(_nested(), _nested())
@settings(deadline=None, max_examples=150)
def test_written_out_functions_are_those_of_the_structure(first: Any, second: Any) -> None:
    structure = tree.structure(first)
    unpack, pack = unpacker(structure), packer(structure)
    assert unpack is not None and pack is not None
    assert unpack(first) == tree.leaves(first)
    assert pack(tree.leaves(first)) == first
    if tree.structure(second) != structure:
        taken = unpack(second)  # a container where a leaf is wanted is the caller's to notice
        assert taken is None or any(tree.structure(leaf) != tree.structure(0) for leaf in taken)


@pytest.mark.parametrize("value, other", [
    (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)), (Point(1, [2]), (1, [2])), (Layer(1, 2), Layer(1, 2, "other")),
    (Box((1, 2), "x"), Box((1, 2), "y")), ({1: 2, 3: 4}, {1: 2, 4: 4}), ({"a": Option("x")}, {"a": Option("y")}),
    (defaultdict(list, a=1), defaultdict(dict, a=1)), ([[1, [2, 3]]] * 3, [[1, [2, 3]]] * 2 + [[1, [2]]]),
    ({"a": [1, 2, 3], "b": [1, 2, 3]}, {"a": [1, 2, 3], "b": (1, 2, 3)}),
])
def test_containers_of_all_kinds_are_written_out(value: Any, other: Any) -> None:
    structure = tree.structure(value)
    unpack, pack = unpacker(structure), packer(structure)
    assert unpack is not None and pack is not None
    assert unpack(value) == tree.leaves(value) and unpack(other) is None
    built = pack(tree.leaves(value))
    assert tree.structure(built) == structure and tree.leaves(built) == tree.leaves(value)


def test_structures_too_large_to_be_written_out_are_walked() -> None:
    deep: Any = 1
    for _ in range(150):
        deep = [deep]
    for value in (deep, [0] * 20_000):
        structure = tree.structure(value)
        assert unpacker(structure) is None and packer(structure) is None
        for _ in range(60):
            assert tree.map(lambda x: x, value) == value
    assert olympus.jit(lambda x: x)(deep)[0][0][0] is not None


class Text(str):
    """Equal to plain text, and not the same."""


@given(trees, trees)
@settings(deadline=None, max_examples=30)
def test_what_is_done_often_is_done_alike(value: Any, other: Any) -> None:
    """After many walks over trees of a structure, functions that were written for it take over."""
    known = tree.flatten(other)
    for _ in range(60):
        leaves, structure = tree.flatten(value)
        assert tree.map(lambda x, y: x, value, value) == value
    assert structure.num_nodes == 1 or structure._unpack is not None
    assert tree.flatten(value) == (leaves, structure) and tree.unflatten(structure, leaves) == value
    assert tree.flatten(other) == known and tree.unflatten(known[1], iter(known[0])) == other


def test_what_is_done_often_knows_other_trees() -> None:
    value = {"a": [1, 2], "b": Point(3, None)}
    for _ in range(60):
        leaves, structure = tree.flatten(value)
        tree.map(lambda x, y: y, value, value)
    assert structure._unpack is not None
    assert tree.map(lambda x, y: y, value, {"a": [(1, 2), 2], "b": Point(3, None)})["a"] == [(1, 2), 2]
    assert tree.leaves({"a": [1, 2], "b": Point((3, 4), None)}) == [1, 2, 3, 4]
    assert [type(key) for key in tree.map(lambda x: x, {Text("a"): [1, 2], "b": Point(3, None)})] == [Text, str]
    for bad, message in (({"a": [1, 2], "b": (3, None)}, r"At \['b'\], a tree has another container"),
                         ({"a": [1], "b": Point(3, None)}, r"At \['a'\], a tree has another number of children"),
                         ({"a": [1, 2], "c": 0}, "A tree has other keys")):
        with pytest.raises(TreeError, match=message):
            tree.map(lambda x, y: 0, value, bad)
    with pytest.raises(TreeError, match="4 leaves"):
        tree.unflatten(structure, [1, 2, 3, 4])


def test_classes_registered_late_are_taken_apart() -> None:
    class Late:
        pass

    late = Late()
    for _ in range(60):
        assert tree.leaves((late, [1])) == [late, 1]
    tree.register_pytree_node(Late, lambda x: ((5, 6), None), lambda data, children: late)
    assert tree.leaves((late, [1])) == [5, 6, 1]


def test_structures_with_data_that_cannot_be_hashed() -> None:
    value = {"a": Box(1, ["label"]), "b": [2]}
    leaves, structure = tree.flatten(value)
    assert leaves == [1, 2] and tree.unflatten(structure, leaves)["a"].label == ["label"]
    assert structure == tree.structure({"a": Box(5, ["label"]), "b": [2]})
    assert structure != tree.structure({"a": Box(5, ["other"]), "b": [2]})


def test_static_data_that_cannot_be_hashed_count_by_what_they_held() -> None:
    class Scaled:
        def __init__(self, x: Any, by: Any) -> None:
            self.x, self.by = x, by

    olympus.tree_util.register_pytree_node(Scaled, lambda s: ((s.x,), s.by), lambda by, xs: Scaled(xs[0], by))
    traced = []
    f, x = olympus.jit(lambda s: (traced.append(1), s.x * int(np.max(s.by[0])))[1]), jnp.ones(2)
    for _ in range(100):
        assert float(f(Scaled(x, (5,)))[0]) == 5.0
    traced.clear()
    for make in (lambda n: [n], lambda n: {0: n}, lambda n: np.array([n, 6]), lambda n: ([n], "a")):
        one, other = make(5), make(5)
        for by in (one, other):
            assert np.all(f(Scaled(x, by)) == np.asarray(5))
    assert len(traced) == 4
    changed = [5]
    assert float(f(Scaled(x, changed))[0]) == 5.0 and len(traced) == 4
    changed[0] = 7  # in place: another structure from now on
    assert float(f(Scaled(x, changed))[0]) == 7.0 and len(traced) == 5
    assert float(f(Scaled(x, [5]))[0]) == 5.0 and len(traced) == 5
    assert olympus.tree.map(lambda a, b: a + b, Scaled(1, np.array([5, 6])), Scaled(2, np.array([5, 6]))).x == 3
    with pytest.raises(TreeError, match="other static data"):
        olympus.tree.map(lambda a, b: a + b, Scaled(1, np.array([5, 6])), Scaled(2, np.array([5, 7])))
    with pytest.raises(TreeError, match="cannot be compared"):
        olympus.tree.map(lambda a, b: a + b, Scaled(1, jnp.ones(2)), Scaled(2, jnp.ones(2)))


def test_leaves_are_asked_for_by_path() -> None:
    value = {"a": [1, (2, 3)], "b": (4,)}

    def is_leaf(path: Any, x: Any) -> bool:
        return len(path) == 2 or path == (tree_util.DictKey("b"),)

    pairs, structure = tree.flatten_with_path(value, is_leaf, is_leaf_takes_path=True)
    assert [leaf for _, leaf in pairs] == [1, (2, 3), (4,)]
    assert tree.unflatten(structure, [leaf for _, leaf in pairs]) == value
    assert tree.leaves_with_path(value, is_leaf, True) == pairs
    found = tree.map_with_path(lambda p, x, y: (tree.keystr(p, simple=True, separator="/"), x, y), value, value,
                               is_leaf=is_leaf, is_leaf_takes_path=True)
    assert found == {"a": [("a/0", 1, 1), ("a/1", (2, 3), (2, 3))], "b": ("b", (4,), (4,))}


def test_one_level() -> None:
    assert tree_util.flatten_one_level(Point(1, (2,))) == ([1, (2,)], None)
    assert tree_util.flatten_one_level_with_keys(Point(1, 2))[0] == [
        (tree_util.GetAttrKey("x"), 1), (tree_util.GetAttrKey("y"), 2)]
    with pytest.raises(ValueError, match="takes a container"):
        tree_util.flatten_one_level(3)
    assert [tree_util.is_tree_node(t) for t in (dict, Point, type(None), int, tree_util.Partial)] == [
        True, True, True, False, True]
    registry = tree_util.default_registry
    assert registry.flatten([1, None]) == tree.flatten([1, None])
    assert registry.flatten_one_level(3) is None and registry.flatten_one_level_with_keys(3) is None
    assert registry.flatten_with_path([1]) == tree.flatten_with_path([1])

    class Boxed:
        item = 1

    registry.register_node(Boxed, lambda b: ((b.item,), None), lambda data, items: items[0])
    assert registry.is_node(Boxed) and tree.leaves(Boxed()) == [1]


def test_structures_are_folded() -> None:
    value = {"a": [1, 2], "b": None}
    structure = tree.structure(value)
    assert structure.walk(lambda children, data: (children, data), lambda x: -x, [1, 2]) == (
        (((-1, -2), None), ((), None)), ("a", "b"))
    assert structure.walk(lambda children, data: list(children), None, [1, 2]) == [[1, 2], []]
    with pytest.raises(TreeError, match="number of leaves"):
        structure.walk(lambda children, data: children, None, [1])


def test_folds_begin_with_what_is_given() -> None:
    assert tree.reduce(lambda a, b: a + b, [1, 2], initializer=10) == tree.reduce(lambda a, b: a + b, [1, 2], 10) == 13
    assert tree.reduce(lambda a, b: a, [], None) is None
    assert tree.reduce_associative(lambda a, b: a + b, [], identity=None) is None
    with pytest.raises(TypeError, match="nothing to begin with"):
        tree.reduce(lambda a, b: a + b, [])


def test_a_static_field() -> None:
    @tree_util.register_dataclass
    @dataclasses.dataclass
    class Scale:
        x: Any
        name: str = tree.static(default="first", metadata={"unit": "m"})

    assert tree.leaves(Scale(1)) == [1] and tree.structure(Scale(1)) != tree.structure(Scale(1, "second"))
    assert dataclasses.fields(Scale)[1].metadata == {"unit": "m", "static": True}
