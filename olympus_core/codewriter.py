# SPDX-License-Identifier: Apache-2.0
"""Generated Python functions: their lines, the objects that their names stand for, their text in tracebacks.

The one place where text becomes code. What stands in a text is written by olympus: names that a `CodeWriter` gave,
and values by their `repr`; nothing that was received or read.
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

_numbers = count(1)  # of all functions, so that each has its own text


class CodeWriter:
    """One namespace, and the generated functions that use it.

    Args:
        title: What the functions are, for people: tracebacks show it instead of a file.
        objects: What the functions know by names of the caller's choice.

    Example:
        >>> writer = CodeWriter("sum of two")
        >>> add = writer.define(["x"], [f"return x + {writer.bind(2)}"])
        >>> add(1)
        3
    """

    def __init__(self, title: str, objects: Mapping[str, Any] | None = None) -> None:
        self.title = title
        # With the name of this module: errors name the user's line, not a generated one.
        self.namespace: dict[str, Any] = {"__name__": __name__, **(objects or {})}
        self._locals = count()

    def bind(self, thing: Any, prefix: str = "v") -> str:
        """A new name for an object."""
        name = f"{prefix}_{len(self.namespace)}"
        self.namespace[name] = thing
        return name

    def fresh(self, prefix: str) -> str:
        """A new name for a local variable; no bound object has one like it."""
        return f"{prefix}{next(self._locals)}"

    def define(self, parameters: Iterable[str], body: Iterable[str], name: str = "function") -> Any:
        """Compiles a function.

        Args:
            parameters: Their names.
            body: Its lines; without any it does nothing.
            name: Its name, in tracebacks.

        Returns:
            The function, which is not in the namespace: it would hold itself. `text_of` gives its text.
        """
        lines = [f"def {name}({', '.join(parameters)}):\n", *(f"    {line}\n" for line in body)]
        if len(lines) == 1:
            lines.append("    pass\n")
        file = f"<olympus {self.title} #{next(_numbers)}>"
        exec(compile("".join(lines), file, "exec"), self.namespace)  # noqa: S102  (see above)
        function = self.namespace.pop(name)
        function.lines = lines
        linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
        weakref.finalize(function, linecache.cache.pop, file, None).atexit = False
        return function


def text_of(function: Any) -> str:
    """The text of a generated function; empty for others."""
    return "".join(getattr(function, "lines", ()))


def indented(lines: Iterable[str]) -> list[str]:
    """Lines for a block within others."""
    return [f"    {line}" for line in lines]
