# SPDX-License-Identifier: Apache-2.0
"""Explicit mode: shardings in types, at trace time and on arrays; errors that say what to write."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import (
    AmbiguousReductionError,
    ArgumentError,
    AxisNotExplicitError,
    AxisReuseError,
    ConstraintMismatchError,
    DifferentMeshesError,
    ShardingConflictError,
    ShardingTypeError,
    SplitDimensionError,
    UnevenResultError,
)
from olympus.sharding import (
    AxisType,
    NamedSharding,
    auto_axes,
    explicit_axes,
    get_abstract_mesh,
    reshard,
)
from olympus.sharding import PartitionSpec as P
from olympus.tracing import bind
from olympus_core import ops


def make_mesh(*types: AxisType) -> olympus.Mesh:
    return olympus.make_mesh((2, 4), ("X", "Y"), axis_types=types or (AxisType.Explicit,) * 2)


def make(shape: tuple[int, ...], *spec: object, mesh: olympus.Mesh | None = None) -> olympus.Array:
    value = (np.arange(np.prod(shape)) % 7).reshape(shape).astype(np.float32)
    return olympus.device_put(value, NamedSharding(mesh or make_mesh(), P(*spec)))


# The cells of "Introduction to parallel programming",
# sections "Explicit sharding" and "Comparing the three approaches", and what they print.

CELLS = [
    (
        """
        some_array = np.arange(8)
        print(f"OLYMPUS-level type of some_array: {olympus.typeof(some_array)}")
        """,
        "OLYMPUS-level type of some_array: int32[8]\n",
    ),
    (
        """
        @olympus.jit
        def foo(x):
          print(f"OLYMPUS-level type of x during tracing: {olympus.typeof(x)}")
          return x + x

        foo(some_array)
        """,
        "OLYMPUS-level type of x during tracing: int32[8]\n",
    ),
    (
        """
        from olympus.sharding import AxisType

        mesh = olympus.make_mesh((2, 4), ("X", "Y"),
                             axis_types=(AxisType.Explicit, AxisType.Explicit))
        """,
        "",
    ),
    (
        """
        replicated_array = np.arange(8).reshape(4, 2)
        sharded_array = olympus.device_put(replicated_array, olympus.NamedSharding(mesh, P("X", None)))

        print(f"replicated_array type: {olympus.typeof(replicated_array)}")
        print(f"sharded_array type: {olympus.typeof(sharded_array)}")
        """,
        "replicated_array type: int32[4,2]\nsharded_array type: int32[4@X,2]\n",
    ),
    (
        """
        arg0 = olympus.device_put(np.arange(4).reshape(4, 1),
                              olympus.NamedSharding(mesh, P("X", None)))
        arg1 = olympus.device_put(np.arange(8).reshape(1, 8),
                              olympus.NamedSharding(mesh, P(None, "Y")))

        @olympus.jit
        def add_arrays(x, y):
          ans = x + y
          print(f"x sharding: {olympus.typeof(x)}")
          print(f"y sharding: {olympus.typeof(y)}")
          print(f"ans sharding: {olympus.typeof(ans)}")
          return ans

        with olympus.set_mesh(mesh):
          result = add_arrays(arg0, arg1)
        """,
        "x sharding: int32[4@X,1]\ny sharding: int32[1,8@Y]\nans sharding: int32[4@X,8@Y]\n",
    ),
    (
        """
        @olympus.jit
        def layer(x, weights, bias):
          return olympus.nn.sigmoid(x @ weights + bias)
        """,
        "",
    ),
    (
        """
        rng = np.random.default_rng(0)

        x = rng.normal(size=(32,))
        weights = rng.normal(size=(32, 4))
        bias = rng.normal(size=(4,))

        plain = layer(x, weights, bias)
        """,
        "",
    ),
    (
        """
        explicit_mesh = olympus.make_mesh((8,), ('X',), axis_types=(AxisType.Explicit,))

        x_sharded = olympus.device_put(x, olympus.NamedSharding(explicit_mesh, P('X')))
        weights_sharded = olympus.device_put(weights, olympus.NamedSharding(explicit_mesh, P()))

        @olympus.jit
        def layer_auto(x, weights, bias):
          print(f"x sharding: {olympus.typeof(x)}")
          print(f"weights sharding: {olympus.typeof(weights)}")
          print(f"bias sharding: {olympus.typeof(bias)}")
          out = layer(x, weights, bias)
          print(f"out sharding: {olympus.typeof(out)}")
          return out

        with olympus.set_mesh(explicit_mesh):
          out = layer_auto(x_sharded, weights_sharded, bias)
        """,
        "x sharding: float32[32@X]\nweights sharding: float32[32,4]\nbias sharding: float32[4]\n"
        "out sharding: float32[4]\n",
    ),
]


def test_the_cells_of_document_001_print_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {"olympus": olympus, "np": np, "jnp": jnp, "P": P}
    for source, printed in CELLS:
        exec(compile(textwrap.dedent(source), "<document>", "exec"), names)
        assert capsys.readouterr().out == printed
    np.testing.assert_array_equal(np.asarray(names["result"]), np.arange(4)[:, None] + np.arange(8))
    assert names["result"].sharding == NamedSharding(names["mesh"], P("X", "Y"))
    product = names["x"] @ names["weights"] + names["bias"]
    for name in ("plain", "out"):
        np.testing.assert_allclose(np.asarray(names[name]), 1 / (1 + np.exp(-product)), rtol=1e-4)
    assert names["out"].sharding == NamedSharding(names["explicit_mesh"], P())


def reshaped(*shape: int):
    return lambda a: bind(ops.reshape, a, shape=shape)


def sliced(starts, limits, strides=(1, 1)):
    return lambda a: bind(ops.slice, a, starts=starts, limits=limits, strides=strides)


def joined(dimension: int):
    return lambda *a: bind(ops.concatenate, *a, dimension=dimension)


def add(a, b):
    return bind(ops.add, a, b)


def dot(a, b):
    return bind(ops.dot_general, a, b, lhs_contracting=(1,), rhs_contracting=(0,), lhs_batch=(), rhs_batch=())


S = (8, 4)
XY, X_, Y_, _X, __ = (S, "X", "Y"), (S, "X"), (S, "Y"), (S, None, "X"), (S,)

# Function, operands (shape and spec), and the result's type as such a runtime of the documents prints it.
PROPAGATED = {
    "both alike": (add, [XY, XY], "float32[8@X,4@Y]"),
    "one replicated": (add, [XY, __], "float32[8@X,4@Y]"),
    "one less": (add, [XY, X_], "float32[8@X,4@Y]"),
    "different dimensions": (add, [X_, (S, None, "Y")], "float32[8@X,4@Y]"),
    "sum of a split dimension": (lambda a: bind(ops.reduce_sum, a, dimensions=(0,)), [XY], "float32[4@Y]"),
    "sum of all": (lambda a: bind(ops.reduce_sum, a, dimensions=(0, 1)), [XY], "float32[]"),
    "maximum": (lambda a: bind(ops.reduce_max, a, dimensions=(1,)), [XY], "float32[8@X]"),
    "place of the maximum": (
        lambda a: bind(ops.argmax, a, dimension=1, dtype=np.dtype(np.int32)), [XY], "int32[8@X]"),
    "transpose": (lambda a: bind(ops.transpose, a, permutation=(1, 0)), [XY], "float32[4@Y,8@X]"),
    "flat": (reshaped(32), [XY], "float32[32@(X,Y)]"),
    "flat of a major split": (reshaped(32), [X_], "float32[32@X]"),
    "dimension divided": (reshaped(4, 2, 4), [XY], "float32[4@X,2,4@Y]"),
    "dimension divided in exact parts": (reshaped(4, 2, 4), [Y_], "float32[4@Y,2,4]"),
    "dimension divided in three": (reshaped(2, 2, 2, 4), [X_], "float32[2@X,2,2,4]"),
    "one in front": (reshaped(1, 8, 4), [XY], "float32[1,8@X,4@Y]"),
    "one in the middle": (reshaped(8, 1, 4), [XY], "float32[8@X,1,4@Y]"),
    "one taken away": (reshaped(8), [((8, 1), "X")], "float32[8@X]"),
    "other dimension divided": (reshaped(8, 2, 2), [X_], "float32[8@X,2,2]"),
    "slice along a split dimension": (sliced((0, 0), (4, 4)), [XY], "float32[4@X,4@Y]"),
    "slice with steps": (sliced((0, 0), (8, 4), (2, 1)), [XY], "float32[4@X,4@Y]"),
    "slice along a whole dimension": (sliced((0, 1), (8, 3)), [X_], "float32[8@X,2]"),
    "joined along a split dimension": (joined(0), [XY, XY], "float32[16@X,4@Y]"),
    "joined along a whole dimension": (joined(1), [X_, X_], "float32[8@X,8]"),
    "reversed": (lambda a: bind(ops.reverse, a, dimensions=(0,)), [XY], "float32[8@X,4@Y]"),
    "padded": (
        lambda a: bind(ops.pad, a, np.float32(0), low=(1, 0), high=(1, 0), interior=(0, 0)), [XY],
        "float32[10@X,4@Y]"),
    "product, contraction split on one side": (dot, [_X, ((4, 8),)], "float32[8,8]"),
    "product of rows and columns": (dot, [X_, ((4, 8), None, "Y")], "float32[8@X,8@Y]"),
    "product, the contraction's axis again": (dot, [_X, ((4, 8), None, "X")], "float32[8,8@X]"),
    "product, other axis": (dot, [_X, ((4, 8), None, "Y")], "float32[8,8@Y]"),
    "product, the right contraction": (dot, [X_, ((4, 8), "X")], "float32[8@X,8]"),
    "dynamic slice": (
        lambda a: bind(ops.dynamic_slice, a, np.int32(1), np.int32(0), sizes=(2, 4)), [XY], "float32[2@X,4@Y]"),
    "dynamic update": (
        lambda a, b: bind(ops.dynamic_update_slice, a, b, np.int32(1), np.int32(0)), [_X, ((2, 4), None, "X")],
        "float32[8,4@X]"),
    "conversion": (lambda a: bind(ops.convert, a, dtype=np.dtype(np.int32)), [XY], "int32[8@X,4@Y]"),
    "scan over a whole dimension": (
        lambda a: lax.scan(lambda c, b: (c, bind(ops.neg, b)), np.float32(0), a)[1], [_X], "float32[8,4@X]"),
    "cond": (
        lambda a: lax.cond(True, lambda v: bind(ops.neg, v), lambda v: add(v, v), a), [XY], "float32[8@X,4@Y]"),
    "while": (
        lambda a: lax.while_loop(lambda s: bind(ops.lt, s[0], np.int32(3)),
                                 lambda s: (add(s[0], np.int32(1)), bind(ops.neg, s[1])), (np.int32(0), a))[1],
        [XY], "float32[8@X,4@Y]"),
    "index into a whole dimension": (lambda a: a[0], [(S, None, "Y")], "float32[4@Y]"),
    "array of indices into a whole dimension": (lambda a: a[np.array([1, 1, 7])], [(S, None, "Y")], "float32[3,4@Y]"),
    "new dimension": (lambda a: a[:, None], [XY], "float32[8@X,1,4@Y]"),
    "stack": (lambda a: jnp.stack([a, a]), [XY], "float32[2,8@X,4@Y]"),
    "broadcast to a shape": (lambda a: jnp.broadcast_to(a, (3, 8, 4)), [XY], "float32[3,8@X,4@Y]"),
    "variance, kept": (lambda a: a.var(1, keepdims=True), [XY], "float32[8@X,1]"),
    "operator with a number": (lambda a: 2 * a + 1, [XY], "float32[8@X,4@Y]"),
    "broadcasting": (lambda a, b: a + b, [((4, 1), "X"), ((1, 8), None, "Y")], "float32[4@X,8@Y]"),
    "broadcasting of a lower rank": (lambda a, b: a + b, [XY, ((4,), "Y")], "float32[8@X,4@Y]"),
    "host operand": (lambda a: a + np.ones(S, np.float32), [XY], "float32[8@X,4@Y]"),
    "matmul of a batch": (lambda a, b: a @ b, [((2, 8, 4), "X"), ((2, 4, 8), "X")], "float32[2@X,8,8]"),
    "where": (lambda a, b: jnp.where(a > 3, b, 0.0), [XY, XY], "float32[8@X,4@Y]"),
    "mean": (lambda a: a.mean(0), [XY], "float32[4@Y]"),
    "softmax": (lambda a: olympus.nn.softmax(a), [XY], "float32[8@X,4@Y]"),
}

REFUSED = {
    "conflict": (add, [XY, (S, "Y", "X")], ShardingConflictError, "operand 1, olympus.reshard(x, P('X', 'Y'))"),
    "conflict with a longer split": (add, [(S, ("X", "Y")), X_], ShardingConflictError, "P(('X', 'Y'), None)"),
    "axis twice": (add, [X_, _X], AxisReuseError, "float32[8@X,4@X]"),
    "product, axis twice": (dot, [X_, ((4, 8), None, "X")], AxisReuseError, "float32[8@X,8@X]"),
    "product, both contractions split": (dot, [_X, ((4, 8), "X")], AmbiguousReductionError, "out_sharding="),
    "product, contractions split differently": (
        dot, [_X, ((4, 8), "Y")], ShardingConflictError, "operand 1, olympus.reshard(x, P('X', None))"),
    "running sum": (lambda a: bind(ops.cumsum, a, dimension=0, reverse=False), [XY], SplitDimensionError,
                    "dimension 0 of operand 0"),
    "sort": (lambda a: bind(ops.sort, a, dimension=1, keys=1), [XY], SplitDimensionError, "dimension 1 of operand 0"),
    "division of a split that does not fit": (reshaped(2, 4, 4), [Y_], SplitDimensionError, "float32[2,4,4]"),
    "division of a longer split": (reshaped(2, 2, 2, 4), [(S, ("X", "Y"))], SplitDimensionError, "float32[2,2,2,4]"),
    "flat of a minor split": (reshaped(32), [_X], SplitDimensionError, "float32[32]"),
    "slice of a size that does not divide": (sliced((0, 0), (3, 4)), [XY], UnevenResultError, "2 devices of ('X',)"),
    "joined, split and whole": (joined(0), [X_, __], ShardingConflictError, "P('X', None)"),
    "dynamic update along a split dimension": (
        lambda a, b: bind(ops.dynamic_update_slice, a, b, np.int32(1), np.int32(0)), [XY, ((2, 4),)],
        SplitDimensionError, "olympus.reshard"),
    "index into a split dimension": (lambda a: a[0], [XY], UnevenResultError, "float32[1,4]"),
    "indices into a split dimension": (lambda a: a[np.array([1, 2])], [XY], SplitDimensionError, "operand 0"),
    "scan over a split dimension": (
        lambda a: lax.scan(lambda c, b: (c, b), np.float32(0), a), [XY], SplitDimensionError, "scan"),
    "loop that changes the split": (
        lambda a: lax.scan(lambda c, b: (add(c, b), b), np.zeros(4, np.float32), a), [_X], ArgumentError,
        "float32[4] becomes float32[4@X]"),
    "branches that differ": (
        lambda a, b: lax.cond(True, lambda v, w: v, lambda v, w: w, a, b), [XY, __], ArgumentError,
        "different shardings"),
}


@pytest.mark.parametrize("name", PROPAGATED)
def test_types_propagate(name: str) -> None:
    function, operands, expected = PROPAGATED[name]
    arrays = [make(shape, *spec) for shape, *spec in operands]
    seen = []

    def traced(*values):
        result = function(*values)
        seen.append(str(olympus.typeof(result)))
        return result

    evaluated, jitted = function(*arrays), olympus.jit(traced)(*arrays)
    assert seen == [expected]
    for result in (evaluated, jitted):
        assert str(olympus.typeof(result)) == expected
        assert result.committed
        assert result.sharding.mesh is make_mesh()
    host = function(*[olympus.device_put(np.asarray(a)) for a in arrays])  # on one device, where nothing is split
    assert len(host.devices()) == 1
    for result in (evaluated, jitted):
        np.testing.assert_allclose(np.asarray(result), np.asarray(host), rtol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_operands_leave_open_is_refused(name: str) -> None:
    function, operands, error, says = REFUSED[name]
    arrays = [make(shape, *spec) for shape, *spec in operands]
    for call in (function, olympus.jit(function)):
        with pytest.raises(error) as caught:
            call(*arrays)
        assert says in str(caught.value)
        assert isinstance(caught.value, TypeError)
    # The same is free to choose where axes are automatic.
    automatic = make_mesh(AxisType.Auto, AxisType.Auto)
    result = function(*[make(shape, *spec, mesh=automatic) for shape, *spec in operands])
    host = function(*[olympus.device_put(np.asarray(a)) for a in arrays])
    for a, b in zip(olympus.tree.leaves(result), olympus.tree.leaves(host), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-6)


specs = st.sampled_from([
    P(), P("X"), P("Y"), P(None, "X"), P(None, "Y"), P("X", "Y"), P("Y", "X"), P(("X", "Y")), P(None, ("Y", "X")),
])


@settings(max_examples=80)
@given(specs, specs, st.integers(0, 2))
def test_whatever_is_accepted_is_typed_as_placed_and_right(one: P, other: P, which: int) -> None:
    value = np.arange(64, dtype=np.float32).reshape(8, 8)
    a, b = (olympus.device_put(value, NamedSharding(make_mesh(), spec)) for spec in (one, other))
    function, oracle = [
        (lambda u, v: add(bind(ops.neg, u), v), lambda u, v: v - u),
        (dot, lambda u, v: u @ v),
        (lambda u, v: bind(ops.reduce_sum, add(u, v), dimensions=(1,)), lambda u, v: (u + v).sum(1)),
    ][which]
    types = []

    def traced(u, v):
        result = function(u, v)
        types.append(olympus.typeof(result))
        return result

    try:
        result = olympus.jit(traced)(a, b)
    except ShardingTypeError:
        return
    assert types[0].sharding == result.sharding
    np.testing.assert_allclose(np.asarray(result), oracle(value, value), rtol=1e-5)


def test_reshard_changes_the_type_and_keeps_the_value() -> None:
    x = make(S, "X", "Y")
    for spec, text in [(P("Y"), "float32[8@Y,4]"), (P(None, "Y"), "float32[8,4@Y]"), (P(), "float32[8,4]")]:
        with olympus.set_mesh(make_mesh()):
            results = [reshard(x, spec), olympus.jit(lambda v, spec=spec: reshard(v, spec))(x)]
        results.append(reshard(x, spec))  # the type's own mesh where none is set
        results.append(reshard(np.asarray(x), NamedSharding(make_mesh(), spec)))
        for y in results:
            assert str(olympus.typeof(y)) == text
            assert y.sharding == NamedSharding(make_mesh(), spec)
            np.testing.assert_array_equal(np.asarray(y), np.asarray(x))


def test_reshard_takes_containers() -> None:
    x = {"a": make(S, "X"), "b": make((8,), "Y")}
    y = reshard(x, {"a": P("Y"), "b": P()})
    assert [str(olympus.typeof(v)) for v in (y["a"], y["b"])] == ["float32[8@Y,4]", "float32[8]"]
    assert str(olympus.typeof(reshard(x, P())["a"])) == "float32[8,4]"
    with pytest.raises(ArgumentError):
        reshard(x, [P()])


def test_reshard_refuses_axes_that_no_type_names() -> None:
    mixed = make_mesh(AxisType.Explicit, AxisType.Auto)
    with pytest.raises(AxisNotExplicitError, match="'Y', which is Auto here"):
        reshard(make(S, "X", mesh=mixed), P("Y"))
    with olympus.set_mesh(make_mesh()), pytest.raises(AxisNotExplicitError, match="Manual here"):
        olympus.shard_map(lambda v: reshard(v, P("X")), in_specs=P("X"), out_specs=P("X"))(make(S, "X"))


def test_a_constraint_confirms_the_type_and_does_not_change_it() -> None:
    x = make(S, "X", "Y")
    for call in (lambda f: f, olympus.jit):
        same = call(lambda v: olympus.with_sharding_constraint(v, NamedSharding(make_mesh(), P("X", "Y"))))(x)
        assert str(olympus.typeof(same)) == "float32[8@X,4@Y]"
        with pytest.raises(ConstraintMismatchError, match=r"olympus.reshard\(x, P\('Y', None\)\)"):
            call(lambda v: olympus.with_sharding_constraint(v, NamedSharding(make_mesh(), P("Y"))))(x)


def test_automatic_axes_of_a_mixed_mesh_stay_free() -> None:
    mixed = make_mesh(AxisType.Explicit, AxisType.Auto)
    x = make(S, "X", "Y", mesh=mixed)
    assert str(olympus.typeof(x)) == "float32[8@X,4]"
    y = olympus.jit(lambda v: bind(ops.transpose, add(v, v), permutation=(1, 0)))(x)
    assert str(olympus.typeof(y)) == "float32[4,8@X]"
    assert y.sharding == NamedSharding(mixed, P("Y", "X"))
    np.testing.assert_array_equal(np.asarray(y), 2 * np.asarray(x).T)
    # What conflicts over an automatic axis is settled by the partitioner.
    z = add(x, make(S, "X", mesh=mixed))
    assert str(olympus.typeof(z)) == "float32[8@X,4]"
    constrained = olympus.jit(lambda v: olympus.with_sharding_constraint(add(v, v), NamedSharding(mixed, P("X"))))(x)
    assert constrained.sharding == NamedSharding(mixed, P("X"))


def test_results_that_depend_on_nothing_are_replicated_as_typed() -> None:
    x = make(S, "X", "Y")
    types = []

    def function(v):
        zeros = bind(ops.neg, np.zeros(S, np.float32))
        types.append(str(olympus.typeof(zeros)))
        return add(v, zeros), zeros

    _, zeros = olympus.jit(function)(x)
    assert types == ["float32[8,4]"] == [str(olympus.typeof(zeros))]
    assert zeros.sharding == NamedSharding(make_mesh(), P())


def test_operands_over_different_meshes_are_refused() -> None:
    with pytest.raises(DifferentMeshesError, match="device_put"):
        add(make(S, "X"), make(S, "X", mesh=make_mesh(AxisType.Explicit, AxisType.Auto)))
    z = add(make(S, "X"), make(S, "Y", mesh=make_mesh(AxisType.Auto, AxisType.Auto)))
    assert str(olympus.typeof(z)) == "float32[8@X,4]"


def test_auto_axes_needs_only_the_sharding_of_its_result() -> None:
    a, b = make(S, None, "X"), make((4, 8), "X")
    seen = []

    def function(u, v):
        seen.append((str(olympus.typeof(u)), str(olympus.typeof(a))))
        return dot(u, v)

    product = auto_axes(function)
    for call in (lambda *v: product(*v, out_sharding=P("X")), auto_axes(function, out_sharding=P("X")),
                 olympus.jit(auto_axes(function, out_sharding=NamedSharding(make_mesh(), P("X"))))):
        result = call(a, b)
        assert str(olympus.typeof(result)) == "float32[8@X,8]"
        np.testing.assert_array_equal(np.asarray(result), np.asarray(a) @ np.asarray(b))
    assert set(seen) == {("float32[8,4]", "float32[8,4]")}
    count = len(seen)
    product(a, b, out_sharding=P("X"))
    assert len(seen) == count  # compiled once for each sharding
    assert str(olympus.typeof(product(a, b, out_sharding=P()))) == "float32[8,8]"
    with pytest.raises(ArgumentError, match="out_sharding"):
        product(a, b)


def test_auto_axes_of_some_axes_only() -> None:
    seen = []

    def function(v):
        seen.append((str(olympus.typeof(v)), get_abstract_mesh().axis_types))
        return v

    with olympus.set_mesh(make_mesh()):
        auto_axes(function, axes="X", out_sharding=P("X"))(make(S, "X", "Y"))
    assert seen == [("float32[8,4@Y]", (AxisType.Auto, AxisType.Explicit))]


def test_auto_axes_inside_of_a_loop_keeps_the_loops_types() -> None:
    a, b = make((4, 4), None, "X"), make((4, 4), "X")
    step = auto_axes(dot, out_sharding=P(None, "X"))

    def function(u, v):
        carried, rows = lax.scan(lambda c, _: (step(c, v), bind(ops.reduce_sum, c, dimensions=(0,))), u, None, length=2)
        assert [str(olympus.typeof(r)) for r in (carried, rows)] == ["float32[4,4@X]", "float32[2,4@X]"]
        return carried

    result = olympus.jit(function)(a, b)
    assert str(olympus.typeof(result)) == "float32[4,4@X]"
    np.testing.assert_array_equal(np.asarray(result), np.asarray(a) @ np.asarray(b) @ np.asarray(b))


def test_explicit_axes_types_the_inside_only() -> None:
    automatic = make_mesh(AxisType.Auto, AxisType.Auto)
    seen = []

    def function(v):
        moved = reshard(v, P("Y"))
        seen.append((str(olympus.typeof(v)), str(olympus.typeof(moved)), get_abstract_mesh().axis_types))
        return bind(ops.neg, v)

    x = make(S, "X", "Y", mesh=automatic)
    with olympus.set_mesh(automatic):
        for call in (explicit_axes(function), explicit_axes(function, in_sharding=P("X"))):
            result = call(x, in_sharding=P("X"))
            assert str(olympus.typeof(result)) == "float32[8,4]"
            assert result.sharding == NamedSharding(automatic, P("X"))
            np.testing.assert_array_equal(np.asarray(result), -np.asarray(x))
        with pytest.raises(ArgumentError, match="in_sharding"):
            explicit_axes(function)(x)
    assert set(seen) == {("float32[8@X,4]", "float32[8@Y,4]", (AxisType.Explicit, AxisType.Explicit))}
    with pytest.raises(ArgumentError, match="mesh"):
        explicit_axes(function, in_sharding=P("X"))(np.ones(S))


def test_get_abstract_mesh_says_what_axes_are_here() -> None:
    assert get_abstract_mesh().empty
    seen = []
    with olympus.set_mesh(make_mesh()):
        assert get_abstract_mesh() == make_mesh().abstract_mesh
        olympus.shard_map(lambda v: seen.append(get_abstract_mesh().axis_types) or v, in_specs=P("X"),
                          out_specs=P("X"))(make(S, "X"))
    assert seen == [(AxisType.Manual, AxisType.Manual)]


def test_out_sharding_settles_what_is_open() -> None:
    a, b = make(S, None, "X"), make((4, 8), "X")
    numbers = (((1,), (0,)), ((), ()))
    flat = make(S, "Y", "X")
    mesh = make_mesh()
    with olympus.set_mesh(mesh):
        for call in (lambda f: f, olympus.jit):
            for spec, text in [(P("X"), "float32[8@X,8]"), (P(), "float32[8,8]"), (P(None, "Y"), "float32[8,8@Y]")]:
                product = call(lambda u, v, spec=spec: lax.dot_general(u, v, numbers, out_sharding=spec))(a, b)
                assert str(olympus.typeof(product)) == text
                np.testing.assert_array_equal(np.asarray(product), np.asarray(a) @ np.asarray(b))
            merged = call(lambda v: lax.reshape(v, (4, 8), out_sharding=P(None, "X")))(flat)
            assert str(olympus.typeof(merged)) == "float32[4,8@X]"
            np.testing.assert_array_equal(np.asarray(merged), np.asarray(flat).reshape(4, 8))
            where = NamedSharding(mesh, P(None, "X"))
            repeated = call(lambda v, s=where: lax.broadcast_in_dim(v, (3, 8, 4), (1, 2), out_sharding=s))(flat)
            assert str(olympus.typeof(repeated)) == "float32[3,8@X,4]"
            numbered = call(lambda: lax.broadcasted_iota(np.int32, S, 0, out_sharding=P("X")))()
            assert str(olympus.typeof(numbered)) == "int32[8@X,4]"
    # Without a mesh in use the specs are over the operands'.
    assert str(olympus.typeof(lax.dot_general(a, b, numbers, out_sharding=P("X")))) == "float32[8@X,8]"


@pytest.mark.parametrize("name", ["matmul", "dot", "einsum"])
def test_out_sharding_of_products(name: str) -> None:
    a, b = make(S, None, "X"), make((4, 8), "X")

    def product(u, v, **how):
        return jnp.einsum("ij,jk->ik", u, v, **how) if name == "einsum" else getattr(jnp, name)(u, v, **how)

    for call in (lambda f: f, olympus.jit):
        with pytest.raises(AmbiguousReductionError, match="out_sharding="):
            call(product)(a, b)
        for spec, text in [(P("Y"), "float32[8@Y,8]"), (P(), "float32[8,8]")]:
            result = call(lambda u, v, s=spec: product(u, v, out_sharding=s))(a, b)
            assert str(olympus.typeof(result)) == text
            np.testing.assert_array_equal(np.asarray(result), np.asarray(a) @ np.asarray(b))


def test_out_sharding_of_shapes_and_new_arrays() -> None:
    x = make(S, "Y", "X")
    with olympus.set_mesh(make_mesh()):
        for call in (lambda f: f, olympus.jit):
            texts = [str(olympus.typeof(call(f)(x))) for f in (
                lambda v: jnp.reshape(v, (32,), out_sharding=P("X")),
                lambda v: jnp.ravel(v, out_sharding=P("X")),
                lambda v: jnp.broadcast_to(v, (3, 8, 4), out_sharding=P(None, "X")),
                lambda v: jnp.zeros((8, 4), out_sharding=P("X", "Y")),
                lambda v: jnp.arange(8.0, out_sharding=P("Y")),
            )]
            assert texts == [
                "float32[32@X]", "float32[32@X]", "float32[3,8@X,4]", "float32[8@X,4@Y]", "float32[8@Y]"]


def test_out_sharding_of_elements_that_an_index_names() -> None:
    x, rows = make((8, 8), "Y", "X"), np.array([0, 3, 7, 2])
    host = np.asarray(x)
    updated = {name: host.copy() for name in ("set", "add", "divide", "mask")}
    updated["set"][rows] = 1
    updated["add"][rows, 2:4] += 1
    updated["divide"][0] /= 2
    updated["mask"][host > 5] = 3
    with olympus.set_mesh(make_mesh()):
        for call in (lambda f: f, olympus.jit):
            for function, text, expected in [
                (lambda v, i: v.at[i].get(out_sharding=P("Y", "X")), "float32[4@Y,8@X]", host[rows]),
                (lambda v, i: v.at[i].set(1, out_sharding=P("Y", "X")), "float32[8@Y,8@X]", updated["set"]),
                (lambda v, i: v.at[i, 2:4].add(1, out_sharding=P("X")), "float32[8@X,8]", updated["add"]),
                (lambda v, i: v.at[0].divide(2, out_sharding=P("Y")), "float32[8@Y,8]", updated["divide"]),
                (lambda v, i: v.at[v > 5].set(3, out_sharding=P(None, "X")), "float32[8,8@X]", updated["mask"]),
            ]:
                found = call(function)(x, rows)
                assert str(olympus.typeof(found)) == text
                np.testing.assert_array_equal(np.asarray(found), expected)


def test_out_sharding_of_a_product_is_reduced_and_scattered_at_once() -> None:
    numbers = (((0,), (0,)), ((), ()))
    x = make((64, 8), "X")
    compiled = olympus.jit(lambda v: lax.dot_general(v, v, numbers, out_sharding=P("X"))).lower(x).compile()
    names = [use.operation for use in compiled._call.loaded.partitioned.collectives]
    assert names == ["reduce_scatter"]


def test_shard_map_sees_local_types_and_gives_typed_results() -> None:
    x = make(S, "X", "Y")
    seen = []

    def function(v):
        seen.append((str(olympus.typeof(v)), str(olympus.typeof(x))))
        return add(v, v)

    with olympus.set_mesh(make_mesh()):
        for in_specs, local in [
                (P("X", "Y"), "float32[4,1]{V:X,Y}"), (None, "float32[4,1]{V:X,Y}"), (P("X"), "float32[4,4]{V:X}")]:
            out_specs = in_specs or P("X", "Y")
            mapped = olympus.shard_map(function, in_specs=in_specs, out_specs=out_specs)
            for result in (mapped(x), olympus.jit(mapped)(x)):
                assert result.sharding == NamedSharding(make_mesh(), out_specs)
                np.testing.assert_array_equal(np.asarray(result), 2 * np.asarray(x))
            assert {types for types in seen} == {(local, "float32[8,4]")}
            seen.clear()
        typed = olympus.jit(lambda v: seen.append(str(olympus.typeof(mapped(v)))))
        typed(x)
        assert seen[-1] == "float32[8@X,4]"


def test_jit_traces_once_for_each_sharding() -> None:
    seen = []

    @olympus.jit
    def function(v):
        seen.append(str(olympus.typeof(v)))
        return bind(ops.neg, v)

    for spec in [("X",), ("Y",), ("X",)]:
        function(make(S, *spec))
    assert seen == ["float32[8@X,4]", "float32[8@Y,4]"]


def test_shardings_demanded_of_jit_are_those_of_the_types() -> None:
    seen = []

    def function(v):
        seen.append(str(olympus.typeof(v)))
        return bind(ops.neg, v)

    x = make(S, "X")
    with olympus.set_mesh(make_mesh()):
        result = olympus.jit(function, in_shardings=P("Y"))(x)
        assert str(olympus.typeof(result)) == "float32[8@Y,4]"
        assert str(olympus.typeof(olympus.jit(function, out_shardings=P("Y"))(x))) == "float32[8@Y,4]"
        inner = olympus.jit(function, in_shardings=P("Y"))
        assert str(olympus.typeof(olympus.jit(lambda v: inner(v))(x))) == "float32[8@Y,4]"
    assert seen == ["float32[8@Y,4]", "float32[8@X,4]", "float32[8@Y,4]"]


def test_eval_shape_tells_the_sharding() -> None:
    wanted = NamedSharding(make_mesh(), P("X"))
    given_type = olympus.ShapeDtypeStruct(S, np.float32, sharding=wanted)
    found = olympus.eval_shape(lambda v: bind(ops.transpose, v, permutation=(1, 0)), given_type)
    assert found.sharding == NamedSharding(make_mesh(), P(None, "X"))
    assert olympus.typeof(given_type).sharding == wanted


def test_nothing_is_typed_without_explicit_axes() -> None:
    x = make(S, "X", mesh=make_mesh(AxisType.Auto, AxisType.Auto))
    assert str(olympus.typeof(x)) == "float32[8,4]"
    assert olympus.typeof(x).layout is None
    traced = olympus.jit(lambda v: add(v, v)).trace(x)
    assert traced.out_avals.layout is None


def test_a_sharding_over_the_axes_of_the_mesh_in_use_means_its_devices() -> None:
    mesh = olympus.make_mesh((4, 2), ("rows", "columns"))
    abstract = NamedSharding(mesh.abstract_mesh, P("rows"))
    with olympus.set_mesh(mesh):
        for f in (lambda x: olympus.lax.with_sharding_constraint(x, abstract),
                  olympus.jit(lambda x: olympus.lax.with_sharding_constraint(x * 1, abstract))):
            assert f(jnp.arange(8.0)).sharding.is_equivalent_to(NamedSharding(mesh, P("rows")), 1)
