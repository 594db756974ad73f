"""What the compiler leaves to the operation table, said once for each place in the user's program."""

from __future__ import annotations

import logging

from olympus_core.program import Operation

logger = logging.getLogger("olympus.cpu")

# These have no kernel by design: control flow and callbacks are Python's, constants are computed once.
_EXPECTED = frozenset({"cond", "while", "scan", "host_callback", "constant", "axis_index", "dot_general"})
_said: set[tuple[str, str | None]] = set()


def note_fallback(operation: Operation) -> None:
    """Logs, once, that an operation runs by its NumPy function."""
    key = (operation.name, operation.location)
    if operation.name in _EXPECTED or key in _said:
        return
    _said.add(key)
    types = ", ".join(str(v.type) for v in operation.operands)
    logger.info("%s(%s) at %s is not compiled: NumPy runs it", operation.name, types, operation.location or "no line")
