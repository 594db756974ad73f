# SPDX-License-Identifier: Apache-2.0
"""Memory of executions: outputs and intermediate values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import ops
from olympus_core.program import ProgramBuilder, Value

from ...context import Context
from ...memory import require_no_growth
from ...programs import array_type, needs, program_of
from ...requirement import Case, requirement

_SIZE = 5 << 18  # float32: 5 MiB; with its like a program gives 10 MiB
_OPERATIONS = needs("add", "mul", "sin", "reverse")


@requirement(
    "memory/executions_returned",
    "The memory of an execution's outputs, once they are deleted or nobody holds them, and of what was needed on the "
    "way MUST be used again or given back.",
    why="A training loop runs for days.",
    profile="single",
    cases=[Case("dropped", {"delete": False, "donated": (), "devices": 2}, needs=_OPERATIONS),
           Case("deleted", {"delete": True, "donated": (), "devices": 1}, needs=_OPERATIONS),
           Case("donated", {"delete": False, "donated": (0,), "devices": 1}, needs=_OPERATIONS)],
)
def executions_returned(context: Context, delete: bool, donated: Sequence[int], devices: int) -> None:
    """Outputs of 10 MiB, twenty times over, on up to so many devices."""
    chosen = context.devices[:devices]

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = builder.emit(ops.add, [x, x])
        (z,) = builder.emit(ops.reverse, [y], {"dimensions": (0,)})
        (w,) = builder.emit(ops.sin, [z])
        return [y, *builder.emit(ops.mul, [w, x])]

    program = program_of("ten_mebibytes", [array_type(_SIZE)], body)
    executable = context.compile(program, chosen, donated)
    value = context.random.random(_SIZE).astype(np.float32)
    kept = [context.put(value, d) for d in chosen]

    def iteration(i: int) -> None:
        inputs = [context.put(value, d) for d in chosen] if donated else kept
        columns = executable.execute([inputs])
        if donated:
            columns = executable.execute(columns[:1])
        for column in columns:
            for buffer in column:
                if i % 5 == 0:
                    buffer.to_host()
                else:
                    buffer.block_until_ready()
                if delete:
                    buffer.delete()

    require_no_growth(context, iteration, iterations=20, nbytes=8 * _SIZE * len(chosen), what="outputs")


@requirement(
    "memory/failures_returned",
    "The memory of an execution that fails MUST be used again or given back.",
    why="A service goes on after thousands of errors.",
    profile="single",
    cases=[Case(needs=needs("host_callback", "add"))],
)
def failures_returned(context: Context) -> None:
    """A large value is made before a callback raises."""

    def fail(*_: np.ndarray) -> None:
        raise ValueError("on purpose")

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = builder.emit(ops.add, [x, x])
        builder.emit(ops.host_callback, [y], {
            "callback": ops.HostFunction("fail", fail), "result_types": (), "ordered": True})
        return builder.emit(ops.add, [y, x])

    executable = context.compile(program_of("failing", [array_type(_SIZE)], body))
    value = context.random.random(_SIZE).astype(np.float32)

    def iteration(_: int) -> None:
        try:
            executable.execute([[context.put(value)]])[0][0].block_until_ready()
        except Exception:  # noqa: BLE001 (whichever; that there is one is another requirement's business)
            return

    require_no_growth(context, iteration, iterations=40, nbytes=12 * _SIZE, what="failed executions")
