# SPDX-License-Identifier: Apache-2.0
"""The keys of the CPU's object code on disk."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from olympus_core.plugin.version import VERSION
from olympus_core.toolkit import objectcache
from olympus_core.toolkit.objectcache import ObjectCache, state_of_sources

__all__ = ["ObjectCache", "key_of", "planners", "writers"]

# Part of every key: raise it when the meaning of what is stored changes.
FORMAT = 1

# Folders of this platform whose modules generate code.
_WRITERS = ("codegen", "codegen/emit", "codegen/math", "contractions")
# Folders whose modules decide what becomes a kernel and how a call is made of them; the core's are the core's business.
_PLANNERS = ("compiled", "native", "fourier", "linear_algebra", "sorting", "fallback")


def key_of(text: str, identity: str, level: int) -> str:
    """The key of a module's object code: its text, olympus' version, and all else that the code depends on."""
    return hashlib.sha256(f"{FORMAT}|{VERSION}|{level}|{identity}|{text}".encode()).hexdigest()


@lru_cache(maxsize=1)
def writers() -> str:
    """The state of the source files that generate code: part of the key of a module whose text was not generated."""
    polynomials = state_of_sources(Path(objectcache.__file__).parent, ("special_functions",), (".json",))
    return state_of_sources(Path(__file__).parent.parent, _WRITERS, (".py", ".ll")) + polynomials


@lru_cache(maxsize=1)
def planners() -> str:
    """The state of the source files that plan: part of the key of a plan."""
    return state_of_sources(Path(__file__).parent.parent, _PLANNERS, (".py", ".ll"))
