# SPDX-License-Identifier: Apache-2.0
"""checkpoint: the same derivatives, of which less is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import checkpoint_policies as policies
from olympus import errors, lax
from olympus.ad_checkpoint import checkpoint_name
from olympus_core.program import Program, operations_of

W = np.random.RandomState(0).randn(3, 3).astype(np.float32)
X = np.random.RandomState(1).randn(2, 3).astype(np.float32)


def layer(w: Any, x: Any) -> Any:
    h = checkpoint_name(jnp.sin(x @ w), "middle")
    return jnp.tanh(h @ w)


def count(program: Program, names: Sequence[str]) -> list[int]:
    found = [operation.name for operation in operations_of(program)]
    return [found.count(name) for name in names]


def slope(policy: Any = None, wrap: Any = olympus.checkpoint, **options: Any) -> Any:
    f = wrap(layer, policy=policy, **options) if wrap else layer
    return olympus.grad(lambda w: (f(w, X) ** 2).sum())


EXPECTED = olympus.grad(lambda w: (layer(w, X) ** 2).sum())
EVERY = [
    None, policies.everything_saveable, policies.nothing_saveable, policies.dots_saveable, policies.checkpoint_dots,
    policies.dots_with_no_batch_dims_saveable, policies.checkpoint_dots_with_no_batch_dims,
    policies.save_only_these_names("middle"), policies.save_any_names_but_these("middle"),
    policies.save_anything_except_these_names("middle"),
    policies.save_from_both_policies(policies.dots_saveable, policies.save_only_these_names("middle")),
    policies.save_and_offload_only_these_names(names_which_can_be_saved=["middle"], names_which_can_be_offloaded=[],
                                               offload_src="device", offload_dst="pinned_host"),
    policies.save_and_offload_only_these_names(names_which_can_be_saved=[], names_which_can_be_offloaded=["middle"],
                                               offload_src="device", offload_dst="pinned_host"),
    policies.offload_dot_with_no_batch_dims("device", "pinned_host"),
    policies.save_from_both_policies(policies.offload_dot_with_no_batch_dims("device", "unpinned_host"),
                                     policies.save_only_these_names("middle")),
]


@pytest.mark.parametrize("policy", EVERY)
def test_the_derivatives_are_the_same(policy: Any) -> None:
    expected = EXPECTED(W)
    for wrap in (lambda f: f, olympus.jit):
        np.testing.assert_allclose(wrap(slope(policy))(W), expected, rtol=1e-4, atol=1e-5)
    second = lambda f: olympus.jit(olympus.grad(lambda w: (f(w) ** 2).sum()))(W)
    np.testing.assert_allclose(second(slope(policy)), second(EXPECTED), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(olympus.jvp(slope(policy), (W,), (W,))[1], olympus.jvp(EXPECTED, (W,), (W,))[1],
                               rtol=1e-3, atol=1e-4)


def test_what_is_computed_again() -> None:
    """Forward two products; back three, for the input is a constant. What is not kept is computed once more."""
    def products(policy: Any, wrap: Any = olympus.checkpoint) -> int:
        return count(olympus.make_program(slope(policy, wrap))(W), ["dot_general"])[0]

    assert products(None, None) == 2 + 3
    assert products(None) == 2 + 2 + 3
    assert products(policies.nothing_saveable) == 2 + 2 + 3
    assert products(policies.dots_saveable) == 2 + 3
    assert products(policies.save_only_these_names("middle")) == 2 + 2 + 3  # the sine's slope needs the product
    assert products(policies.save_only_these_names("elsewhere")) == 2 + 2 + 3
    sines = lambda policy: count(olympus.make_program(slope(policy))(W), ["sin"])[0]
    assert sines(None) == 2 and sines(policies.save_only_these_names("middle")) == 1
    assert sines(policies.save_any_names_but_these("middle")) == 2
    assert sines(policies.everything_saveable) == 1


def test_loops_of_checkpointed_steps() -> None:
    """What a scan of checkpointed steps keeps of each step is what is carried, and no more."""
    def f(w: Any, step: Any) -> Any:
        return (lax.scan(lambda x, _: (step(w, x), None), jnp.asarray(X), None, length=4)[0] ** 2).sum()

    same = olympus.grad(lambda w: f(w, layer))(W)
    once = olympus.checkpoint(layer)
    np.testing.assert_allclose(olympus.grad(lambda w: f(w, once))(W), same, rtol=1e-4, atol=1e-5)
    sizes = {}
    for name, step in (("all", layer), ("less", once)):
        program = olympus.make_program(olympus.grad(lambda w: f(w, step)))(W)
        first = next(operation for operation in program.operations if operation.name == "scan")
        sizes[name] = sum(v.type.size for v in first.results[1:])
    assert sizes["less"] == 4 * X.size < sizes["all"]


def test_options() -> None:
    @olympus.remat
    def named(x: Any, *, scale: Any) -> Any:
        return jnp.sin(x) * scale

    assert float(olympus.grad(lambda x: named(x, scale=2.0))(0.0)) == 2.0
    chosen = olympus.checkpoint(lambda x, n: x ** n if n > 1 else x, static_argnums=(1,))
    assert float(olympus.jit(olympus.grad(lambda x: chosen(x, 3)))(2.0)) == 12.0
    last = olympus.checkpoint(lambda x, n: x ** n if n > 1 else x, static_argnums=-1)
    assert float(olympus.grad(lambda x: last(x, 3))(2.0)) == 12.0
    with pytest.raises(errors.ArgumentError, match="policy"):
        olympus.checkpoint(layer, policy="dots")
    with pytest.raises(errors.ArgumentError, match="concrete"):
        olympus.checkpoint(layer, concrete=True)
    with pytest.raises(errors.ArgumentError, match="two memories"):
        policies.save_and_offload_only_these_names(
            names_which_can_be_saved=["a", "b"], names_which_can_be_offloaded=["b"], offload_src="device",
            offload_dst="pinned_host")
    with pytest.raises(errors.ArgumentError, match="offload_dst is no kind of memory"):
        policies.offload_dot_with_no_batch_dims("device", "disk")


def test_a_policy_of_the_user_sees_every_operation() -> None:
    seen: list[tuple[str, Any]] = []

    def policy(operation: Any, *avals: Any, **attributes: Any) -> bool:
        seen.append((operation.name, [a.shape for a in avals]))
        return operation.name == "sin"

    np.testing.assert_allclose(slope(policy)(W), EXPECTED(W), rtol=1e-4, atol=1e-5)
    assert ("dot_general", [(2, 3), (3, 3)]) in seen and ("name", [(2, 3)]) in seen


def test_names_change_nothing() -> None:
    tree = checkpoint_name({"a": X, "n": 3}, "both")
    assert tree["n"] == 3 and tree["a"] is X
    program = olympus.make_program(lambda x: checkpoint_name(x, "x") + 1)(X)
    assert olympus.jit(lambda x: checkpoint_name(x, "x") + 1)(X).shape == X.shape
    assert "x" in program.operations[0].regions[0].name


def test_what_is_kept_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    olympus.ad_checkpoint.print_saved_residuals(olympus.checkpoint(layer), W, X)
    assert capsys.readouterr().out.splitlines() == [
        "float32[3,3] from the argument w", "float32[2,3] from the argument x"]
    kept = olympus.checkpoint(layer, policy=policies.save_only_these_names("middle"))
    olympus.ad_checkpoint.print_saved_residuals(kept, W, X)
    assert sorted(capsys.readouterr().out.splitlines()) == [
        "float32[2,3] from the argument x", "float32[2,3] named 'middle'", "float32[3,3] from the argument w"]


def test_effects_happen_once_where_nothing_is_computed_again() -> None:
    seen: list[float] = []

    def f(x: Any) -> Any:
        olympus.debug.callback(lambda v: seen.append(float(v)), x)
        return x * x

    for g in (olympus.grad(f), olympus.jit(olympus.grad(f)), olympus.grad(olympus.jit(f))):
        assert float(g(3.0)) == 6.0
    assert seen == [3.0, 3.0, 3.0]


def _kinds(tree: Any) -> list[tuple[Any, str]]:
    return sorted((x.shape, x.sharding.memory_kind) for x in olympus.tree.leaves(tree))


_OFFLOADING = policies.save_and_offload_only_these_names(
    names_which_can_be_saved=["first"], names_which_can_be_offloaded=["second"], offload_src="device",
    offload_dst="pinned_host")


def _three_sines(x: Any) -> Any:
    return jnp.sin(checkpoint_name(jnp.sin(checkpoint_name(jnp.sin(x), "first")), "second")).sum()


@pytest.mark.parametrize("forward", [
    lambda f, x: olympus.vjp(f, x), lambda f, x: olympus.jit(lambda x: olympus.vjp(f, x))(x),
    lambda f, x: olympus.vjp(olympus.jit(f), x)], ids=["eager", "under jit", "of jit"])
def test_offloaded_residuals_are_in_the_hosts_memory(forward: Any) -> None:
    f, x = olympus.checkpoint(_three_sines, policy=_OFFLOADING), jnp.linspace(0.1, 1.0, 5)
    _, back = forward(f, x)
    assert _kinds(back) == [((5,), "device"), ((5,), "device"), ((5,), "pinned_host")]
    wanted = olympus.grad(_three_sines)(x)
    np.testing.assert_allclose(back(1.0)[0], wanted, rtol=1e-6)
    np.testing.assert_allclose(olympus.jit(lambda back: back(1.0))(back)[0], wanted, rtol=1e-6)
    assert back(1.0)[0].sharding.memory_kind == "device"


def test_offloading_in_scans_over_devices_and_in_second_derivatives() -> None:
    f = olympus.checkpoint(_three_sines, policy=_OFFLOADING)
    x = jnp.linspace(0.1, 1.0, 8)
    second = olympus.grad(lambda x: olympus.grad(_three_sines)(x).sum())(x)
    np.testing.assert_allclose(olympus.grad(lambda x: olympus.grad(f)(x).sum())(x), second, rtol=1e-5)
    rows = jnp.stack([x, 2 * x])
    np.testing.assert_allclose(olympus.vmap(olympus.grad(f))(rows), olympus.vmap(olympus.grad(_three_sines))(rows),
                               rtol=1e-5)

    def looped(body: Any) -> Any:
        return lambda x: lax.scan(lambda c, _: (body(c), None), x, None, length=3)[0].sum()

    def plain(c: Any) -> Any:
        return jnp.sin(checkpoint_name(jnp.sin(c), "second"))

    _, back = olympus.vjp(looped(olympus.checkpoint(plain, policy=_OFFLOADING)), x)
    assert _kinds(back) == [((3, 8), "device"), ((3, 8), "pinned_host")]
    np.testing.assert_allclose(back(1.0)[0], olympus.grad(looped(plain))(x), rtol=1e-5)
    split = olympus.device_put(x, olympus.NamedSharding(olympus.make_mesh((8,), ("i",)), olympus.P("i")))
    _, back = olympus.vjp(f, split)
    assert _kinds(back)[-1] == ((8,), "pinned_host") and len(olympus.tree.leaves(back)[-1].sharding.device_set) == 8
    np.testing.assert_allclose(back(1.0)[0], olympus.grad(_three_sines)(x), rtol=1e-6)


def test_values_leave_jitted_functions_in_the_hosts_memory() -> None:
    host, device = olympus.memory.Space.Host, olympus.memory.Space.Device
    y = olympus.jit(lambda x: olympus.device_put(2 * x, host))(jnp.ones(3))
    assert y.sharding.memory_kind == "pinned_host"
    z = olympus.jit(lambda y: jnp.sin(olympus.device_put(y, device)))(y)
    assert z.sharding.memory_kind == "device"
    np.testing.assert_allclose(z, np.sin(2 * np.ones(3)), rtol=1e-6)
    assert float(olympus.grad(lambda x: olympus.device_put(x, host) ** 2)(3.0)) == 6.0
    program = olympus.make_jaxpr(lambda x: olympus.device_put(2 * x, host))(1.0)
    assert "device_put[devices=('pinned_host',)" in str(program)
    found, = olympus.core.eval_jaxpr(program.jaxpr, program.consts, 1.0)
    assert found.sharding.memory_kind == "pinned_host"


def test_residuals_are_told_by_name_and_memory() -> None:
    found = [source for _, source in olympus.ad_checkpoint.saved_residuals(
        olympus.checkpoint(_three_sines, policy=_OFFLOADING), jnp.ones(3))]
    assert found == ["from the argument x", "named 'first'", "kept in the memory 'pinned_host'"]


def test_rules_under_checkpoint_keep_what_they_need() -> None:
    calls: list[str] = []

    @olympus.custom_vjp
    def f(x: Any) -> Any:
        calls.append("f")
        return jnp.sin(x)

    def forward(x: Any) -> Any:
        calls.append("forward")
        return jnp.sin(x), jnp.cos(x)

    f.defvjp(forward, lambda kept, c: (c * kept,), optimize_remat=True)
    np.testing.assert_allclose(olympus.grad(olympus.checkpoint(f))(1.0), np.cos(1.0), rtol=1e-6)
    np.testing.assert_allclose(olympus.jit(olympus.grad(lambda x: olympus.checkpoint(f)(x) * 2))(1.0), 2 * np.cos(1.0),
                               rtol=1e-6)
    assert set(calls) == {"f", "forward"}
    with pytest.raises(errors.CustomRuleError, match="optimize_remat"):
        f.defvjp(forward, lambda kept, c: (c * kept,), symbolic_zeros=True, optimize_remat=True)


def test_a_checkpointed_function_is_traced_also_where_nothing_is_differentiated() -> None:
    kinds: list[bool] = []

    def f(x: Any, flag: Any, names: Any = (1, 2)) -> Any:
        kinds.append(isinstance(flag, olympus.core.Tracer))
        return jnp.where(flag, x * names[0], x)

    wrapped = olympus.checkpoint(f, static_argnums=(2,))
    assert float(wrapped(2.0, True, (3, 4))) == 6.0 and float(wrapped(2.0, False, (3, 4))) == 2.0
    assert kinds == [True]  # traced once for both
    assert float(wrapped(2.0, True, (5, 4))) == 10.0 and kinds == [True, True]
    assert float(olympus.checkpoint(f)(2.0, flag=True)) == 2.0 and all(kinds)
    inside = []
    outside = olympus.extend.core.get_opaque_trace_state()
    olympus.checkpoint(lambda x: inside.append(olympus.extend.core.get_opaque_trace_state() == outside) or x)(1.0)
    assert inside == [False]
    with pytest.raises(olympus.errors.ConcretizationTypeError):
        olympus.checkpoint(lambda x: x if x > 0 else -x)(1.0)
