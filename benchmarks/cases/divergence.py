# SPDX-License-Identifier: Apache-2.0
"""The cost of comparing each launch between 2 processes: a program without collectives, with and without the check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from benchmarks.measure import Case, Sample, Setup, difference
from benchmarks.processes import PROGRAMS, Conversation, free_port

# Short, so that a sample is over before the machine is disturbed.
LAUNCHES = 100
_SIDES: dict[str, Mapping[str, str]] = {
    "checked": {"OLYMPUS_NUM_CPU_DEVICES": "1", "OLYMPUS_CHECK_DIVERGENCE": "1"},
    "unchecked": {"OLYMPUS_NUM_CPU_DEVICES": "1", "OLYMPUS_CHECK_DIVERGENCE": "0"},
    # The peer has no such check; what its launch costs is shown beside.
    "peer": {"JAX_NUM_CPU_DEVICES": "1"},
}


@contextmanager
def _open(side: str, setup: Setup) -> Iterator[Sample]:
    library, python = ("jax", setup.peer_python) if side == "peer" else ("olympus", setup.python)
    port = free_port()
    commands = [[python, str(PROGRAMS / "launch.py"), library, str(i), "2", str(port)] for i in range(2)]
    with Conversation(commands, _SIDES[side]) as conversation:
        yield lambda: conversation.ask(str(LAUNCHES))


CASES = (
    Case(
        name="divergence",
        title="a launch of a jitted x + 1 over 2 processes, mean of the two",
        unit="µs",
        sides={side: partial(_open, side) for side in _SIDES},
        bars=(difference("checked", "unchecked", 5.0, "µs"),),
        rounds=301,
        quick_rounds=101,
        warmups=20,
    ),
)
