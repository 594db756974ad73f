# SPDX-License-Identifier: Apache-2.0
"""What is going away: one table, which the warning at the user's line, the page of releases and a test read.

A name, parameter or value that is deprecated has a row here, and what implements it calls `warn_deprecated` with the
row's name, or wears `deprecated`. The test fails when the release comes in which it should be gone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

from olympus_core.errors import OlympusDeprecationWarning
from olympus_core.location import warn_user

P = ParamSpec("P")
R = TypeVar("R")


class Deprecation(NamedTuple):
    """One row of the table.

    Args:
        name: What is deprecated, as users write it: ``olympus.lax.old``, ``olympus.jit(old=...)``.
        instead: What to write in its place, as a clause: ``use olympus.lax.new``.
        since: The release that warns first.
        removed: The release in which it is gone; at least one minor release later.
    """

    name: str
    instead: str
    since: str
    removed: str


DEPRECATIONS: tuple[Deprecation, ...] = ()


def warn_deprecated(name: str) -> None:
    """Warns at the user's line, once for each line unless Python's filters say otherwise.

    Args:
        name: The name of a row of `DEPRECATIONS`.

    Raises:
        KeyError: There is no such row.
    """
    row = {row.name: row for row in DEPRECATIONS}[name]
    warn_user(OlympusDeprecationWarning(*row))


def deprecated(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: each call of the function warns.

    Args:
        name: The name of a row of `DEPRECATIONS`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def warned(*args: P.args, **kwargs: P.kwargs) -> R:
            warn_deprecated(name)
            return function(*args, **kwargs)

        return warned

    return decorate
