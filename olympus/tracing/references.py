# SPDX-License-Identifier: Apache-2.0
"""References: values that change. In a program there are none; traces carry their contents as further values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from olympus_core.errors import LeakedTracerError, NotSupportedError, ReferenceUseError

from .aval import Aval
from .trace import EVALUATING, Trace, current_trace
from .values import aval_of


class ReferenceTrace(Protocol):
    """A trace that collects a program, in which a reference that stands outside has a content of its own."""

    def content(self, reference: Reference) -> Any:
        """The content here."""

    def set_content(self, reference: Reference, value: Any) -> None:
        """Gives it another one."""


class Reference:
    """A place for an array that can be replaced; see `olympus.Ref`.

    It belongs to the trace in which it was made. Traces inside of that see its content as it is then; those that
    collect a program take it in and give it back as a further input and output of the program (decision 0063).

    Args:
        value: Its first content, an array or a traced value.
    """

    __slots__ = ("_is_freed", "_trace", "_value", "content_aval", "is_shared")
    has_parts = False  # whether each device of a `shard_map` around may write another content; see `joined`

    def __init__(self, value: Any) -> None:
        self._trace, self._value, self._is_freed = current_trace(), value, False
        self.is_shared = True  # whether someone else may hold the content, which then must not be written over
        aval = aval_of(value)
        self.content_aval = Aval(aval.type, aval.weak, aval.layout)

    def read(self) -> Any:
        """The content."""
        self._check_usable()
        trace: Any = current_trace()
        while trace is not self._trace:
            if hasattr(trace, "content"):
                return trace.content(self)
            trace = self._around(trace)
        return self._value

    def write(self, value: Any) -> None:
        """Replaces the content.

        Args:
            value: An array or traced value of the content's shape and element type.

        Raises:
            ReferenceUseError: When the value is one of an inner trace that the reference's trace knows nothing of: it
                is differentiated, or differs from index to index, and the reference does not.
        """
        self._check_usable()
        trace: Any = current_trace()
        while trace is not self._trace:
            if hasattr(trace, "set_content"):
                trace.set_content(self, value)
                return
            value = self._crossing(trace, value)
            trace = self._around(trace)
        self._value = value

    def _crossing(self, trace: Any, value: Any) -> Any:
        """A value that is written as the trace around `trace` knows it."""
        return trace.outward(value)

    def joined(self, contents: Any) -> Any:
        """The content after a `shard_map` in which each device wrote its own.

        Args:
            contents: Theirs, along a further dimension in front.
        """
        raise ReferenceUseError("A reference is written on each device of its own", repr(self), "Write one content.")

    def free(self) -> Any:
        """The last content; the reference cannot be used any more."""
        value = self.read()
        self._is_freed = True
        return value

    def _around(self, trace: Any) -> Any:
        parent = getattr(trace, "parent", None)
        if parent is None:
            raise LeakedTracerError(f"Ref{{{self.content_aval!r}}}")
        return parent

    def _check_usable(self) -> None:
        if self._is_freed:
            raise ReferenceUseError("A reference is used after it was freed", f"Ref{{{self.content_aval!r}}}",
                                    "Read it before olympus.ref.freeze or free_ref, or make another one.")
        if self._trace is not EVALUATING and not getattr(self._trace, "_open", True):
            raise LeakedTracerError(f"Ref{{{self.content_aval!r}}}")


@contextmanager
def lent(references: Sequence[Reference], contents: Sequence[Any], trace: Trace) -> Iterator[None]:
    """References that have other contents meanwhile, as if they had been made in another trace.

    A rule that is applied to a program works on contents that the program carries, not on those of today.

    Args:
        references: The references.
        contents: What they hold meanwhile.
        trace: The trace, that which runs now or one around it.
    """
    before = [(r._trace, r._value) for r in references]
    for reference, content in zip(references, contents, strict=True):
        reference._trace, reference._value = trace, content
    try:
        yield
    finally:
        for reference, (own, value) in zip(references, before, strict=True):
            reference._trace, reference._value = own, value


class UsesReferences(NotSupportedError):
    """A program that would use references as values: whoever asked for it has to carry their contents.

    Args:
        name: The traced function.
        references: The references from outside that it uses, as far as they are known.
    """

    def __init__(self, name: str, references: Sequence[Reference] = ()) -> None:
        self.references = list(references)
        super().__init__(f"References (olympus.new_ref) in {name} here", "this transformation does not carry them",
                         "Read the reference outside, and pass and return arrays.")


def written_outside(name: str) -> ReferenceUseError:
    """The error for a reference that a traced function writes where nobody carries its content."""
    return ReferenceUseError(
        f"{name} writes a reference that stands outside of it",
        "a function that is traced here as one of arrays alone",
        "Pass the reference as an argument, or return what is to be written.")
