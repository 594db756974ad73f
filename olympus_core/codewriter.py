# SPDX-License-Identifier: Apache-2.0
"""Generated Python functions: their lines, the objects that their names stand for, their text in tracebacks.

The one place where text becomes code. What stands in a text is written by olympus: names that a `CodeWriter` gave,
and values by their `repr`; nothing that was received or read.
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count
from types import CodeType
from typing import Any

_numbers = count(1)  # of all texts, so that each has a name of its own
_SHORT = 4096  # characters of texts that are kept for functions that are written alike


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
        lines = [f"def {name}({', '.join(parameters)}):\n", *(f"    {line}\n" for line in list(body) or ["pass"])]
        text = "".join(lines)
        made = _compiled if len(text) < _SHORT else _compiled.__wrapped__
        exec(made(self.title, text), self.namespace)  # noqa: S102  (see above)
        function = self.namespace.pop(name)
        function.lines = lines
        return function


@lru_cache(maxsize=256)
def _compiled(title: str, text: str) -> CodeType:
    """The code that defines a function; tracebacks find the text as long as a function has the code."""
    file = f"<olympus {title} #{next(_numbers)}>"
    code = compile(text, file, "exec")
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    (of_function,) = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    weakref.finalize(of_function, linecache.cache.pop, file, None).atexit = False
    return code


def text_of(function: Any) -> str:
    """The text of a generated function; empty for others."""
    return "".join(getattr(function, "lines", ()))


def indented(lines: Iterable[str]) -> list[str]:
    """Lines for a block within others."""
    return [f"    {line}" for line in lines]
