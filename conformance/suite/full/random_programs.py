# SPDX-License-Identifier: Apache-2.0
"""Property-based tests: random programs over the declared element types and operations."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...context import Context
from ...errors import Failed
from ...programs import needs, put_columns, read_columns
from ...random_programs import Allowed, Case, Expected, drawn_case, shrunk
from ...random_programs.case import MOST_DEVICES
from ...requirement import Case as TestCase
from ...requirement import requirement

_PROGRAMS, _BLOCKS, _LONGEST = 80, 8, 12
_SHRINK_SECONDS = 20.0
_SHOWN_SIZE = 12


@requirement(
    "random/programs",
    "A program of declared operations and element types MUST give what the reference gives, as near as the operations "
    "that it consists of may err.",
    why="Faults hide between operations that are right by themselves: in fusion, in memory that is used again.",
    profile="full",
    cases=[TestCase(str(block), {"block": block}, needs=needs("constant", "broadcast_in_dim"), quick=block == 0)
           for block in range(_BLOCKS)],
    seconds=180,
)
def programs(context: Context, block: int) -> None:
    """Some dozen programs, drawn and shrunk by hypothesis from the seed of the test."""
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as st

    capabilities = context.capabilities
    allowed = Allowed(capabilities.dtypes, capabilities.operations, min(MOST_DEVICES, len(context.devices)))
    smallest: tuple[Case, str] | None = None
    end = float("inf")

    @seed(context.seed)
    @settings(
        max_examples=_PROGRAMS, database=None, deadline=None, phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck), report_multiple_bugs=False, print_blob=False,
    )
    # The first kind shrinks well and draws what is small; the second draws as widely as a seed does.
    @given(st.one_of(st.randoms(use_true_random=False), st.randoms(use_true_random=True)))
    def try_one(source: Any) -> None:
        nonlocal smallest, end
        if time.monotonic() > end:  # what has been found so far is small enough
            return
        case = drawn_case(source, f"random {block}", allowed, _LONGEST)
        problem = _problem(context, case)
        if problem is None:
            return
        if smallest is None:
            end = time.monotonic() + _SHRINK_SECONDS
        if smallest is None or _size(case) <= _size(smallest[0]):
            smallest = case, problem
        raise Failed(problem, "what the reference gives", case.program.text)

    try:
        with _nothing_kept():
            try_one()
    except Exception:
        if smallest is None:
            raise
    if smallest is not None:
        _report(context, *smallest)


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Hypothesis stores its data in a temporary folder, and not in the user's."""
    from hypothesis import configuration

    with tempfile.TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(None)


def _report(context: Context, case: Case, problem: str) -> None:
    """Fails with the case, shrunk further: operations before the fault are replaced by inputs."""
    kind = problem.partition(":")[0]
    is_error = kind.endswith(("Error", "Warning"))
    end = time.monotonic() + _SHRINK_SECONDS

    def fails(smaller: Case) -> bool:
        found = _problem(context, smaller) if time.monotonic() < end else None
        return found is not None and (found.startswith(kind) or not is_error)

    case = shrunk(case, fails, 100)
    shown = [case.program.text]
    with np.printoptions(linewidth=120):
        shown += [f"  %{i} = {np.array2string(column[0], separator=', ')}" for i, column in enumerate(case.inputs)
                  if column[0].size <= _SHOWN_SIZE]
    shown.append(f"  devices: {case.count}, donated: {case.donated}")
    raise Failed(_problem(context, case) or problem, "what the reference gives", "\n".join(shown))


def _size(case: Case) -> tuple[int, int]:
    return len(case.program.operations), len(case.program.text)


def _problem(context: Context, case: Case) -> str | None:
    """The problem of a case, or None."""
    devices = context.devices[: case.count]
    try:
        buffers = put_columns(context, case.inputs, devices)
        executable = context.compile(case.program, devices, case.donated)
        found = read_columns(executable.execute([list(column) for column in buffers]))
        for i, (column, values) in enumerate(zip(buffers, case.inputs, strict=True)):
            if i not in case.donated and any(
                    b.to_host().tobytes() != v.tobytes() for b, v in zip(column, values, strict=True)):
                return f"input {i}, which was not donated, was written over"
    except Exception as error:  # noqa: BLE001 (whatever it is, it is what is looked for)
        return f"{type(error).__name__}: {str(error)[:2000]}"
    expected = Expected(case.program, case.inputs, case.count)
    problem = expected.problem(found)
    if problem is not None:  # some failures are rare
        expected.more(40)
        problem = expected.problem(found)
    return None if problem is None else problem[1]
