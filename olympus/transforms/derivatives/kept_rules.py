# SPDX-License-Identifier: Apache-2.0
"""Rules of users for calls in programs: traced once for each way to differentiate a call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from olympus_core.config import current_version
from olympus_core.dataclass import dataclass
from olympus_core.errors import ConcretizationError
from olympus_core.program import Program

from ...tracing import Aval, Reference, Tracer, UsesReferences, aval_of, current_trace, stage
from ..context import mesh_key
from ..shared_calls import HostArrays, is_for_itself
from ..traces.arithmetic import weakened
from ..traces.batching_trace import is_evaluated
from ..traces.linearization import run

Rule = Callable[[Sequence[Any]], tuple[list[Any], Any]]


@dataclass(frozen=True)
class _Traced:
    """A rule's program.

    Args:
        program: The program, from the values and what was captured.
        avals: What is known of its outputs.
        captured: Arrays that the rule uses from outside.
        about: What else the rule gave.
        host_arrays: Those of NumPy, of which the program has copies.
    """

    program: Program
    avals: list[Aval]
    captured: list[Any]
    about: Any
    host_arrays: HostArrays


_NEVER = object()
_MOST_WAYS = 64


class KeptRule:
    """What a rule gives for a call in a program, traced once: whoever uses the program differentiates the call."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def __call__(
        self, name: str, rule: Rule, values: Sequence[Any], key: Hashable, is_fixed: Callable[[Any], bool]
    ) -> tuple[list[Any], Any]:
        """What the rule gives: flat arrays, and what else is to be known of them.

        Args:
            name: The function.
            rule: Takes the values.
            values: Arrays, flat.
            key: What decides beside the values' types what the rule does.
            is_fixed: Whether what else it gave is the same for all values of these types: holds none of them.
        """
        avals = [aval_of(x) for x in values]
        if not is_for_itself() or is_evaluated(current_trace()) or any(a.layout is not None for a in avals):
            return rule(values)
        key = (key, tuple(avals), current_version(), mesh_key())
        known = self._known.get(key)
        if known is None or known is not _NEVER and not known.host_arrays.are_unchanged:
            if len(self._known) >= _MOST_WAYS:  # of one call, whose types are given: options went to and fro
                self._known.clear()
            known = self._known[key] = _traced(name, rule, avals, is_fixed)
        if known is _NEVER:
            return rule(values)
        found = run(known.program, [*values, *known.captured])
        return [weakened(x, aval.weak) for x, aval in zip(found, known.avals, strict=True)], known.about


def _traced(name: str, rule: Rule, avals: Sequence[Aval], is_fixed: Callable[[Any], bool]) -> Any:
    """The rule's program; `_NEVER` where there is none that stands for it another time."""
    abouts: list[Any] = []

    def flat(*values: Any) -> list[Any]:
        results, about = rule(values)
        abouts.append(about)
        return results

    references: list[Reference] = []
    try:
        program, out_avals, captured = stage(flat, avals, name, None, references)
    except (ConcretizationError, UsesReferences):  # it looks at values, which it may where these are known
        return _NEVER
    if references or any(isinstance(x, Tracer) for x in captured) or not is_fixed(abouts[0]):
        return _NEVER
    return _Traced(program, out_avals, captured, abouts[0], HostArrays(program))
