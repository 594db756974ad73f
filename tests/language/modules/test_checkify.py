# SPDX-License-Identifier: Apache-2.0
"""Checks that are values: of users, of NaN, division by zero and indices, through transformations and control flow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, CheckError, CheckTracedError
from olympus.experimental import checkify, sparse
from olympus.sharding import PartitionSpec as P


def positive(x: Any) -> Any:
    checkify.check(x > 0, "x is {x}", x=x)
    return jnp.log(x)


def with_jvp(f: Any) -> Any:
    g = olympus.custom_jvp(f)
    g.defjvp(lambda primals, tangents: (f(*primals), tangents[0]))
    return g


def with_vjp(f: Any) -> Any:
    g = olympus.custom_vjp(f)
    g.defvjp(lambda x: (f(x), x), lambda x, ct: (ct,))
    return g


def with_vmap(f: Any) -> Any:
    g = olympus.custom_batching.custom_vmap(f)
    g.def_vmap(lambda size, batched, x: (olympus.vmap(f)(x), True))
    return g


ONE = np.float32(1)
SAID = "x is -1.0 (`check` failed)"


@pytest.mark.parametrize("wrap", [
    lambda f: checkify.checkify(f), lambda f: olympus.jit(checkify.checkify(f)),
    lambda f: checkify.checkify(olympus.jit(f)), lambda f: checkify.checkify(olympus.grad(f)),
    lambda f: checkify.checkify(olympus.value_and_grad(olympus.jit(f))),
])
def test_the_error_is_a_value(wrap: Any) -> None:
    checked = wrap(positive)
    error, _ = checked(ONE)
    assert error.get() is None and error.get_exception() is None
    error.throw()
    error, _ = checked(-ONE)
    assert error.get() == SAID == str(error.get_exception())
    with pytest.raises(CheckError, match="x is -1.0"):
        error.throw()
    assert olympus.tree.unflatten(*reversed(olympus.tree.flatten(error))).get() == SAID


def test_the_result_is_the_function_s_and_the_first_failure_counts() -> None:
    def two(x: Any) -> Any:
        checkify.check(x > 0, "first")
        checkify.check(x > 1, "second")
        return {"y": x * 2}

    checked = checkify.checkify(two)
    for value, said in ((2, None), (0.5, "second (`check` failed)"), (-1, "first (`check` failed)")):
        error, result = checked(np.float32(value))
        assert error.get() == said and float(result["y"]) == value * 2


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16", "int8", "uint8", "int32", "bool", "complex64"])
def test_messages_show_values_of_every_type(dtype: str) -> None:
    values = jnp.array([0, 1, 1], dtype)

    def shows(x: Any) -> None:
        checkify.check(False, "{} {}", x, jnp.arange(30))

    error, _ = checkify.checkify(shows)(values)
    expected = np.asarray(values)
    assert error.get() == f"{expected} {np.arange(30)} (`check` failed)"


def test_scan_says_the_first_step() -> None:
    def step(c: Any, x: Any) -> Any:
        checkify.check(x < 3, "step {x}", x=x)
        return c + x, x

    error, (total, _) = checkify.checkify(lambda xs: lax.scan(step, jnp.int32(0), xs))(jnp.arange(6))
    assert error.get() == "step 3 (`check` failed)" and int(total) == 15


def test_while_loop_checks_its_body() -> None:
    def body(x: Any) -> Any:
        checkify.check(x != 4, "four")
        return x + 1

    checked = checkify.checkify(lambda n: lax.while_loop(lambda x: x < n, body, jnp.int32(0)))
    assert checked(np.int32(4))[0].get() is None
    assert checked(np.int32(6))[0].get() == "four (`check` failed)"


def test_only_the_branch_that_runs_checks() -> None:
    def bad(x: Any) -> Any:
        checkify.check(x > 5, "small")
        return x

    checked = checkify.checkify(lambda i, x: lax.switch(i, [lambda x: x, bad, lambda x: -x], x))
    assert [checked(np.int32(i), ONE)[0].get() for i in range(3)] == [None, "small (`check` failed)", None]
    branch = checkify.checkify(lambda p, x: lax.cond(p, bad, lambda x: x, x))
    assert branch(np.bool_(False), ONE)[0].get() is None
    assert branch(np.bool_(True), ONE)[0].get() == "small (`check` failed)"


def test_mapped_outside_there_is_an_error_for_each_index() -> None:
    error, _ = olympus.vmap(checkify.checkify(positive))(jnp.array([1.0, -1.0, -2.0]))
    assert error.get() == f"at mapped index 1: {SAID}\nat mapped index 2: x is -2.0 (`check` failed)"


def test_mapped_inside_the_first_index_is_said() -> None:
    checked = checkify.checkify(olympus.vmap(positive))
    assert checked(jnp.array([1.0, 2.0]))[0].get() is None
    assert checked(jnp.array([1.0, 2.0, -1.0, -2.0]))[0].get() == f"at mapped index 2: {SAID}"
    twice = checkify.checkify(olympus.vmap(olympus.vmap(positive)))
    assert twice(jnp.array([[1.0, 2.0], [3.0, -1.0]]))[0].get() == f"at mapped index 1, 1: {SAID}"


def test_a_failure_before_the_mapped_function_has_no_index() -> None:
    def both(x: Any) -> Any:
        checkify.check(jnp.sum(x) > 0, "sum")
        return olympus.vmap(positive)(x)

    assert checkify.checkify(both)(jnp.array([1.0, -2.0]))[0].get() == "sum (`check` failed)"


def test_mapped_loops_say_the_index() -> None:
    def f(n: Any) -> Any:
        def body(x: Any) -> Any:
            checkify.check(x < 3, "x is {}", x)
            return x + 1
        return lax.while_loop(lambda x: x < n, body, jnp.int32(0))

    assert checkify.checkify(olympus.vmap(f))(jnp.array([1, 5, 2]))[0].get() == (
        "at mapped index 1: x is 3 (`check` failed)")


def test_nan_is_found_with_the_operation_and_the_line() -> None:
    checked = checkify.checkify(lambda x: jnp.log(x) + 1, errors=checkify.nan_checks)
    assert checked(ONE)[0].get() is None
    said = checked(-ONE)[0].get()
    assert said is not None and said.startswith("nan generated by primitive: log at ") and "test_checkify.py" in said


def test_what_is_selected_from_inside_of_a_function_is_no_nan() -> None:
    checked = checkify.checkify(jnp.sinc, errors=checkify.float_checks)
    assert checked(np.float32(0))[0].get() is None


def test_division_by_zero() -> None:
    checked = checkify.checkify(lambda x, y: x / y, errors=checkify.div_checks)
    assert checked(ONE, ONE)[0].get() is None
    said = checked(ONE, np.float32(0))[0].get()
    assert said is not None and said.startswith("division by zero at ") and "test_checkify.py" in said
    for divide in (lax.div, jnp.floor_divide, jnp.mod):
        checked = checkify.checkify(divide, errors=checkify.div_checks)
        assert "division by zero" in str(checked(np.int32(3), np.int32(0))[0].get())
        assert checked(np.int32(3), np.int32(2))[0].get() is None


@pytest.mark.parametrize("wrap", [
    olympus.checkpoint, with_jvp, with_vjp, with_vmap, olympus.custom_batching.sequential_vmap,
    lambda f: olympus.checkpoint(olympus.checkpoint(f)),
    lambda f: lambda x: lax.cond(x < 5, olympus.checkpoint(f), f, x),
])
def test_functions_that_stay_calls_are_checked(wrap: Any) -> None:
    for function in (lambda f: f, olympus.jit):
        checked = function(checkify.checkify(wrap(positive)))
        assert checked(ONE)[0].get() is None and checked(-ONE)[0].get() == SAID
        checked = function(checkify.checkify(lambda x: wrap(jnp.log)(x), errors=checkify.nan_checks))
        assert "log at" in str(checked(-ONE)[0].get()) and checked(ONE)[0].get() is None


@pytest.mark.parametrize("wrap", [olympus.checkpoint, with_jvp, with_vjp])
def test_derivatives_of_functions_that_stay_calls_are_checked(wrap: Any) -> None:
    for function in (lambda f: f, olympus.jit):
        for inner in (lambda f: f, olympus.jit, olympus.checkpoint):
            checked = function(checkify.checkify(olympus.value_and_grad(inner(wrap(positive)))))
            error, (value, slope) = checked(ONE)
            assert error.get() is None and float(value) == 0 and float(slope) == 1
            assert checked(-ONE)[0].get() == SAID


def test_a_condition_of_a_loop_is_checked() -> None:
    def goes_on(x: Any) -> Any:
        checkify.check(x < 3, "asked {}", x)
        return x < 5

    checked = checkify.checkify(lambda x: lax.while_loop(goes_on, lambda x: x + 1, x))
    error, last = checked(np.int32(0))
    assert error.get() == "asked 3 (`check` failed)" and int(last) == 5


def test_devices_are_checked_and_the_first_is_said() -> None:
    mesh = olympus.make_mesh((8,), ("x",))

    def parts(f: Any, **options: Any) -> Any:
        return olympus.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), **options)

    def whole(x: Any) -> Any:
        checkify.check(lax.psum(x.sum(), "x") < 100, "total")
        return x

    x = jnp.arange(16.0) + 1
    bad = x.at[6:].set(-1)
    for place in (lambda f: f, olympus.jit):
        for function in (parts(olympus.vmap(positive)), parts(lambda x: lax.map(positive, x)),
                         parts(lambda x: lax.map(positive, x), check_vma=False), olympus.grad(
                             lambda x: parts(olympus.vmap(positive))(x).sum())):
            checked = place(checkify.checkify(function))
            assert checked(x)[0].get() is None
            said = str(checked(bad)[0].get())
            assert said.startswith("at mapped index 3") and said.endswith(SAID)
        assert place(checkify.checkify(parts(whole)))(x)[0].get() == "at mapped index 0: total (`check` failed)"
        checked = place(checkify.checkify(parts(lambda x: jnp.log(x) * 2), errors=checkify.nan_checks))
        assert checked(x)[0].get() is None
        assert str(checked(bad)[0].get()).startswith("at mapped index 3: nan generated by primitive: log at ")
        checked = place(checkify.checkify(parts(lambda x: x[jnp.int32(x[:1])]), errors=checkify.index_checks))
        assert "index 2 is out of bounds" in str(checked(x + 1)[0].get())
    assert checkify.checkify(olympus.pmap(positive))(bad[:8])[0].get() == f"at mapped index 6: {SAID}"


def test_nan_in_a_loop_and_in_a_derivative() -> None:
    def loop(x: Any) -> Any:
        return lax.fori_loop(0, 5, lambda i, c: jnp.sqrt(c - 1), x)

    checked = checkify.checkify(loop, errors=checkify.nan_checks)
    assert "sqrt" in str(checked(ONE)[0].get())
    derived = checkify.checkify(olympus.grad(lambda x: jnp.sqrt(x) * 0), errors=checkify.nan_checks)
    assert derived(ONE)[0].get() is None
    assert "nan" in str(derived(np.float32(0))[0].get())


def test_checks_outside_are_refused_where_they_could_not_be_seen() -> None:
    with pytest.raises(checkify.JaxRuntimeError, match="x is -1.0"):
        positive(-ONE)
    assert float(positive(ONE)) == 0
    for traced in (olympus.jit(positive), olympus.vmap(positive, axis_size=2, in_axes=None), olympus.grad(positive)):
        with pytest.raises(CheckTracedError, match="checkify"):
            traced(ONE)


def test_debug_checks_count_only_with_checkify() -> None:
    def f(x: Any) -> Any:
        checkify.debug_check(x > 0, "debug")
        return x

    assert float(olympus.jit(f)(-ONE)) == -1
    assert checkify.checkify(f)(-ONE)[0].get() == "debug (`check` failed)"
    assert checkify.checkify(f, errors=checkify.nan_checks)(-ONE)[0].get() is None


def test_check_error_hands_a_failure_on() -> None:
    inner = checkify.checkify(positive)

    def outer(x: Any) -> Any:
        error, y = inner(x)
        checkify.check_error(error)
        checkify.check(x > 5, "outer")
        return y

    checked = checkify.checkify(outer)
    assert [checked(np.float32(v))[0].get() for v in (-1, 1, 6)] == [SAID, "outer (`check` failed)", None]
    with pytest.raises(CheckError, match="x is -1.0"):
        checkify.check_error(inner(-ONE)[0])
    for mapping in (lambda f: olympus.vmap(f), lambda f: olympus.jit(olympus.vmap(f))):
        for error in (checkify.checkify(mapping(positive))(jnp.array([1.0, -1.0]))[0],
                      mapping(checkify.checkify(positive))(jnp.array([1.0, -1.0, -2.0]))[0]):
            with pytest.raises(CheckError) as caught:
                error.throw()
            assert str(caught.value) == f"{SAID} (at mapped index 1)"

    def mapped(x: Any) -> Any:
        checkify.check_error(olympus.vmap(inner)(x)[0])

    assert checkify.checkify(mapped)(jnp.array([1.0, -1.0]))[0].get() == f"at mapped index 1: {SAID}"


def test_messages_show_the_words_of_keys() -> None:
    def equal(a: Any, b: Any) -> Any:
        checkify.check(jnp.array_equal(a, b, equal_nan=True), "{a} is not {b}", a=a, b=b)
        return a

    keys = olympus.random.split(olympus.random.key(0))
    for place in (lambda f: f, olympus.jit):
        assert place(checkify.checkify(equal))(keys, keys)[0].get() is None
        words = [np.asarray(olympus.random.key_data(x)) for x in (keys, keys[::-1])]
        assert place(checkify.checkify(equal))(keys, keys[::-1])[0].get() == \
            f"{words[0]} is not {words[1]} (`check` failed)"


def test_without_jit() -> None:
    with olympus.disable_jit():
        assert checkify.checkify(positive)(-ONE)[0].get() == SAID


def test_what_does_not_fit_is_refused() -> None:
    for call in (lambda: checkify.check(1, "a"), lambda: checkify.check(jnp.ones(2) > 0, "a"),
                 lambda: checkify.check(True, 3), lambda: checkify.check(True, "{}", "text"),
                 lambda: checkify.check_error(3), lambda: checkify.checkify(positive, errors=3)):
        with pytest.raises(ArgumentError):
            call()
    with pytest.raises(IndexError):
        checkify.check(True, "{} {}", ONE)


def test_messages_show_arrays_as_olympus_does() -> None:
    def f(x: Any) -> Any:
        checkify.check((x > 0).all(), "bad: {x} in {whole}", x=x, whole={"a": x})
        return x

    error, _ = olympus.jit(checkify.checkify(f))(jnp.array([1.0, -1.0]))
    assert error.get() == "bad: [ 1. -1.] in {'a': Array([ 1., -1.], dtype=float32)} (`check` failed)"
    with pytest.raises(CheckError, match=r"Array\(\[ 1., -1.\]"):
        f(jnp.array([1.0, -1.0]))


X = jnp.array([3.0, 1.0, 2.0, 2.0, 0.0])


def index_error(f: Any, *args: Any, errors: Any = checkify.index_checks) -> str | None:
    """What the checks of indices say, the same under jit."""
    said: str | None = checkify.checkify(f, errors=errors)(*args)[0].get()
    assert olympus.jit(checkify.checkify(f, errors=errors))(*args)[0].get() == said
    return said


@pytest.mark.parametrize("f, axis, size", [
    (lambda x, i: x[i], 0, 5), (lambda x, i: x.at[i].get(), 0, 5), (lambda x, i: x.at[i].set(1.0), 0, 5),
    (lambda x, i: x.at[i].add(1.0), 0, 5), (lambda x, i: jnp.take(x, i), 0, 5),
    (lambda x, i: jnp.stack([x, x])[1, i], 1, 5), (lambda x, i: x[jnp.stack([i, i])], 0, 5),
    (lambda x, i: lax.dynamic_slice(x, (i,), (1,)), 0, 5), (lambda x, i: lax.dynamic_index_in_dim(x, i), 0, 5),
    (lambda x, i: lax.dynamic_update_slice(x, jnp.ones(1), (i,)), 0, 5),
    (lambda x, i: olympus.vmap(lambda j: x[j])(jnp.stack([i, i])), 0, 5),
    (lambda x, i: lax.scan(lambda c, j: (c + x[j], None), 0.0, jnp.stack([jnp.int32(0), i])), 0, 5),
    (lambda x, i: lax.cond(i > 3, lambda: x[i], lambda: x[0]), 0, 5),
    (lambda x, i: olympus.grad(lambda x: x[i] ** 2)(x), 0, 5),
    (lambda x, i: olympus.jit(lambda x, i: x[i])(x, i), 0, 5),
])
def test_indices_outside(f: Any, axis: int, size: int) -> None:
    said = index_error(f, X, jnp.int32(7))
    assert said is not None and said.startswith("out-of-bounds indexing for array of shape (")
    assert f"index 7 is out of bounds for axis {axis} with size {size} at " in said and __file__ in said
    for inside in (0, 4, -1, -5):
        assert index_error(f, X, jnp.int32(inside)) is None


def test_the_first_index_outside_is_told_and_other_checks_go_on() -> None:
    said = index_error(lambda x, i: x[i], X, jnp.array([0, 4, 9, -7]))
    assert said is not None and "index 9 is" in said
    said = index_error(lambda x, i: x[i], X, jnp.array([0, 4, 3, -7]))
    assert said is not None and "index -2 is" in said  # counted from the end
    said = index_error(lambda x, i: x[i] / 0, X, jnp.int32(9), errors=checkify.all_checks)
    assert said is not None and said.startswith("out-of-bounds")
    said = index_error(lambda x, i: x[i] / 0, X, jnp.int32(1), errors=checkify.automatic_checks)
    assert said is not None and said.startswith("division by zero")
    assert index_error(lambda x, i: x[i], X, jnp.zeros(0, jnp.int32)) is None
    assert index_error(lambda x, i: x[i], X, jnp.int32(9), errors=checkify.float_checks) is None


@pytest.mark.parametrize("f", [
    lambda x: jnp.unique(x, size=3), lambda x: jnp.nonzero(x, size=8), lambda x: jnp.argwhere(x, size=2),
    lambda x: jnp.compress(x > 1, x, size=5), lambda x: jnp.union1d(x, x, size=3),
    lambda x: jnp.sort(x)[jnp.argsort(x)],
    lambda x: jnp.bincount(jnp.arange(4), length=2), lambda x: x.at[jnp.array([1, 1, 2])].apply(jnp.sin),
    lambda x: sparse.BCOO.fromdense(jnp.outer(x, x), nse=30).todense(),
    lambda x: jnp.median(x) + jnp.interp(2.5, x, x),
])
def test_what_functions_drop_on_purpose_is_no_mistake(f: Any) -> None:
    assert index_error(f, X) is None
    assert checkify.checkify(lambda: f(X), errors=checkify.index_checks)()[0].get() is None
