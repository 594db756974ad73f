# SPDX-License-Identifier: Apache-2.0
"""The user's lines: which files are a library's, so that messages name the line outside of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described
from olympus_core.location import EXCLUDED_FILES

from ..tracing.scopes import origins, within_scope
from ..transforms.jaxpr.terms import SourceInfo as SourceInfo


def register_exclusion(path: str) -> None:
    """Leaves a file of a library out where the user's line is sought, and out of tracebacks.

    Args:
        path: The file, as `__file__` gives it.

    Raises:
        ArgumentError: It is no path.

    Example:
        >>> from olympus.extend import source_info_util
        >>> source_info_util.register_exclusion("/library/layers.py")
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError("register_exclusion", "the path of a file is needed", given=described(path))
    EXCLUDED_FILES.add(os.fspath(path))


@contextmanager
def user_context(traceback: Any, *, name_stack: Any = None) -> Iterator[None]:
    """A block whose operations stand at the line of an equation: for interpreters, which bind equations again.

    Args:
        traceback: What an equation's `source_info` has as `traceback`; otherwise the line that is running counts.
        name_stack: Names of scopes; those of the equation and those around count in any case.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend import source_info_util
        >>> (equation,) = olympus.make_jaxpr(lambda x: jnp.sin(x))(1.0).eqns
        >>> def again(x):
        ...     with source_info_util.user_context(equation.source_info.traceback):
        ...         return jnp.sin(x)
        >>> olympus.make_jaxpr(again)(1.0).eqns[0].source_info == equation.source_info
        True
    """
    with origins() as enter:
        enter(within_scope(traceback) if isinstance(traceback, SourceInfo) else None)
        yield


def summarize(source_info: SourceInfo, num_frames: int = 1) -> str:
    """The user's line of an equation, as a message names it.

    Args:
        source_info: What an equation's `source_info` has.
        num_frames: How many calls to name; one is kept.

    Returns:
        ``file:line``, or ``unknown`` where none is known.

    Example:
        >>> from olympus.extend import source_info_util
        >>> source_info_util.summarize(source_info_util.SourceInfo("toy.py:3 (encoder/linear)"))
        'toy.py:3'
    """
    return source_info.line or "unknown"


__all__ = ["SourceInfo", "register_exclusion", "summarize", "user_context"]
__dir__ = listed(__all__)
