# SPDX-License-Identifier: Apache-2.0
"""Tables from primitives to rules, in which libraries register theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from ..lax.primitives import BY_NAME
from ..tracing.values import array_classes, aval_of
from ..transforms.jaxpr.primitive import Primitive, refuse_known

Rule = Callable[..., Any]


class ArrayClasses(MutableMapping[type, Callable[[Any], Any]]):
    """From classes whose values are taken for arrays to what gives the array. Setting an entry registers a class.

    Example:
        >>> import numpy as np, olympus.numpy as jnp
        >>> from olympus.interpreters import xla
        >>> class Constant:
        ...     def __array__(self, dtype=None, copy=None):
        ...         return np.ones(2, np.float32)
        >>> xla.canonicalize_dtype_handlers[Constant] = xla.canonicalize_dtype_handlers[np.ndarray]
        >>> print(jnp.sin(Constant()))
        [0.84147096 0.84147096]
    """

    def __getitem__(self, cls: type) -> Callable[[Any], Any]:
        return np.asarray if issubclass(cls, (np.ndarray, np.generic)) else array_classes[cls]

    def __setitem__(self, cls: type, handler: Callable[[Any], Any]) -> None:
        if not isinstance(cls, type) or not callable(handler):
            raise ArgumentError("canonicalize_dtype_handlers", "a class and a function are needed",
                                f"{described(cls)}, {described(handler)}")
        array_classes[cls] = handler

    def __delitem__(self, cls: type) -> None:
        del array_classes[cls]

    def __iter__(self) -> Iterator[type]:
        yield from (np.ndarray, *array_classes)

    def __len__(self) -> int:
        return 1 + len(array_classes)


class ArrayTypes(ArrayClasses):
    """From classes whose values are taken for arrays to what gives the type of one.

    Setting an entry registers a class; the array that its values stand for, and with it the type, is what
    `olympus.interpreters.xla.canonicalize_dtype_handlers` says, or what their `__array__` gives.
    """

    def __getitem__(self, cls: type) -> Callable[[Any], Any]:
        super().__getitem__(cls)
        return aval_of

    def __setitem__(self, cls: type, handler: Callable[[Any], Any]) -> None:
        super().__setitem__(cls, array_classes.get(cls, np.asarray))



class Register(MutableMapping[Primitive, Rule]):
    """A table of rules. Setting an entry registers a rule for a library's primitive.

    Entries of olympus's own primitives give rules that do what these do.

    Args:
        name: What people call it.
        enter: Makes a primitive follow a rule; None takes the rule away.
        of_known: The rule of one of olympus's own primitives.
    """

    def __init__(
        self, name: str, enter: Callable[[Primitive, Rule | None], None], of_known: Callable[[Primitive], Rule]
    ) -> None:
        self._name, self._enter, self._of_known = name, enter, of_known
        self._rules: dict[Primitive, Rule] = {}

    def __getitem__(self, prim: Primitive) -> Rule:
        if getattr(prim, "is_known", False):
            return self._of_known(prim)
        return self._rules[prim]

    def __setitem__(self, prim: Primitive, rule: Rule) -> None:
        self._enter(refuse_known(prim, self._name), rule)
        self._rules[prim] = rule

    def __delitem__(self, prim: Primitive) -> None:
        del self._rules[prim]
        self._enter(prim, None)

    def __iter__(self) -> Iterator[Primitive]:
        yield from dict.fromkeys(BY_NAME.values())
        yield from self._rules

    def __len__(self) -> int:
        return len(set(BY_NAME.values())) + len(self._rules)

    def __repr__(self) -> str:
        return f"<{self._name}: {len(self._rules)} rules of libraries>"
