"""Primitives by name: `add_p`, `dot_general_p`, `jit_p`, ..., those that stand in equations."""

from __future__ import annotations

from olympus_core.deferred import listed

from ...transforms.jaxpr import PRIMITIVES, Primitive

# Names under which libraries know some of them.
_OTHER = {"remat2": "remat"}


def _identifier(name: str) -> str:
    return f"{_OTHER.get(name, name).replace('-', '_')}_p"


_found: dict[str, Primitive] = {_identifier(name): primitive for name, primitive in sorted(PRIMITIVES.items())}
globals().update(_found)


def __getattr__(name: str) -> Primitive:  # for type checkers, which cannot see the table
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


__all__ = [*_found]
__dir__ = listed(__all__)
