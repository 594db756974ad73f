# SPDX-License-Identifier: Apache-2.0
"""Interrupts a first use of a device at many places, each in a child of its own, and uses the device again.

`python -m tests.runtime.interrupted count` says how many lines of olympus a first use runs; `... 5 90 file.py:function`
tries the fifth and the ninetieth, and the first line of a function. Each that leaves something half-done is printed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(olympus.__file__)))
OURS = tuple(os.path.join(ROOT, folder) + os.sep for folder in ("olympus", "olympus_core", "plugins"))
_SECONDS = 100  # for who hangs, which is what is looked for
_VALUES = np.linspace(0, 3, 1 << 18, dtype=np.float32)  # enough for several threads


def use() -> float:
    """A first use: platforms are found and opened, a program is compiled, run, and its result read."""
    return float(np.asarray(olympus.jit(lambda x: jnp.sum(jnp.sin(x) * 2))(_VALUES)))


def watched(is_there: Callable[[int, FrameType], bool]) -> tuple[int, str]:
    """Runs a first use that is interrupted at a line; gives the lines run, and where it was."""
    count, place = 0, ""

    def line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count, place
        if event == "line":
            count += 1
            if is_there(count, frame):
                sys.settrace(None)
                place = f"{os.path.relpath(frame.f_code.co_filename, ROOT)}:{frame.f_lineno}"
                raise KeyboardInterrupt
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        return line if name.startswith(OURS) or name.startswith("<olympus") else None

    sys.settrace(call)
    try:
        use()
    except KeyboardInterrupt:
        if not place:
            raise
    finally:
        sys.settrace(None)
    return count, place


def told(target: str) -> str | None:
    """What is wrong after an interrupt at a target; None where nothing is."""
    file, _, function = target.rpartition(":")

    def is_there(count: int, frame: FrameType) -> bool:
        code = frame.f_code
        return count == int(target) if not file else code.co_filename.endswith(file) and code.co_name == function

    place = ""
    try:
        _, place = watched(is_there)
        found = use()
    except BaseException as error:  # noqa: BLE001  (whatever it is, it is what is looked for)
        return f"{target}, after {place}: {type(error).__name__}: {str(error)[:300]}"
    wanted = float(np.sum(np.sin(_VALUES) * 2))
    if not place:
        return f"{target}: it never came there"
    return None if abs(found - wanted) < 1e-4 * wanted else f"{target}, after {place}: {found} where {wanted} belongs"


def main(targets: list[str]) -> None:
    """Prints what is wrong, in a line for each target."""
    for target in targets:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(_SECONDS)
            os.write(writer, json.dumps(told(target)).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as file:
            answer = file.read()
        _, status = os.waitpid(child, 0)
        problem = json.loads(answer) if answer else f"{target}: ended by signal {status}"
        if problem:
            print(problem, flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["count"]:
        print(watched(lambda count, frame: False)[0])
    else:
        main(sys.argv[1:])
