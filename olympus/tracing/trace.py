# SPDX-License-Identifier: Apache-2.0
"""Traces: what happens when an operation is bound. The innermost one is found in a context variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Protocol

from olympus_core.program import OperationRecord, Program


class TracedFunction(Protocol):
    """A jitted function traced for arguments of certain types.

    Attributes:
        program: Arguments first, then what was captured.
        captured: What the function uses from outside.
        out_avals: What is known of its flat results.
        out_tree: The structure of its results.
    """

    program: Program
    captured: list[Any]
    out_avals: list[Any]
    out_tree: Any

    @property
    def weak(self) -> bool | None:
        """Whether its results are weakly typed; None where some are and some are not."""


class JittedFunction(Protocol):
    """What a trace may do with a jitted function that is called under it."""

    _is_api: bool  # whether it is one of olympus's own functions
    _is_users: bool  # whether a user made it with `jit`
    _is_inline: bool  # whether its calls join programs even for those who look at calls

    @property
    def name(self) -> str:
        """The function's name."""

    @property
    def statics(self) -> tuple[frozenset[int], frozenset[str]]:
        """Positions and names of its static arguments."""

    @property
    def has_shardings(self) -> bool:
        """Whether it says where arguments or results are to be."""

    @property
    def is_disabled(self) -> bool:
        """Whether it is to run step by step."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it under the current trace; evaluated, it runs as one compiled program."""

    def again(self) -> JittedFunction:
        """The same function, jitted anew: nothing that was traced is known of it."""

    def inline(self, args: tuple[Any, ...], kwargs: dict[str, Any], as_given: bool = False) -> Any:
        """Calls the function, so that its operations are bound in the current trace one by one.

        A user's function is given values, weakly typed ones for Python's numbers, unless it is to get them `as_given`.
        """

    def traced(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], only_known: bool = False
    ) -> tuple[TracedFunction, list[Any]]:
        """The function traced for a call, and the call's arguments, flat; `only_known`: where it was traced before."""


# What a call of a jitted function becomes in programs that keep it as a call; None where its operations join them.
kept_calls: ContextVar[Callable[[JittedFunction, tuple[Any, ...], dict[str, Any]], Any] | None] = ContextVar(
    "olympus_kept_calls", default=None)


def stays_call(jitted: JittedFunction) -> bool:
    """Whether calls of a jitted function stay calls in what is traced now."""
    return not jitted._is_inline and kept_calls.get() is not None


class Identified:
    """Base of traces: each is what its values belong to."""

    @property
    def main(self) -> Any:
        """The trace itself, by which libraries ask whether values belong together."""
        return self


class Trace(Protocol):
    """Gives meaning to operations: evaluates them, stages them, differentiates them, batches them."""

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation: arrays in, arrays out."""

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a jitted function while this is the current trace: as one program, or its operations one by one."""


class Evaluating(Identified):
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

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Runs it as one compiled program."""
        return jitted(*args, **kwargs)


EVALUATING = Evaluating()
_current: ContextVar[Trace] = ContextVar("olympus_trace", default=EVALUATING)
current_trace = _current.get


def is_evaluating() -> bool:
    """Whether operations run at once: no trace is under way."""
    return _current.get() is EVALUATING


def bind(record: OperationRecord, *operands: Any, weak: bool | None = None, **attributes: Any) -> Any:
    """Binds an operation with a single result in the current trace.

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
    """Binds an operation with any number of results, or with regions, in the current trace."""
    return _current.get().bind(record, operands, attributes or {}, regions, weak)


class use_trace:  # written out: every operation under a transformation enters it
    """Makes a trace the innermost one.

    Args:
        trace: The trace.
    """

    __slots__ = ("_token", "_trace")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __enter__(self) -> None:
        self._token = _current.set(self._trace)

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)
