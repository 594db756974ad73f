# SPDX-License-Identifier: Apache-2.0
"""Base classes of `jax.experimental.hijax`, so that libraries which define types of values of their own are importable.

olympus traces arrays and references; a value of another type that takes part in a program is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus.interpreters.ad import Zero, instantiate_zeros, is_undefined_primal
from olympus.tracing.shaped import AbstractValue
from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError


def _refuse(what: str) -> NotSupportedError:
    return NotSupportedError(what, "olympus traces arrays and references, no types of values that libraries define",
                             "Switch the library's use of hijax off (for flax: flax_hijax_variable=False).")


class MutableHiType(AbstractValue):
    """Base of the types of values that change."""


class HiType(AbstractValue):
    """Base of the types of values that do not change."""


class HiPrimitive:
    """Base of the operations on such values; binding one is an error.

    Args:
        name: The operation's name.
    """

    multiple_results = False

    def __init__(self, name: str) -> None:
        self.name = name

    def bind(self, *args: Any, **params: Any) -> Any:
        """Refuses the operation.

        Args:
            *args: Its operands.
            **params: Its parameters.

        Raises:
            NotSupportedError: Always.
        """
        raise _refuse(f"the operation {self.name}")


class AvalQDD:
    """A type with what is known of its value's content.

    Args:
        aval: The type.
        qdd: What is known.
    """

    def __init__(self, aval: Any, qdd: Any) -> None:
        self.aval, self.qdd = aval, qdd


class AvalMutableQDD(AvalQDD):
    """The same, where what is known changes."""


class aval_method:
    """A method of traced values, kept by their type.

    Args:
        fun: The method.
    """

    def __init__(self, fun: Callable[..., Any]) -> None:
        self.fun = fun


class aval_property:
    """A property of traced values, kept by their type.

    Args:
        fget: What gives its value.
    """

    def __init__(self, fget: Callable[[Any], Any]) -> None:
        self.fget = fget


class _Effects:
    """The classes of effects that loops may have."""

    def __init__(self) -> None:
        self.types: set[type] = set()

    def add_type(self, cls: type) -> None:
        """Lets loops have effects of a class."""
        self.types.add(cls)


control_flow_allowed_effects = _Effects()


def register_hitype(val_cls: type, typeof_fn: Callable[[Any], Any]) -> None:
    """Says what type the values of a class have; without such values in programs, nothing asks for it.

    Args:
        val_cls: The class.
        typeof_fn: Gives a value's type.
    """
    if not isinstance(val_cls, type) or not callable(typeof_fn):
        raise _refuse("register_hitype with other arguments than a class and a function")


__all__ = [
    "AbstractValue", "AvalMutableQDD", "AvalQDD", "HiPrimitive", "HiType", "MutableHiType", "Zero", "aval_method",
    "aval_property", "control_flow_allowed_effects", "instantiate_zeros", "is_undefined_primal", "register_hitype",
]
__dir__ = listed(__all__)
