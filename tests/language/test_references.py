# SPDX-License-Identifier: Apache-2.0
"""References: what is written is read, in every transformation, and programs write over the memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, lax
from olympus.ref import AbstractRef, Ref, addupdate, empty_ref, free_ref, freeze, get, new_ref, set, swap
from olympus.sharding import PartitionSpec as P


def content(ref: Ref) -> list[Any]:
    return np.asarray(ref[...]).tolist()


def test_reading_and_writing() -> None:
    start = jnp.zeros(3)
    ref = new_ref(start)
    ref[0] = 1.0
    ref[1:] = jnp.array([2.0, 3.0])
    ref[-1] += 4
    assert content(ref) == [1, 2, 7] and np.asarray(start).tolist() == [0, 0, 0]
    assert float(ref[1]) == 2 and np.asarray(ref[jnp.array([2, 0])]).tolist() == [7, 1]
    ref[...] = jnp.arange(3)  # integers are taken by floats
    assert content(ref) == [0, 1, 2] and ref.dtype == jnp.float32
    assert (ref.shape, ref.ndim, ref.size, len(ref)) == ((3,), 1, 3, 3)
    assert repr(ref) == "Ref([0., 1., 2.], dtype=float32)" and [float(x) for x in ref] == [0, 1, 2]
    np.testing.assert_array_equal(np.asarray(ref), [0, 1, 2])
    assert olympus.typeof(ref) == ref.aval == AbstractRef(olympus.typeof(jnp.zeros(3))) != AbstractRef(
        olympus.typeof(jnp.zeros(2)))
    assert isinstance(ref, olympus.Ref) and not isinstance(ref, olympus.Array)
    assert new_ref(1.0)[...].weak_type and not new_ref(np.ones(2))[...].weak_type
    count = new_ref(0)
    count[...] += 1
    assert count[...].weak_type and int(count[...]) == 1


def test_functions_of_references() -> None:
    ref = new_ref(jnp.arange(4))
    assert int(swap(ref, 0, 10)) == 0 and int(get(ref, 0)) == 10
    set(ref, slice(1, 3), 7)
    addupdate(ref, 3, 5)
    ref.addupdate(3, 1)
    assert content(ref) == [10, 7, 7, 9] and np.asarray(get(ref)).tolist() == content(ref)
    assert content(empty_ref(olympus.ShapeDtypeStruct((2,), "int32"))) == [0, 0]
    assert np.asarray(freeze(ref)).tolist() == [10, 7, 7, 9]
    for use in (lambda: ref[...], lambda: ref.write(jnp.arange(4)), lambda: free_ref(ref)):
        with pytest.raises(errors.ReferenceUseError, match="freed"):
            use()
    assert repr(ref) == "Ref(freed)"


def test_parts_of_references() -> None:
    ref = new_ref(jnp.zeros((3, 4)))
    row = ref.at[1]
    row[2] = 5.0
    row.at[:2][0] = 1.0
    ref.at[2][...] = jnp.ones(4)
    np.testing.assert_array_equal(ref[...], [[0] * 4, [1, 0, 5, 0], [1] * 4])
    assert row.shape == (4,) and row.dtype == jnp.float32 and float(row[2]) == 5
    set(row, 3, 9.0)
    assert float(swap(row, 3, 0.0)) == 9


def test_what_does_not_fit() -> None:
    ref = new_ref(jnp.zeros(3, "int32"))
    for value, match in ((1.5, "type"), (jnp.ones(3), "type"), (jnp.ones(2, "int32"), "shape"),
                         (jnp.ones((1, 3), "int32"), "shape")):
        with pytest.raises(errors.ReferenceUseError, match=match):
            ref[...] = value
    with pytest.raises(errors.IndexOutOfBoundsError):
        ref[3] = 1
    with pytest.raises(errors.IndexOutOfBoundsError):
        ref[3]
    with pytest.raises(TypeError, match=r"ref\[\.\.\.\]"):
        jnp.sin(ref)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ref + 1  # type: ignore[operator]
    with pytest.raises(errors.ReferenceUseError, match="needs a reference"):
        freeze(jnp.ones(3))  # type: ignore[arg-type]
    with pytest.raises(errors.NotSupportedError):
        new_ref(1.0, memory_space="other")
    assert content(ref) == [0, 0, 0]
    ref[...] = 7
    assert content(ref) == [7, 7, 7]


def test_arguments_of_jitted_functions() -> None:
    traced: list[None] = []

    @olympus.jit
    def step(state: Any, x: Any) -> Any:
        traced.append(None)
        state["a"][0] += x
        state["n"][...] += 1
        return state["a"][...] * 2

    refs = {"a": new_ref(jnp.zeros(2)), "n": new_ref(0)}
    for i in range(3):
        found = step(refs, 2.0)
        np.testing.assert_array_equal(found, [4 * (i + 1), 0])
    other = {"a": new_ref(jnp.ones(2)), "n": new_ref(0)}
    step(other, 1.0)
    assert (content(refs["a"]), int(refs["n"][...]), content(other["a"])) == ([6, 0], 3, [2, 1])
    assert len(traced) == 1
    with pytest.raises(errors.ReferenceUseError, match="already"):
        olympus.jit(lambda a, b: a[0] + b[0])(refs["a"], refs["a"])
    with pytest.raises(TypeError, match="not an array"):
        olympus.jit(lambda a: a)(refs["a"])
    assert content(refs["a"]) == [6, 0]
    kept = olympus.jit(lambda n, a, *, k: a.__setitem__(n, k), static_argnums=0, static_argnames="k")
    kept(1, refs["a"], k=9)
    assert content(refs["a"]) == [6, 9]
    unplaced = olympus.jit(lambda a, x: a.__setitem__(0, x), in_shardings=(None, None), out_shardings=None)
    unplaced(refs["a"], 7)
    assert content(refs["a"]) == [7, 9]
    device = olympus.sharding.SingleDeviceSharding(olympus.devices()[0])
    with pytest.raises(errors.NotSupportedError, match="in_shardings"):
        olympus.jit(lambda a, x: a.__setitem__(0, x), in_shardings=(None, device))(refs["a"], 7)


def test_references_from_outside() -> None:
    a, b = new_ref(jnp.zeros(2)), new_ref(0)

    @olympus.jit
    def f(x: Any, both: bool) -> Any:
        a[0] = a[0] + x
        if both:
            b[...] += 1
        return a[...]

    f = olympus.jit(f, static_argnames="both")
    np.testing.assert_array_equal(f(1.0, False), [1, 0])
    np.testing.assert_array_equal(f(1.0, True), [2, 0])
    np.testing.assert_array_equal(olympus.jit(lambda x: f(x, True) + a[...])(1.0), [6, 0])
    assert content(a) == [3, 0] and int(b[...]) == 2
    a[1] = 5.0
    np.testing.assert_array_equal(f(0.0, False), [3, 5])
    read = olympus.jit(lambda: a[...] * 2)
    before = read()
    a[0] = 0.0
    assert np.asarray(before).tolist() == [6, 10] and np.asarray(read()).tolist() == [0, 10]


def test_compiled_programs_write_over_the_memory() -> None:
    ref = new_ref(jnp.zeros(1 << 16))
    add = olympus.jit(lambda ref: ref.__setitem__(0, ref[0] + 1.0))
    add(ref)
    held = ref._value  # not read, which would make it someone else's
    add(ref)
    assert held.is_deleted()
    outside = ref[...]
    add(ref)
    assert float(outside[0]) == 2 and float(ref[0]) == 3


def chain(x: Any) -> Any:
    """Powers of x, written by a loop."""
    powers = new_ref(jnp.ones(4))

    def body(i: Any, _: None) -> None:
        powers[i] = powers[i - 1] * x

    lax.fori_loop(1, 4, body, None)
    return powers[...].sum()


def test_loops_and_branches_and_their_derivatives() -> None:
    for place in (lambda f: f, olympus.jit):
        assert float(place(chain)(2.0)) == 15
        assert float(place(olympus.grad(chain))(2.0)) == 17  # 1 + 2x + 3x²
        assert float(olympus.grad(place(chain))(2.0)) == 17
        assert float(place(olympus.grad(olympus.grad(chain)))(2.0)) == 14
        assert [float(y) for y in olympus.jvp(place(chain), (2.0,), (1.0,))] == [15, 17]
        np.testing.assert_array_equal(olympus.vmap(place(chain))(jnp.arange(3.0)), [1, 4, 15])

    ref, n = new_ref(jnp.zeros(2)), new_ref(0)

    def body(carry: Any, x: Any) -> Any:
        ref[0] += x
        return carry + n[...], ref[0]

    for place in (lambda f: f, olympus.jit):
        ref[...], n[...] = jnp.zeros(2), 2
        carry, sums = place(lambda xs: lax.scan(body, 0, xs))(jnp.arange(3.0))
        assert (int(carry), np.asarray(sums).tolist(), content(ref)) == (6, [0, 1, 3], [3, 0])

        def stop(i: Any) -> Any:
            return (ref[0] < 10) & (i < 100)

        def more(i: Any) -> Any:
            ref[...] = ref[...] + 1
            n[...] += 1
            return i + 1

        assert int(place(lambda: lax.while_loop(stop, more, 0))()) == 7
        assert content(ref) == [10, 7] and int(n[...]) == 9

        def choose(i: Any) -> Any:
            return lax.switch(i, [lambda: n[...], lambda: (ref.__setitem__(1, 0.0), 5)[1],
                                  lambda: (n.__setitem__(..., 1), ref[1].astype(int))[1]])

        assert [int(place(choose)(i)) for i in range(3)] == [9, 5, 0]
        assert content(ref) == [10, 0] and int(n[...]) == 1

    asked = new_ref(0)

    def goes_on(i: Any) -> Any:
        asked[...] += 1
        return i < 3

    for times, place in enumerate((lambda f: f, olympus.jit, olympus.checkpoint), 1):
        assert int(place(lambda i: lax.while_loop(goes_on, lambda i: i + 1, i))(jnp.int32(0))) == 3
        assert int(asked[...]) == 4 * times


def test_references_as_operands_of_branches_and_of_scans() -> None:
    def add(ref: Ref, x: Any) -> Any:
        ref[...] += x
        return 2 * x

    ref, n = new_ref(jnp.float32(0)), new_ref(jnp.float32(1))
    rows = new_ref(jnp.arange(6.0).reshape(3, 2))
    for place in (lambda f: f, olympus.jit):
        ref[...], rows[...] = 0, jnp.arange(6.0).reshape(3, 2)
        assert float(place(lambda p: lax.cond(p, add, lambda ref, x: x, ref, 3.0))(True)) == 6
        assert float(place(lambda i: lax.switch(i, [lambda d, x: x, lambda d, x: add(d["r"], x)], {"r": ref}, n[...]))(
            jnp.int32(1))) == 2
        assert float(ref[...]) == 4

        def step(carry: Any, given: Any) -> Any:
            row, x = given
            row[0] += carry
            return carry + x, row[...].sum()

        last, sums = place(lambda xs: lax.scan(step, 0.0, (rows, xs)))(jnp.array([10.0, 20.0, 30.0]))
        assert float(last) == 60
        np.testing.assert_array_equal(rows[...], [[0, 1], [12, 3], [34, 5]])
        np.testing.assert_array_equal(sums, [1, 15, 39])
    np.testing.assert_array_equal(lax.map(lambda row: row[0] * row[1], rows), [0, 36, 170])


def test_the_gradient_is_written_on_its_way_back() -> None:
    @olympus.custom_vjp
    def plumbed(x: Any, pipe: Ref, more: Any) -> Any:
        return x * more["scale"]

    def forward(x: Any, pipe: Ref, more: Any) -> Any:
        return plumbed(x, pipe, more), (pipe, more)

    def backward(kept: Any, ct: Any) -> Any:
        pipe, more = kept
        pipe[...] = ct
        return ct * more["scale"], None, {"scale": None, "unused": None}

    plumbed.defvjp(forward, backward)
    more = {"scale": jnp.float32(3), "unused": jnp.ones(2)}
    for outer in (lambda f: f, olympus.jit):
        pipe = new_ref(jnp.float32(0))
        slope = outer(olympus.grad(lambda x: jnp.sin(plumbed(x, pipe, more))))(0.0)
        assert float(slope) == 3 and float(pipe[...]) == 1
        assert float(outer(lambda x: plumbed(x, pipe, more))(2.0)) == 6
    wrong = olympus.custom_vjp(lambda x, ref: x)
    wrong.defvjp(lambda x, ref: (x, None), lambda kept, ct: (ct,))
    with pytest.raises(errors.CustomRuleError, match="for each argument"):
        olympus.grad(lambda x: wrong(x, new_ref(1.0)))(1.0)


def counted(wrapped: Any) -> tuple[Any, Ref]:
    """A function that writes a reference from outside, in a transformation that keeps it as one call."""
    calls = new_ref(0)

    def f(x: Any) -> Any:
        calls[...] += 1
        return jnp.sin(x)

    return wrapped(f), calls


def with_jvp(f: Any) -> Any:
    g = olympus.custom_jvp(f)
    g.defjvp(lambda primals, tangents: (f(*primals), 5 * tangents[0]))
    return g


def with_vjp(f: Any) -> Any:
    g = olympus.custom_vjp(f)
    g.defvjp(lambda x: (f(x), None), lambda _, ct: (5 * ct,))
    return g


def with_vmap(f: Any) -> Any:
    g = olympus.custom_batching.custom_vmap(f)
    g.def_vmap(lambda size, batched, x: (f(x), True))
    return g


@pytest.mark.parametrize("wrapped", [olympus.checkpoint, with_jvp, with_vjp, with_vmap,
                                     olympus.custom_batching.sequential_vmap])
def test_functions_with_rules_write_references_from_outside(wrapped: Any) -> None:
    f, calls = counted(wrapped)
    for times, place in enumerate((lambda f: f, olympus.jit, lambda f: olympus.jit(olympus.jit(f))), 1):
        np.testing.assert_allclose(place(f)(1.0), np.sin(1), rtol=1e-6)
        assert int(calls[...]) == times
    if wrapped in (olympus.checkpoint, with_jvp, with_vjp):
        slope = np.cos(1) if wrapped is olympus.checkpoint else 5
        for times, place in enumerate((
            olympus.grad, lambda f: olympus.jit(olympus.grad(f)), lambda f: olympus.grad(olympus.jit(f)),
            lambda f: olympus.jit(olympus.grad(olympus.jit(f))), lambda f: olympus.grad(olympus.checkpoint(f)),
        ), 4):
            np.testing.assert_allclose(place(f)(1.0), slope, rtol=1e-6)
            assert int(calls[...]) == times
    if wrapped is with_vmap:
        for times, place in enumerate((lambda f: f, olympus.jit), 4):
            np.testing.assert_allclose(place(olympus.vmap(f))(jnp.ones(3)), np.sin(np.ones(3)), rtol=1e-6)
            assert int(calls[...]) == times
        with pytest.raises(errors.ReferenceUseError, match="of the mapped function"):
            olympus.vmap(lambda ref, x: with_vmap(lambda y: (ref.__setitem__(..., 1.0), y)[1])(x))(
                new_ref(jnp.zeros(2)), jnp.ones(2))


def test_shard_map_writes_what_is_the_same_on_all_devices() -> None:
    mesh, total = olympus.make_mesh((8,), ("x",)), new_ref(jnp.float32(0))

    def add(x: Any) -> Any:
        total[...] += lax.psum(x.sum(), "x")
        return x

    def own(x: Any) -> Any:
        total[...] = x.sum()
        return x

    mapped = olympus.shard_map(add, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    for times, place in enumerate((lambda f: f, olympus.jit), 1):
        np.testing.assert_array_equal(place(mapped)(jnp.arange(16.0)), np.arange(16))
        assert float(total[...]) == 120 * times
    f, calls = counted(with_vjp)
    mapped = olympus.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    np.testing.assert_array_equal(olympus.grad(lambda x: mapped(x).sum())(jnp.arange(16.0)), [5] * 16)
    assert int(calls[...]) == 1
    with pytest.raises(errors.ArgumentError, match="differs from device to device"):
        olympus.shard_map(own, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(jnp.arange(16.0))


def test_derivatives_do_not_leave_their_function() -> None:
    ref = new_ref(jnp.zeros(2))

    def f(x: Any) -> Any:
        ref[0] = lax.stop_gradient(x)
        return x * x * (1 + ref[0])

    assert float(olympus.grad(f)(3.0)) == 24 and content(ref) == [3, 0]
    assert float(olympus.grad(olympus.jit(f))(2.0)) == 12 and content(ref) == [2, 0]
    for place in (lambda f: f, olympus.jit):
        with pytest.raises(errors.ReferenceUseError, match="differentiated"):
            olympus.grad(place(lambda x: (ref.__setitem__(0, x), x)[1]))(1.0)
    assert float(olympus.grad(olympus.checkpoint(lambda x: jnp.sin(x) * ref[0]))(0.0)) == 2
    assert float(olympus.grad(olympus.checkpoint(lambda x: (ref.__setitem__(0, 1.0), jnp.sin(x))[1]))(0.0)) == 1
    assert content(ref) == [1, 0]
    ref[0] = 2
    with pytest.raises(errors.ReferenceUseError, match="differentiated"):
        olympus.grad(olympus.checkpoint(lambda x: (ref.__setitem__(0, x), jnp.sin(x))[1]))(0.0)
    marked = olympus.custom_jvp(lambda x: x * ref[0])
    marked.defjvp(lambda primals, tangents: (primals[0] * ref[0], tangents[0] * ref[0] * 10))
    assert float(olympus.grad(marked)(1.0)) == 20 and float(olympus.jit(marked)(1.0)) == 2


def test_mapped_functions() -> None:
    ref, shared = new_ref(jnp.arange(6.0).reshape(2, 3)), new_ref(1.0)

    def f(row: Any, x: Any, one: Any) -> Any:
        row[0] = row[1] + x + one[...]
        return row[...].sum()

    for place in (lambda f: f, olympus.jit):
        ref[...] = jnp.arange(6.0).reshape(2, 3)
        found = place(olympus.vmap(f, (0, 0, None)))(ref, jnp.array([10.0, 20.0]), shared)
        np.testing.assert_array_equal(ref[...], [[12, 1, 2], [25, 4, 5]])
        np.testing.assert_array_equal(found, [15, 34])
        columns = place(olympus.vmap(lambda c: c.__setitem__(..., 7.0), in_axes=1, out_axes=None))
        columns(ref)
        np.testing.assert_array_equal(ref[...], [[7] * 3] * 2)
        with pytest.raises(errors.ReferenceUseError, match="index to index"):
            place(olympus.vmap(lambda x: shared.__setitem__(..., x)))(jnp.arange(3.0))
    np.testing.assert_array_equal(olympus.vmap(lambda x: x + shared[...])(jnp.arange(2.0)), [1, 2])
    olympus.vmap(lambda x: shared.__setitem__(..., 4.0))(jnp.arange(3.0))
    assert float(shared[...]) == 4


def test_references_over_devices() -> None:
    mesh = olympus.make_mesh((4,), ("x",), devices=olympus.devices()[:4])
    split = olympus.NamedSharding(mesh, P("x"))
    ref = new_ref(olympus.device_put(jnp.arange(8.0), split))
    assert ref.sharding == split

    def body(part: Any, x: Any) -> Any:
        part[0] = lax.psum(x[0], "x")
        return part[...] * 2

    mapped = olympus.shard_map(body, mesh=mesh, in_specs=(P("x"), P("x")), out_specs=P("x"))
    for place in (lambda f: f, olympus.jit):
        found = place(mapped)(ref, jnp.arange(4.0))
        np.testing.assert_array_equal(ref[...], [6, 1, 6, 3, 6, 5, 6, 7])
        np.testing.assert_array_equal(found, 2 * np.asarray(ref[...]))
    olympus.jit(lambda: ref.__setitem__(..., ref[...] + 1))()
    np.testing.assert_array_equal(ref[...], [7, 2, 7, 4, 7, 6, 7, 8])
    assert ref.sharding.is_equivalent_to(split, 1)
    outside = new_ref(2.0)
    reads = olympus.shard_map(lambda x: x * outside[...], mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    np.testing.assert_array_equal(reads(jnp.arange(4.0)), [0, 2, 4, 6])


def test_references_do_not_outlive_their_trace() -> None:
    kept: list[Ref] = []
    olympus.jit(lambda x: (kept.append(new_ref(x)), x)[1])(1.0)
    with pytest.raises(errors.LeakedTracerError, match="Ref"):
        kept[0][...]
    assert repr(kept[0]) == "Ref{float32[]} of a trace that has ended"
    olympus.grad(lambda x: (kept.append(new_ref(x)), x)[1])(1.0)
    with pytest.raises(errors.LeakedTracerError, match="Ref"):
        kept[1][...] = 1.0


def test_shapes_and_programs() -> None:
    ref = new_ref(jnp.zeros(3))

    def f(ref: Any, x: Any) -> Any:
        ref[0] = x
        return {"y": ref[...] * 2}

    assert olympus.eval_shape(f, ref, 1.0)["y"].shape == (3,)
    assert olympus.jit(f).trace(ref, 1.0).out_info["y"].shape == (3,)
    program = olympus.make_program(f)(ref, 1.0)
    assert len(program.inputs) == 2 and len(program.outputs) == 2
    assert content(ref) == [0, 0, 0]


@pytest.mark.parametrize("is_given", [True, False])
@pytest.mark.parametrize("is_outside", [True, False])
def test_compiled_ahead_of_the_call(is_given: bool, is_outside: bool) -> None:
    ref, outside = new_ref(jnp.float32(0)), new_ref(jnp.zeros(2))

    def f(x: Any, given: dict[str, Any], times: int) -> Any:
        for one in given.values():
            one[...] += x * times
        if is_outside:
            outside[0] += 1
        return x * 2,

    given = {"ref": ref} if is_given else {}
    lowered = olympus.jit(f, static_argnums=2).lower(1.0, given, 3)
    compiled = lowered.compile()
    assert lowered.out_tree.num_leaves == 1 and float(ref[...]) == 0 and content(outside) == [0, 0]
    for times, call in enumerate((
        lambda: compiled(1.0, given), lambda: compiled(1.0, given, 3), lambda: olympus.jit(f, static_argnums=2)(
            1.0, given, 3), lambda: olympus.jit(f, static_argnums=2).trace(1.0, given, 3).lower().compile()(1.0, given),
    ), 1):
        assert float(call()[0]) == 2
        assert float(ref[...]) == 3 * times * is_given and content(outside) == [times * is_outside, 0]
    assert len(compiled.output_shardings) == len(compiled.out_info) == 1
    if is_given:
        other = new_ref(jnp.float32(5))
        assert float(compiled(2.0, {"ref": other})[0]) == 4 and float(other[...]) == 11
        with pytest.raises(errors.ArgumentError):
            compiled(2.0, {"ref": new_ref(jnp.zeros(2))})
        with pytest.raises(errors.ArgumentError):
            compiled(2.0, {"ref": 1.0})
        assert float(other[...]) == 11
