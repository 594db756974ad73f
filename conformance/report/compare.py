# SPDX-License-Identifier: Apache-2.0
"""The differences between two reports."""

from __future__ import annotations

from dataclasses import dataclass

from ..outcome import Status
from .schema import Report, Result

SLOWER = 2.0  # times
LEAST_SECONDS = 0.5  # shorter times are mostly noise

_GOOD = (Status.PASS, Status.WARNING, Status.WAIVED)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences from one report to another, by test id.

    Attributes:
        broken: Passed before and fails now.
        lost: Passed before and is not supported or missing now.
        mended: Failed before and does not fail now.
        supported: Was not supported before and passes now.
        added: Was missing before.
        slower: Takes more than twice as long; with both times.
    """

    broken: tuple[str, ...]
    lost: tuple[str, ...]
    mended: tuple[str, ...]
    supported: tuple[str, ...]
    added: tuple[str, ...]
    slower: tuple[tuple[str, float, float], ...]

    @property
    def is_worse(self) -> bool:
        """Whether a test that passed does not pass any more."""
        return bool(self.broken or self.lost)


def compare(before: Report, after: Report) -> Comparison:
    """The differences from `before` to `after`; slower tests are listed, but do not make it worse."""
    old = {result.id: result for result in before.results}
    new = {result.id: result for result in after.results}
    both = [(old[i], new[i]) for i in sorted(old) if i in new]
    gone = [i for i in old if i not in new and _holds(old[i])]
    lost = [o.id for o, n in both if _holds(o) and n.status is Status.NOT_SUPPORTED]
    return Comparison(
        broken=tuple(o.id for o, n in both if not o.is_bad and n.is_bad),
        lost=tuple(sorted(lost + gone)),
        mended=tuple(o.id for o, n in both if o.is_bad and not n.is_bad),
        supported=tuple(o.id for o, n in both if o.status is Status.NOT_SUPPORTED and _holds(n)),
        added=tuple(sorted(i for i in new if i not in old)),
        slower=tuple(
            (o.id, o.seconds, n.seconds) for o, n in both
            if _holds(o) and _holds(n) and n.seconds > max(SLOWER * o.seconds, LEAST_SECONDS)
        ),
    )


def _holds(result: Result) -> bool:
    return result.status in _GOOD
