# SPDX-License-Identifier: Apache-2.0
"""Exported functions: the same numbers as the functions, without the Python that made them."""

from __future__ import annotations

import collections
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, export, lax
from olympus.export import DisabledSafetyCheck, Exported
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P

W = jnp.linspace(-1.0, 1.0, 12).reshape(3, 4)
PARAMETERS = {"w": jnp.linspace(-2.0, 2.0, 12).reshape(3, 4), "b": jnp.arange(4.0)}
X = jnp.arange(6.0).reshape(2, 3) / 7


def layer(p: Any, x: Any, *, times: int = 2) -> Any:
    return {"y": jnp.tanh(x @ p["w"]) * times + p["b"] + W.sum(), "best": jnp.argmax(x)}


def stored(exported: Exported, vjp_order: int = 0) -> Exported:
    return export.deserialize(exported.serialize(vjp_order))


def same(found: Any, expected: Any) -> None:
    assert olympus.tree.structure(found) == olympus.tree.structure(expected)
    for a, b in zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype and a.weak_type == b.weak_type


def test_calls_give_the_same_bits() -> None:
    jitted = olympus.jit(layer, static_argnames="times")
    made = export.export(jitted)(PARAMETERS, X, times=3)
    expected = jitted(PARAMETERS, X, times=3)
    for exported in (made, stored(made)):
        same(exported.call(PARAMETERS, X), expected)
        same(olympus.jit(exported.call)(PARAMETERS, np.asarray(X)), expected)
        assert exported.fun_name == "layer" and exported.platforms == ("cpu",) and exported.nr_devices == 1
        assert exported.in_tree == olympus.tree.structure(((PARAMETERS, X), {}))
        assert exported.out_tree == olympus.tree.structure({"y": 0, "best": 0})
        assert [repr(a) for a in exported.in_avals] == ["float32[4]", "float32[3,4]", "float32[2,3]"]
        assert [repr(a) for a in exported.out_avals] == ["int32[]", "float32[2,4]"]
        assert exported.calling_convention_version == 1 and exported.module_kept_var_idx == (0, 1, 2)
        assert exported.ordered_effects == exported.unordered_effects == () and "tanh" in exported.program_text
        assert repr(exported) == "Exported(fun_name=layer, ...)"
    found = olympus.vmap(lambda x: stored(made).call(PARAMETERS, x)["y"])(jnp.stack([X, X + 1]))
    np.testing.assert_allclose(found[0], expected["y"], rtol=1e-6)


def test_specs_stand_for_arrays_and_named_arguments_stay_named() -> None:
    spec = olympus.ShapeDtypeStruct((3,), "float32")
    made = stored(export.export(olympus.jit(lambda x, *, y: x * y))(spec, y=2.0))
    same(made.call(jnp.ones(3), y=4.0), jnp.full(3, 4.0, "float32"))
    assert made.in_avals[1].weak
    again = export.export(olympus.jit(lambda x: made.call(x, y=3.0) + 1))(spec)  # one that calls another
    same(stored(again).call(jnp.ones(3)), jnp.full(3, 4.0, "float32"))


def test_derivatives_are_exported() -> None:
    jitted = olympus.jit(layer)
    made = export.export(jitted)(PARAMETERS, X)

    def loss(f: Any, p: Any) -> Any:
        return (f(p, X)["y"] ** 2).sum()

    def norm(f: Any, p: Any) -> Any:
        return (olympus.grad(lambda p: loss(f, p))(p)["w"] ** 2).sum()

    twice = stored(made, 2)
    assert made.has_vjp() and twice.has_vjp() and twice.vjp().has_vjp() and not twice.vjp().vjp().has_vjp()
    for function in (loss, norm):
        expected = olympus.grad(lambda p: function(jitted, p))(PARAMETERS)
        for exported in (made, twice):
            found = olympus.jit(olympus.grad(lambda p: function(exported.call, p)))(PARAMETERS)
            for a, b in zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True):
                np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)
    cotangent = jnp.ones((2, 4))
    parts = twice.vjp().call(*olympus.tree.leaves((PARAMETERS, X)), cotangent)
    assert [p.shape for p in parts] == [(4,), (3, 4), (2, 3)]
    with pytest.raises(errors.ExportedCallError, match="vjp_order"):
        olympus.grad(lambda p: loss(stored(made).call, p))(PARAMETERS)
    with pytest.raises(errors.ExportedCallError, match="vjp_order"):
        stored(made, 1).serialize(vjp_order=2)
    with pytest.raises(errors.ForwardModeError):
        olympus.jvp(lambda x: made.call(PARAMETERS, x)["y"], (X,), (X,))


def test_rules_of_users_are_in_the_exported_derivative() -> None:
    marked = olympus.custom_vjp(lambda x: jnp.sin(x))
    marked.defvjp(lambda x: (jnp.sin(x), x), lambda x, c: (10.0 * c * jnp.cos(x),))
    made = stored(export.export(olympus.jit(lambda x, n: marked(x) * n))(1.0, 3), 1)
    assert float(olympus.grad(lambda x: made.call(x, 3))(0.0)) == 30.0


def test_control_flow_keys_and_narrow_types() -> None:
    key = olympus.random.key(7)

    def f(key: Any, x: Any, h: Any, n: Any) -> Any:
        noise = olympus.random.normal(olympus.random.fold_in(key, 1), x.shape)
        total, sums = lax.scan(lambda c, row: (c + row, c), jnp.zeros(3), x)
        low = lax.while_loop(lambda i: i < n, lambda i: i * 2 + 1, 0)
        chosen = lax.cond(n > 3, lambda: total, lambda: -total)
        return {"noise": noise, "sums": sums, "total": total, "low": low, "half": h * 2, "chosen": chosen,
                "split": olympus.random.split(key), "narrow": h.astype("float8_e4m3fn")}

    args = (key, X, jnp.ones(4, "bfloat16"), 5)
    expected = olympus.jit(f)(*args)
    found = stored(export.export(olympus.jit(f))(*args)).call(*args)
    for name in expected:
        if name == "split":
            same(olympus.random.key_data(found[name]), olympus.random.key_data(expected[name]))
        else:
            np.testing.assert_array_equal(found[name], expected[name])
            assert found[name].dtype == expected[name].dtype


Point = collections.namedtuple("Point", "x y")
export.register_namedtuple_serialization(Point, serialized_name="tests.Point")


@olympus.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, value: Any, by: int) -> None:
        self.value, self.by = value, by

    def tree_flatten(self) -> Any:
        return (self.value,), self.by

    @classmethod
    def tree_unflatten(cls, by: int, children: Any) -> Scaled:
        return cls(*children, by)


export.register_pytree_node_serialization(
    Scaled, serialized_name="tests.Scaled", serialize_auxdata=lambda by: str(by).encode(), deserialize_auxdata=int)


def test_containers() -> None:
    value = {"a": [Point(1.0, (2.0, None)), collections.OrderedDict(z=3.0, b=4.0)], 1: Scaled(5.0, 3)}
    value = {"all": value["a"], "scaled": value[1], "numbers": {2: 1.0, 1: 2.0}}
    f = olympus.jit(lambda v: {**v, "scaled": Scaled(v["scaled"].value * v["scaled"].by, 4)})
    made = stored(export.export(f)(value))
    found = made.call(value)
    assert isinstance(found["all"][0], Point) and found["scaled"].by == 4 and float(found["scaled"].value) == 15
    assert list(found["all"][1]) == ["z", "b"] and made.in_tree == olympus.tree.structure(((value,), {}))

    class Other:
        pass

    olympus.tree_util.register_pytree_node(Other, lambda o: ((1.0,), None), lambda data, children: Other())
    with pytest.raises(errors.NotExportableError, match="Other"):
        export.export(olympus.jit(lambda o: 1.0))(Other()).serialize()
    taken = {"serialize_auxdata": lambda data: b"", "deserialize_auxdata": lambda stored: None}
    export.register_pytree_node_serialization(Other, serialized_name="tests.Other", **taken)  # made as registered
    assert isinstance(stored(export.export(olympus.jit(lambda o: o))(Other())).call(Other()), Other)
    with pytest.raises(errors.ArgumentError, match="register_pytree_node first"):
        export.register_pytree_node_serialization(Exported, serialized_name="tests.Exported", **taken)
    with pytest.raises(errors.ArgumentError, match="registered already"):
        export.register_namedtuple_serialization(Point, serialized_name="tests.Point2")


def test_what_does_not_fit() -> None:
    made = export.export(olympus.jit(layer))(PARAMETERS, X)
    with pytest.raises(errors.ExportedCallError, match="another structure"):
        made.call(PARAMETERS)
    with pytest.raises(errors.ExportedCallError, match=r"another type(.|\n)*float32\[2,3\]"):
        made.call(PARAMETERS, X[0])
    with pytest.raises(TypeError):
        made.call(PARAMETERS, X.astype(int))
    with pytest.raises(errors.NotExportableError, match="host"):
        export.export(olympus.jit(lambda x: olympus.debug.callback(print, x)))(1.0)
    with pytest.raises(errors.ArgumentError, match="an artefact is bytes"):
        export.deserialize("a file's name")  # type: ignore[arg-type]
    with pytest.raises(errors.ArgumentError, match="jitted"):
        export.export(layer)  # type: ignore[arg-type]
    for platforms in ((), "cpu", (3,)):
        with pytest.raises(errors.ArgumentError, match="platforms"):
            export.export(olympus.jit(layer), platforms=platforms)


def test_symbolic_sizes_have_no_stablehlo() -> None:
    spec = olympus.ShapeDtypeStruct(export.symbolic_shape("n, 2"), "float32")
    made = export.export(olympus.jit(jnp.sin))(spec)
    lowered = olympus.jit(jnp.sin).lower(spec)
    for ask in (made.mlir_module, lambda: made.mlir_module_serialized, lambda: lowered.as_text("stablehlo"),
                lowered.compile, lowered.cost_analysis):
        with pytest.raises(errors.NotSupportedError, match="certain sizes"):
            ask()
    assert "float32[n,2]" in lowered.as_text()


def test_platforms() -> None:
    f = olympus.jit(lambda x: lax.platform_dependent(x, cpu=lambda x: x + 1, cuda=lambda x: x + 2))
    made = stored(export.export(f, platforms=["cpu", "cuda"])(1.0))
    assert made.platforms == ("cpu", "cuda") and float(made.call(1.0)) == 2
    elsewhere = stored(export.export(f, platforms=["cuda"])(1.0))
    with pytest.raises(errors.ExportedCallError, match="cuda"):
        elsewhere.call(1.0)
    check = DisabledSafetyCheck.platform()
    anywhere = stored(export.export(f, platforms=["cuda"], disabled_checks=[check])(1.0))
    assert float(anywhere.call(1.0)) == 3 and anywhere.disabled_safety_checks == (check,)
    both = export.export(olympus.jit(jnp.sin), platforms=["cpu", "tpu"])(1.0)
    one = export.export(olympus.jit(jnp.sin), platforms=["cpu"])(1.0)
    assert len(both.serialize()) < len(one.serialize()) + 40  # the program is stored once
    assert export.export(olympus.jit(jnp.sin), platforms=["gpu", "cuda"])(1.0).platforms == ("cuda",)
    assert export.default_export_platform() == "cpu"


@pytest.mark.parametrize("kind", [olympus.AxisType.Auto, olympus.AxisType.Explicit])
def test_sharded_functions(kind: olympus.AxisType) -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=(kind, kind))
    split = NamedSharding(mesh, P("x", "y"))
    x = olympus.device_put(jnp.arange(32.0).reshape(8, 4), split)

    def f(x: Any) -> Any:
        return olympus.shard_map(lambda v: lax.psum(v, "x"), mesh=mesh, in_specs=P("x", "y"), out_specs=P(None, "y"))(x)

    with olympus.set_mesh(mesh):
        expected = olympus.jit(f)(x)
        made = export.export(olympus.jit(f))(olympus.ShapeDtypeStruct(x.shape, x.dtype, sharding=split))
        assert made.nr_devices == 8 and made.in_shardings_jax(mesh) == (split,)
        found = stored(made)
        same(found.call(x), expected)
        assert found.in_shardings_jax(mesh) == (split,)
    with olympus.set_mesh(olympus.make_mesh((2, 4), ("y", "x"), axis_types=(kind, kind))):
        pass
    np.testing.assert_array_equal(found.call(np.asarray(x)), expected)  # over the first devices


PROGRAM = """
import json, sys
import numpy as np
import olympus
from olympus import export

made = export.deserialize(open(sys.argv[1], "rb").read())
x = np.load(sys.argv[2])
leaf = lambda v: v.tobytes().hex()
print(json.dumps([leaf(np.asarray(y)) for y in olympus.tree.leaves(made.call(x))]))
"""


def test_in_another_process_with_the_same_bits(tmp_path: Path) -> None:
    p = PARAMETERS
    made = export.export(olympus.jit(lambda x: layer(p, x)))(X)
    (tmp_path / "f.olx").write_bytes(made.serialize())
    np.save(tmp_path / "x.npy", np.asarray(X))
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path / "f.olx"), str(tmp_path / "x.npy")],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [np.asarray(y).tobytes().hex() for y in olympus.tree.leaves(made.call(X))]


def test_the_command(tmp_path: Path) -> None:
    made = export.export(olympus.jit(lambda x, y: (x @ y, x.sum())))(X, jnp.ones(3))
    (tmp_path / "f.olx").write_bytes(made.serialize())
    np.save(tmp_path / "x.npy", np.asarray(X))
    np.save(tmp_path / "y.npy", np.arange(3, dtype=np.float32))

    def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "olympus", "run", *map(str, arguments)], capture_output=True,
                              text=True, timeout=120, cwd=tmp_path)

    given = ("f.olx", "--input", "x.npy", "--input", "y.npy")
    done = run(*given, "--output", "a.npy", "--output", "b.npy")
    assert done.returncode == 0 and done.stdout == "", done.stderr
    expected = made.call(X, jnp.arange(3.0))
    for name, value in zip("ab", expected, strict=True):
        np.testing.assert_array_equal(np.load(tmp_path / f"{name}.npy"), value)
    assert run(*given).stdout.split("\n")[0] == str(expected[0])
    described = run("f.olx", "--describe").stdout
    assert "float32[2,3], float32[3]" in described and "1 device" in described
    for wrong, match in ((("f.olx",), "takes 2 arrays"), (("x.npy",), "no exported program"), (("z.olx",), "cannot be"),
                         ((*given, "--output", "a.npy"), "gives 2 arrays"),
                         (("f.olx", "--input", "f.olx", "--input", "y.npy"), "no array")):
        done = run(*wrong)
        assert done.returncode == 1 and match in done.stderr, done.stderr


def test_stablehlo_comes_out() -> None:
    exported = export.export(olympus.jit(layer))(PARAMETERS, X)
    text = exported.mlir_module()
    assert text == stored(exported).mlir_module()
    assert "@main(%arg0: tensor<4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3xf32>)" in text
    assert "-> (tensor<i32>, tensor<2x4xf32>)" in text
    sharding = NamedSharding(olympus.make_mesh((2,), ("x",)), P("x"))
    split = export.export(olympus.jit(jnp.sum))(olympus.ShapeDtypeStruct((8,), "float32", sharding=sharding))
    assert "stablehlo.all_reduce" in split.mlir_module() and "tensor<4xf32>" in split.mlir_module()


def test_shardings_that_a_function_was_jitted_with_are_exported() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    split, whole = NamedSharding(mesh, P("i")), NamedSharding(mesh, P())
    jitted = olympus.jit(lambda x, *, y: (x * 2, x + y), in_shardings=split, out_shardings=(None, whole))
    kind = olympus.ShapeDtypeStruct((8,), "float32")
    x = jnp.arange(8.0)
    for exported in (made := export.export(jitted)(kind, y=kind), stored(made)):
        assert exported.nr_devices == 8 and not exported.uses_global_constants
        assert exported.in_shardings_jax(mesh) == (split, None)
        assert exported.out_shardings_jax(mesh)[1] == whole
        for call in (exported.call, olympus.jit(exported.call)):
            doubled, added = call(x, y=x)
            np.testing.assert_array_equal(doubled, x * 2)
            np.testing.assert_array_equal(added, x * 2)
            assert doubled.sharding.is_equivalent_to(split, 1) and added.sharding.is_equivalent_to(whole, 1)


def test_names_of_the_format() -> None:
    check = DisabledSafetyCheck.custom_call("lapack_spotrf")
    exported = stored(export.export(olympus.jit(jnp.sin), disabled_checks=[check])(1.0))
    assert exported.disabled_safety_checks == (check,) and check != DisabledSafetyCheck.platform()
    first, last = (export.minimum_supported_calling_convention_version,
                   export.maximum_supported_calling_convention_version)
    assert first <= exported.calling_convention_version == last
