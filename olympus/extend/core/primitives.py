# SPDX-License-Identifier: Apache-2.0
"""Primitives by name, `add_p`, `jit_p`, ...: those that stand in equations, and some that other libraries use."""

from __future__ import annotations

from olympus_core.deferred import listed

from ...lax.primitives import BY_NAME
from ...transforms.jaxpr import Primitive

globals().update(BY_NAME)


def __getattr__(name: str) -> Primitive:  # for type checkers, which cannot see the table
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


__all__ = [*sorted(BY_NAME)]
__dir__ = listed(__all__)
