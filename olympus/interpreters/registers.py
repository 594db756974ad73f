"""Tables from primitives to rules, in which libraries register theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from ..lax.primitives import BY_NAME
from ..transforms.jaxpr.primitive import Primitive, refuse_known

Rule = Callable[..., Any]


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
