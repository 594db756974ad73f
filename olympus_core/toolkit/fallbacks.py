# SPDX-License-Identifier: Apache-2.0
"""What a platform that generates code leaves to its table: said once for each line of the user's program."""

from __future__ import annotations

from collections.abc import Iterable
from logging import Logger

from olympus_core.program import Operation

# These have no kernel by design: control flow and callbacks are Python's, constants are computed once.
_MOST_LINES = 4096  # that are noted as told
_EXPECTED = frozenset({"cond", "while", "scan", "host_callback", "constant", "axis_index"})


class FallbackLog:
    """Tells of operations that nothing is generated for, which may be far slower: a warning for each line.

    Args:
        logger: The platform's.
        runs_it: Who runs them instead, for people.
        well_served: Operations that are as quick there: of these it is told at level INFO.

    Example:
        >>> import logging
        >>> note_fallback = FallbackLog(logging.getLogger("olympus.tiny"), "NumPy")
    """

    def __init__(self, logger: Logger, runs_it: str, well_served: Iterable[str] = ()) -> None:
        self._logger, self._runs_it, self._well_served = logger, runs_it, frozenset(well_served)
        self._said: set[tuple[str, str | None]] = set()

    def __call__(self, operation: Operation) -> None:
        """Logs, once, that an operation is not compiled."""
        key = (operation.name, operation.location)
        if operation.name in _EXPECTED or key in self._said or not any(v.type.size for v in operation.results):
            return  # without elements there is nothing to compute
        if len(self._said) >= _MOST_LINES:
            self._said.clear()
        self._said.add(key)
        types = ", ".join(str(v.type) for v in operation.operands)
        line = operation.location or "no line"
        said = f"{operation.name}({types}) at {line} is not compiled: {self._runs_it} runs it"
        if operation.name in self._well_served:
            self._logger.info("%s", said)
        else:
            self._logger.warning(
                "%s. Profile with olympus.profiler.trace to see whether it takes long, and write it with other "
                "operations then; logging.getLogger(%r).setLevel(\"ERROR\") silences this.", said, self._logger.name)
