# SPDX-License-Identifier: Apache-2.0
"""The documents' micro-batched pipeline: stages on two devices overlap, in one process and in two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from benchmarks.measure import Case, Sample, Setup, ratio
from benchmarks.processes import PROGRAMS, Conversation, free_port


@contextmanager
def _open(library: str, how: str, processes: int, size: int, setup: Setup) -> Iterator[Sample]:
    python, port = setup.peer_python if library == "jax" else setup.python, free_port()
    commands = [
        [python, str(PROGRAMS / "pipeline.py"), library, str(i), str(processes), str(port), str(size)]
        for i in range(processes)
    ]
    # One thread for each device: with more, a stage alone would keep all cores busy and nothing could overlap.
    variables = {f"{library.upper()}_NUM_CPU_DEVICES": str(2 // processes), "OLYMPUS_NUM_THREADS": "1"}
    with Conversation(commands, variables) as conversation:
        yield lambda: conversation.ask(how)


def _case(name: str, where: str, processes: int, size: int, peer: bool) -> Case:
    sides = {how: partial(_open, "olympus", how, processes, size) for how in ("overlapped", "waiting")}
    bars = [ratio("overlapped", "waiting", 0.8)]
    if peer:
        sides["peer"] = partial(_open, "jax", "overlapped", processes, size)
        bars.append(ratio("overlapped", "peer"))
    return Case(
        name=name, title=f"12 microbatches of {size} x {size} through two one-threaded devices {where}", unit="ms",
        sides=sides, bars=tuple(bars), rounds=31, quick_rounds=9, warmups=3,
    )


CASES = (
    # In one process, large enough to be queued; smaller ones run at once, which is as quick and shows no overlap.
    _case("pipeline-1", "of one process", 1, 1024, peer=True),
    _case("pipeline-2", "of two processes", 2, 512, peer=False),  # the peer refuses single devices of other processes
)
