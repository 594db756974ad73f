# SPDX-License-Identifier: Apache-2.0
"""What another thread could do, or the collector, in the middle of a function: done at each of its instructions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any


def at_each_instruction(
    function: FunctionType, run: Callable[[], object], act: Callable[[], object], check: Callable[[], object]
) -> int:
    """Runs something again and again, and acts before the first instruction of a function in it, the second, and so on.

    Args:
        function: The function, written in Python.
        run: What calls it.
        act: What comes between.
        check: What is called after each run.

    Returns:
        The number of instructions.
    """
    number = 0
    while True:
        has_acted = _run(function, run, act, number)
        check()
        if not has_acted:
            return number
        number += 1


def _run(function: FunctionType, run: Callable[[], object], act: Callable[[], object], number: int) -> bool:
    seen = 0
    own, before = sys._getframe(), sys.gettrace()

    def local(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal seen
        if event == "opcode":
            seen += 1
            if seen == number + 1:
                act()
        return local

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code is not function.__code__:
            return None
        frame.f_trace_opcodes = True
        return local

    own.f_trace_opcodes = True  # Python 3.12 looks for one such frame when the tracing begins
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return seen > number
