# SPDX-License-Identifier: Apache-2.0
"""`jax.experimental.hijax`: types of values that libraries define, and operations on them (decision 0112)."""

from __future__ import annotations

from typing import Any

from olympus.interpreters.ad import Zero, instantiate_zeros, is_undefined_primal
from olympus.ref import AbstractRef
from olympus.tracing.high import HighType, aval_method, aval_property, missing
from olympus.tracing.shaped import AbstractValue, ShapedArray
from olympus.transforms.high.mutable import cur_qdd
from olympus.transforms.high.operations import VJPHiPrimitive
from olympus.transforms.high.primitives import AvalMutableQDD, AvalQDD, HiPrimitive
from olympus.transforms.high.specs import HiPspec, MappingSpec, register_hitype
from olympus_core.deferred import listed


class _Type(HighType):
    """What both kinds of types have: a derived class defines what is asked of it."""

    def to_tangent_aval(self) -> Any:
        """The type of the tangents."""
        raise missing(self, "to_tangent_aval", "a derivative")

    def to_ct_aval(self) -> Any:
        """The type of the cotangents: that of the tangents, unless the class says another one."""
        return self.to_tangent_aval()

    def normalize(self) -> Any:
        """The type without what is no part of it in programs."""
        return self

    def str_short(self, short_dtypes: bool = False, **_: Any) -> str:
        """A short text.

        Args:
            short_dtypes: Whether element types are written shortly.
        """
        return repr(self)


class HiType(_Type):
    """Base of the types of values that do not change. A derived class can be compared and hashed.

    Example:
        >>> HiType().has_qdd
        False
    """

    def lo_ty(self) -> list[Any]:
        """The types of the arrays that a value consists of."""
        raise missing(self, "lo_ty", "a program")

    def lower_val(self, hi_val: Any) -> list[Any]:
        """The arrays that a value consists of.

        Args:
            hi_val: The value.
        """
        raise missing(self, "lower_val", "a program")

    def raise_val(self, *lo_vals: Any) -> Any:
        """The value that consists of arrays.

        Args:
            *lo_vals: The arrays.
        """
        raise missing(self, "raise_val", "a program")

    def vspace_zero(self) -> Any:
        """Of a type of tangents: the zero. Otherwise zeros for each array."""
        raise missing(self, "vspace_zero", "a derivative")

    def vspace_add(self, x: Any, y: Any) -> Any:
        """Of a type of tangents: the sum, which must be that of the arrays.

        Args:
            x: A tangent.
            y: Another one.
        """
        raise missing(self, "vspace_add", "a derivative")

    def dec_rank(self, size: int | None, spec: Any) -> Any:
        """The type of one index of a mapped dimension.

        Args:
            size: How many indices there are.
            spec: Which dimension it is.
        """
        raise missing(self, "dec_rank", "vmap or scan")

    def inc_rank(self, size: int | None, spec: Any) -> Any:
        """The type of all indices of a mapped dimension.

        Args:
            size: How many indices there are.
            spec: Which dimension it becomes.
        """
        raise missing(self, "inc_rank", "vmap or scan")

    def leading_axis_spec(self) -> Any:
        """What stands for the dimension that `scan` walks along."""
        raise missing(self, "leading_axis_spec", "scan")


class MutableHiType(_Type):
    """Base of the types of values that change, also in the structure and types of their arrays.

    Example:
        >>> MutableHiType().has_qdd
        True
    """

    has_qdd = True
    is_writer = False
    type_state = aval_method(cur_qdd)

    def lo_ty(self) -> list[Any]:
        """Not asked of it: the types of the arrays depend on the content."""
        raise missing(self, "lo_ty", "a place where it may not change")

    def lo_ty_qdd(self, state: Any, /) -> list[Any]:
        """The types of the arrays that a value of a certain content consists of.

        Args:
            state: What is known of the content.
        """
        raise missing(self, "lo_ty_qdd", "a program")

    def new_from_loval(self, state: Any, /, *vals: Any) -> Any:
        """A value that consists of arrays.

        Args:
            state: What is known of the content.
            *vals: The arrays.
        """
        raise missing(self, "new_from_loval", "a program")

    def read_loval(self, state: Any, val: Any, /) -> list[Any]:
        """The arrays that a value consists of.

        Args:
            state: What is known of the content.
            val: The value.
        """
        raise missing(self, "read_loval", "a program")

    def update_from_loval(self, state: Any, val: Any, /, *lo_vals: Any) -> None:
        """Gives a value other arrays.

        Args:
            state: What is known of the new content.
            val: The value.
            *lo_vals: The arrays.
        """
        raise missing(self, "update_from_loval", "a program")


class _Effects:
    """The classes of effects that loops may have."""

    def __init__(self) -> None:
        self.types: set[type] = set()

    def add_type(self, cls: type) -> None:
        """Lets loops have effects of a class: olympus keeps the order of what changes by the values themselves."""
        self.types.add(cls)


control_flow_allowed_effects = _Effects()


__all__ = [
    "AbstractRef", "AbstractValue", "AvalMutableQDD", "AvalQDD", "HiPrimitive", "HiPspec", "HiType", "MappingSpec",
    "MutableHiType", "ShapedArray", "VJPHiPrimitive", "Zero", "aval_method", "aval_property",
    "control_flow_allowed_effects", "instantiate_zeros", "is_undefined_primal", "register_hitype",
]
__dir__ = listed(__all__)
