# SPDX-License-Identifier: Apache-2.0
"""The cost of a small call through a PJRT library: of the bindings alone, and of olympus on top."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.measure import Case, Sample, Setup, at_most
from benchmarks.processes import PROGRAMS, Conversation

CALLS = 100


def _library() -> str | None:
    """The CPU library of the test dependency; None where it is not installed."""
    try:
        spec = importlib.util.find_spec("xla_plugins.xla_cpu_pjrt")
    except ModuleNotFoundError:
        return None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return str(Path(folders[0]) / "xla_cpu_pjrt.so") if folders else None


@contextmanager
def _open(layer: str, library: str, setup: Setup) -> Iterator[Sample]:
    env = {"OLYMPUS_PLATFORMS": "pjrt", "OLYMPUS_PJRT_LIBRARY": library, "OLYMPUS_NUM_PJRT_DEVICES": "1",
           "TF_CPP_MIN_LOG_LEVEL": "2"}
    with Conversation([[setup.python, str(PROGRAMS / "pjrt_call.py"), layer, library]], env) as conversation:
        yield lambda: conversation.ask(str(CALLS))


def _cases(library: str | None) -> tuple[Case, ...]:
    if library is None:
        return ()
    return (
        Case(
            name="pjrt-call", title="x + 1 on 8 floats through a PJRT library, waited for", unit="µs",
            sides={layer: partial(_open, layer, library) for layer in ("bridge", "platform")},
            bars=(at_most("bridge", 30.0, "µs"),), rounds=101, quick_rounds=31, warmups=5, row="PJRT",
        ),
    )


CASES = _cases(_library())
