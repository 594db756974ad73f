# SPDX-License-Identifier: Apache-2.0
"""StableHLO's operations as VHLO's: their oldest versions, and their attributes as properties."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from olympus_core.errors import NotSupportedError

from .text import Choice, Integer, Record, Statement, from_array, integers, unwritten
from .vhlo import PROPERTIES

Version = tuple[int, int, int]
OLDEST: Version = (1, 0, 0)
# Operations without properties in their oldest version.
_PLAIN = frozenset(
    "abs add and atan2 bitcast_convert case cbrt ceil clamp complex convert cosine count_leading_zeros divide "
    "dynamic_update_slice exponential exponential_minus_one floor imag is_finite log log_plus_one logistic maximum "
    "minimum multiply negate not optimization_barrier or popcnt power real remainder replica_id reshape return "
    "round_nearest_afz round_nearest_even rsqrt select shift_left shift_right_arithmetic shift_right_logical sign sine "
    "sqrt subtract tan tanh while xor".split())
# Versions of the dialect that brought an operation's form.
_SINCE: Mapping[str, Version] = {"gather_v2": (1, 1, 0), "scatter_v2": (1, 1, 0), "tan_v1": (1, 4, 0)}
# What the second version of an operation brought.
_BATCHING = {"gather": ("operand_batching_dims", "start_indices_batching_dims"),
             "scatter": ("input_batching_dims", "scatter_indices_batching_dims")}
_NO_CHANNEL = Integer(0, np.dtype("int64"))
_FIELD = re.compile(r"(\w+) = (?:\[([\d, ]*)\]|(\d+))")
_SIDES = ("input", "kernel", "output")


def translated(operation: Statement) -> tuple[str, dict[str, Any], Version]:
    """An operation's versioned name, its properties in their order, and the version of VHLO that has it.

    Attributes of another dialect, whose names have a dot, are no properties.

    Args:
        operation: The operation.

    Raises:
        NotSupportedError: For operations and attributes that are not written.
    """
    dialect, _, short = operation.name.partition(".")
    if dialect not in ("stablehlo", "func") or (dialect == "func") != (short == "call") and short != "return":
        raise _refused(operation, f"the dialect {dialect} is no part of portable artefacts")
    given = {name: value for name, value in operation.attributes.items() if "." not in name}
    version = 1
    if short in _EXPAND:
        _EXPAND[short](operation, given)
    if short in _BATCHING:
        if any(given[key].type.size for key in _BATCHING[short]):
            version = 2
        else:
            given = {key: value for key, value in given.items() if key not in _BATCHING[short]}
    name = f"{short}_v{version}"
    if name not in PROPERTIES and short not in _PLAIN:
        raise _refused(operation, "its form in VHLO is not known here")
    wanted = PROPERTIES.get(name, ())
    if set(wanted) != set(given):
        raise _refused(operation, "it has other attributes than are known: " + ", ".join(
            sorted(set(wanted) ^ set(given))))
    return name, {key: given[key] for key in wanted}, _SINCE.get(name, OLDEST)


def _refused(operation: Statement, why: str) -> NotSupportedError:
    return unwritten(f"The operation {operation.name}", why)


def _fields(operation: Statement, given: dict[str, Any], name: str) -> None:
    """The fields of a record, as the properties that they are."""
    record = given.pop(name, None)
    if not isinstance(record, Record):
        raise _refused(operation, f"it lacks {name}")
    for key, several, one in _FIELD.findall(record.content):
        given[key] = Integer(int(one), np.dtype("int64")) if one else integers(
            [int(word) for word in several.split(",") if word])
    for key in _BATCHING.get(operation.name.removeprefix("stablehlo."), ()):
        given.setdefault(key, integers([]))


def _convolution(operation: Statement, given: dict[str, Any]) -> None:
    record = given.pop("dimension_numbers", None)
    if not isinstance(record, Record):
        raise _refused(operation, "it lacks dimension_numbers")
    layouts = [re.findall(r"\w+", part) for part in re.findall(r"\[([^\]]*)\]", record.content)]
    count = len(layouts[0]) - 2
    names = {"b": "batch", "f": "feature", "i": "input_feature", "o": "output_feature"}
    for side, layout in zip(_SIDES, layouts, strict=True):
        for place, letter in enumerate(layout):
            if letter in names:
                given[f"{side}_{names[letter]}_dimension"] = Integer(place, np.dtype("int64"))
        given[f"{side}_spatial_dimensions"] = integers([layout.index(str(d)) for d in range(count)])
    given.setdefault("padding", integers([], (0, 2)))
    given.setdefault("window_reversal", from_array(np.zeros(count, bool)))


def _all_of_channel(operation: Statement, given: dict[str, Any]) -> None:
    given.setdefault("channel_id", _NO_CHANNEL)


def _with_ids(operation: Statement, given: dict[str, Any]) -> None:
    _all_of_channel(operation, given)
    given.setdefault("use_global_device_ids", False)


def _custom_call(operation: Statement, given: dict[str, Any]) -> None:
    version = given.get("api_version")
    if isinstance(version, Integer):
        given["api_version"] = Choice("custom_call_api_version", str(version.value))


_EXPAND: Mapping[str, Callable[[Statement, dict[str, Any]], None]] = {
    "convolution": _convolution,
    "dot_general": lambda operation, given: _fields(operation, given, "dot_dimension_numbers"),
    "gather": lambda operation, given: _fields(operation, given, "dimension_numbers"),
    "scatter": lambda operation, given: _fields(operation, given, "scatter_dimension_numbers"),
    "custom_call": _custom_call, "all_reduce": _with_ids, "all_gather": _with_ids, "reduce_scatter": _with_ids,
    "all_to_all": _all_of_channel, "collective_permute": _all_of_channel,
}

__all__ = ["OLDEST", "Version", "translated"]
