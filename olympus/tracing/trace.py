"""Traces: what happens when an operation is bound. The innermost one is found in a context variable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from olympus_core.program import OperationRecord, Program


class Trace(Protocol):
    """Gives meaning to operations: evaluates them, stages them, differentiates them, batches them."""

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation: arrays in, arrays out."""


class Evaluating:
    """The outermost trace: runs each operation at once, as a compiled program of its own.

    How is wired in by `olympus.transforms.jit`, since running an operation is calling a jitted function.
    """

    __slots__ = ("run",)
    run: Callable[..., list[Any]]

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """Runs the operation."""
        return self.run(record, operands, attributes, regions, weak)


EVALUATING = Evaluating()
_current: ContextVar[Trace] = ContextVar("olympus_trace", default=EVALUATING)
current_trace = _current.get


def is_evaluating() -> bool:
    """Whether operations run at once: no trace is under way."""
    return _current.get() is EVALUATING


def bind(record: OperationRecord, *operands: Any, weak: bool | None = None, **attributes: Any) -> Any:
    """The one door for operations with a single result.

    Args:
        record: The operation.
        *operands: Arrays, traced values, NumPy arrays or Python numbers, with the shapes and element types that
            the operation's type rule asks for: broadcasting and promotion are done before.
        weak: Whether the result's element type is weak; None: when all operands' are.
        **attributes: The operation's attributes.

    Returns:
        The result: an array or a traced value.
    """
    return _current.get().bind(record, operands, attributes, (), weak)[0]


def bind_all(
    record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any] | None = None,
    regions: Sequence[Program] = (), weak: bool | None = None,
) -> list[Any]:
    """The one door for operations with any number of results and with regions."""
    return _current.get().bind(record, operands, attributes or {}, regions, weak)


@contextmanager
def use_trace(trace: Trace) -> Iterator[None]:
    """Makes `trace` the innermost one."""
    token = _current.set(trace)
    try:
        yield
    finally:
        _current.reset(token)
