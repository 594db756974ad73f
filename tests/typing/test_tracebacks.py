# SPDX-License-Identifier: Apache-2.0
"""A user's mistake below a transformation shows the user's frames; those of olympus are there on request."""

import pdb
import sys
import traceback
from typing import Any

import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, OlympusInternalError
from olympus.tracing.tracebacks import NOTE
from olympus_core.config import config

# Where a plain `raise` goes back to the first entry of a traceback, that of the outermost function stays.
STAYING = 1 if sys.version_info < (3, 11) else 0


def frames(error):
    """Functions and packages of an exception's traceback, from the outermost inwards."""
    found = [(frame.f_code.co_name, frame.f_globals["__name__"].partition(".")[0])
             for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = [name for name, package in found if package.startswith("olympus")]
    return [name for name, package in found if not package.startswith("olympus")], own


def raised(function, *args):
    with pytest.raises(Exception) as caught:
        function(*args)
    return caught.value


def mistaken(x):
    return jnp.dot(x, jnp.ones(7))


def step(carry, x):
    return carry + mistaken(x), None


@olympus.jit
def loss(w):
    return lax.scan(step, 0.0, w)[0]


def test_nested_transformations_show_the_users_frames_only():
    error = raised(lambda: olympus.vmap(olympus.grad(loss))(jnp.ones((2, 3, 4))))
    users, own = frames(error)
    assert users == ["raised", "<lambda>", "loss", "step", "mistaken"]
    assert len(own) == STAYING
    assert type(error) is ArgumentError


def test_all_frames_are_there_on_request(monkeypatch):
    monkeypatch.setattr(config, "traceback_filtering", False)
    error = raised(lambda: olympus.vmap(olympus.grad(loss))(jnp.ones((2, 3, 4))))
    users, own = frames(error)
    assert users == ["raised", "<lambda>", "loss", "step", "mistaken"]
    assert len(own) > 10
    assert not getattr(error, "__notes__", None)


def bad(*args):
    raise ZeroDivisionError("a user's own")


def with_rule():
    function = olympus.custom_vjp(lambda x: x)
    function.defvjp(bad, bad)
    return olympus.grad(function)


def with_forward_rule():
    function = olympus.custom_jvp(lambda x: x)
    function.defjvp(bad)
    return lambda x: olympus.jvp(function, (x,), (x,))


CALLS = {
    "jit": olympus.jit(bad), "grad": olympus.grad(bad), "value_and_grad": olympus.value_and_grad(bad),
    "vmap": olympus.vmap(bad), "pmap": olympus.pmap(bad),
    "checkpoint": olympus.checkpoint(bad), "jacfwd": olympus.jacfwd(bad), "jacrev": olympus.jacrev(bad),
    "hessian": olympus.hessian(bad), "vjp": lambda x: olympus.vjp(bad, x), "custom_vjp": with_rule(),
    "jvp": lambda x: olympus.jvp(bad, (x,), (x,)), "linearize": lambda x: olympus.linearize(bad, x),
    "custom_jvp": with_forward_rule(), "scan": lambda x: lax.scan(bad, x, None, 2),
    "cond": lambda x: lax.cond(True, bad, bad, x), "while_loop": lambda x: lax.while_loop(bad, bad, x),
    "fori_loop": lambda x: lax.fori_loop(0, 2, bad, x), "switch": lambda x: lax.switch(0, [bad, bad], x),
    "map": lambda x: lax.map(bad, jnp.ones(2)), "associative_scan": lambda x: lax.associative_scan(bad, jnp.ones(2)),
    "eval_shape": lambda x: olympus.eval_shape(bad, x), "lower": olympus.jit(bad).lower,
    "trace": olympus.make_program(bad), "vectorize": jnp.vectorize(bad),
    "linear_transpose": lambda x: olympus.linear_transpose(bad, x),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_a_users_function_raises_keeps_the_users_frames(name):
    error = raised(CALLS[name], jnp.ones(1))
    users, own = frames(error)
    assert type(error) is ZeroDivisionError
    assert users[0] == "raised" and users[-1] == "bad"
    assert len(own) <= STAYING, own


def test_a_mistake_in_the_call_itself_ends_in_the_users_line():
    for call in (olympus.jit(lambda x: x), olympus.grad(lambda x: x), olympus.vmap(lambda x: x)):
        error = raised(lambda call=call: call("text"))
        users, own = frames(error)
        assert users[-1] == "<lambda>"
        assert len(own) <= STAYING


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 shows no notes")
def test_a_note_says_once_how_to_see_all():
    error = raised(lambda: olympus.vmap(olympus.grad(loss))(jnp.ones((2, 3, 4))))
    assert error.__notes__ == [NOTE]
    assert "OLYMPUS_TRACEBACK_FILTERING=off" in "".join(traceback.format_exception(error))


def test_causes_are_filtered_too():
    def chained(x):
        try:
            mistaken(x)
        except ArgumentError as error:
            raise KeyError("second") from error

    error = raised(olympus.jit(chained), jnp.ones(3))
    assert frames(error)[0] == ["raised", "chained"]
    assert isinstance(error.__cause__, ArgumentError)
    users, own = frames(error.__cause__)
    assert users == ["chained", "mistaken"] and own == []


def test_defects_of_olympus_are_shown_whole():
    def broken(x):
        raise OlympusInternalError("an invariant")

    error = raised(olympus.jit(broken), 1.0)
    users, own = frames(error)
    assert users[-1] == "broken" and len(own) > 2
    assert NOTE not in getattr(error, "__notes__", ())

    def hidden(x):
        try:
            broken(x)
        except OlympusInternalError as inner:
            raise ValueError("of the user") from inner

    assert len(frames(raised(olympus.jit(hidden), 1.0))[1]) > 2


def test_libraries_that_users_call_stay():
    from functools import reduce

    def add(x, y):
        raise ZeroDivisionError

    class Context:
        def __enter__(self):
            return self

        def __exit__(self, *of):
            return None

    def user(x):
        with Context():
            return traceback_walker(lambda: reduce(add, [x, x]))

    def traceback_walker(call):
        return list(map(lambda f: f(), [call]))

    assert frames(raised(olympus.jit(user), 1.0))[0][1:] == ["user", "traceback_walker", "<lambda>", "<lambda>", "add"]


def test_a_debugger_gets_to_the_users_frame():
    error = raised(olympus.jit(mistaken), jnp.ones(3))
    debugger = pdb.Pdb()
    stack, index = debugger.get_stack(None, error.__traceback__)
    assert stack[index][0].f_code.co_name == "mistaken"
    assert stack[index][0].f_locals["x"].shape == (3,)


def test_a_second_call_after_an_error_works():
    calls = []

    @olympus.jit
    def once(x):
        calls.append(x)
        if len(calls) == 1:
            raise ValueError("the first time")
        return x + 1

    assert frames(raised(once, 1.0))[0] == ["raised", "once"]
    assert once(1.0) == 2


class _Unnoted(Exception):
    def add_note(self, note: str) -> None:
        raise RuntimeError("takes no notes")


class _Unreadable(Exception):
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"has no {name}")


class _WithOtherNotes(Exception):
    __notes__ = None


@pytest.mark.parametrize("kind", [_Unnoted, _Unreadable, _WithOtherNotes])
def test_an_error_stays_what_it_is_whatever_its_class_does(kind: type[Exception]) -> None:
    def fails(x: Any) -> Any:
        raise kind("mine")

    for call in (olympus.jit(fails), olympus.grad(fails)):
        caught: BaseException | None = None
        try:  # pytest.raises would read the notes of what it catches
            call(1.0)
        except kind as error:
            caught = error
        assert type(caught) is kind and caught.args == ("mine",)
