# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in programs: the values and frames that the command-line debugger shows, on streams and on a terminal."""

from __future__ import annotations

import functools
import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import P, lax
from olympus.errors import ArgumentError

_SCALE = 5


def _talk(commands: str, run: Callable[[Callable[..., Any]], Any]) -> tuple[Any, list[str]]:
    """What a function of `breakpoint` gives, and what is answered to commands, one a line."""
    answers = io.StringIO()
    given = io.StringIO(commands)
    found = run(functools.partial(olympus.debug.breakpoint, stdin=given, stdout=answers))
    olympus.effects_barrier()
    return found, answers.getvalue().split("(odb) ")


def _stopped(x: Any, stop: Any) -> Any:
    y = jnp.sin(x)
    pair = {"y": y, "name": "pair", "several": [x, 3]}
    stop(num_frames=2)
    return y + len(pair) - 3


def test_values_and_python_objects_under_jit() -> None:
    found, said = _talk(
        "p x\np (y > 0.5).tolist(), _SCALE\np pair\nx.shape\np 1 / 0\np nothing\n\nlocals\nfrobnicate\nc\n",
        lambda stop: olympus.jit(lambda x: _stopped(x, stop))(jnp.arange(3.0)))
    np.testing.assert_allclose(found, np.sin(np.arange(3.0)), rtol=1e-6)
    assert "test_breakpoints.py" in said[0] and "in _stopped" in said[0]
    assert said[1] == f"{np.arange(3, dtype=np.float32)!r}\n"
    assert said[2] == "([False, True, True], 5)\n"
    assert "'name': 'pair'" in said[3] and "'several': [array([0., 1., 2.], dtype=float32), 3]" in said[3]
    assert said[4:8] == ["(3,)\n", "*** ZeroDivisionError: division by zero\n",
                         "*** NameError: name 'nothing' is not defined\n", ""]
    assert "x = [0. 1. 2.]\n" in said[8] and "pair = {" in said[8]
    assert "NameError" in said[9]


def test_frames() -> None:
    _, said = _talk("list\nup\nup\nbt\nd\nd\nw\nhelp\nhelp p\ncont\n",
                    lambda stop: olympus.jit(lambda x: _stopped(x, stop))(1.0))
    assert "->" in said[1] and "stop(num_frames=2)" in said[1] and "in _stopped" in said[1]
    assert "in <lambda>" in said[2]
    assert said[3] == "*** This is the outermost frame.\n"
    lines = said[4].splitlines()
    assert lines[0].startswith("->") and "in <lambda>" in lines[0] and "in _stopped" in lines[2]
    assert "in _stopped" in said[5]
    assert said[6] == "*** This is the innermost frame.\n"
    assert said[7].splitlines()[2].startswith("->")
    assert all(name in said[8] for name in ("bt", "continue", "down", "list", "locals", "pp", "quit", "up"))
    assert "the value of an expression" in said[9]


def test_own_frames_are_shown_on_demand() -> None:
    for filtered in (True, False):
        def inside(x: Any, stop: Any, filtered: bool = filtered) -> Any:
            stop(filter_frames=filtered)
            return x

        _, said = _talk("bt\nc\n", lambda stop, inside=inside: olympus.jit(lambda x: inside(x, stop))(1.0))
        assert ("olympus/transforms/jit.py" in said[1]) is not filtered


def test_each_index_and_each_turn() -> None:
    found, said = _talk("p y\nc\np y\nc\np y\nc\n", lambda stop: olympus.vmap(lambda x: _stopped(x, stop))(
        jnp.arange(3.0)))
    np.testing.assert_allclose(found, np.sin(np.arange(3.0)), rtol=1e-6)
    values = [float(np.asarray(eval(text.splitlines()[0], {"array": np.array, "float32": np.float32})))
              for text in said[1::2] if text.startswith("array")]
    np.testing.assert_allclose(values, np.sin(np.arange(3.0)), rtol=1e-6)

    def step(carry: Any, x: Any, stop: Any) -> Any:
        stop(num_frames=1)
        return carry + x, carry

    _, said = _talk("p int(carry), int(x)\nc\n" * 3, lambda stop: lax.scan(
        lambda c, x: step(c, x, stop), 0.0, jnp.arange(3.0)))
    assert [text.splitlines()[0] for text in said[1::2]] == ["(0, 0)", "(0, 1)", "(1, 2)"]
    _, said = _talk("p int(carry)\nc\n" * 3, lambda stop: lax.while_loop(
        lambda c: c < 4, lambda c: step(c, 2, stop)[0], 1))
    assert [text.splitlines()[0] for text in said[1::2]] == ["1", "3"]


def test_branches_derivatives_and_devices() -> None:
    def branch(x: Any, stop: Any) -> Any:
        stop(num_frames=1)
        return x * 2

    for value, count in ((1.0, 1), (-1.0, 0)):
        _, said = _talk("p float(x)\nc\n", lambda stop, value=value: olympus.jit(lambda x: lax.cond(
            x > 0, lambda x: branch(x, stop), lambda x: x, x))(value))
        assert len(said) == (3 if count else 1)
    found, said = _talk("p float(x)\nc\n", lambda stop: olympus.jit(olympus.grad(lambda x: branch(x, stop)))(3.0))
    assert float(found) == 2.0 and said[1] == "3.0\n"
    mesh = olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4])
    found, said = _talk("p x.tolist()\nc\n" * 4, lambda stop: olympus.jit(olympus.shard_map(
        lambda x: branch(x, stop), mesh=mesh, in_specs=P("i"), out_specs=P("i")))(jnp.arange(4.0)))
    assert sorted(text.splitlines()[0] for text in said[1::2]) == ["[0.0]", "[1.0]", "[2.0]", "[3.0]"]
    np.testing.assert_array_equal(found, 2 * np.arange(4.0))


def test_a_known_program_stops_again_with_its_new_values() -> None:
    answers, commands = io.StringIO(), io.StringIO("p float(x)\nc\np float(x)\nc\n")

    @olympus.jit
    def f(x: Any) -> Any:
        olympus.debug.breakpoint(stdin=commands, stdout=answers)
        return x

    f(1.0), f(2.0), f(3.0)  # the third finds no command: the program goes on
    olympus.effects_barrier()
    assert [text.splitlines()[0] for text in answers.getvalue().split("(odb) ") if text[:1].isdigit()] == ["1.0", "2.0"]


def test_evaluated_code_and_quitting() -> None:
    def plain(x: Any, stop: Any) -> Any:
        stop()
        return x + 1

    found, said = _talk("p x\nc\n", lambda stop: plain(jnp.ones(2), stop))
    assert "Array([1., 1.]" in said[1] and found.shape == (2,)
    with pytest.raises(SystemExit):
        _talk("q\n", lambda stop: plain(1.0, stop))
    with pytest.raises(SystemExit):
        _talk("quit\n", lambda stop: olympus.jit(lambda x: plain(x, stop))(1.0))


def test_tokens() -> None:
    def cubed(x: Any, stop: Any) -> Any:
        return stop(token={"x": x}, num_frames=1)["x"] ** 3

    for transform in (olympus.grad, lambda f: olympus.jit(olympus.grad(f))):
        found, said = _talk("p float(x)\nc\n", lambda stop, transform=transform: transform(
            lambda x: cubed(x, stop))(2.0))
        assert float(found) == 12.0 and said[1] == "2.0\n"
    # Where nobody uses the token the program does not stop.
    _, said = _talk("p x\nc\n", lambda stop: olympus.jit(lambda x: (stop(token=x), x)[1])(1.0))
    assert said == [""]


def test_what_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no such debugger"):
        olympus.debug.breakpoint(backend="web")
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(ArgumentError, match="num_frames"):
            olympus.debug.breakpoint(num_frames=wrong)  # type: ignore[arg-type]


_SCRIPT = """
import olympus, olympus.numpy as jnp
@olympus.jit
def f(x):
    y = x * 2
    olympus.debug.breakpoint()
    return y.sum()
print("result", f(jnp.arange(4)))
"""


def test_a_terminal() -> None:
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen([sys.executable, "-c", _SCRIPT], stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        said = b""
        for command in (b"p y.tolist()\n", b"c\n"):
            while said.count(b"(odb) ") < (1 if command.startswith(b"p") else 2):
                said += os.read(ours, 1024)
            os.write(ours, command)
        while b"result 12" not in said:
            said += os.read(ours, 1024)
        assert process.wait() == 0
        assert b"[0, 2, 4, 6]" in said
    finally:
        os.close(ours)
