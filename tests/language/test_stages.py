# SPDX-License-Identifier: Apache-2.0
"""Functions before they are called: traced, lowered, compiled; and what can be read from each stage."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, ShapeDtypeStruct, lax, stages
from olympus.experimental.layout import Format
from olympus.transforms.costs import costs

F32 = "float32"
SQUARE = ShapeDtypeStruct((4, 4), F32)


def step(params: Any, x: Any, *, rate: Any) -> Any:
    return {"w": params["w"] - rate * jnp.sin(x) @ params["w"]}, x.sum()


def devices_mesh() -> Any:
    return olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4])


def test_what_every_stage_tells() -> None:
    jitted = olympus.jit(step, donate_argnums=0)
    assert isinstance(jitted, stages.Wrapped) and not isinstance(step, stages.Wrapped)
    traced = jitted.trace({"w": SQUARE}, SQUARE, rate=0.5)
    lowered = traced.lower()
    compiled = lowered.compile()
    assert isinstance(traced, stages.Traced) and isinstance(lowered, stages.Lowered)
    assert isinstance(compiled, stages.Compiled)
    for stage in (traced, lowered, compiled):
        assert stage.fun_name == "step" and stage.donate_argnums == (0,)
        assert stage.in_tree == olympus.tree.structure((({"w": 0}, 0), {"rate": 0}))
        assert stage.out_tree == olympus.tree.structure(({"w": 0}, 0))
        (params, x), named = stage.args_info
        assert (params["w"].donated, x.donated, named["rate"].donated) == (True, False, False)
        assert (x.shape, x.dtype) == ((4, 4), np.float32) and isinstance(x, stages.ArgInfo)
        assert stage.in_avals[1]["rate"].weak_type and stage.out_avals[0]["w"].shape == (4, 4)
        assert stage.out_info[1].update(sharding=None) == ShapeDtypeStruct((), F32)
    assert jitted.eval_shape({"w": SQUARE}, SQUARE, rate=0.5) == traced.out_info
    assert [eqn.primitive.name for eqn in traced.jaxpr.eqns][0] == "sin"
    assert traced.program is lowered.compiler_ir() and str(traced.jaxpr) == lowered.as_text("jaxpr")
    w = np.arange(16, dtype=np.float32).reshape(4, 4)
    expected = step({"w": w}, w, rate=0.5)
    for call in (compiled, compiled.call):
        got = call({"w": jnp.asarray(w)}, w, rate=0.5)
        np.testing.assert_allclose(got[0]["w"], expected[0]["w"], rtol=1e-5)


def test_texts() -> None:
    lowered = olympus.jit(lambda x: jnp.sin(x).sum(0)).lower(SQUARE)
    assert "sin %0" in lowered.as_text() == lowered.as_text("olympus")
    assert "test_stages.py" in lowered.as_text(debug_info=True) and "test_stages.py" not in lowered.as_text()
    assert "f32[4] = reduce_sum[axes=(0,)" in lowered.as_text("jaxpr")
    module = lowered.as_text("stablehlo")
    assert "stablehlo.sine" in module and module == lowered.compile().as_text("stablehlo")
    assert module == lowered.compiler_ir("stablehlo")
    compiled = lowered.compile()
    assert compiled.as_text("kernels") == compiled.executable_text() != ""
    assert compiled.runtime_executable() is not None
    for stage in (lowered, compiled):
        with pytest.raises(olympus.errors.ArgumentError, match="no such dialect"):
            stage.as_text("unheard of")
    with pytest.raises(olympus.errors.ArgumentError, match="no such dialect"):
        lowered.as_text("kernels")


def test_stablehlo_with_locations() -> None:
    def f(x: Any) -> Any:
        with olympus.named_scope('the "outer"'):
            y = lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x)
        return lax.scan(lambda c, a: (c + a, c), 0.0, y)[0]

    lowered = olympus.jit(f).lower(SQUARE.update(shape=(3,)))
    plain, text = lowered.as_text("stablehlo"), lowered.as_text("stablehlo", debug_info=True)
    assert "loc(" not in plain and [line.partition(" loc(")[0] for line in text.splitlines()] == plain.splitlines()
    line = next(line for line in text.splitlines() if "stablehlo.sine" in line)
    assert line.endswith(f'loc("jit(f)/the \\22outer\\22/sin"("{__file__}":{f.__code__.co_firstlineno + 2}:0))')
    assert all("loc(" in line for line in text.splitlines() if " = " in line and "module" not in line
               and not line.endswith("({"))


def test_results_in_the_memory_of_the_host() -> None:
    there = olympus.sharding.SingleDeviceSharding(olympus.devices()[0], memory_kind="pinned_host")
    compiled = olympus.jit(lambda x: (x * 2, x), out_shardings=(there, None)).lower(SQUARE).compile()
    kinds = [[s.memory_kind for s in found] for found in (
        compiled.output_shardings, [f.sharding for f in compiled.output_formats],
        [i.sharding for i in compiled.out_info], [x.sharding for x in compiled(jnp.ones((4, 4)))])]
    assert kinds == [["pinned_host", "device"]] * 4
    memory = compiled.memory_analysis()
    of_host = [name for name in dir(memory) if name.startswith("host_")]
    expected = ("alias", "argument", "generated_code", "output", "temp")
    assert of_host == [f"host_{what}_size_in_bytes" for what in expected]
    assert [getattr(memory, name) for name in of_host] == [0] * 5 and memory.output_size_in_bytes == 128


def test_split_programs() -> None:
    mesh = devices_mesh()
    split = ShapeDtypeStruct((8, 4), F32, sharding=NamedSharding(mesh, P("i")))
    lowered = olympus.jit(lambda x, w: (x @ w).sum()).lower(split, w=SQUARE)
    assert "replica_groups = dense<[[0, 1, 2, 3]]>" in lowered.as_text("stablehlo")
    compiled = lowered.compile()
    (x,), named = compiled.input_shardings
    assert x.is_equivalent_to(split.sharding, 2) and named["w"].is_fully_replicated
    assert compiled.output_shardings.is_fully_replicated and compiled.out_info.sharding == compiled.output_shardings
    (x,), named = compiled.input_formats
    assert x.layout.major_to_minor == (0, 1) and isinstance(compiled.output_formats, Format)
    whole, part = lowered.cost_analysis(), compiled.cost_analysis()
    assert whole["flops"] == 2 * 8 * 4 * 4 + 32 and part["flops"] == 2 * 2 * 4 * 4 + 8
    assert (whole["collectives"], part["collectives"], part["bytes communicated"]) == (0, 1, 4)
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == 4 * (2 * 4 + 4 * 4) and memory.output_size_in_bytes == 4
    assert memory.peak_memory_in_bytes > 0 and memory.alias_size_in_bytes == 0


def test_costs_of_regions() -> None:
    def count(f: Any, *args: Any) -> dict[str, float]:
        return costs(olympus.jit(f).trace(*args).program)

    x = ShapeDtypeStruct((10, 3), F32)
    scanned = count(lambda x: lax.scan(lambda c, a: (c + jnp.sin(a), ()), jnp.zeros(3), x)[0], x)
    assert (scanned["flops"], scanned["transcendentals"]) == (30, 30)
    branches = count(lambda x: lax.cond(x[0, 0] > 0, lambda v: v + 1, lambda v: jnp.sin(v) * v * v, x), x)
    assert branches["transcendentals"] == 30 and branches["flops"] == 60 + 2
    mesh = devices_mesh()
    mapped = count(olympus.shard_map(lambda v: lax.psum(jnp.exp(v), "i"), mesh=mesh, in_specs=P("i"), out_specs=P()),
                   ShapeDtypeStruct((8, 4), F32))
    assert (mapped["transcendentals"], mapped["collectives"], mapped["bytes communicated"]) == (32, 1, 32)
    a = ShapeDtypeStruct((2, 6, 6), F32)
    assert count(jnp.linalg.cholesky, a)["flops"] >= 2 * 6**3 / 3
    assert count(jnp.fft.fft, ShapeDtypeStruct((8,), "complex64"))["flops"] == 5 * 8 * 3
    kernel = ShapeDtypeStruct((5, 3, 2, 2), F32)
    image = ShapeDtypeStruct((1, 3, 4, 4), F32)
    assert count(lambda x, k: lax.conv(x, k, (1, 1), "VALID"), image, kernel)["flops"] == 2 * 5 * 9 * 3 * 4


def test_mapped_functions() -> None:
    size = 4
    mapped = olympus.pmap(lambda x, y: (x * y).sum(), axis_name="i", devices=olympus.devices()[:size])
    x = np.arange(size * 3, dtype=np.float32).reshape(size, 3)
    lowered = mapped.lower(x, x)
    assert lowered.in_tree == olympus.tree.structure(((0, 0), {})) and lowered.args_info[0][1].shape == (size, 3)
    assert lowered.out_info.shape == (size,) and lowered.cost_analysis()["flops"] == 2 * x.size
    traced = mapped.trace(x, x)
    assert traced.out_info == lowered.out_info and traced.in_tree == lowered.in_tree
    assert [eqn.primitive.name for eqn in traced.jaxpr.eqns] == ["shard_map"]
    named = olympus.pmap(lambda x, *, y: x + y, devices=olympus.devices()[:size])
    assert named.trace(x, y=x).out_info.shape == (size, 3) == named.lower(x, y=x).out_info.shape
    np.testing.assert_array_equal(traced.lower().compile()(x, x), (x * x).sum(1))
    compiled = lowered.compile()
    assert compiled.output_shardings.num_devices == size and len(compiled.input_shardings[0]) == 2
    np.testing.assert_array_equal(compiled(x, x), (x * x).sum(1))
    batched = olympus.jit(olympus.vmap(lambda a, b: {"c": a @ b})).trace(
        ShapeDtypeStruct((5, 2, 3), F32), ShapeDtypeStruct((5, 3, 4), F32))
    assert batched.out_info == {"c": ShapeDtypeStruct((5, 2, 4), F32)}
    assert batched.jaxpr.eqns[0].primitive.name == "dot_general"


def test_methods_and_static_arguments() -> None:
    class Model:
        @olympus.jit
        def apply(self: Any, x: Any) -> Any:
            return x * 2

    olympus.tree_util.register_pytree_node(Model, lambda m: ((), None), lambda _, c: Model())
    assert Model().apply.trace(SQUARE).out_info == SQUARE
    powers = olympus.jit(lambda x, n: x ** n, static_argnums=1).trace(SQUARE, 3)
    assert powers.in_tree == olympus.tree.structure(((0,), {})) and len(powers.in_avals[0]) == 1


def test_static_arguments_of_compiled_calls() -> None:
    x = np.float32(3)
    by_number = olympus.jit(lambda x, n, y: x * n + y, static_argnums=1).lower(x, 2, x).compile()
    by_name = olympus.jit(lambda x, *, n: x * n, static_argnames="n").lower(x, n=2).compile()
    first = olympus.jit(lambda n, x: x * n, static_argnums=0).lower(2, x).compile()
    assert by_number(x, x) == by_number(x, 2, x) == 9 and by_name(x) == by_name(x, n=2) == 6
    assert first(x) == first(2, x) == 6
    for call in (lambda: by_number(x, 5, x), lambda: by_name(x, n=5), lambda: first(5, x), lambda: first(2.0, x)):
        with pytest.raises(olympus.errors.ArgumentError, match="compiled for other static arguments"):
            call()


def test_wrong_arguments_of_compiled_calls() -> None:
    function = olympus.jit(lambda x, *, y: x["a"] + y["b"])
    compiled = function.lower({"a": SQUARE}, y={"b": SQUARE}).compile()
    w = np.ones((4, 4), np.float32)
    for args, kwargs, told in (
        (({"a": w},), {}, r"without kwargs\['y'\]\['b'\]"), (({"a": w}, w), {"y": {"b": w}}, r"with args\[1\]"),
        (({"c": w},), {"y": {"b": w}}, r"without args\[0\]\['a'\] with args\[0\]\['c'\]"),
        (({"a": w},), {"y": {"b": w[0]}}, r"another type of y\['b'\]"),
        (({"a": w.astype(np.int32)},), {"y": {"b": w}}, r"another type of x\['a'\]"),
    ):
        with pytest.raises(olympus.errors.ArgumentError, match=told):
            compiled(*args, **kwargs)
    for transformed in (olympus.jit, olympus.grad, olympus.vmap):
        with pytest.raises(olympus.errors.ArgumentError, match="takes no values that are being traced"):
            transformed(lambda v: compiled({"a": v}, y={"b": w}).sum())(w[None] if transformed is olympus.vmap else w)
    elsewhere = olympus.device_put(w, olympus.devices()[3])
    np.testing.assert_array_equal(compiled({"a": elsewhere}, y={"b": w}), w + w)


def test_compiler_options() -> None:
    lowered = olympus.jit(lambda x: x + 1).lower(SQUARE)
    w = np.zeros((4, 4), np.float32)
    np.testing.assert_array_equal(lowered.compile({"olympus_enable_x64": False, "xla_anything": 1})(w), w + 1)
    with pytest.raises(olympus.errors.UnknownOptionError, match="unheard_of"):
        lowered.compile({"unheard_of": 1})
    with pytest.raises(olympus.errors.ArgumentError, match="no mapping"):
        lowered.compile(3)  # type: ignore[arg-type]
    assert olympus.jit(lambda x: x + 1, compiler_options={"xla_anything": 1})(1.0) == 2
    for options, error in (({"unheard_of": 1}, olympus.errors.UnknownOptionError), (3, olympus.errors.ArgumentError),
                           ({"olympus_enable_x64": True}, olympus.errors.NotSupportedError)):
        for jit in (olympus.jit, lambda f, **given: olympus.jit(**given)(f)):
            with pytest.raises(error):
                jit(lambda x: x, compiler_options=options)
    with pytest.raises(olympus.errors.NotSupportedError, match="device_assignment"):
        lowered.compile(device_assignment=olympus.devices()[:1])


def test_references_are_no_arguments_of_what_is_compiled_ahead() -> None:
    counter = olympus.new_ref(jnp.zeros(()))

    @olympus.jit
    def count(x: Any) -> Any:
        counter[...] += x
        return x * 2

    traced = count.trace(1.0)
    assert traced.out_info.shape == () and len(traced.in_avals[0]) == 1
    assert len(traced.jaxpr.invars) == 2  # the contents first
    compiled = count.lower(1.0).compile()
    assert len(compiled.args_info[0]) == len(compiled.in_avals[0]) == len(compiled.input_shardings[0]) == 1
    assert compiled.donate_argnums == () and compiled.in_tree.num_leaves == 1
    assert float(compiled(1.0)) == float(count(1.0)) == 2.0 and float(counter[...]) == 2.0


def test_what_stands_for_arrays() -> None:
    mesh = devices_mesh()
    sharding = NamedSharding(mesh, P("i"))
    kind = ShapeDtypeStruct((4, 2), F32, sharding=sharding, weak_type=True)
    assert len(kind) == 4 and kind.format == Format(None, sharding) and not kind.is_ref and kind.size == 8
    assert kind.update(shape=(8,), weak_type=False) == ShapeDtypeStruct((8,), F32, sharding=sharding)
    assert kind.update(sharding=None).sharding is None and kind != kind.update(weak_type=False)
    assert hash(kind) == hash(kind.update()) and "weak_type=True" in repr(kind)
    with olympus.set_mesh(mesh):
        assert ShapeDtypeStruct((4,), F32, sharding=P("i")).sharding == sharding
    x = olympus.device_put(np.ones((4, 2), np.float32), sharding)
    assert ShapeDtypeStruct.like(x) == ShapeDtypeStruct((4, 2), F32, sharding=sharding)
    assert ShapeDtypeStruct.like(1) == ShapeDtypeStruct((), "int32", weak_type=True)
    assert ShapeDtypeStruct.like(kind) == kind
    formatted = ShapeDtypeStruct((4, 2), F32, sharding=x.format)
    assert formatted.format.layout.major_to_minor == (0, 1) and formatted.update().format == formatted.format
    assert olympus.eval_shape(lambda v: v * 2, 1.0).weak_type
    for wrong in ({"sharding": "i"}, {"sharding": P("i")}):
        with pytest.raises(olympus.errors.ArgumentError):
            ShapeDtypeStruct((4,), F32, **wrong)
    with pytest.raises(olympus.errors.ArgumentError, match="no such field"):
        kind.update(unheard_of=1)
    with pytest.raises(olympus.errors.NotSupportedError, match="is_ref"):
        ShapeDtypeStruct((4,), F32, is_ref=True)
    with pytest.raises(TypeError, match="without dimensions"):
        len(ShapeDtypeStruct((), F32))
    with pytest.raises(olympus.errors.ImmutableError, match="its shape cannot be set"):
        kind.shape = (3,)
    with pytest.raises(olympus.errors.ArgumentError, match="no element type"):
        ShapeDtypeStruct((4,), None)
    for one in (kind, formatted, ShapeDtypeStruct((), olympus.random.key(0).dtype)):
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)


def test_a_constraint_leaves_what_does_not_divide_whole() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    split = NamedSharding(mesh, P("x", "y"))
    out = olympus.jit(lambda x: olympus.lax.with_sharding_constraint(x, split) * 2)(jnp.ones((7, 2)))
    assert out.sharding.spec == P(None, "y") and out.tolist() == [[2.0, 2.0]] * 7
    assert float(olympus.jit(olympus.grad(
        lambda x: olympus.lax.with_sharding_constraint(x, split).sum()))(jnp.ones((3, 3)))[2, 2]) == 1.0
    with pytest.raises(olympus.errors.IndivisibleError):  # an array itself lies somewhere
        olympus.lax.with_sharding_constraint(jnp.ones((7, 2)), split)
    with pytest.raises(olympus.errors.IndivisibleError):
        olympus.jit(lambda x: x, out_shardings=split)(jnp.ones((7, 2)))


def test_results_that_are_not_computed_say_where_they_would_be() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    split = NamedSharding(mesh, P("x"))
    both = olympus.jit(lambda x: (x, {"y": 2 * x}), out_shardings=(split, None))
    for found in (olympus.eval_shape(both, jnp.ones(8)), both.eval_shape(jnp.ones(8)), both.lower(jnp.ones(8)).out_info,
                  both.trace(jnp.ones(8)).out_info):
        assert found[0].sharding == split and found[1]["y"].sharding is None
    assert olympus.jit(lambda x: x, out_shardings=split).eval_shape(jnp.ones(8)).sharding == split
