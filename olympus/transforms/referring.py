# SPDX-License-Identifier: Apache-2.0
"""Jitted functions that use references: compiled as functions of the contents, which they write over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from olympus_core import ops
from olympus_core.errors import NotSupportedError, ReferenceUseError

from ..tracing import Reference, UsesReferences, bind, current_trace
from ..tracing.high import UsesMutables
from ..trees import inside as tree
from .arguments import source_of
from .call_shardings import has_demands


class Referring(Protocol):
    """What is needed here of a jitted function.

    Attributes:
        references: The references from outside that it is known to use.
    """

    references: list[Reference]

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def statics(self) -> tuple[frozenset[int], frozenset[str]]:
        """Positions and names of its static arguments."""

    @property
    def carrying(self) -> Any:
        """The same function with the contents of references as first argument and second result."""


class Slot:
    """What stands in the arguments for a reference: its number among those that are carried.

    Args:
        number: The number.
        kind: The reference's class.
    """

    __slots__ = ("kind", "number")

    def __init__(self, number: int, kind: type[Reference]) -> None:
        self.number, self.kind = number, kind


tree.register_pytree_node(Slot, lambda slot: ((), (slot.number, slot.kind)), lambda known, _: Slot(*known))


def call_with_references(jitted: Referring, uses: UsesReferences, args: Any, kwargs: Any) -> Any:
    """Calls a jitted function of which it is known by now that it uses references.

    Args:
        jitted: The function.
        uses: Those from outside that it was seen to use; or that it is given values that change.
        args: The call's arguments.
        kwargs: Those by name.
    """
    if isinstance(uses, UsesMutables):
        return high_mutable().call_with_mutables(jitted, args, kwargs)
    found: Sequence[Reference] = uses.references
    while True:
        references, given, named = _carried(jitted, found, args, kwargs)
        try:
            results, contents = jitted.carrying([_owned(r) for r in references], *given, **named)
            break
        except UsesReferences as more:  # others, on the way that these arguments take
            if not more.references:
                raise
            found = more.references
    for reference, content in zip(references, contents, strict=True):
        reference.write(content)
        reference.is_shared = False
    return results


def traced_with_references(jitted: Referring, uses: UsesReferences, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The function traced, and its own results' structure: the contents are the first inputs and the last outputs."""
    if isinstance(uses, UsesMutables):
        found_traced: tuple[Any, Any] = high_mutable().traced_with_mutables(jitted, args, kwargs)
        return found_traced
    found: Sequence[Reference] = uses.references
    while True:
        references, given, named = _carried(jitted, found, args, kwargs)
        try:
            traced = jitted.carrying.traced_with_references(([r.read() for r in references], *given), named)
            break
        except UsesReferences as more:
            if not more.references:
                raise
            found = more.references
    return traced, tree.structure(tree.unflatten(traced.out_tree, traced.out_avals)[0])


def high_mutable() -> Any:
    """The module about values that change; few programs have any."""
    from .high import mutable

    return mutable


def staged_with_references(jitted: Any, uses: UsesReferences, args: Any, kwargs: Any) -> Any:
    """What the stages of a function that uses references know: the contents are further arguments and results."""
    if isinstance(uses, UsesMutables):
        return high_mutable().staged_with_mutables(jitted, args, kwargs)
    _, own = traced_with_references(jitted, uses, args, kwargs)
    references, given, named = _carried(jitted, (), args, kwargs)

    def around(run: Callable[[Any, Any], Any], args: Any, kwargs: Any) -> Any:
        references, given, named = _carried(jitted, (), args, kwargs)
        results, contents = run(([_owned(r) for r in references], *given), named)
        for reference, content in zip(references, contents, strict=True):
            reference.write(content)
            reference.is_shared = False
        return results

    staged = jitted.carrying._staged(([r.read() for r in references], *given), named)
    count = len(references)
    positional, by_name = staged.in_tree.children()
    in_tree = tree.structure((tuple(tree.unflatten(positional, [0] * positional.num_leaves))[1:],
                              tree.unflatten(by_name, [0] * by_name.num_leaves)))

    def names() -> list[str]:
        own = jitted._leaf_names(jitted._split(tuple(given), named)[0])
        return [*(f"content of reference {i}" for i in range(count)), *own]

    return replace(
        staged, source=source_of(jitted._function), argument_names=names, in_tree=in_tree,
        in_avals=staged.in_avals[count:], contents=count,
        donated=frozenset(i - count for i in staged.donated if i >= count),
        donate_argnums=tuple(n - 1 for n in staged.donate_argnums if n), out_tree=own,
        out_avals=staged.out_avals[:own.num_leaves], around=around)


def _carried(
    jitted: Referring, found: Sequence[Reference], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Reference], Any, Any]:
    """The references whose contents are carried, and the arguments with slots for those among them."""
    known, (numbers, names) = jitted.references, jitted.statics
    known += [r for r in found if r not in known]
    references = list(known)

    def slot(leaf: Any) -> Any:
        if not isinstance(leaf, Reference):
            return leaf
        if leaf in references:
            raise ReferenceUseError(f"{jitted.name} is given a reference that it has already",
                                    repr(leaf), "Pass each reference once, and do not use it from outside as well.")
        references.append(leaf)
        return Slot(len(references) - 1, type(leaf))

    given = [a if i in numbers else tree.map(slot, a) for i, a in enumerate(args)]
    named = {k: v if k in names else tree.map(slot, v) for k, v in sorted(kwargs.items())}
    return references, given, named


def carrying(jitted: Any) -> Any:
    """A jitted function with the contents of references as first argument, donated, and second result.

    Raises:
        NotSupportedError: When it says where arguments or results are to be.
    """
    if has_demands(jitted):
        raise NotSupportedError(f"References in {jitted.name}, which has in_shardings or out_shardings,",
                                "these count arguments and results alone",
                                "Use olympus.with_sharding_constraint inside of it.")
    numbers, names = jitted.statics
    return type(jitted)(
        carrying_contents(jitted, jitted._function), static_argnums=[n + 1 for n in numbers],
        static_argnames=() if numbers else sorted(names), donate_argnums=[0, *(n + 1 for n in jitted._donate_numbers)])


def carrying_contents(jitted: Referring, function: Callable[..., Any]) -> Callable[..., Any]:
    """A jitted function with the contents of references as first argument and second result.

    Args:
        jitted: The jitted function.
        function: What it calls.
    """

    def carrying(contents: list[Any], *args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        trace: Any = current_trace()
        outside = len(jitted.references)
        for reference, content in zip(jitted.references, contents[:outside], strict=True):
            trace.carry(reference, content)
        inside: dict[int, Reference] = {}

        def entered(leaf: Any) -> Any:
            if not isinstance(leaf, Slot):
                return leaf
            return inside.setdefault(leaf.number, leaf.kind(contents[leaf.number]))

        args, kwargs = tree.map(entered, (args, kwargs), is_leaf=lambda x: isinstance(x, Slot))
        results = function(*args, **kwargs)
        last = [inside[i].read() for i in range(outside, len(contents))]
        return results, [*map(trace.forget, jitted.references), *last]

    carrying.__name__ = jitted.name
    return carrying


def _owned(reference: Reference) -> Any:
    """The content, in memory that nobody else knows: the program writes over it."""
    is_shared = reference.is_shared  # before it is read, which shares it
    content, aval = reference.read(), reference.content_aval
    return bind(ops.convert, content, dtype=aval.dtype, weak=aval.weak) if is_shared else content
