# SPDX-License-Identifier: Apache-2.0
"""What is known while a function is traced is computed at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from olympus_core.deferred import listed
from olympus_core.program import OperationRecord, Program

from ..tracing import EVALUATING, JittedFunction, Trace, Tracer, current_trace, use_trace
from ..trees import inside as tree

__all__ = ["ensure_compile_time_eval"]
__dir__ = listed(__all__)


class _CompileTime:
    """Evaluates what has no traced operand, and leaves the rest to the trace around it.

    Args:
        parent: The trace around it.
    """

    def __init__(self, parent: Trace) -> None:
        self.parent = parent

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation."""
        trace = self._of(operands)
        with use_trace(trace):
            return trace.bind(record, operands, attributes, regions, weak)

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call, which has a traced operand if an argument is one."""
        trace = self._of(tree.leaves((args, kwargs)))
        with use_trace(trace):
            return trace.call_jitted(jitted, args, kwargs)

    def _of(self, operands: Sequence[Any]) -> Trace:
        return self.parent if any(isinstance(x, Tracer) for x in operands) else EVALUATING


@contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """In this block, operations on arrays that are known run at once, also while a function is traced.

    Their results are known as well: Python may branch by them, and programs hold them as constants. Operations on
    traced values join the program as elsewhere.

    Returns:
        A context manager.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.jit
        ... def f(x):
        ...     with olympus.ensure_compile_time_eval():
        ...         size = jnp.sum(jnp.arange(4))
        ...         assert int(size) == 6
        ...     return x * size
        >>> print(f(2.0))
        12.0
    """
    trace = current_trace()
    if trace is EVALUATING:
        yield
        return
    with use_trace(_CompileTime(trace)):
        yield
