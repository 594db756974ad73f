# SPDX-License-Identifier: Apache-2.0
"""Cotangents of values that are the same on all devices of a manual region.

Within a region every operation is differentiated for all devices at once, as if each held a value of its own. Of a
value that is the same along an axis there is one: what its users know is the sum of the devices' cotangents. Where
functions of users begin and end, the one form is made of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.dataclass import dataclass
from olympus_core.errors import CotangentError
from olympus_core.program import AxisGroup

from ...tracing import Aval, aval_of, stage
from ...trees import inside as tree
from ..context import ManualAxes, argument_axes, current_manual_axes, use_manual_axes, varying_axes
from ..traces.arithmetic import apply, scaled
from ..traces.jvp_trace import float0
from ..traces.linearization import run
from ..traces.programs import spread_out

Axes = frozenset[str]
Groups = Sequence[AxisGroup | None]


def _group(manual: ManualAxes, varies: Axes) -> AxisGroup | None:
    """The devices that share a value which varies over some axes; None where each has its own."""
    axes = tuple(axis for axis in manual.typed if axis not in varies)
    return AxisGroup(manual.mesh_shape, axes) if axes else None


def sharing(values: Sequence[Any]) -> Groups:
    """For each value that is traced here the devices that share it."""
    manual = current_manual_axes()
    if manual is None or not manual.typed:
        return [None] * len(values)
    return [_group(manual, varying_axes(value)) for value in values]


def sharing_results(function: Callable[..., Any], arguments: Sequence[Any], count: int) -> Groups:
    """For each of a function's results the devices that share it, without calling it with values."""
    leaves, structure = tree.flatten(tuple(arguments))
    axes = argument_axes(leaves)
    found: list[AxisGroup | None] = [None] * count

    def traced(*values: Any) -> list[Any]:
        outputs = tree.leaves(function(*tree.unflatten(structure, values)))
        found[:] = sharing(outputs)
        return outputs

    if axes is not None:
        stage(traced, [aval_of(x) for x in leaves], "function", axes)
    return found


def total(cotangent: Any, group: AxisGroup | None) -> Any:
    """The cotangent of the one value that devices share, of the devices' parts; None is zero."""
    if cotangent is None or group is None:
        return cotangent
    return apply(ops.all_reduce, cotangent, reduction="sum", group=group)


def share(cotangent: Any, group: AxisGroup | None) -> Any:
    """A device's part of the cotangent of a value that devices share: all have equal parts."""
    return cotangent if cotangent is None or group is None else scaled(cotangent, 1 / group.size)


def share_given(cotangent: Any, group: AxisGroup | None) -> Any:
    """A device's part of a cotangent that a user gives for a value that devices share.

    Raises:
        CotangentError: When it differs from device to device.
    """
    if cotangent is None or group is None:
        return cotangent
    differs = sorted(varying_axes(cotangent) & set(group.axes))
    if differs:
        raise CotangentError(f"{aval_of(cotangent)!r} that varies over {', '.join(map(repr, differs))}",
                             "one that is the same on all devices, as its result is")
    return share(cotangent, group)


@dataclass(frozen=True)
class RuleAxes:
    """Over which axes the values of a user's rule vary.

    Args:
        manual: The region's axes.
        arguments: For each flat argument.
        results: For each flat result.
        kept: For each array that the backward part is given.
    """

    manual: ManualAxes
    arguments: Sequence[Axes]
    results: Sequence[Axes]
    kept: Sequence[Axes]

    def totals(self, cotangents: Sequence[Any]) -> list[Any]:
        """The results' cotangents as the rule takes them, of the devices' parts."""
        return [c if _has_none(c) else total(c, _group(self.manual, axes))
                for c, axes in zip(cotangents, self.results, strict=True)]

    def shares(
        self, backward: Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]], kept: Sequence[Any],
        cotangents: Sequence[Any],
    ) -> list[Any]:
        """The devices' parts of the arguments' cotangents, by the rule's backward part.

        What the rule gives for an argument that devices share is its whole cotangent where it is the same on all of
        them, and counts as parts where it differs.

        Args:
            backward: What is kept and the results' cotangents to the arguments' cotangents.
            kept: The arrays that it is given.
            cotangents: The results' cotangents.
        """
        groups: list[AxisGroup | None] = []
        given: list[bool] = []
        real = [i for i, c in enumerate(cotangents) if not _has_none(c)]

        def traced(*values: Any) -> list[Any]:
            own = list(cotangents)
            for i, c in zip(real, values[len(kept):], strict=True):
                own[i] = c
            found = backward(values[:len(kept)], own)
            given[:] = [c is not None for c in found]
            groups[:] = [_group(self.manual, axes | varying_axes(c))
                         for c, axes in zip(found, self.arguments, strict=True) if c is not None]
            return [c for c in found if c is not None]

        inputs = [*kept, *(cotangents[i] for i in real)]
        with use_manual_axes(self.manual):
            program, _, captured = stage(traced, [Aval(aval_of(x).type) for x in inputs], "backward",
                                         [*self.kept, *(self.results[i] for i in real)])
        found = run(program, [*inputs, *captured])
        return spread_out([share(c, group) for c, group in zip(found, groups, strict=True)], given)


def rule_axes(arguments: Sequence[Any], results: Sequence[Any], kept: Sequence[Any]) -> RuleAxes | None:
    """Over which axes values of a user's rule that are traced here vary; None outside of manual regions."""
    manual = current_manual_axes()
    if manual is None:
        return None
    return RuleAxes(manual, *([varying_axes(x) for x in values] for values in (arguments, results, kept)))


def _has_none(cotangent: Any) -> bool:
    """Whether it stands for the cotangent of a value that has none, such as an integer."""
    return bool(getattr(cotangent, "dtype", None) == float0)
