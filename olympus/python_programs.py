# SPDX-License-Identifier: Apache-2.0
"""Running a user's Python program in this process, as Python would.

In a module ``__main__`` that stays one until the end, when Python clears it: files that are open then are written. The
standard module for this, runpy, gives the program a module that is gone before, so that what they hold is lost.
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import runpy
import sys
import zipfile
from io import open_code
from types import CodeType, ModuleType
from typing import Any


def run_text(text: str) -> None:
    """Runs a program that is given as text.

    Args:
        text: The program.
    """
    _run(compile(text, "<string>", "exec"))


def run_script(path: str) -> None:
    """Runs a file, or a folder or archive that has a program in it.

    Args:
        path: Where it is.
    """
    if not os.path.isfile(path) or zipfile.is_zipfile(path):
        runpy.run_path(path, run_name="__main__")
        return
    with open_code(os.path.abspath(path)) as file:
        _run(compile(file.read(), path, "exec"), __file__=path)


def run_module(name: str) -> None:
    """Runs a module, or what a package has to be run; the first of ``sys.argv`` becomes its path.

    Args:
        name: The module's name.
    """
    try:
        spec: Any = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError:  # a package around it is missing
        spec = None
    if spec is None or not hasattr(spec.loader, "get_code"):
        sys.exit(f"{sys.executable}: No module named {name}")
    sys.argv[0] = spec.origin
    _run(spec.loader.get_code(spec.name), __file__=spec.origin, __spec__=spec, __package__=spec.parent)


def _run(code: CodeType, **attributes: Any) -> None:
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__dict__.update(attributes, __builtins__=builtins)
    exec(code, module.__dict__)  # noqa: S102  (what the user asks for)
