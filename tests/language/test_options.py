# SPDX-License-Identifier: Apache-2.0
"""Named options: each holds for a block, for a decorated function, in one thread, and for the programs made there."""

from __future__ import annotations

import inspect
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, options
from olympus.errors import (
    DimensionPromotionError,
    DimensionPromotionWarning,
    OptionValueError,
    RetracingError,
    TypePromotionError,
    UnknownOptionError,
)
from olympus_core.config import OPTIONS


def test_managers_are_of_options() -> None:
    for name in options.__all__:
        manager = getattr(olympus, name)
        option = next(o for o in OPTIONS if o.attribute == {"checking_leaks": "check_tracer_leaks"}.get(name, name))
        assert option.scoped and manager.__name__ == name and option.sentence in inspect.getdoc(manager)
        with manager(option.default):
            assert olympus.config.read(option.name) == option.default


def test_managers_decorate_and_stay_in_their_thread() -> None:
    seen: list[Any] = []

    @olympus.numpy_rank_promotion("raise")
    def inside() -> None:
        seen.append(olympus.config.olympus_numpy_rank_promotion)
        thread = threading.Thread(target=lambda: seen.append(olympus.config.olympus_numpy_rank_promotion))
        thread.start()
        thread.join()

    inside()
    inside()
    assert seen == ["raise", "allow"] * 2


def test_managers_take_their_value_by_the_peers_name() -> None:
    with olympus.debug_nans(new_val=True), olympus.transfer_guard(new_val="log"):
        assert olympus.config.read("olympus_debug_nans") and olympus.config.read("olympus_transfer_guard") == "log"


def test_what_options_refuse() -> None:
    with pytest.raises(OptionValueError, match="allow, warn, raise"):
        olympus.numpy_rank_promotion("rais")
    with pytest.raises(TypeError):
        olympus.numpy_rank_promotion()
    with pytest.raises(OptionValueError, match="True alone"):
        olympus.config.update("olympus_auto_pcast", False)
    olympus.config.update("olympus_auto_pcast", True)
    for wrong in ("olympus_numpy_rank_promotoin", "numpy_rank_promotion", "other_numpy_rank_promotion"):
        with pytest.raises(UnknownOptionError, match="Did you mean 'olympus_numpy_rank_promotion'"):
            olympus.config.update(wrong, "raise")


def test_strict_types_leave_alone_what_functions_do_inside() -> None:
    with olympus.numpy_dtype_promotion("strict"):
        assert jnp.exp2(jnp.array([True, False])).tolist() == [2, 1]
        assert jnp.exp2(jnp.arange(3)).tolist() == [1, 2, 4]
        found = jnp.geomspace(jnp.int32(1), jnp.int32(1000), 4)
    assert found.dtype == np.float32 and not found.weak_type
    np.testing.assert_allclose(found, np.geomspace(1, 1000, 4), rtol=1e-5)


def test_strict_types() -> None:
    x, i = jnp.arange(3.0), jnp.arange(3)
    both = olympus.jit(lambda a, b: jnp.mean(a) + b)
    both(x, i)  # what is known without the option is not used with it
    with olympus.numpy_dtype_promotion("strict"):
        for same in (lambda: x + 1, lambda: x + np.float32(1), lambda: i / 2, lambda: jnp.mean(i), lambda: jnp.var(x),
                     lambda: jnp.where(i > 1, x, 0), lambda: jnp.sum(i > 1), lambda: jnp.linspace(0, 1, 3),
                     lambda: x**2, lambda: i + 2, lambda: jnp.cov(x), lambda: jnp.vander(x),
                     lambda: jnp.histogram(i)):
            same()
        for mixed in (lambda: x + i, lambda: i + 1.0, lambda: i + 1j, lambda: (i > 1) + 1, lambda: i + True,
                      lambda: jnp.concatenate([x, i]), lambda: jnp.dot(x, i), lambda: both(x, i),
                      lambda: x + x.astype("bfloat16"), lambda: jnp.promote_types("float32", "int32")):
            with pytest.raises(TypePromotionError, match="strict"):
                mixed()
    np.testing.assert_array_equal(both(x, i), [1, 2, 3])


def test_ranks() -> None:
    m, x = jnp.ones((2, 3)), jnp.arange(3.0)
    with olympus.numpy_rank_promotion("raise"):
        for same in (lambda: m + 1, lambda: m + x[None], lambda: m + jnp.float32(1), lambda: m @ x,
                     lambda: jnp.var(m, axis=0), lambda: jnp.vander(x), lambda: jnp.where(m > 0, m, x)):
            same()
        with pytest.raises(DimensionPromotionError, match=r"\(2, 3\), \(3,\)"):
            m + x
    with olympus.numpy_rank_promotion("warn"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        olympus.jit(lambda a, b: a * b)(m, x)
    assert [w.category for w in told] == [DimensionPromotionWarning] and told[0].filename == __file__
    assert (m + x).shape == (2, 3)


def test_precision_of_products() -> None:
    x = jnp.full(2, 1 + 2**-9, "float32")
    product = olympus.jit(jnp.dot)
    exact = float(product(x, x))
    with olympus.default_matmul_precision("BF16_BF16_F32"):
        rounded = [product(x, x), jnp.einsum("i,i->", x, x), lax.dot(x, x), x @ x]
        named = jnp.dot(x, x, precision="highest")
    with olympus.default_matmul_precision("highest"):
        assert float(product(x, x)) == exact
    assert list(map(float, rounded)) == [2.0] * 4 and float(named) == float(product(x, x)) == exact > 2


def test_tracing_may_be_refused() -> None:
    f = olympus.jit(lambda x: x * 3)
    x = jnp.arange(3.0)
    f(x)
    with olympus.no_tracing():
        f(x)
        with pytest.raises(RetracingError, match=r"float32\[4\]"):
            f(np.arange(4, dtype=np.float32))


def test_keys_with_a_type_of_their_own() -> None:
    assert olympus.random.PRNGKey(3).dtype == "uint32"
    with olympus.enable_custom_prng():
        assert olympus.random.PRNGKey(3) == olympus.random.key(3)
