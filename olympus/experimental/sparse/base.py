# SPDX-License-Identifier: Apache-2.0
"""What all formats of sparse arrays have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from olympus_core.errors import ArgumentError, NotSupportedError, OlympusError, described

from ... import numpy as jnp
from ...array import Array
from ...operands import integers
from ...tracing import Tracer
from ...waiting import block_until_ready

S = TypeVar("S", bound="JAXSparse")


class SparseEfficiencyError(OlympusError, ValueError):
    """A layout was asked for that takes more memory than the elements need.

    Args:
        shape: The array's shape.
        change: What was asked for.
    """

    def __init__(self, shape: Sequence[int], change: str) -> None:
        super().__init__(
            f"An array of shape {tuple(shape)} would need much more memory {change}.",
            fix="Pass on_inefficient='warn', or None, to do it all the same.")


class SparseEfficiencyWarning(UserWarning):
    """A layout takes more memory than the elements need.

    Args:
        message: What was asked for.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)


class CuSparseEfficiencyWarning(SparseEfficiencyWarning):
    """A layout has no quick code in NVIDIA's library; for programs that filter it, olympus never warns of it."""


class Later:
    """What the arrays' methods call of the files that are built on them; each fills in its own when it is imported."""

    sparsify: Callable[[Callable[..., Any]], Callable[..., Any]]
    operator_of: Callable[[str], Callable[..., Any]]
    update_layout: Callable[..., Any]
    transpose: Callable[..., Any]


LATER = Later()


class JAXSparse:
    """Base of the sparse arrays: operators, and what follows from shape and data.

    Attributes:
        data: The stored elements.
        shape: The shape of the array.
    """

    __array_priority__ = 200  # arrays on the left of an operator give way
    __array_ufunc__ = None
    __hash__: ClassVar[None]  # type: ignore[assignment]

    data: Array
    shape: tuple[int, ...]

    @property
    def dtype(self) -> np.dtype:
        """The element type."""
        return self.data.dtype

    @property
    def ndim(self) -> int:
        """How many dimensions the array has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements the array has, stored or not."""
        return math.prod(self.shape)

    @property
    def nse(self) -> int:
        """How many elements are stored: for each index of the batch dimensions."""
        raise NotImplementedError

    @property
    def T(self: S) -> S:
        """The dimensions reversed."""
        return self.transpose()

    def transpose(self: S, axes: Sequence[int] | None = None) -> S:
        """The dimensions in another order; reversed for None."""
        raise NotImplementedError

    def todense(self) -> Array:
        """The array with all its elements."""
        raise NotImplementedError

    def block_until_ready(self: S) -> S:
        """Waits until the stored elements and their places are there."""
        return block_until_ready(self)

    def sum(self, axis: int | Sequence[int] | None = None) -> Any:
        """The sum over dimensions, all for None: an array without places, or a sparse one."""
        return LATER.sparsify(lambda x: jnp.sum(x, axis))(self)

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentError("len", "a sparse array of no dimensions has no length", described(self))
        return self.shape[0]

    def __bool__(self) -> bool:
        raise ArgumentError("bool", "the truth of a sparse array is not defined", described(self),
                            "one number", "Ask about its elements, x.todense() or x.data.")

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            text = f"{name}({self.dtype}{list(self.shape)}, nse={self.nse}{self._layout_text()})"
        except (AttributeError, IndexError, TypeError):
            return f"{name}(<placeholder>)"  # of what is no array, as transformations of trees make
        return f"Traced<{text}>" if isinstance(self.data, Tracer) else text

    def _layout_text(self) -> str:
        return ""

    # The operators: those that keep zeros zero go to the stored elements.

    def __neg__(self) -> Any:
        return _sparsified("negative", self)

    def __pos__(self: S) -> S:
        return self

    def __abs__(self) -> Any:
        return _sparsified("abs", self)

    def __matmul__(self, other: Any) -> Any:
        return _sparsified("matmul", self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _sparsified("matmul", other, self)

    def __mul__(self, other: Any) -> Any:
        return _sparsified("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _sparsified("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _sparsified("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        raise no_rule("division by a sparse array")

    def __add__(self, other: Any) -> Any:
        return _sparsified("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _sparsified("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _sparsified("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _sparsified("subtract", other, self)

    def __pow__(self, other: Any) -> Any:
        return LATER.sparsify(lambda x: x ** other)(self)

    def __getitem__(self, index: Any) -> Any:
        return LATER.sparsify(lambda x: x[index])(self)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> Any:
        raise no_rule("eq")

    def __ne__(self, other: object) -> Any:
        raise no_rule("ne")

    def __lt__(self, other: Any) -> Any:
        raise no_rule("lt")

    def __le__(self, other: Any) -> Any:
        raise no_rule("le")

    def __gt__(self, other: Any) -> Any:
        raise no_rule("gt")

    def __ge__(self, other: Any) -> Any:
        raise no_rule("ge")


def _sparsified(name: str, *operands: Any) -> Any:
    return LATER.operator_of(name)(*operands)


def no_rule(operation: str) -> NotSupportedError:
    """The error for an operation whose result has no zeros to leave out."""
    return NotSupportedError(
        f"{operation} of a sparse array", "its result would be dense, or has no sparse form yet",
        "Convert the operand with sparse.todense(x), or work on x.data.")


def shape_given(function: str, shape: Any) -> tuple[int, ...]:
    """A sparse array's shape, checked."""
    found = integers(function, shape, "the shape")
    if found and min(found) < 0:
        raise ArgumentError(function, "a dimension is negative", found, "sizes of zero or more")
    return found
