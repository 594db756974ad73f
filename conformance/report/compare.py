"""What changed between two reports."""

from __future__ import annotations

from dataclasses import dataclass

from ..outcome import Status
from .schema import Report, Result

SLOWER = 2.0  # times
LEAST_SECONDS = 0.5  # below this, a test's time is mostly the machine's mood

_GOOD = (Status.PASS, Status.WARNING, Status.WAIVED)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one report to another, by id.

    Attributes:
        broken: Held before, and speaks against the platform now.
        lost: Held before, and is not supported or not there now.
        mended: Spoke against the platform before, and does not now.
        supported: Was not supported before, and holds now.
        added: Was not there before.
        slower: Takes more than twice as long, with both times.
    """

    broken: tuple[str, ...]
    lost: tuple[str, ...]
    mended: tuple[str, ...]
    supported: tuple[str, ...]
    added: tuple[str, ...]
    slower: tuple[tuple[str, float, float], ...]

    @property
    def is_worse(self) -> bool:
        """Whether something that held does not hold any more."""
        return bool(self.broken or self.lost)


def compare(before: Report, after: Report) -> Comparison:
    """What changed from `before` to `after`; slower tests are told, and are no reason to call it worse."""
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
