# SPDX-License-Identifier: Apache-2.0
"""Values of libraries' own types that change.

One that stands outside of a trace is seen there as references to its arrays (decision 0063); what a jitted function is
given is one of its own in there, whose last state comes back as a result.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError, ReferenceUseError, described

from ... import tree as public_tree
from ...tracing import EVALUATING, Aval, Reference, aval_of, current_trace, is_evaluating, use_trace
from ...tracing.high import HeldMutable, HighValue, arrays_of, high_type, is_mutable, own_object
from ...trees import inside as tree
from ..arguments import source_of
from ..call_shardings import has_demands

# The values that were made in a trace: they change as Python does it, for as long as it lasts.
_own: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()
_groups: weakref.WeakValueDictionary[int, Group] = weakref.WeakValueDictionary()


def owned(value: Any) -> Any:
    """Notes that a value was made in the current trace."""
    if not is_evaluating():
        _own.setdefault(current_trace(), {})[id(value)] = value
    return value


def _owner(value: Any) -> Any:
    return next((trace for trace, values in _own.items() if values.get(id(value)) is value), EVALUATING)


class Group:
    """A value as references to its arrays, for the traces inside of that which it belongs to.

    Args:
        value: The value.
        type: Its type.
        owner: The trace that it belongs to.
    """

    def __init__(self, value: Any, type: Any, owner: Any) -> None:
        self.value, self.type, self.owner = value, type, owner
        self.parts: list[Part] = []
        self.refresh()

    def refresh(self) -> None:
        """Notes the types of its arrays as they are now."""
        with use_trace(self.owner):
            self.state = self.value.cur_qdd()
        types = self.type.lo_ty_qdd(self.state)
        self.parts += [Part(self, i) for i in range(len(self.parts), len(types))]
        for part, aval in zip(self.parts, types, strict=False):
            part.content_aval = Aval(aval.type, aval.weak)
        self.count = len(types)

    def read(self) -> list[Any]:
        """Its arrays, as the trace that it belongs to knows them."""
        with use_trace(self.owner):
            return list(self.type.read_loval(self.state, self.value))

    def write(self, index: int, content: Any) -> None:
        """Replaces an array."""
        contents = self.read()
        contents[index] = content
        with use_trace(self.owner):
            self.type.update_from_loval(self.state, self.value, *contents)


class Part(Reference):
    """A reference to one of the arrays of a value.

    Args:
        group: The value.
        index: Which array.
    """

    __slots__ = ("group", "index")

    def __init__(self, group: Group, index: int) -> None:
        self.group, self.index = group, index
        self._trace, self._is_freed = group.owner, False

    @property
    def is_shared(self) -> bool:
        """True: the value gives its arrays to anybody."""
        return True

    @is_shared.setter
    def is_shared(self, _: bool) -> None:
        """Asked for after a call that gave it a new array, which is in nobody else's hands yet."""

    @property
    def _value(self) -> Any:
        self.group.refresh()
        if self.index >= self.group.count:
            raise _changed(self.group.type)
        return self.group.read()[self.index]

    @_value.setter
    def _value(self, content: Any) -> None:
        self.group.write(self.index, content)


def _changed(type: Any) -> ReferenceUseError:
    return ReferenceUseError(
        "A value that stands outside of a traced function changes its structure or type in it", repr(type),
        "Pass it as an argument of the jitted function.")


def _group(value: Any, type: Any, owner: Any) -> Group:
    found = _groups.get(id(value))
    if found is None or found.value is not value:
        found = _groups[id(value)] = Group(value, type, owner)
    else:
        found.refresh()
    return found


def cur_qdd(x: Any) -> Any:
    """What is known of the content of a value that changes, of a type that a library has defined, as of now.

    Args:
        x: The value.

    Returns:
        What its type's methods take for the state.

    Raises:
        ArgumentError: If it is no such value.

    Example:
        >>> import olympus
        >>> from olympus.experimental import cur_qdd
        >>> try:
        ...     cur_qdd(1)
        ... except olympus.errors.ArgumentError as error:
        ...     print(error.args[0].splitlines()[0])
        cur_qdd: the value does not change.
    """
    kind = high_type(x)
    if not is_mutable(kind):
        raise ArgumentError("cur_qdd", "the value does not change", described(x), "a value of a MutableHiType")
    owner = _owner(x)
    return x.cur_qdd() if owner is current_trace() else _group(x, kind, owner).state


def apply(primitive: Any, args: Sequence[Any], kinds: Sequence[Any], params: dict[str, Any]) -> Any:
    """An operation on values of which some change."""
    given, lent = [], []
    for x, kind in zip(args, kinds, strict=True):
        if not is_mutable(kind):
            given.append(own_object(kind, x.parts) if isinstance(x, HighValue) else x)
            continue
        if (owner := _owner(x)) is current_trace():
            given.append(x)
            continue
        group = _group(x, kind, owner)
        before = [part.read() for part in group.parts[:group.count]]
        local = owned(kind.new_from_loval(group.state, *before))
        given.append(local)
        lent.append((group, local, before))
    results = primitive.to_lojax(*given, **params)
    for group, local, before in lent:
        _written(group, local, before)
        _own.get(current_trace(), {}).pop(id(local), None)
    return made(results, primitive.multiple_results)


def _written(group: Group, local: Any, before: Sequence[Any]) -> None:
    state = local.cur_qdd()
    if state != group.state and _plain(state) != _plain(group.state):
        raise _changed(group.type)
    after = group.type.read_loval(state, local)
    for part, old, new in zip(group.parts, before, after, strict=False):
        if new is old:
            continue
        if aval_of(new).type is not part.content_aval.type:
            raise _changed(group.type)
        part.write(new)


def _plain(state: Any) -> Any:
    return state.normalize() if hasattr(state, "normalize") else state


def made(results: Any, several: bool) -> Any:
    """What an operation gave, as values of the current trace."""
    found = [_entered(x) for x in results] if several else _entered(results)
    return found


def _entered(value: Any) -> Any:
    kind = high_type(value)
    if is_mutable(kind):
        return owned(value)
    if kind is None or is_evaluating() or isinstance(value, HighValue):
        return value
    return HighValue(kind, arrays_of(kind, value))


class State:
    """A value that changes, as a container of its arrays.

    Args:
        number: Which of the values of a call it is.
        type: Its type.
        state: What is known of its content.
        parts: Its arrays; None where it is an argument again.
    """

    def __init__(self, number: int, type: Any, state: Any, parts: Sequence[Any]) -> None:
        self.number, self.type, self.state, self.parts = number, type, state, parts


public_tree.register_pytree_node(
    State, lambda s: (s.parts, (s.number, s.type, s.state)),
    lambda known, parts: State(known[0], known[1], known[2], parts))


def _is_state(x: Any) -> bool:
    return isinstance(x, State)


def _held(jitted: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[Any], list[Any], dict[str, Any]]:
    """The values among a call's arguments, and the arguments with their states."""
    values: list[Any] = []
    numbers, names = jitted.statics

    def hold(leaf: Any) -> Any:
        if not isinstance(leaf, HeldMutable):
            return leaf
        value, known = leaf.value, [id(x) for x in values]
        kind = high_type(value)
        if id(value) in known:
            return State(known.index(id(value)), kind, None, ())
        values.append(value)
        state = cur_qdd(value)
        return State(len(values) - 1, kind, state, tuple(kind.read_loval(state, value)))

    given = [a if i in numbers else tree.map(hold, a) for i, a in enumerate(args)]
    return values, given, {k: v if k in names else tree.map(hold, v) for k, v in sorted(kwargs.items())}


def holding(jitted: Any) -> Callable[..., Any]:
    """A jitted function's function, given states for values that change; gives their last states, too."""

    def function(*args: Any, **kwargs: Any) -> Any:
        inside: dict[int, tuple[Any, Any]] = {}

        def enter(leaf: Any) -> Any:
            if not isinstance(leaf, State):
                return leaf
            if leaf.number not in inside:
                inside[leaf.number] = leaf.type, owned(leaf.type.new_from_loval(leaf.state, *leaf.parts))
            return inside[leaf.number][1]

        numbers, names = jitted.statics
        given = [a if i in numbers else tree.map(enter, a, is_leaf=_is_state) for i, a in enumerate(args)]
        named = {k: v if k in names else tree.map(enter, v, is_leaf=_is_state) for k, v in kwargs.items()}
        results = jitted._function(*given, **named)
        last = [State(i, kind, value.cur_qdd(), tuple(kind.read_loval(value.cur_qdd(), value)))
                for i, (kind, value) in sorted(inside.items())]
        return results, last

    function.__name__ = jitted.name
    return function


def held_call(jitted: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, list[Any], Any, Any]:
    """The jitted function of states, the values, and its arguments."""
    if has_demands(jitted):
        raise NotSupportedError(f"Values that change in {jitted.name}, which has in_shardings or out_shardings,",
                                "these count arguments and results alone",
                                "Use olympus.with_sharding_constraint inside of it.")
    values, given, named = _held(jitted, args, kwargs)
    if jitted._holding is None:
        numbers, names = jitted.statics
        jitted._holding = type(jitted)(holding(jitted), static_argnums=sorted(numbers),
                                       static_argnames=() if numbers else sorted(names))
    return jitted._holding, values, given, named


def call_with_mutables(jitted: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Calls a jitted function that is given values that change.

    Args:
        jitted: The function.
        args: The call's arguments.
        kwargs: Those by name.
    """
    of_states, values, given, named = held_call(jitted, args, kwargs)
    return _updated(values, of_states(*given, **named))


def _updated(values: Sequence[Any], found: tuple[Any, Sequence[State]]) -> Any:
    """The results of a call; the values have their last states."""
    results, last = found
    for value, state in zip(values, last, strict=True):
        state.type.update_from_loval(state.state, value, *state.parts)
    return results


def traced_with_mutables(jitted: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The function traced, and its own results' structure: the states come after them."""
    of_states, _, given, named = held_call(jitted, args, kwargs)
    traced = of_states.traced_with_references(tuple(given), named)
    return traced, traced.out_tree.children()[0]


def staged_with_mutables(jitted: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What the stages of a function that is given values that change know: the states are further results."""
    of_states, _, given, named = held_call(jitted, args, kwargs)
    staged = of_states._staged(tuple(given), named)
    own = staged.out_tree.children()[0]

    def around(run: Callable[[Any, Any], Any], args: Any, kwargs: Any) -> Any:
        _, values, given, named = held_call(jitted, args, kwargs)
        return _updated(values, run(tuple(given), named))

    return replace(staged, source=source_of(jitted._function), out_tree=own,
                   out_avals=staged.out_avals[:own.num_leaves], around=around)
