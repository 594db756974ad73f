# SPDX-License-Identifier: Apache-2.0
"""What a jitted call does with memory and places: donation, capture, demanded shardings, caches, threads."""

from __future__ import annotations

import functools
import gc
import sys
import textwrap
import threading
import types
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import Mesh, NamedSharding, PositionalSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P
from olympus.transforms.jit import Jitted
from olympus_core.errors import ArgumentError, DeletedError, DonationError, IncompatibleDevicesError


@pytest.fixture(scope="module")
def mesh() -> Mesh:
    return olympus.make_mesh((8,), ("x",))


def sharded(mesh: Mesh, size: int = 8) -> olympus.Array:
    return olympus.device_put(np.arange(size, dtype=np.float32), NamedSharding(mesh, P("x")))


class TestMemory:
    def test_captured_arrays_that_are_deleted_are_missed(self) -> None:
        for end in (lambda a: a.delete(), olympus.jit(lambda a: a * 2, donate_argnums=0)):
            a = jnp.arange(4.0)
            f = olympus.jit(lambda x, a=a: x + a)
            f(jnp.ones(4))
            end(a)
            for shape in (4, 1):  # compiled before, and only now
                with pytest.raises(DeletedError, match="was used after"):
                    f(jnp.ones(shape))

    def test_deleting_leaves_other_arrays_their_memory(self, mesh: Mesh) -> None:
        a = sharded(mesh)
        twin, part = olympus.device_put(a, a.sharding), a.addressable_shards[3].data
        part.delete()
        assert a.tolist() == list(range(8))
        part = a.addressable_data(2)
        a.delete()
        assert twin.tolist() == list(range(8)) and part.tolist() == [2]
        pieces = [olympus.device_put(np.ones(1), d) for d in mesh.flat_devices]
        whole = olympus.make_array_from_single_device_arrays((8,), NamedSharding(mesh, P("x")), pieces)
        pieces[0].delete()
        assert whole.tolist() == [1] * 8

    def test_deleting_gives_memory_back_where_nobody_else_has_it(self) -> None:
        a = jnp.arange(4.0)
        (buffer,) = a._buffers
        memory = buffer.allocation  # the CPU platform's
        holders = sys.getrefcount(memory)
        a.delete()
        assert sys.getrefcount(memory) == holders - 1

    def test_donated_twice_is_refused(self) -> None:
        a = jnp.ones(3)
        f = olympus.jit(lambda x, y: (x + 1, y), donate_argnums=0)
        with pytest.raises(DonationError, match="arrays 0 and 1") as caught:
            f(a, a)
        assert isinstance(caught.value, ValueError) and not a.is_deleted()
        with pytest.raises(DonationError):
            olympus.jit(lambda x: x + a, donate_argnums=0)(a)

    def test_what_is_donated_is_nobody_else_s_memory(self) -> None:
        handed: list[object] = []
        a = jnp.arange(4.0)
        view = np.asarray(a)
        f = olympus.jit(lambda x, n: x * n, donate_argnums=(0, 1))
        f(jnp.arange(4.0), 3.0)
        (call,) = f._calls.values()
        execute = call._execute
        call._execute = lambda inputs: handed.append([column[0].array for column in inputs]) or execute(inputs)
        f(a, 3.0)
        f(jnp.arange(4.0), 3.0)
        assert not np.shares_memory(handed[0][0], view)
        assert not np.shares_memory(handed[0][1], handed[1][1])  # a number's buffer is not kept for the next call
        assert a.is_deleted() and view.tolist() == [0, 1, 2, 3]

    def test_donating_to_device_put(self) -> None:
        a = jnp.arange(4.0)
        b = olympus.device_put(a, olympus.devices()[0], donate=True)
        assert a.is_deleted() and b.tolist() == [0, 1, 2, 3]

    def test_arrays_are_let_go(self) -> None:
        a = jnp.arange(4.0)
        f = olympus.jit(lambda x: x + 1)
        result = f(a)
        gone = [weakref.ref(a), weakref.ref(result)]
        del a, result
        gc.collect()
        assert [ref() for ref in gone] == [None, None]


class TestDemands:
    def test_on_one_device(self) -> None:
        there = SingleDeviceSharding(olympus.devices()[3])
        for options in ({"out_shardings": there}, {"in_shardings": there}):
            y = olympus.jit(lambda x: x * 2, **options)(np.arange(4))
            assert y.devices() == {olympus.devices()[3]} and y.tolist() == [0, 2, 4, 6]
            assert {buffer.device for buffer in y._buffers} == y.devices()

    @settings(max_examples=25)
    @given(st.permutations(range(8)), st.permutations(range(8)), st.sampled_from([P("a"), P(None, "b"), P(("b", "a"))]))
    def test_meshes_of_any_order(self, first: list[int], second: list[int], spec: P) -> None:
        devices = np.array(olympus.devices())
        one = NamedSharding(Mesh(devices[first], ("x",)), P("x"))
        other = NamedSharding(Mesh(devices[second].reshape(2, 4), ("a", "b")), spec)
        data = np.arange(64, dtype=np.float32).reshape(8, 8)
        results = olympus.jit(lambda x: (x + 1, x * 2), in_shardings=one, out_shardings=(other, one))(data)
        for result, sharding, expected in zip(results, (other, one), (data + 1, data * 2), strict=True):
            assert result.sharding == sharding
            for shard, buffer in zip(result.addressable_shards, result._buffers, strict=True):
                assert buffer.device is shard.device
                np.testing.assert_array_equal(np.asarray(shard.data), expected[shard.index])

    def test_positional(self) -> None:
        sharding = PositionalSharding(olympus.devices()).reshape(4, 2)
        y = olympus.jit(lambda x: x + 1, out_shardings=sharding)(np.zeros((4, 4)))
        assert y.sharding == sharding and [s.data.shape for s in y.addressable_shards] == [(1, 2)] * 8

    def test_other_devices_than_the_arguments_are_refused(self, mesh: Mesh) -> None:
        half = NamedSharding(Mesh(olympus.devices()[:4], ("y",)), P("y"))
        with pytest.raises(IncompatibleDevicesError, match="demanded: NamedSharding"):
            olympus.jit(lambda x: x, out_shardings=half)(sharded(mesh))
        with pytest.raises(IncompatibleDevicesError):
            olympus.jit(lambda x: x, in_shardings=NamedSharding(mesh, P()), out_shardings=half)(np.ones(8))

    def test_static_arguments_have_none(self, mesh: Mesh) -> None:
        f = olympus.jit(lambda n, x: x * n, static_argnums=0, in_shardings=(NamedSharding(mesh, P("x")),))
        for g in (f, olympus.jit(lambda n, x: f(n, x), static_argnums=0)):
            y = g(3, np.arange(8))
            assert y.tolist() == [3 * i for i in range(8)] and y.sharding.num_devices == 8

    @pytest.mark.parametrize("bad", ["x", ({"a": P(), "c": P()},), (P(), P())])
    def test_wrong_structures_are_explained(self, mesh: Mesh, bad: object) -> None:
        with olympus.set_mesh(mesh), pytest.raises(ArgumentError, match="in_shardings"):
            olympus.jit(lambda t: t, in_shardings=bad)({"a": np.ones(8), "b": np.ones(8)})

    @pytest.mark.parametrize("call", [
        lambda x, s: olympus.device_put({"a": x, "b": x}, {"a": s, "c": s}),
        lambda x, s: olympus.with_sharding_constraint([x, x], [s]),
        lambda x, s: olympus.sharding.reshard([x, x], [s]),
        lambda x, s: olympus.make_array_from_process_local_data([s], [x, x]),
        lambda x, s: olympus.pmap(lambda a: a, in_axes=({"c": 0},))({"a": x}),
    ])
    def test_everywhere(self, mesh: Mesh, call) -> None:
        with pytest.raises(ArgumentError, match="structure"):
            call(np.ones(8, np.float32), NamedSharding(mesh, P()))

    def test_none_leaves_values_where_they_are(self, mesh: Mesh) -> None:
        x, s = sharded(mesh), NamedSharding(mesh, P())
        a, b = olympus.with_sharding_constraint((x, x), (None, s))
        assert a.sharding == x.sharding and b.sharding == s


class TestCompiled:
    def test_takes_whatever_has_the_type(self, mesh: Mesh) -> None:
        kind = olympus.ShapeDtypeStruct((8,), "float32", sharding=NamedSharding(mesh, P("x")))
        compiled = olympus.jit(lambda x, n: x * n).lower(kind, 1.0).compile()
        assert compiled.input_shardings[0][0].num_devices == 8
        data = np.arange(8, dtype=np.float32)
        for x in (data, jnp.asarray(data), sharded(mesh), olympus.device_put(data, NamedSharding(mesh, P()))):
            y = compiled(x, 2.0)
            assert y.sharding.num_devices == 8 and y.tolist() == (data * 2).tolist()
        again = olympus.jit(lambda x: x + 1).lower(sharded(mesh)).compile()
        assert again(data).tolist() == (data + 1).tolist()
        assert again(olympus.device_put(data, NamedSharding(mesh, P()))).tolist() == (data + 1).tolist()

    def test_refuses_other_types(self, mesh: Mesh) -> None:
        compiled = olympus.jit(lambda x: x * 2).lower(np.ones(8, np.float32)).compile()
        for bad in (np.ones(4, np.float32), np.ones(8, np.int32)):
            with pytest.raises(ArgumentError, match="compiled for another type"):
                compiled(bad)
        with pytest.raises(ArgumentError, match="compiled for other arguments"):
            compiled({"a": np.ones(8)})
        with pytest.raises(ArgumentError, match="a call needs a value"):
            olympus.jit(lambda x: x)(olympus.ShapeDtypeStruct((3,), "float32"))

    def test_a_deleted_argument_is_missed(self) -> None:
        x = jnp.ones(3)
        compiled = olympus.jit(lambda x: x * 2).lower(x).compile()
        x.delete()
        with pytest.raises(DeletedError):
            compiled(x)


class TestKeys:
    def test_what_traces_depend_on_is_part_of_the_key(self, mesh: Mesh) -> None:
        f = olympus.jit(lambda x: x + 1)
        device = olympus.devices()[3]
        assert f(1).devices() == {olympus.devices()[0]}
        with olympus.default_device(device):
            assert f(1).devices() == {device}
        with olympus.enable_x64():
            assert f(np.arange(3.0)).dtype == np.float64
        assert f(np.arange(3.0)).dtype == np.float32
        meshes = []
        g = olympus.jit(lambda x: meshes.append(olympus.get_mesh()) or x)
        g(1)
        with olympus.set_mesh(mesh):
            g(1)
        assert meshes == [None, mesh]

    def test_numbers_that_are_equal_and_differ(self) -> None:
        inverse = olympus.jit(lambda x: 1 / x)
        assert [float(inverse(x)) for x in (0.0, -0.0, 0.0)] == [np.inf, -np.inf, np.inf]
        imaginary = olympus.jit(jnp.imag)
        assert [str(imaginary(complex(1, z))) for z in (0.0, -0.0)] == ["0.0", "-0.0"]
        f = olympus.jit(lambda x: x)
        assert [f(x).dtype.name for x in (1, True, 1.0, 1j)] == ["int32", "bool", "float32", "complex64"]

    def test_a_number_that_does_not_fit_is_explained(self) -> None:
        with pytest.raises(olympus.errors.LiteralRangeError, match="from -2147483648 to 2147483647"):
            olympus.jit(lambda x: x)(2**31)

    def test_caches_are_bounded(self) -> None:
        from olympus_core.runtime import BoundedCache

        recent: BoundedCache[int, int] = BoundedCache(3)
        for i in range(10):
            recent.remember(i, i)
        assert list(recent) == [7, 8, 9] and recent.remember(9, 0) == 9
        f = olympus.jit(lambda x: x)
        assert type(f._calls) is type(f._traced) is BoundedCache

    def test_a_mesh_may_be_used_again(self, mesh: Mesh) -> None:
        use = olympus.set_mesh(mesh)
        for _ in range(2):
            with use:
                assert olympus.get_mesh() is mesh
            assert olympus.get_mesh() is None
        with olympus.set_mesh(mesh) as outer, olympus.set_mesh(None):
            assert outer is mesh and olympus.get_mesh() is None
        assert olympus.get_mesh() is None


class TestThreads:
    def test_calls_at_once(self, mesh: Mesh) -> None:
        f = olympus.jit(lambda x, n: jnp.sum(jnp.sin(x)) * n)
        results: dict[int, list[float]] = {}

        def work(n: int) -> None:
            results[n] = [float(f(sharded(mesh, 8 * size), n)) for size in (1, 2, 3) * 3]

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        for n in range(6):
            expected = [np.sin(np.arange(8 * size)).sum() * n for size in (1, 2, 3) * 3]
            np.testing.assert_allclose(results[n], expected, rtol=1e-3, atol=1e-4)

    def test_context_is_a_thread_s_own(self, mesh: Mesh) -> None:
        seen: list[object] = []

        def work() -> None:
            seen.extend([olympus.get_mesh(), jnp.ones(1).dtype.name, np.asarray(jnp.arange(2.0) + 1).tolist()])

        def traced(x):
            thread = threading.Thread(target=work)  # another thread does not join the trace
            thread.start()
            thread.join(30)
            return x

        with olympus.set_mesh(mesh), olympus.enable_x64():
            olympus.jit(traced)(1)
        assert seen == [None, "float32", [1, 2]]


def test_pmap_is_told_apart_by_types() -> None:
    f = olympus.pmap(lambda x: {"a": x} if x.dtype == np.int32 else (x, x))
    for _ in range(2):
        assert set(f(np.arange(8))) == {"a"} and len(f(np.arange(8.0))) == 2


def test_pmap_misuse_is_explained() -> None:
    with pytest.raises(ArgumentError, match="no positional argument 3"):
        olympus.pmap(lambda x: x, static_broadcasted_argnums=3)(np.ones(8))
    with pytest.raises(ArgumentError, match="cannot be hashed"):
        olympus.pmap(lambda n, x: x, static_broadcasted_argnums=0)([], np.ones(8))
    with pytest.raises(ArgumentError, match="axis_size"):
        olympus.pmap(lambda x: x, axis_size=4)(np.ones(8))


def test_carried_structures_are_compared() -> None:
    for step in (lambda c, x: ((c["a"], c["b"]), x), lambda c, x: ({"a": c["a"]}, x)):
        with pytest.raises(ArgumentError, match="changes its structure"):
            olympus.lax.scan(step, {"a": 1, "b": 2}, np.arange(3))
    with pytest.raises(ArgumentError, match="one integer"):
        olympus.lax.switch(1.5, [lambda: 1, lambda: 2])
    with pytest.raises(ArgumentError, match="negative"):
        olympus.lax.scan(lambda c, x: (c, x), 0, None, length=-1)


def test_collectives_explain_misuse(mesh: Mesh) -> None:
    def mapped(f):
        return olympus.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False)(np.arange(64))

    for f, says in [
        (lambda v: olympus.lax.psum(v, 0), "not bound here"),
        (lambda v: olympus.lax.ppermute(v, "x", [1, 2]), "pairs of indices"),
        (lambda v: olympus.lax.pscatter(v, "x", 8), "no such source"),
    ]:
        with pytest.raises(ArgumentError, match=says):
            mapped(f)
    with pytest.raises(ArgumentError, match="an array is needed"):
        olympus.explain_device_put(np.ones(8), NamedSharding(mesh, P()))


def test_jitted_methods_can_be_lowered() -> None:
    class Scale:
        @functools.partial(olympus.jit, static_argnums=0)
        def apply(self, x):
            return x * 3

    assert Scale().apply(2.0) == 6
    assert "mul" in Scale().apply.lower(2.0).as_text()
    assert Scale().apply.trace(2.0).out_avals.shape == ()


def test_a_spec_needs_a_mesh_and_takes_the_one_in_use(mesh: Mesh) -> None:
    def make() -> olympus.Array:
        return olympus.make_array_from_callback((8,), P("x"), lambda index: np.arange(8.0)[index])

    with pytest.raises(ArgumentError, match="needs a mesh"):
        make()
    with olympus.set_mesh(mesh):
        assert make().sharding == NamedSharding(mesh, P("x"))


def test_repeated_calls_notice_deleted_arguments() -> None:
    double = olympus.jit(lambda x: x + x)
    pair = olympus.jit(lambda t: t["a"] + t["b"][0])
    x, y = jnp.arange(3.0), jnp.arange(3.0)
    for _ in range(3):
        double(x)
        pair({"a": x, "b": [y]})
    x.delete()
    with pytest.raises(DeletedError):
        double(x)
    with pytest.raises(DeletedError):
        pair({"a": y, "b": [x]})


def test_repeated_calls_notice_deleted_captured_arrays() -> None:
    captured = jnp.arange(3.0)
    add = olympus.jit(lambda x: x + captured)
    for _ in range(3):
        add(jnp.ones(3))
    captured.delete()
    with pytest.raises(DeletedError):
        add(jnp.ones(3))


def test_calls_of_changing_structure_find_their_own_program() -> None:
    total = olympus.jit(lambda t: sum(olympus.tree.leaves(t)))
    x = jnp.ones(2)
    trees = [{"a": x}, {"a": x, "b": x}, [x, x, x], (x, [x, (x, x)]), {"a": x, "c": x}, [x, 2.0, x]]
    for _ in range(3):
        for t in trees:
            assert float(total(t)[0]) == sum(float(np.max(v)) for v in olympus.tree.leaves(t))


def test_what_was_donated_to_a_call_that_failed_is_as_it_was_or_says_so() -> None:
    def fail(y: np.ndarray) -> np.ndarray:
        raise ValueError("not today")

    @functools.partial(olympus.jit, donate_argnums=0)
    def f(x: olympus.Array) -> olympus.Array:
        y = jnp.cos(x) + 1  # may be written over x
        return y + olympus.pure_callback(fail, olympus.ShapeDtypeStruct(x.shape, x.dtype), y)

    x = jnp.arange(5.0)
    with pytest.raises(ValueError, match="not today"):
        f(x).block_until_ready()
    try:
        np.testing.assert_array_equal(x, np.arange(5.0))
    except DeletedError as error:
        assert "which then failed" in str(error)


def test_an_argument_deleted_before_the_first_call_is_missed_each_time() -> None:
    x = jnp.ones(3)
    x.delete()
    f, g = olympus.jit(lambda a: a * 2), olympus.jit(lambda tree: tree["x"] * 2)
    for _ in range(3):
        with pytest.raises(DeletedError, match="was used after"):
            f(x)
        with pytest.raises(DeletedError, match="was used after"):
            g({"x": x})


def test_two_structures_at_the_same_time() -> None:
    """A thread that calls with another structure comes in between; what it leaves must not be taken for one's own."""
    f = olympus.jit(lambda tree: tree["a"] - tree["b"] if isinstance(tree, dict) else tree[0] + tree[1])
    x, y = jnp.full(4, 5.0), jnp.full(4, 3.0)
    assert float(f((x, y))[0]) == 8
    of_tuples = f._unpack
    assert float(f({"a": x, "b": y})[0]) == 2
    of_dicts = f._unpack
    assert of_tuples is not None and of_dicts is not None and of_tuples is not of_dicts

    def interrupted(arguments: Any) -> Any:
        f._unpack = of_tuples
        return of_dicts(arguments)

    f._unpack = interrupted
    assert float(f({"a": x, "b": y})[0]) == 2


@pytest.mark.parametrize("kind", [complex, np.complex64, np.complex128])
def test_scalars_whose_parts_are_zeros_of_other_signs(kind: type) -> None:
    f = olympus.jit(lambda x: x)
    for imaginary in (0.0, -0.0, 0.0):
        found = np.asarray(f(kind(complex(2, imaginary))))
        assert np.signbit(found.imag) == np.signbit(imaginary)


class Log(list[Any]):
    """A list that can be referred to weakly: with others in their closure functions share nothing."""


class TestSharing:
    """What is compiled for a function serves all jitted functions that are made of it."""

    def test_a_function_is_traced_once_for_equal_options(self) -> None:
        traced = Log()

        def f(x: Any, n: int = 1) -> Any:
            traced.append(n)
            return x * n

        x = jnp.arange(4.0)
        for _ in range(3):
            assert olympus.jit(f)(x).tolist() == [0, 1, 2, 3]
            assert olympus.jit(f)({"a": x}["a"]).tolist() == [0, 1, 2, 3]
        assert traced == [1]
        assert olympus.jit(f, static_argnums=1)(x, 2).tolist() == [0, 2, 4, 6]
        assert olympus.jit(f, static_argnames="n")(x, 2).tolist() == [0, 2, 4, 6]
        assert olympus.jit(f, static_argnums=1)(x, 3).tolist() == [0, 3, 6, 9]
        assert traced == [1, 2, 3]
        assert olympus.jit(f, out_shardings=x.sharding)(x).tolist() == [0, 1, 2, 3]
        assert traced == [1, 2, 3, 1]
        olympus.jit(f).clear_cache()
        olympus.jit(f)(x)
        assert traced == [1, 2, 3, 1, 1]

    def test_options_that_cannot_be_compared_are_not_shared(self) -> None:
        traced = Log()

        def f(x: Any, y: Any) -> Any:
            traced.append(x)
            return x + y

        x = jnp.ones(2)
        for _ in range(2):
            assert olympus.jit(f, in_shardings=[x.sharding, None])(x, x).tolist() == [2, 2]
        assert len(traced) == 2

    def test_closures_and_methods_are_their_own(self) -> None:
        def scaled(by: float) -> Any:
            return lambda x: x * by

        class Model:
            by = 2.0

            def __call__(self, x: Any) -> Any:
                return x * self.by

            def method(self, x: Any) -> Any:
                return x * self.by

        x, model = jnp.ones(2), Model()
        assert [float(olympus.jit(scaled(by))(x)[0]) for by in (1.0, 2.0, 3.0)] == [1, 2, 3]
        assert float(olympus.jit(model)(x)[0]) == float(olympus.jit(model.method)(x)[0]) == 2
        model.by = 5.0
        assert float(olympus.jit(model)(x)[0]) == float(olympus.jit(model.method)(x)[0]) == 5

    def test_names_that_stand_for_something_else_are_noticed(self) -> None:
        by: Any = 2.0

        def f(x: Any, shift: float = 0.0) -> Any:
            return jnp.where(x > 0, x * by, 0.0) if by is not None else x + shift

        x = jnp.ones(2)
        assert olympus.jit(f)(x).tolist() == [2, 2]
        by = 3.0
        assert olympus.jit(f)(x).tolist() == [3, 3]
        by = jnp.full(2, 4.0)
        assert olympus.jit(f)(x).tolist() == [4, 4]
        by = jnp.full(2, 5.0)
        assert olympus.jit(f)(x).tolist() == [5, 5]
        by = None
        assert olympus.jit(f)(x).tolist() == [1, 1]
        f.__defaults__ = (7.0,)
        assert olympus.jit(f)(x).tolist() == [8, 8]

    def test_functions_in_tuples_and_their_arrays_are_known_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compiled, own, target = [], Jitted._compile, jnp.arange(2.0)

        def compiling(self: Any, *given: Any) -> Any:
            if self.name == "step":
                compiled.append(self)
            return own(self, *given)

        monkeypatch.setattr(Jitted, "_compile", compiling)

        class Optimizer(NamedTuple):
            first: Any
            update: Any

        def density(x: Any) -> Any:
            return x - target

        def step_of(optimizer: Optimizer) -> Any:
            def step(x: Any) -> Any:
                return optimizer.update(density(x))

            return step

        step = step_of(Optimizer(abs, lambda x: 2 * x))
        for _ in range(3):
            assert olympus.jit(step)(jnp.ones(2)).tolist() == [2, 0]
        assert len(compiled) == 1
        target = jnp.ones(2)  # a variable of a function that the function calls
        for _ in range(3):
            assert olympus.jit(step)(jnp.ones(2)).tolist() == [0, 0]
        assert len(compiled) == 2
        reference = weakref.ref(step)
        compiled.clear()
        del step
        gc.collect()
        assert reference() is None

    def test_arrays_of_objects_are_found_again(self) -> None:
        class Model:
            weights = jnp.ones(2)

        def step_of(model: Model, layers: tuple[Any, ...]) -> Any:
            return lambda x: layers[1](x) + model.weights

        model = Model()
        weights = model.weights  # named, and the model's
        step = step_of(model, (None, lambda x: x * 2 + 0 * weights))
        assert olympus.jit(step)(1.0).tolist() == [3, 3]
        model.weights = jnp.zeros(2)
        assert olympus.jit(step)(1.0).tolist() == [2, 2]

    def test_frozen_data_of_plain_values_are_no_way_to_arrays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compiled, own, weights = [], Jitted._compile, jnp.arange(2.0)

        def compiling(self: Any, *given: Any) -> Any:
            compiled.append(self)
            return own(self, *given)

        @dataclass(frozen=True)
        class Objective:
            alpha: Any = 2.0

        def step_of(objective: Objective) -> Any:
            return lambda x: objective.alpha * x + weights

        plain, holding = step_of(Objective()), step_of(Objective(weights))
        for step in (plain, holding):
            olympus.jit(step)(1.0)
        monkeypatch.setattr(Jitted, "_compile", compiling)
        assert olympus.jit(plain)(1.0).tolist() == [2, 3] and not compiled
        assert olympus.jit(holding)(1.0).tolist() == [0, 2] and len(compiled) == 1

    @pytest.mark.parametrize("way", ["module", "class", "instance"])
    def test_modules_and_classes_may_be_another_way_to_an_array(
        self, way: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        layers = types.ModuleType("layers")
        monkeypatch.setitem(sys.modules, "layers", layers)
        exec(compile(textwrap.dedent("""
            from dataclasses import dataclass

            @dataclass(frozen=True)
            class Layer:
                scale: float = 2.0

                @classmethod
                def applied(cls, x):
                    return x * weights

            def applied(x):
                return x * weights
        """), "layers", "exec"), layers.__dict__)
        weights = layers.weights = jnp.arange(2.0)
        used = {"module": layers, "class": layers.Layer, "instance": layers.Layer()}[way]

        def step(x: Any) -> Any:
            return used.applied(x) + 0 * weights

        assert olympus.jit(step)(1.0).tolist() == [0, 1]
        layers.weights = jnp.ones(2)
        assert olympus.jit(step)(1.0).tolist() == [1, 1]

    def test_arrays_of_called_functions_are_found_again(self) -> None:
        held = [jnp.ones(2)]

        def f(x: Any) -> Any:
            return x + held[0]

        assert olympus.jit(f)(1.0).tolist() == [2, 2]
        held[0] = jnp.zeros(2)
        assert olympus.jit(f)(1.0).tolist() == [1, 1]

    def test_nothing_keeps_the_function(self) -> None:
        class Owner:
            def step(self, x: Any) -> Any:
                def recursive(x: Any, n: int = 2) -> Any:
                    return recursive(x, n - 1) if n else x + self.by

                self.by, self.kept = 1.0, recursive
                return olympus.jit(recursive)(x)

        owner = Owner()
        assert float(owner.step(1.0)) == 2
        reference = weakref.ref(owner.kept)
        del owner
        gc.collect()
        assert reference() is None

    def test_threads(self) -> None:
        def f(x: Any) -> Any:
            return jnp.sin(x) + 1

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda i: olympus.jit(f)(jnp.full(1 + i % 4, float(i))).tolist(), range(64)))
        assert found == [[pytest.approx(np.sin(i) + 1, abs=1e-5)] * (1 + i % 4) for i in range(64)]


class TestHostArrays:
    """NumPy arrays go the short way, too, and are what they were."""

    def test_types_and_layouts(self) -> None:
        f = olympus.jit(lambda x: x + x)
        for value in (np.arange(600.0, dtype=np.float32), np.arange(6).reshape(2, 3).T, np.zeros((0, 3), np.int8),
                      np.array(3.0), np.arange(5, dtype=">f4"), np.arange(2000, dtype=np.float64)[::2],
                      np.float32(2), np.ones(3, bool)):
            for _ in range(2):
                found = f(value)
                assert found.shape == np.shape(value)
                np.testing.assert_array_equal(found, value + value)
                assert found.dtype == (jnp.asarray(value) + jnp.asarray(value)).dtype

    def test_later_writes_are_not_seen(self) -> None:
        f = olympus.jit(lambda x, y: (x, x + y))
        for size in (8, 5000):
            value = np.ones(size, np.float32)
            same, total = f(value, jnp.ones(size))
            value[:] = 5
            assert float(same[0]) == 1 and float(total[0]) == 2

    def test_donated_memory_of_others_stays_as_it_is(self) -> None:
        value = np.ones(4096, np.float32)
        value.flags.writeable = False
        f = olympus.jit(lambda x: x + 1, donate_argnums=0)
        for _ in range(3):
            assert float(f(value)[0]) == 2 and value[0] == 1

    def test_what_is_no_array_of_numbers_is_refused(self) -> None:
        f = olympus.jit(lambda x: x)
        for value in (np.array(["a"]), np.array([None], object)):
            for argument in (value, [value]):
                with pytest.raises(ArgumentError, match="is not an array"):
                    f(argument)

    def test_on_several_devices(self, mesh: Mesh) -> None:
        f = olympus.jit(lambda x, y: x + y)
        value = np.arange(64.0, dtype=np.float32).reshape(8, 8)
        for _ in range(2):
            found = f(value, sharded(mesh, 64).reshape(8, 8))
            np.testing.assert_array_equal(found, value + np.asarray(sharded(mesh, 64)).reshape(8, 8))


def test_sharing_keeps_nothing_alive_that_a_function_names() -> None:
    def make() -> Any:
        held: dict[str, Any] = {}

        def f(x: Any) -> Any:
            return x + len(held)

        held["f"] = f
        assert float(olympus.jit(f)(1.0)) == 2.0
        return weakref.ref(f)

    kept = make()
    gc.collect()
    assert kept() is None


def test_defaults_are_known_by_name() -> None:
    def f(x: Any, *, a: float = 1.0, b: float = 2.0) -> Any:
        return x * a + b * 10

    assert float(olympus.jit(f)(1.0)) == 21.0
    f.__kwdefaults__ = {"b": 1.0, "a": 2.0}
    assert float(olympus.jit(f)(1.0)) == 12.0


@pytest.mark.parametrize("values", [
    (0.0, -0.0), (0, False, 0.0), (1j, complex(-0.0, 1)), (np.float32(0), np.float32(-0.0))])
@pytest.mark.parametrize("wrapped", [lambda x: x, lambda x: (x,), lambda x: ("a", (x, 2))])
def test_equal_static_arguments_of_other_types_or_signs_are_others(values: Any, wrapped: Any) -> None:
    def number(static: Any) -> Any:
        while isinstance(static, tuple):
            static = next(x for x in static if not isinstance(x, str))
        return static

    f = olympus.jit(lambda x, s: x * number(s), static_argnums=1)
    named = olympus.jit(lambda x, *, s: x * number(s), static_argnames="s")
    for value in values:
        with np.errstate(invalid="ignore"):
            wanted = np.asarray(jnp.int32(1) * value)
        for found in (f(jnp.int32(1), wrapped(value)), named(jnp.int32(1), s=wrapped(value)),
                      olympus.jit(lambda x: f(x, wrapped(value)))(jnp.int32(1))):
            assert found.dtype == wanted.dtype and np.asarray(found).tobytes() == wanted.tobytes()


def test_a_gathers_filling_has_its_sign() -> None:
    for sign in (0.0, -0.0, 0.0):
        found = lax.gather(jnp.ones(2), jnp.array([[5]]), lax.GatherDimensionNumbers((), (0,), (0,)), (1,),
                           mode="fill", fill_value=sign)
        assert np.signbit(found).tolist() == [bool(np.signbit(sign))]
