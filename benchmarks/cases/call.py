"""What the second and every later call of a compiled function costs: x + 1 on 8 floats, waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from benchmarks.measure import Case, Sample, Setup, at_most, ratio
from benchmarks.processes import PROGRAMS, Conversation


@contextmanager
def _open(side: str, devices: int, calls: int, setup: Setup) -> Iterator[Sample]:
    library, python = ("jax", setup.peer_python) if side == "peer" else ("olympus", setup.python)
    variables = {f"{library.upper()}_NUM_CPU_DEVICES": str(devices)}
    command = [python, str(PROGRAMS / "call.py"), library, str(devices)]
    with Conversation([command], variables) as conversation:
        yield lambda: conversation.ask(str(calls))


def _case(name: str, devices: int, where: str, limit: float, calls: int) -> Case:
    return Case(
        name=name,
        title=f"a later call of a jitted x + 1 on 8 floats {where}",
        unit="µs",
        sides={side: partial(_open, side, devices, calls) for side in ("olympus", "peer")},
        bars=(at_most("olympus", limit, "µs"), ratio("olympus", "peer")),
        rounds=301,
        quick_rounds=101,
        warmups=20,
    )


CASES = (
    _case("call-1", 1, "on one device", 10.0, calls=200),
    _case("call-8", 8, "sharded over 8 devices", 100.0, calls=20),
)
