# SPDX-License-Identifier: Apache-2.0
"""What is saved comes back: trees with their structure, every element type, numbers, texts and random keys."""

from __future__ import annotations

import dataclasses
import math
from collections import OrderedDict, namedtuple
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import checkpoints
from olympus.checkpoints.elements import stored_as
from olympus.checkpoints.outline import built, compared, decoded, encoded, outline_of
from olympus.errors import CheckpointLeafError, CheckpointMismatchError
from olympus_core import dtypes

from .support import need_tensorstore, same

need_tensorstore()

Point = namedtuple("Point", ["x", "y"])
NAMES = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "int4", "uint4", "float8_e8m0fnu")
NARROW = [np.dtype(getattr(ml_dtypes, name)) for name in NAMES if hasattr(ml_dtypes, name)]
TYPES = [*dtypes.ALL, *(dtype for dtype in NARROW if dtype not in dtypes.ALL)]

scalars = st.one_of(
    st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.binary(max_size=3),
    st.complex_numbers(allow_nan=False))
shapes = st.lists(st.integers(0, 5), max_size=3).map(tuple)


@st.composite
def arrays(draw: Any) -> np.ndarray:
    dtype, shape = draw(st.sampled_from(TYPES)), draw(shapes)
    data = draw(st.binary(min_size=16, max_size=16))
    bits = np.resize(np.frombuffer(data, np.uint8), math.prod(shape) * dtype.itemsize)
    if dtype == np.bool_:
        bits = bits & 1
    elif dtype.name in ("int4", "uint4"):
        return (bits & 7).astype(dtype).reshape(shape)
    return bits.view(dtype).reshape(shape)


def containers(children: Any) -> Any:
    return st.one_of(
        st.lists(children, max_size=3), st.lists(children, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=5), children, max_size=3),
        st.dictionaries(st.integers(-3, 3), children, max_size=3),
        st.dictionaries(st.text(max_size=2), children, max_size=2).map(OrderedDict),
        st.tuples(children, children).map(lambda pair: Point(*pair)), st.none())


def by_name(tree: Any) -> Any:
    """The tree with its named tuples as plain ones: a restored one is of a class with the same name and fields."""
    if isinstance(tree, (list, tuple)):
        parts = [by_name(part) for part in tree]
        return (type(tree).__name__, *parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return type(tree)((k, by_name(v)) for k, v in tree.items()) if isinstance(tree, dict) else tree


@settings(max_examples=40)
@given(tree=st.recursive(st.one_of(scalars, arrays()), containers, max_leaves=8))
def test_any_tree_comes_back(tree: Any, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("any")
    checkpoints.save(folder, tree, 1)
    restored = checkpoints.restore(folder)
    # Keys of a dict come back sorted, as they are in its structure.
    ordered = olympus.tree.map(lambda leaf: leaf, tree)
    assert same(by_name(restored), by_name(ordered))
    assert same(checkpoints.restore(folder, tree), ordered)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_every_element_type_on_devices(dtype: np.dtype, tmp_path: Path) -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    with olympus.enable_x64(True):
        values = np.arange(16).astype(dtype).reshape(8, 2)
        x = olympus.device_put(values, olympus.NamedSharding(mesh, olympus.P("x")))
        checkpoints.save(tmp_path, [x])
        (like,), (plain,) = checkpoints.restore(tmp_path, [x]), checkpoints.restore(tmp_path)
    assert like.dtype == plain.dtype == dtype and like.sharding == x.sharding and not plain.committed
    assert np.asarray(like).tobytes() == np.asarray(plain).tobytes() == values.tobytes()
    stored = stored_as(dtype)
    assert stored == ("uint8" if dtype in dtypes.NARROW_FLOATS else dtype.name)


def test_what_arrays_are_beside_their_content_comes_back(tmp_path: Path) -> None:
    tree = {
        "weak": jnp.asarray(2.5), "key": olympus.random.key(7), "keys": olympus.random.split(olympus.random.key(1), 3),
        "zero": np.float32(1.5), "empty": jnp.zeros((0, 3)), "numpy": np.arange(3.0)[::-1],
        "big endian": np.arange(3, dtype=">i4"),
    }
    checkpoints.save(tmp_path, tree)
    for found in (checkpoints.restore(tmp_path), checkpoints.restore(tmp_path, tree)):
        big = found.pop("big endian")
        assert same(found, {name: tree[name] for name in sorted(tree) if name != "big endian"})
        assert big.dtype == np.int32 and big.tolist() == [0, 1, 2]
        assert found["numpy"].flags.writeable
        assert olympus.random.uniform(found["key"]) == olympus.random.uniform(tree["key"])


@olympus.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    weights: Any
    name: str = dataclasses.field(metadata=dict(static=True))


def test_containers_of_users_come_back_by_like(tmp_path: Path) -> None:
    tree = {"first": Layer(jnp.arange(3), "old"), "p": Point(1, [jnp.ones(2)])}
    checkpoints.save(tmp_path, tree)
    like = {"first": Layer(olympus.ShapeDtypeStruct((3,), "int32"), "new"),
            "p": Point(0, [olympus.ShapeDtypeStruct((2,), "float32")])}
    found = checkpoints.restore(tmp_path, like)
    assert type(found["first"]) is Layer and found["first"].name == "new"
    assert type(found["p"]) is Point and found["p"].x == 1
    assert np.array_equal(found["first"].weights, [0, 1, 2])
    with pytest.raises(CheckpointLeafError, match=r"only your code can make: Layer(?s:.*)\['first'\](?s:.*)like="):
        checkpoints.restore(tmp_path)


def test_shapes_of_random_keys_are_enough(tmp_path: Path) -> None:
    checkpoints.save(tmp_path, {"key": olympus.random.key(3)})
    like = olympus.eval_shape(lambda: {"key": olympus.random.key(0)})
    assert same(checkpoints.restore(tmp_path, like)["key"], olympus.random.key(3))


def test_every_difference_from_like_is_listed(tmp_path: Path) -> None:
    saved = {"a": jnp.zeros((2, 3)), "b": [1, "x"], "c": {"d": jnp.ones(4)}, "k": olympus.random.key(0), "n": None}
    checkpoints.save(tmp_path, saved)
    like = {"a": jnp.zeros((3, 2)), "b": (1, "x"), "c": {"e": 1}, "k": jnp.zeros(2, "uint32"), "n": 5}
    with pytest.raises(CheckpointMismatchError) as raised:
        checkpoints.restore(tmp_path, like)
    assert list(raised.value.differences) == [
        "['b']: saved a list, like has a tuple", "['c']['d']: saved, not in like", "['c']['e']: not saved, in like",
        "['n']: saved None, like has a leaf, 5", "['a']: saved float32[2,3], like has float32[3,2]",
        "['k']: saved random keys key<fry>[], like has uint32[2]",
    ]
    with pytest.raises(CheckpointMismatchError, match=r"\['b'\]\[0\]: saved int 1, like has bool True"):
        checkpoints.restore(tmp_path, {**saved, "b": [True, "y"]})


@pytest.mark.parametrize("leaf", [object(), np.array(["a"]), np.array([None]), np.datetime64("2026-01-01"), {1, 2}])
def test_what_cannot_be_saved_is_refused_with_its_path(leaf: Any, tmp_path: Path) -> None:
    with pytest.raises(CheckpointLeafError, match=r"\['a'\]\[0\]"):
        checkpoints.save(tmp_path / "new", {"a": [leaf]})
    assert not (tmp_path / "new").exists()


def test_traced_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointLeafError, match="outside of jit"):
        olympus.jit(lambda x: checkpoints.save(tmp_path, x))(1.0)


def test_deleted_arrays_are_refused(tmp_path: Path) -> None:
    x = jnp.arange(3)
    x.delete()
    with pytest.raises(olympus.errors.DeletedError):
        checkpoints.save(tmp_path, x)


@given(scalars)
def test_values_come_back_exactly(value: Any) -> None:
    assert same(decoded(encoded(value)), value)


def test_names_are_safe_and_different() -> None:
    tree = {"a": 1, "A": 2, "..": 3, "zarr.json": 4, "__x": 5, "a/b": 6, "": 7, "c": 8, "x" * 300: 9, "é": 10, ".": 11}
    names = [leaf.name[0] for leaf in outline_of(tree)[1]]
    assert len({name.lower() for name in names}) == len(tree)
    assert all(len(name) <= 130 and not name.startswith((".", "__")) and "/" not in name for name in names)
    assert "zarr.json" not in names


def test_equal_keys_of_other_types_differ() -> None:
    outline, _ = outline_of({1: "a"})
    assert compared(outline, {1: "b"}).differences == []
    assert compared(outline, {True: "b"}).differences == ["[1]: saved, not in like", "[True]: not saved, in like"]
    assert built(outline, ["b"]) == {1: "b"}
