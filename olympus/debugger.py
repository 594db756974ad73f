# SPDX-License-Identifier: Apache-2.0
"""A command-line debugger inside of programs: the frames of a breakpoint's tracing, with the program's values."""

from __future__ import annotations

import cmd
import linecache
import pprint
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import IO, Any

import numpy as np

from olympus_core.location import OWN_PACKAGES

from . import tree
from .tracing import Tracer
from .tracing.values import is_array_like

_AROUND = 5  # lines of source before and after the current one
_one_at_a_time = threading.RLock()  # breakpoints of several devices come at the same time


@dataclass(frozen=True)
class Frame:
    """A frame of the stack in which a breakpoint stands.

    Args:
        file: The source file.
        line: The line.
        name: The function.
        globals: The variables of its module.
        locals: Its own variables.
    """

    file: str
    line: int
    name: str
    globals: dict[str, Any]
    locals: dict[str, Any]

    def source(self) -> str:
        """The lines around the current one, which has an arrow."""
        shown = []
        for number in range(max(self.line - _AROUND, 1), self.line + _AROUND + 1):
            text = linecache.getline(self.file, number).rstrip()
            if text or number == self.line:
                shown.append(f"{'->' if number == self.line else '  '}{number:5}  {text}")
        return "\n".join(shown)


def frames_at(frame: FrameType | None, filtered: bool, count: int | None) -> list[Frame]:
    """The frames of a stack, the innermost first.

    Args:
        frame: The innermost.
        filtered: Whether olympus's own are left out.
        count: How many at most.
    """
    found: list[Frame] = []
    while frame is not None and (count is None or len(found) < count):
        own = frame.f_globals.get("__name__", "").partition(".")[0] in OWN_PACKAGES
        if not (filtered and own):
            code = frame.f_code
            # The variables of modules and classes are not copied: they are looked at, and may change.
            found.append(Frame(code.co_filename, frame.f_lineno, code.co_name, frame.f_globals, dict(frame.f_locals)))
        frame = frame.f_back
    return found


class Held:
    """The variables of frames, those that are traced taken out: they come when the program runs.

    Args:
        frames: The frames.
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self.values: list[Any] = []  # traced values, each once
        self._places: list[dict[str, tuple[Any, list[Any]]]] = []
        numbers: dict[int, int] = {}
        for frame in frames:
            places: dict[str, tuple[Any, list[Any]]] = {}
            for name, value in frame.locals.items():
                leaves, structure = _flat(value)
                if not any(isinstance(x, Tracer) for x in leaves):
                    continue
                entries: list[Any] = []
                for leaf in leaves:
                    if isinstance(leaf, Tracer) and leaf._trace._open:
                        number = numbers.setdefault(id(leaf), len(self.values))
                        if number == len(self.values):
                            self.values.append(leaf)
                        entries.append(number)
                    else:
                        entries.append(_Opaque(leaf))
                places[name] = structure, entries
            self._places.append(places)

    def with_values(self, values: Sequence[Any]) -> list[Frame]:
        """The frames with the values of a run of the program."""
        found = []
        for frame, places in zip(self._frames, self._places, strict=True):
            variables = dict(frame.locals)
            for name, (structure, entries) in places.items():
                leaves = [e.value if isinstance(e, _Opaque) else values[e] for e in entries]
                variables[name] = leaves[0] if structure is None else tree.unflatten(structure, leaves)
            found.append(Frame(frame.file, frame.line, frame.name, frame.globals, variables))
        return found


class _Opaque:
    """A part of a variable that is no value of the program."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _flat(value: Any) -> tuple[list[Any], Any]:
    """The leaves of a variable and its structure; None for what is one leaf, or cannot be taken apart."""
    if isinstance(value, Tracer) or is_array_like(value):
        return [value], None
    try:
        leaves, structure = tree.flatten(value)
        tree.unflatten(structure, leaves)
    except Exception:  # noqa: BLE001  # an object of the user's, taken apart by the user's code
        return [value], None
    return leaves, structure


class Breakpoint:
    """What a program calls at a breakpoint.

    Args:
        held: The variables of the frames.
        stdin: Where commands come from; the process's own for None.
        stdout: Where answers go; likewise.
    """

    def __init__(self, held: Held, stdin: IO[str] | None, stdout: IO[str] | None) -> None:
        self._held, self._stdin, self._stdout = held, stdin, stdout

    def __call__(self, *values: Any) -> None:
        """Talks with the user until the program is to go on."""
        with _one_at_a_time:
            Debugger(self._held.with_values(values), self._stdin, self._stdout).cmdloop()


class Debugger(cmd.Cmd):
    """The conversation at one breakpoint.

    Args:
        frames: The frames, the innermost first.
        stdin: Where commands come from; the process's own for None.
        stdout: Where answers go; likewise.
    """

    prompt = "(odb) "

    def __init__(self, frames: Sequence[Frame], stdin: IO[str] | None, stdout: IO[str] | None) -> None:
        super().__init__(stdin=stdin or sys.stdin, stdout=stdout or sys.stdout)
        self.use_rawinput = stdin is None and stdout is None
        self._frames, self._index = list(frames), 0
        at = f" at {frames[0].file}:{frames[0].line}, in {frames[0].name}" if frames else ""
        self.intro = f"Entering odb{at}:"

    def _say(self, text: str) -> None:
        self.stdout.write(text + "\n")
        self.stdout.flush()

    @property
    def _frame(self) -> Frame:
        return self._frames[self._index]

    def _evaluated(self, text: str, show: Callable[[Any], str]) -> None:
        if not self._frames:
            self._say("*** There is no frame.")
            return
        try:
            # As in any debugger, it is the user who types what is run here.
            value = eval(text, self._frame.globals, self._frame.locals)  # noqa: S307
            self._say(show(value))
        except Exception as error:  # noqa: BLE001  # of the user's expression
            self._say(f"*** {traceback.format_exception_only(error)[-1].strip()}")

    def do_p(self, text: str) -> None:
        """``p EXPRESSION``: the value of an expression, in the variables of the frame."""
        self._evaluated(text, repr)

    def do_pp(self, text: str) -> None:
        """``pp EXPRESSION``: the same, nested containers over several lines."""
        self._evaluated(text, pprint.pformat)

    def do_locals(self, text: str) -> None:
        """``locals``: the variables of the frame, with their values."""
        if not text and self._frames:
            for name in self._frame.locals:
                self.stdout.write(f"{name} = ")
                self._evaluated(name, _short)
        else:
            self.default(f"locals{text}")

    def do_list(self, text: str) -> None:
        """``list``: the source around the frame's line."""
        if self._frames:
            self._say(f"> {self._frame.file}({self._frame.line}), in {self._frame.name}\n{self._frame.source()}")

    def do_up(self, text: str) -> None:
        """``up``: to the frame that called this one."""
        self._go(self._index + 1, "*** This is the outermost frame.")

    def do_down(self, text: str) -> None:
        """``down``: to the frame that this one called."""
        self._go(self._index - 1, "*** This is the innermost frame.")

    def _go(self, index: int, refusal: str) -> None:
        if 0 <= index < len(self._frames):
            self._index = index
            self.do_list("")
        else:
            self._say(refusal)

    def do_bt(self, text: str) -> None:
        """``bt``: all frames, the innermost last; the arrow marks the current one."""
        self._say("\n".join(self._trace()))

    def _trace(self) -> Iterator[str]:
        for index in reversed(range(len(self._frames))):
            frame = self._frames[index]
            yield f"{'->' if index == self._index else '  '} {frame.file}:{frame.line}, in {frame.name}"
            yield f"       {linecache.getline(frame.file, frame.line).strip()}"

    def do_continue(self, text: str) -> bool:
        """``continue``: the program goes on, until it comes to a breakpoint again."""
        return True

    def do_quit(self, text: str) -> None:
        """``quit``: ends the program."""
        raise SystemExit(0)

    def do_EOF(self, text: str) -> bool:
        """The end of the input: the program goes on."""
        self._say("")
        return True

    do_c = do_cont = do_continue
    do_q = do_exit = do_quit
    do_l, do_u, do_d = do_list, do_up, do_down
    do_where = do_w = do_bt

    def default(self, line: str) -> None:
        """Whatever is no command is an expression."""
        self.do_p(line)

    def emptyline(self) -> bool:
        """Nothing happens at an empty line."""
        return False


def _short(value: Any) -> str:
    text = np.array2string(value, threshold=20) if isinstance(value, np.ndarray) and value.ndim else repr(value)
    return text if len(text) <= 400 else text[:400] + " ..."
