# SPDX-License-Identifier: Apache-2.0
"""Opens the door in processes that a program behind it starts: Python imports this file first, from PYTHONPATH.

Nothing else is imported before the program asks for JAX. A file of the same name further on the path runs, too.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from typing import Any


class _Waiting:
    """A finder that opens the door at the first import of JAX."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """What the door's finder finds; None for names of others."""
        if fullname.partition(".")[0] not in ("jax", "jaxlib"):
            return None
        sys.meta_path.remove(self)
        import olympus.as_jax

        olympus.as_jax.install()
        return importlib.util.find_spec(fullname)


if os.environ.get("OLYMPUS_AS_JAX", "").lower() in ("1", "true", "yes", "on"):
    sys.meta_path.insert(0, _Waiting())

_own = os.path.dirname(os.path.abspath(__file__))
_next = importlib.machinery.PathFinder.find_spec("sitecustomize", [p for p in sys.path if os.path.abspath(p) != _own])
if _next is not None and _next.loader is not None:
    _next.loader.exec_module(importlib.util.module_from_spec(_next))
