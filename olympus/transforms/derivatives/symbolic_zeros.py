# SPDX-License-Identifier: Apache-2.0
"""Zeros that are given to rules of users as what they are, where they ask for it (`symbolic_zeros=True`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tracing import Aval, aval_of
from ...tracing.aval import has_tangent
from ...trees import inside as _tree
from ..traces.arithmetic import zeros
from ..traces.jvp_trace import float0


class SymbolicZero:
    """A tangent or cotangent that is known to be zero.

    Args:
        aval: Its abstract value.

    Example:
        >>> import olympus
        >>> from olympus.custom_derivatives import SymbolicZero
        >>> first = olympus.custom_jvp(lambda x, y: x)
        >>> @first.defjvp
        ... def rule(primals, tangents):
        ...     return primals[0], tangents[0]
        >>> first.defjvp(rule, symbolic_zeros=True) is rule
        True
        >>> SymbolicZero.from_primal_value(olympus.numpy.ones(3)).shape
        (3,)
    """

    __slots__ = ("aval",)

    def __init__(self, aval: Aval) -> None:
        self.aval = aval

    @classmethod
    def from_primal_value(cls, val: Any) -> SymbolicZero:
        """The zero of a value's tangent.

        Args:
            val: The value.
        """
        return cls(Aval(aval_of(val).type))

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.aval.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements; that of integers' tangents is `float0`."""
        return self.aval.dtype if has_tangent(self.aval) else float0

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.aval.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.aval.size

    def __repr__(self) -> str:
        return "SymbolicZero"


class CustomVJPPrimal:
    """An argument as the forward part of a rule gets it that asks for symbolic zeros.

    Args:
        value: The argument.
        perturbed: Whether it has a tangent.
    """

    __slots__ = ("perturbed", "value")

    def __init__(self, value: Any, perturbed: bool) -> None:
        self.value, self.perturbed = value, perturbed

    def __repr__(self) -> str:
        return f"CustomVJPPrimal(value={self.value!r}, perturbed={self.perturbed})"


def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """Arguments of which each leaf is a `CustomVJPPrimal` as plain arguments.

    Args:
        tree: The arguments.

    Returns:
        The same with the values.

    Example:
        >>> from olympus.custom_derivatives import CustomVJPPrimal, custom_vjp_primal_tree_values
        >>> custom_vjp_primal_tree_values({"x": CustomVJPPrimal(1.0, True)})
        {'x': 1.0}
    """
    return _tree.map(lambda leaf: leaf.value if isinstance(leaf, CustomVJPPrimal) else leaf, tree)


def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """The zero of a value's tangent.

    Args:
        val: The value: an array, or a nested container of them.
        symbolic_zeros: Whether a `SymbolicZero` is wanted instead of an array.

    Example:
        >>> import olympus
        >>> float(olympus.custom_derivatives.zero_from_primal(3.0))
        0.0
    """
    def zero(x: Any) -> Any:
        found = SymbolicZero.from_primal_value(x)
        return found if symbolic_zeros else zero_array(found.aval)

    return _tree.map(zero, val)


def zero_array(aval: Aval) -> Any:
    """The zero of a value's tangent as an array."""
    return zeros(Aval(aval.type)) if has_tangent(aval) else np.zeros(aval.shape, float0)


def is_zero(x: Any) -> bool:
    """Whether a rule gave this for a tangent or cotangent that is zero."""
    return isinstance(x, SymbolicZero) or getattr(x, "dtype", None) == float0
