# SPDX-License-Identifier: Apache-2.0
"""Passes in order, from the program that a platform is given to the one that is planned."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from olympus_core.dataclass import dataclass

from ..flatten import Flat


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass: the same program in other operations.

    Args:
        name: For people, and in the names of dumped files: lower case, words joined by hyphens.
        function: Gives the program after the pass; the program itself where nothing changes. Inputs stay the same
            values, since what is donated is known by them; outputs stay in their order, with their types.
    """

    name: str
    function: Callable[[Flat], Flat]

    def __call__(self, flat: Flat) -> Flat:
        """The program after the pass."""
        return self.function(flat)


# Told of a pass that changed the program: its number from 1, its name, the program after it.
Observer = Callable[[int, str, Flat], None]


class PassList:
    """Passes that run one after the other.

    Args:
        passes: The passes, in their order.

    Example:
        >>> PassList(Pass("first", lambda flat: flat), Pass("second", lambda flat: flat)).names
        ('first', 'second')
    """

    __slots__ = ("_passes",)

    def __init__(self, *passes: Pass) -> None:
        self._passes = passes

    def __iter__(self) -> Iterator[Pass]:
        return iter(self._passes)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the passes, in their order."""
        return tuple(one.name for one in self._passes)

    def run(self, flat: Flat, observe: Observer | None = None) -> Flat:
        """The program after all passes.

        Args:
            flat: The program.
            observe: Told of each pass that changed the program.
        """
        for number, one in enumerate(self._passes, 1):
            before, flat = flat, one(flat)
            if observe is not None and flat is not before:
                observe(number, one.name, flat)
        return flat
