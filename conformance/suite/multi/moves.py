# SPDX-License-Identifier: Apache-2.0
"""Collectives without computation: gathers, exchanges, permutations, broadcasts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import reference_collectives as reference
from ...context import Context
from ...requirement import requirement
from .case_lists import dtype_cases
from .groups import (
    Begin,
    Devices,
    Findings,
    begin,
    collective,
    cut,
    own_groups,
    random_of,
    random_values,
    require_results,
    takes_large,
)

Shape = tuple[int, ...]
_LARGE = 1 << 20


def _sizes(name: str, dtype: np.dtype) -> list[Shape]:
    large = [(_LARGE // dtype.itemsize,)] if takes_large(name, dtype) else []
    return [(1,), (7,), (0, 3), (2, 0), (40, 25), *large]


def _pool(context: Context, dtype: np.dtype) -> list[np.ndarray]:
    return random_values(context, len(context.all_devices), _LARGE // dtype.itemsize + 64, dtype)


def _check(
    context: Context, findings: Findings, group: tuple[str, Devices], values: list[np.ndarray], start: Begin,
    label: str, wanted: Sequence[np.ndarray],
) -> None:
    """Runs one collective and compares this process's results, member by member."""
    name, devices = group
    label = f"{label} of {values[0].dtype}{list(values[0].shape)} among {name}"
    require_results(context, findings, devices, begin(context, devices, values, start), wanted, label)


@requirement(
    "collectives/all_gather",
    "all_gather MUST give every member all members' buffers, concatenated along the dimension in the group's order.",
    why="Whole arrays are put together from shards with it.",
    profile="multi", cases=dtype_cases(), seconds=60.0,
)
def all_gather(context: Context, dtype: np.dtype) -> None:
    """Every size and dimension in every group."""
    findings, pool = Findings(), _pool(context, dtype)
    for group in own_groups(context):
        members = pool[: len(group[1])]
        for shape in _sizes(group[0], dtype):
            values = cut(members, shape)
            for dimension in range(len(shape)):
                wanted = [reference.all_gather(values, dimension)] * len(values)
                _check(context, findings, group, values, collective("all_gather", dimension),
                       f"all_gather along {dimension}", wanted)
    findings.settle()


@requirement(
    "collectives/all_to_all",
    "all_to_all MUST give the member at position i part i of every member's buffer, concatenated in the group's order.",
    why="Experts and sequences are exchanged with it; a wrong order mixes up tokens without an error.",
    profile="multi", cases=dtype_cases(), seconds=60.0,
)
def all_to_all(context: Context, dtype: np.dtype) -> None:
    """Split and put together along the same dimension and along different ones."""
    findings, pool = Findings(), _pool(context, dtype)
    for group in own_groups(context):
        count = len(group[1])
        cases: list[tuple[Shape, int, int]] = [
            ((count,), 0, 0), ((0, 2), 0, 1), ((2 * count, 3), 0, 0), ((2 * count, 3), 0, 1), ((3, 4, count), 2, 0),
        ]
        if takes_large(group[0], dtype):
            cases.append(((count, _LARGE // dtype.itemsize // count), 0, 1))
        for shape, split, concat in cases:
            values = cut(pool[:count], shape)
            _check(context, findings, group, values, collective("all_to_all", split, concat),
                   f"all_to_all from {split} to {concat}", reference.all_to_all(values, split, concat))
    findings.settle()


@requirement(
    "collectives/permute",
    "permute MUST give each target its source's buffer, and zeros to every member that is no target.",
    why="Pipelines and rings are made of it, and their ends rely on the zeros.",
    profile="multi", cases=dtype_cases(), seconds=60.0,
)
def permute(context: Context, dtype: np.dtype) -> None:
    """Rings, chains with gaps, members that send to themselves, and no pair at all."""
    findings, pool = Findings(), _pool(context, dtype)
    for group in own_groups(context):
        count = len(group[1])
        order = [int(p) for p in random_of(context, group[0]).permutation(count)]
        kinds = [
            tuple((i, (i + 1) % count) for i in range(count)),
            tuple((i, i + 1) for i in range(count - 1)),
            tuple((i, i) for i in range(0, count, 2)),
            tuple(enumerate(order)),
            tuple(enumerate(order))[: count // 2],
            (),
        ]
        for shape in ((), *_sizes(group[0], dtype)):
            values = cut(pool[:count], shape)
            for pairs in kinds if len(shape) == 2 else kinds[:2]:
                _check(context, findings, group, values, collective("permute", pairs),
                       f"permute {list(pairs)}", reference.permute(values, pairs))
    findings.settle()


@requirement(
    "collectives/broadcast",
    "broadcast MUST give every member the buffer of the member at position `source`.",
    why="Parameters and host values that one process made reach the others with it.",
    profile="multi", cases=dtype_cases(), seconds=60.0,
)
def broadcast(context: Context, dtype: np.dtype) -> None:
    """Every size from every member."""
    findings, pool = Findings(), _pool(context, dtype)
    for group in own_groups(context):
        count = len(group[1])
        for shape in ((), *_sizes(group[0], dtype)):
            values = cut(pool[:count], shape)
            for source in range(count) if len(shape) == 2 else (0, count - 1):
                _check(context, findings, group, values, collective("broadcast", source),
                       f"broadcast from {source}", [values[source]] * count)
    findings.settle()
