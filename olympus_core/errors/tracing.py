"""Errors about tracing: a value was needed before it exists, or outlived its trace."""

from __future__ import annotations

from .base import OlympusError


class TracingError(OlympusError):
    """Base of the errors about tracing."""


class ConcretizationError(TracingError, TypeError):
    """Python asked for the value of an array that is only being traced.

    Args:
        what: The Python operation, such as ``bool()``.
        type: The traced value's type, in text.
    """

    def __init__(self, what: str, type: str) -> None:
        self.what = what
        super().__init__(
            f"{what} needs the value of an array that is being traced and has none yet.", given=f"a traced {type}",
            expected="a concrete array or a Python value",
            fix="Use olympus.numpy.where or olympus.lax.cond / while_loop for decisions on traced values, or mark the "
                "argument as static (static_argnums, static_argnames).",
        )


class LeakedTracerError(TracingError, RuntimeError):
    """A traced value was used after the function that was traced had returned.

    Args:
        type: The traced value's type, in text.
    """

    def __init__(self, type: str) -> None:
        super().__init__(
            f"A traced value ({type}) is used outside of the function in whose tracing it arose.",
            fix="Return the value from the traced function instead of storing it in a variable outside.",
        )


class TreeError(TracingError, ValueError, TypeError):
    """Nested containers do not have the structure that is needed.

    Args:
        problem: What does not fit, a sentence.
        given: The structure that was given.
        expected: The structure that is needed.
    """

    def __init__(self, problem: str, given: object = None, expected: object = None) -> None:
        super().__init__(problem, given=given, expected=expected, fix="Make both structures alike.")


class ArgumentError(TracingError, TypeError, ValueError):
    """An argument is of a kind or value that the function does not take.

    Args:
        function: The function.
        problem: What does not fit, a clause.
        given: What was given.
        expected: What would fit.
        fix: What to do.
    """

    def __init__(self, function: str, problem: str, given: object = None, expected: object = None,
                 fix: str | None = None) -> None:
        self.function = function
        super().__init__(f"{function}: {problem}.", given=given, expected=expected, fix=fix)


class LiteralRangeError(TracingError, OverflowError):
    """A Python integer does not fit the element type of the array that it meets.

    Args:
        function: The function.
        number: The integer.
        dtype: The element type's name.
        low: The least number that fits.
        high: The greatest number that fits.
    """

    def __init__(self, function: str, number: int, dtype: str, low: int, high: int) -> None:
        self.function, self.number, self.dtype = function, number, dtype
        super().__init__(
            f"{function}: the Python integer {number} does not fit {dtype}.", given=number,
            expected=f"a number from {low} to {high}",
            fix="Convert the array to a wider type with x.astype(...), or wrap the number as an array of its own type.",
        )


class IndexOutOfBoundsError(TracingError, IndexError):
    """A Python integer used as an index lies outside of the array.

    Args:
        index: The index.
        axis: The axis that it indexes.
        size: The array's size along it.
    """

    def __init__(self, index: int, axis: int, size: int) -> None:
        self.index, self.axis, self.size = index, axis, size
        super().__init__(
            f"Index {index} is out of bounds for axis {axis} with size {size}.", given=index,
            expected=f"an index from {-size} to {size - 1}" if size else "no index: the axis is empty",
            fix="Use x.at[index].get(mode='clip') or mode='fill' where an index may lie outside.",
        )


class TooManyIndicesError(TracingError, IndexError):
    """An array was indexed with more indices than it has dimensions.

    Args:
        count: How many there are.
        ndim: The array's number of dimensions.
    """

    def __init__(self, count: int, ndim: int) -> None:
        self.count, self.ndim = count, ndim
        super().__init__(f"Too many indices: {count} for an array of {ndim} dimensions.", given=count,
                         expected=f"at most {ndim}", fix="Leave some out; an array of 0 dimensions takes () or ... only.")


class IndexTypeError(TracingError, TypeError):
    """Something was used as an index that is none.

    Args:
        given: What was used.
    """

    def __init__(self, given: str) -> None:
        super().__init__("An index is of a kind that arrays do not take.", given=given,
                         expected="integers, slices, None, ..., arrays of integers or bools",
                         fix="Convert an array of indices with x.astype(int).")
