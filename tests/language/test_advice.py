# SPDX-License-Identifier: Apache-2.0
"""What is accepted as advice, and changes no result: metadata, groups, answers of policies, timeouts; small forms."""

import inspect
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P
from olympus.ad_checkpoint import Offloadable, Recompute, Saveable
from olympus.experimental import scheduling_groups, shard_alike, xla_metadata
from olympus_core.errors import ArgumentError, NotSupportedError


def test_advice_for_compilers_changes_nothing():
    x = jnp.arange(3.0)

    @xla_metadata.set_xla_metadata(name="f")
    def f(v):
        with xla_metadata.set_xla_metadata(name="g"):
            return xla_metadata.set_xla_metadata(jnp.sin(v), name="h")

    grouped = scheduling_groups.scheduling_group("one")(f)
    for function in (f, olympus.jit(f), grouped, scheduling_groups.xla_metadata_call(f, name="k")):
        np.testing.assert_array_equal(function(x), jnp.sin(x))
    assert xla_metadata.set_xla_metadata(f, name="f") is f


def test_arrays_that_are_split_alike():
    x, y = jnp.arange(8), {"a": jnp.ones(8)}
    first, second = olympus.jit(lambda u, v: shard_alike.shard_alike({"a": u}, v))(x, y)
    assert first["a"].tolist() == list(range(8)) and second["a"].tolist() == [1.0] * 8
    with pytest.raises(ArgumentError, match="structures"):
        shard_alike.shard_alike(x, y)
    with pytest.raises(ArgumentError, match="shapes"):
        shard_alike.shard_alike(x, x[:2])


@pytest.mark.parametrize(("answer", "kept"), [(Saveable, 2), (Recompute, 1), (True, 2), (False, 1)])
def test_a_policy_may_give_names_for_its_answers(answer, kept):
    f = olympus.checkpoint(lambda x: jnp.sin(jnp.sin(x)), policy=lambda operation, *avals, **attributes: answer)
    assert repr(answer) in ("Saveable", "Recompute", "True", "False")
    slope = np.cos(np.sin(0.5)) * np.cos(0.5)
    np.testing.assert_allclose(olympus.grad(f)(0.5), slope, rtol=1e-6)
    assert (len(olympus.ad_checkpoint.saved_residuals(f, 0.5)) > 1) is (kept > 1)


def test_a_policy_may_move_values():
    f = olympus.checkpoint(
        lambda x: jnp.sin(jnp.sin(x)), policy=lambda *avals, **attributes: Offloadable("device", "pinned_host"))
    _, back = olympus.vjp(f, 0.5)
    assert "pinned_host" in {x.sharding.memory_kind for x in olympus.tree.leaves(back)}
    np.testing.assert_allclose(back(1.0)[0], np.cos(np.sin(0.5)) * np.cos(0.5), rtol=1e-6)


def test_keyword_arguments_of_a_checkpointed_function_may_be_static():
    @olympus.checkpoint(static_argnames=("power", "unused"))
    def f(x, *, power, scale):
        assert isinstance(power, int)
        return scale * x ** power if power > 1 else x

    assert olympus.grad(lambda x: f(x, power=3, scale=2.0))(2.0) == 24.0
    assert olympus.jit(lambda x: f(x, power=1, scale=2.0))(2.0) == 2.0


def test_the_product_in_another_element_type():
    x, y = jnp.array([100], "int8"), jnp.array([100], "int8")
    assert olympus.lax.mul(x, y, out_dtype="int32").tolist() == [10000]
    assert olympus.lax.mul(2, 3.0, out_dtype="bfloat16").dtype == "bfloat16"
    assert olympus.lax.mul(x, 2).dtype == "int8"


def test_what_is_known_of_a_reference():
    ref = olympus.new_ref(olympus.device_put(jnp.arange(3), olympus.devices()[0]))
    assert ref.committed is True and ref.format.sharding == ref.sharding
    assert olympus.new_ref(jnp.arange(3)).committed is False


def test_joining_takes_the_arguments_of_others():
    names = list(inspect.signature(olympus.distributed.initialize).parameters)
    assert names[5:] == ["initialization_timeout", "heartbeat_timeout_seconds", "shutdown_timeout_seconds",
                         "coordinator_bind_address", "slice_index", "partition_index"]


def test_quantiles_with_weights():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(3, 7, 4)).astype("float32")
    for weights in (rng.integers(1, 4, size=a.shape).astype("float32"), rng.random(a.shape).astype("float32"), None):
        for axis in (None, 1, (0, 2)):
            for q in (0.0, 0.3, 0.5, [0.25, 1.0]):
                how = {"axis": axis, "method": "inverted_cdf", "weights": weights, "keepdims": True}
                np.testing.assert_array_equal(jnp.quantile(a, np.float32(q), **how), np.quantile(a, q, **how))
    with_nan = a.copy()
    with_nan[0, 2, 1] = np.nan
    spread = np.broadcast_to(np.arange(7.0, dtype="float32")[:, None], a.shape)
    how = {"axis": 1, "method": "inverted_cdf", "weights": spread}
    np.testing.assert_array_equal(jnp.nanquantile(with_nan, 0.4, **how), np.nanquantile(with_nan, 0.4, **how))
    np.testing.assert_array_equal(jnp.percentile(with_nan, 40, **how), np.percentile(with_nan, 40, **how))
    in_a_row = {**how, "weights": spread[0, :, 0]}
    np.testing.assert_array_equal(jnp.quantile(a, 0.3, **in_a_row), jnp.quantile(a, 0.3, **how))
    slope = olympus.grad(lambda x: jnp.quantile(x, 0.3, **how).sum())(a)
    assert slope.sum() == 12 and set(np.unique(slope)) == {0.0, 1.0}
    with pytest.raises(NotSupportedError, match="inverted_cdf"):
        jnp.quantile(a, 0.5, weights=a)
    with pytest.raises(ArgumentError, match="weights"):
        jnp.quantile(a, 0.5, axis=0, method="inverted_cdf", weights=np.ones(4))


def test_arrays_alike_are_split_alike() -> None:
    mesh = olympus.make_mesh((4,), ("i",))
    split, whole = NamedSharding(mesh, P("i")), NamedSharding(mesh, P())
    x = np.arange(8, dtype=np.float32)
    given = olympus.device_put(x, split)

    def specs(function: Any, *args: Any) -> list[Any]:
        return [out.sharding.spec for out in olympus.jit(function)(*args)]

    for other in (x, olympus.device_put(x, whole)):
        assert specs(lambda a, b: shard_alike.shard_alike(a, 2 * b), given, other) == [P("i"), P("i")]
        assert specs(lambda a, b: shard_alike.shard_alike(2 * b, a), given, other) == [P("i"), P("i")]
    assert specs(lambda a: shard_alike.shard_alike(a, jnp.zeros(8, "int32")), given) == [P("i"), P("i")]
    assert shard_alike.shard_alike(given, x)[1].sharding.spec == P("i")


def test_arrays_alike_are_differentiated_and_mapped() -> None:
    x = np.arange(4, dtype=np.float32)
    alike = shard_alike.shard_alike
    np.testing.assert_array_equal(olympus.grad(lambda a: (alike(a, 2 * a)[1] ** 2).sum())(x), 8 * x)
    np.testing.assert_array_equal(olympus.jit(olympus.grad(lambda a: alike(a, np.int32([1] * 4))[0].sum()))(x), 1)
    np.testing.assert_array_equal(olympus.vmap(lambda a: alike(a, 1.0))(x)[1], np.ones(4))
    np.testing.assert_array_equal(olympus.linear_transpose(lambda a: alike(a, a)[0], x)(x)[0], x)
    weak, strong = alike(1.0, jnp.float32(1))
    assert (weak.weak_type, strong.weak_type) == (True, False)


def test_options_of_profilers_are_taken(tmp_path):
    options = olympus.profiler.ProfileOptions()
    options.python_tracer_level, options.advanced_configuration = 0, {"tpu_trace_mode": "TRACE_ONLY_HOST"}
    assert (options.host_tracer_level, options.enable_hlo_proto, options.duration_ms) == (2, True, 0)
    with olympus.profiler.trace(tmp_path, profiler_options=options):
        jnp.ones(2).block_until_ready()
    assert list(tmp_path.rglob("*.trace.json.gz"))
