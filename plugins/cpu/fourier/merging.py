# SPDX-License-Identifier: Apache-2.0
"""Transforms along several dimensions as one operation: what one has written the next reads from a cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, OperationRecord, Program, Value
from olympus_core.toolkit.passes import Builder, Match, Rule, op

from .passes import Step, fits

NAME = "fft_several"
_MOST_STEPS = 6


def _type_rule(
    types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Sequence[ArrayType]:
    for kind, dimension, length in attributes["steps"]:
        types = ops.fft.type_rule(types, {"kind": kind, "dimension": dimension, "length": length}, regions)
    return types


# `fft` along one dimension after the other: `steps` are (kind, dimension, length).
SEVERAL = OperationRecord(NAME, "fourier", _type_rule)


def steps_of(operation: Operation) -> tuple[Step, ...]:
    """The steps of one transform or of several."""
    attributes = operation.attributes
    if operation.name == NAME:
        return tuple(Step(*step) for step in attributes["steps"])
    return (Step(attributes["kind"], attributes["dimension"], attributes["length"]),)


def _merged(new: Builder, match: Match) -> Value | None:
    before = match.producer("before")
    steps = (*steps_of(before), *steps_of(match.operation))
    # Real numbers stand at the ends alone; along one dimension twice would be no transform of several.
    if (len(steps) > _MOST_STEPS or any(step.kind == "rfft" for step in steps[1:])
            or any(step.kind == "irfft" for step in steps[:-1])
            or len({step.dimension for step in steps}) < len(steps)):
        return None
    # Rows first: they are read from memory in its order, and what comes after finds them in a cache.
    begin, end = steps[0].kind == "rfft", len(steps) - (steps[-1].kind == "irfft")
    steps = (*steps[:begin], *sorted(steps[begin:end], key=lambda step: -step.dimension), *steps[end:])
    x = before.operands[0].type
    if not fits(x.shape, steps, dtypes.real_part(x.dtype)):
        return None
    return new.apply(SEVERAL, *before.operands, steps=tuple(map(tuple, steps)))


FOURIER_RULES = (Rule(op("fft", op(("fft", NAME), bind="before", uses=1)), _merged),)
