# SPDX-License-Identifier: Apache-2.0
"""Calls from programs into the host's Python."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.experimental import io_callback
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P

F3 = olympus.ShapeDtypeStruct((3,), "float32")
wraps = pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["evaluated", "jitted"])


def sharded(values: np.ndarray, spec: P) -> olympus.Array:
    return olympus.device_put(values, NamedSharding(olympus.make_mesh((8,), ("x",)), spec))


@wraps
def test_results_come_back(wrap) -> None:
    def reversed_and_length(x, *, times):
        assert isinstance(x, np.ndarray) and not x.flags.writeable
        return {"reversed": x[::-1] * times, "length": len(x)}

    kinds = {"reversed": F3, "length": olympus.ShapeDtypeStruct((), "int32")}
    f = wrap(lambda x: olympus.pure_callback(reversed_and_length, kinds, x, times=jnp.float32(2)))
    result = f(jnp.arange(3.0))
    assert result["reversed"].tolist() == [4, 2, 0] and result["length"] == 3
    assert result["reversed"].dtype == np.float32 and result["length"].dtype == np.int32


def test_it_sees_whole_values_of_sharded_arrays() -> None:
    x = np.random.default_rng(0).permutation(16).astype(np.float32)
    f = olympus.jit(lambda v: olympus.pure_callback(np.sort, olympus.ShapeDtypeStruct((16,), "float32"), v * 2) + v)
    np.testing.assert_array_equal(np.asarray(f(sharded(x, P("x")))), np.sort(x * 2) + x)


def test_in_shard_map_each_device_calls_with_its_part() -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    kind = olympus.ShapeDtypeStruct((2,), "int32")
    f = olympus.shard_map(lambda v: olympus.pure_callback(lambda a: a[::-1], kind, v), mesh=mesh, in_specs=P("x"),
                          out_specs=P("x"))
    np.testing.assert_array_equal(np.asarray(f(np.arange(16))), np.arange(16).reshape(8, 2)[:, ::-1].ravel())


def test_two_functions_of_one_name_are_two() -> None:
    def make(n):
        def f(x):
            return x + n
        return f

    results = [olympus.jit(lambda x, f=make(n): olympus.pure_callback(f, F3, x))(jnp.zeros(3)) for n in (1, 2)]
    assert [r.tolist() for r in results] == [[1] * 3, [2] * 3]
    evaluated = [olympus.pure_callback(make(n), F3, jnp.zeros(3)).tolist() for n in (1, 2)]
    assert evaluated == [[1] * 3, [2] * 3]


def test_a_repeated_evaluated_call_is_compiled_once() -> None:
    from olympus.transforms import evaluation

    def f(x):
        return x

    olympus.pure_callback(f, F3, jnp.zeros(3))
    before = len(evaluation._operations)
    for _ in range(3):
        olympus.pure_callback(f, F3, jnp.zeros(3))
    assert len(evaluation._operations) == before


def test_inside_of_loops() -> None:
    seen: list[int] = []

    @olympus.jit
    def f(n):
        def body(i, total):
            olympus.debug.callback(lambda i, total: seen.append((int(i), int(total))), i, total)
            return total + olympus.pure_callback(lambda v: np.int32(v * v), olympus.ShapeDtypeStruct((), "int32"), i)

        return lax.fori_loop(0, n, body, jnp.int32(0))

    assert f(4) == 0 + 1 + 4 + 9
    assert seen == [(0, 0), (1, 0), (2, 1), (3, 5)]


@pytest.mark.parametrize(("gives", "says"), [
    (lambda x: x[:2], r"float32\[2\]"), (lambda x: x.astype(np.int32), r"int32\[3\]"),
    (lambda x: (x, x), r"\(\*, \*\)"), (lambda x: None, "None"),
])
def test_what_was_not_declared_is_refused(gives, says: str) -> None:
    with pytest.raises(olympus.errors.CallbackResultError, match=says) as caught:
        olympus.jit(lambda x: olympus.pure_callback(gives, F3, x))(jnp.zeros(3))
    assert isinstance(caught.value, TypeError)


def test_what_the_function_raises_comes_out() -> None:
    def bad(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        olympus.jit(lambda x: olympus.pure_callback(bad, F3, x))(jnp.zeros(3))


def test_misuse_is_explained() -> None:
    with pytest.raises(olympus.errors.ArgumentError, match="a function is needed"):
        olympus.pure_callback(3, F3)
    with pytest.raises(olympus.errors.ArgumentError, match="not described"):
        olympus.pure_callback(np.sin, "float32")
    with pytest.raises(NotImplementedError, match="with_sharding_constraint"):
        olympus.pure_callback(np.sin, F3, jnp.zeros(3), sharding=jnp.zeros(3).sharding)
    for fmt in ("{} {}", "{y}", "{"):
        with pytest.raises(olympus.errors.ArgumentError, match="format string"):
            olympus.debug.print(fmt, 1, x=2)


@wraps
def test_printing(wrap, capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        olympus.debug.print("first {:.2f}, {who}", x[0], who="me")
        olympus.debug.print("all {0} {0!r} {x[1]}", x, x=x)

    wrap(f)(jnp.array([1.5, 2]))
    assert capsys.readouterr().out == "first 1.50, me\nall [1.5 2. ] array([1.5, 2. ], dtype=float32) 2.0\n"


def test_printing_happens_once_over_many_devices_and_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    @olympus.jit
    def f(x):
        olympus.debug.print("sum {}", x.sum())
        olympus.debug.print("max {}", x.max())
        return x * 2

    for _ in range(2):
        f(sharded(np.arange(8), P("x")))
    assert capsys.readouterr().out == "sum 28\nmax 7\n" * 2


def test_printing_in_two_calls_and_what_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    said = olympus.debug.print(ordered=True)
    olympus.jit(lambda x: said("x = {x}", x=x))(3)
    olympus.debug.print("a {}", 1, more=2, skip_format_check=True)
    assert capsys.readouterr().out == "x = 3\na 1\n"
    with pytest.raises(ValueError, match="does not show more(?s:.*)f-string"):
        olympus.debug.print("a {}", 1, more=2)
    with pytest.raises(ValueError, match="does not show positional value 1(?s:.*)f-string"):
        olympus.debug.print("a {0}", 1, 2)
    olympus.debug.print("no value", 1, skip_format_check=True)
    assert capsys.readouterr().out == "no value\n"
    with pytest.raises(TypeError, match="no format string"):
        olympus.debug.print(x=1)
    with pytest.raises(TypeError, match="no text"):
        olympus.debug.print(3)
    with pytest.raises(olympus.errors.NotSupportedError, match="shard_map"):
        olympus.debug.print("{}", 1, partitioned=True)
    with pytest.raises(olympus.errors.ArgumentError, match=r"debug.log: the format string cannot be filled"):
        olympus.debug.log("{} {}", 1)


def test_calling_in_two_calls() -> None:
    seen: list[float] = []
    called = olympus.debug.callback(ordered=True)
    olympus.jit(lambda x: called(lambda v, *, by: seen.append(float(v) * by), x, by=3))(2.0)
    assert seen == [6.0]
    with pytest.raises(olympus.errors.NotSupportedError, match="shard_map"):
        olympus.debug.callback(print, 1, partitioned=True)
    with pytest.raises(olympus.errors.ArgumentError, match="a function is needed"):
        olympus.debug.callback(None, 1)  # type: ignore[call-overload]


def test_logging_from_a_program(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "olympus.debug"):
        olympus.jit(lambda x: olympus.debug.log("x = {:.1f}", x))(1.5)
        olympus.debug.log()("100 %s {y}", y=2)
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [("INFO", "x = 1.5"), ("INFO", "100 %s 2")]


@pytest.mark.parametrize(("does", "effect", "primitive"), [
    (lambda x: olympus.debug.print("{}", x), "DebugEffect", "debug_callback"),
    (lambda x: olympus.debug.callback(print, x, ordered=True), "OrderedDebugEffect", "debug_callback"),
    (lambda x: io_callback(print, None, x), "IOEffect", "io_callback"),
    (lambda x: io_callback(print, x, x, ordered=True), "OrderedIOEffect", "io_callback"),
    (lambda x: olympus.pure_callback(np.sin, x, x), None, "pure_callback"),
    (lambda x: olympus.lax.cond(x > 0, lambda: olympus.debug.print("{}", x), lambda: None), "DebugEffect", "cond"),
    (lambda x: olympus.lax.fori_loop(0, 3, lambda i, _: olympus.debug.print("{}", x), None), "DebugEffect", "scan"),
])
def test_jaxprs_say_what_they_do(does, effect, primitive) -> None:
    jaxpr = olympus.make_jaxpr(does)(1.0)
    assert jaxpr.eqns[-1].primitive.name == primitive
    assert [type(e).__name__ for e in jaxpr.effects] == ([] if effect is None else [effect])
    assert olympus.debug.DebugEffect() == olympus.debug.DebugEffect() != olympus.debug.OrderedDebugEffect()


def test_the_derivative_of_a_callback_is_refused_as_a_wrong_value() -> None:
    for f in (lambda x: olympus.pure_callback(np.sin, x, x), lambda x: io_callback(np.sin, x, x)):
        with pytest.raises(ValueError, match="custom_vjp") as caught:
            olympus.grad(f)(1.0)
        assert isinstance(caught.value, NotImplementedError)


def test_printing_without_values(capsys: pytest.CaptureFixture[str]) -> None:
    olympus.jit(lambda: olympus.debug.print("here"))()
    assert capsys.readouterr().out == "here\n"


class Counter:
    """A function that never gives the same twice, and counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *arrays: np.ndarray) -> np.ndarray:
        self.calls += 1
        return np.full(2, self.calls, np.float32)


F2 = olympus.ShapeDtypeStruct((2,), "float32")


def shards_of(x: olympus.Array) -> list[list[float]]:
    return [np.asarray(shard.data).tolist() for shard in x.addressable_shards]


@pytest.mark.parametrize("count", [4, 8])
@pytest.mark.parametrize("spec", [P(), P("x")], ids=["replicated", "split"])
@wraps
def test_one_device_calls_for_all(wrap, spec: P, count: int) -> None:
    mesh = olympus.make_mesh((count,), ("x",), devices=olympus.devices()[:count])
    x = olympus.device_put(np.zeros(8, np.float32), NamedSharding(mesh, spec))
    counter = Counter()
    f = wrap(lambda x: olympus.pure_callback(counter, F2, x))
    for turn in (1, 2):
        assert shards_of(f(x)) == [[turn, turn]] * count
    assert counter.calls == 2


def test_one_device_calls_for_all_in_loops_and_branches() -> None:
    mesh = olympus.make_mesh((2, 2), ("x", "y"), devices=olympus.devices()[:4])
    x = olympus.device_put(np.zeros(4, np.float32), NamedSharding(mesh, P("y")))
    counter = Counter()

    def step(total, _):
        drawn = lax.cond(total.sum() < 2, lambda v: olympus.pure_callback(counter, F2, v), lambda v: -v, total)
        return total + drawn, drawn

    total, drawn = olympus.jit(lambda x: lax.scan(step, x[:2], None, length=3))(x)
    assert {v for part in shards_of(total) for v in part} == {2} and counter.calls == 2
    assert drawn.tolist() == [[1, 1], [-1, -1], [2, 2]]


def test_several_results_and_types_come_from_one_call() -> None:
    kinds = [olympus.ShapeDtypeStruct((), "bool"), olympus.ShapeDtypeStruct((0, 2), "bfloat16"),
             olympus.ShapeDtypeStruct((3,), "complex64"), olympus.ShapeDtypeStruct((), "int8")]
    calls = []

    def give(x):
        calls.append(x.shape)
        return [np.bool_(True), np.zeros((0, 2), jnp.bfloat16.dtype), np.full(3, 1j, np.complex64), np.int8(-7)]

    found = olympus.jit(lambda x: olympus.pure_callback(give, kinds, x))(sharded(np.arange(8.0), P("x")))
    assert calls == [(8,)] and [np.asarray(f).tolist() for f in found] == [True, [], [1j] * 3, -7]
    assert all(len(f.addressable_shards) == 8 for f in found)


def test_what_each_device_calls_is_not_the_same_everywhere() -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    inner = lambda v: olympus.pure_callback(Counter(), F2, v)
    for body in (inner, lambda v: lax.fori_loop(0, 2, lambda i, t: t + inner(v), v[:2])):
        with pytest.raises(ValueError, match=r"differs from device to device along mesh axis 'x'"):
            olympus.shard_map(body, mesh=mesh, in_specs=P(), out_specs=P())(np.zeros(4, np.float32))
    same = olympus.shard_map(lambda v: lax.pmax(inner(v), "x"), mesh=mesh, in_specs=P(), out_specs=P())
    assert len({tuple(part) for part in shards_of(same(np.zeros(4, np.float32)))}) == 1


def test_axes_that_are_not_manual_share_one_call() -> None:
    mesh = olympus.make_mesh((2, 2), ("x", "y"), devices=olympus.devices()[:4])
    counter = Counter()
    f = olympus.jit(olympus.shard_map(lambda v: olympus.pure_callback(counter, F2, v), mesh=mesh, in_specs=P("x"),
                                      out_specs=P("x"), axis_names={"x"}))
    found = shards_of(f(np.zeros(4, np.float32)))
    assert counter.calls == 2 and found[0] == found[1] and found[2] == found[3] and found[0] != found[2]


def add(x, y):
    seen_shapes.append((np.shape(x), np.shape(y)))
    return x + y


seen_shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = []


@wraps
@pytest.mark.parametrize(("method", "expected"), [
    (None, [((), ())] * 3), ("sequential", [((), ())] * 3), ("sequential_unrolled", [((), ())] * 3),
    ("expand_dims", [((3,), (1,))]), ("broadcast_all", [((3,), (3,))]), ("legacy_vectorized", [((3,), ())])])
def test_vmap_methods(wrap, method, expected) -> None:
    scalar = olympus.ShapeDtypeStruct((), "float32")

    def f(x, y):
        return olympus.pure_callback(add, scalar, x, y, vmap_method=method)

    seen_shapes.clear()
    np.testing.assert_array_equal(wrap(olympus.vmap(f, (0, None)))(jnp.arange(3.0), 1.0), [1, 2, 3])
    assert seen_shapes == expected
    if method == "legacy_vectorized":  # the function has to know which of its arguments are mapped
        return
    twice = olympus.vmap(olympus.vmap(f, (0, None)), (1, 0))
    x, y = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([10, 20], np.float32)
    if method == "expand_dims":  # the shared values of the inner dimension have size 1 there
        seen_shapes.clear()
        np.testing.assert_array_equal(wrap(twice)(x, y), (x + y).T)
        assert seen_shapes == [((2, 3), (2, 1))]
    else:
        np.testing.assert_array_equal(wrap(twice)(x, y), (x + y).T)


def test_methods_that_are_none() -> None:
    with pytest.raises(olympus.errors.ArgumentError, match="broadcast_all"):
        olympus.pure_callback(np.sin, F3, jnp.ones(3), vmap_method="all")


@wraps
def test_io_callbacks_are_called_each_time(wrap) -> None:
    seen: list[int] = []

    def count(x):
        seen.append(int(x))
        return np.int32(len(seen))

    kind = olympus.ShapeDtypeStruct((), "int32")

    def f(n):
        first = io_callback(count, kind, n)
        io_callback(count, kind, n + 1, ordered=True)  # nobody uses the result
        io_callback(lambda x: None, None, n)
        return lax.fori_loop(0, 2, lambda i, total: total + io_callback(count, kind, 10 + i), first)

    f = wrap(f)
    assert int(f(5)) == 1 + 3 + 4 and int(f(7)) == 5 + 7 + 8
    olympus.effects_barrier()
    assert seen == [5, 6, 10, 11, 7, 8, 10, 11]
    seen.clear()
    np.testing.assert_array_equal(wrap(olympus.vmap(lambda n: io_callback(count, kind, n)))(jnp.arange(3)), [1, 2, 3])
    assert seen == [0, 1, 2]


def test_io_callbacks_of_replicated_values_are_called_once() -> None:
    seen: list[float] = []
    f = olympus.jit(lambda x: (io_callback(lambda v: seen.append(float(v.sum())), None, x), x * 2)[1])
    for spec in (P(), P("x")):
        f(sharded(np.arange(8, dtype=np.float32), spec))
    assert seen == [28, 28]


def test_io_callbacks_that_do_not_fit() -> None:
    for given, match in ((None, "another structure|None"), (olympus.ShapeDtypeStruct((2,), "float32"), "float32")):
        with pytest.raises(olympus.errors.CallbackResultError, match=match):
            olympus.jit(lambda x, given=given: io_callback(lambda v: v, given, x))(jnp.ones(3))
    with pytest.raises(olympus.errors.NotSupportedError, match="io_callback with sharding"):
        io_callback(lambda v: None, None, 1.0, sharding=1)
    with pytest.raises(olympus.errors.NotSupportedError, match="derivative of the callback"):
        olympus.grad(lambda x: io_callback(lambda v: v, olympus.ShapeDtypeStruct((), "float32"), x))(1.0)
