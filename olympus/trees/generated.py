# SPDX-License-Identifier: Apache-2.0
"""Functions generated for one structure: taking apart and putting together without a traversal of the tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from olympus_core.codewriter import CodeWriter

from .kinds import BY_IDENTITY, INSIDE, OPAQUE, PLAIN, TEXT, exact_key, fields_of, marks_of, snapshot

_MOST_NODES = 16_384  # above, writing and compiling the function takes longer than a second
_DEEPEST = 64  # levels of containers: Python's compiler has limits
_MOST_PARTS = 64  # of static data that are compared part by part
_EXACT_KEYS = {str, int, bool}  # classes of which equal instances are interchangeable, one class alone
_SHARED = 4  # parts of so many nodes that occur several times have a function of their own


class Structure(Protocol):
    """What code generation needs of a structure; `TreeDef` has it."""

    num_leaves: int
    num_nodes: int

    def children(self) -> Sequence[Structure]:
        """The structures of the children."""

    def node_data(self) -> tuple[type, Any] | None:
        """The container's class and its static data; None for a leaf."""

    def known_data(self) -> Any:
        """The container's static data as they were when the structure was made."""


def unpacker(structure: Structure, is_exact: bool = False) -> Callable[[Any], list[Any] | None] | None:
    """A function that gives the leaves of trees of one structure, and None for all others.

    Args:
        structure: The structure.
        is_exact: Whether a key that is equal to a text must be one: a tree with another key has another structure,
            though no program differs.

    Returns:
        The function; None where the structure is too large. What it takes for a leaf may be a container: whoever uses
        it checks the leaves.

    Example:
        >>> import olympus
        >>> unpack = unpacker(olympus.tree.structure((1, {"a": 2})))
        >>> unpack((3, {"a": 4})), unpack((3, {"b": 4}))
        ([3, 4], None)
    """
    return _Unpacker(structure, is_exact).function(structure) if _is_small_enough(structure) else None


def packer(structure: Structure) -> Callable[[list[Any]], Any] | None:
    """A function that makes a tree of one structure of its leaves: `TreeDef.unflatten`, written out.

    Args:
        structure: The structure.

    Returns:
        The function; None where the structure is too large.

    Example:
        >>> import olympus
        >>> packer(olympus.tree.structure((1, {"a": 2})))([3, 4])
        (3, {'a': 4})
    """
    return _Packer(structure).function(structure) if _is_small_enough(structure) else None


def _is_small_enough(structure: Structure) -> bool:
    level, depth = [structure], 0
    while level and depth <= _DEEPEST:
        level, depth = [child for part in level for child in part.children()], depth + 1
    return not level and structure.num_nodes <= _MOST_NODES


class _Writer(ABC):
    """Generates a function for a structure; parts that occur several times have functions of their own."""

    parameter: str

    def __init__(self, whole: Structure) -> None:
        self._code = CodeWriter("tree")
        # Parts by identity: equal ones may have other static data.
        self._own: dict[int, str] = {}
        self._counts: Counter[int] = Counter()
        rest = [whole]
        while rest:
            part = rest.pop()
            if part.num_nodes >= _SHARED:
                self._counts[id(part)] += 1
                rest += part.children()

    def function(self, structure: Structure) -> Any:
        """The function for a structure."""
        return self._code.define([self.parameter], self.body(structure))

    @abstractmethod
    def body(self, structure: Structure) -> list[str]:
        """The lines of the function for a structure."""

    def own(self, part: Structure) -> str | None:
        """The name of the function that a part has for itself; None where it is written inline."""
        if self._counts[id(part)] < 2:
            return None
        if id(part) not in self._own:
            self._own[id(part)] = self._code.bind(self.function(part))
        return self._own[id(part)]

    def key(self, key: Any) -> str:
        """The text for a dict's key."""
        return repr(key) if type(key) is str else self._code.bind(key)


class _Unpacker(_Writer):
    parameter = "t"

    def __init__(self, whole: Structure, is_exact: bool) -> None:
        super().__init__(whole)
        self._is_exact = is_exact

    def body(self, structure: Structure) -> list[str]:
        lines: list[str] = []
        leaves: list[str] = []
        self._flatten(structure, "t", lines, leaves)
        return [*lines, f"return [{', '.join(leaves)}]"]

    def _flatten(self, structure: Structure, t: str, lines: list[str], leaves: list[str]) -> None:
        """Generates the lines that check `t` and take it apart."""
        node = structure.node_data()
        if node is None:
            leaves.append(t)
            return
        cls, data = node
        children = structure.children()
        parts = [f"{t}_{i}" for i in range(len(children))]
        targets = "".join(f"{part}, " for part in parts)
        if cls is type(None):
            lines.append(f"if {t} is not None: return None")
        elif cls is tuple or cls is list:
            lines.append(f"if type({t}) is not {cls.__name__} or len({t}) != {len(parts)}: return None")
            lines += [f"{targets}= {t}"] if parts else []
        elif cls is dict and (not data or len(kinds := {*map(type, data)}) == 1 and kinds <= _EXACT_KEYS):
            lines.append(f"if type({t}) is not dict or len({t}) != {len(parts)}: return None")
            if parts:
                if self._is_exact or kinds != TEXT:
                    lines.append(f"if {{*map(type, {t})}} != {{{kinds.pop().__name__}}}: return None")
                items = "".join(f"{t}[{self.key(key)}], " for key in data)
                lines += ["try:", f"    {targets}= {items}", "except KeyError: return None"]
        else:
            lines += [f"if type({t}) is not {self._code.bind(cls)}: return None",
                      f"{t}, d = {self._code.bind(INSIDE[cls])}.flatten({t})",
                      f"if not ({self._test(structure)}): return None",
                      f"{t} = [*{t}]", f"if len({t}) != {len(parts)}: return None"]
            lines += [f"{targets}= {t}"] if parts else []
        for child, part in zip(children, parts, strict=True):
            own = self.own(child)
            if own is None:
                self._flatten(child, part, lines, leaves)
            else:
                lines += [f"{part} = {own}({part})", f"if {part} is None: return None"]
                leaves.append(f"*{part}")

    def _test(self, structure: Structure) -> str:
        known, (_, data) = structure.known_data(), structure.node_data() or (None, None)
        test = _test_of(known, "d", self._code)
        if data is None or exact_key(data) is OPAQUE:
            return test
        return f"d is {self._code.bind(data)} or {test}"  # no one can change them


class _Packer(_Writer):
    parameter = "x"

    def body(self, structure: Structure) -> list[str]:
        return [f"return {self._put_together(structure, 0)}"]

    def _put_together(self, structure: Structure, start: int) -> str:
        """What makes a tree of the leaves from an offset on."""
        node = structure.node_data()
        if node is None:
            return f"x[{start}]"
        parts: list[str] = []
        for child in structure.children():
            own, end = self.own(child), start + child.num_leaves
            parts.append(self._put_together(child, start) if own is None else f"{own}(x[{start}:{end}])")
            start = end
        cls, data = node
        if cls is type(None):
            return "None"
        if cls is tuple:
            return f"({''.join(part + ', ' for part in parts)})"
        if cls is list:
            return f"[{', '.join(parts)}]"
        if cls is dict:
            return "{" + ", ".join(f"{self.key(key)}: {part}" for key, part in zip(data, parts, strict=True)) + "}"
        return f"{self._code.bind(INSIDE[cls])}.unflatten({self._code.bind(data)}, [{', '.join(parts)}])"


def _test_of(data: Any, expression: str, code: CodeWriter) -> str:
    """The text of a quick test whether data are surely interchangeable with these, whatever is done to these later.

    Args:
        data: The data of a container.
        expression: Text for the data that are asked about.
        code: Where the test is to stand.

    Returns:
        The text. Of what it refuses, `are_equal` and `marks_of` tell.
    """
    conditions: list[str] = []
    _add_conditions(data, expression, code, conditions)
    return " and ".join(conditions)


def _add_conditions(data: Any, expression: str, code: CodeWriter, conditions: list[str]) -> None:
    cls: Any = type(data)
    if data is None:
        conditions.append(f"{expression} is None")
        return
    name = code.fresh("d")
    value = f"({name} := {expression})"
    if cls in PLAIN:
        conditions += [f"type{value} is {cls.__name__}", f"{name} == {code.bind(data)}"]
        return
    if cls in (tuple, list, dict, OrderedDict) and len(data) <= _MOST_PARTS:
        conditions.append(f"type{value} is {code.bind(cls)}")
        if not data or {*map(type, data)} == TEXT:  # of a dict the keys
            known = list(data)
            conditions.append(f"[*{name}] == {code.bind(known)} and {{*map(type, {name})}} == {code.bind(TEXT)}"
                              if known else f"not {name}")
            parts = [(f"{name}[{key!r}]", data[key]) for key in known] if isinstance(data, dict) else []
        elif isinstance(data, dict):
            conditions.append(f"len({name}) == {len(data)}")
            keys, values = code.fresh("d"), code.fresh("d")
            conditions += [f"({keys} := [*{name}]) is not None", f"({values} := [*{name}.values()]) is not None"]
            parts = [(f"{part}[{i}]", item) for part, items in ((keys, [*data]), (values, [*data.values()]))
                     for i, item in enumerate(items)]
        else:
            conditions.append(f"len({name}) == {len(data)}")
            parts = [(f"{name}[{i}]", part) for i, part in enumerate(data)]
    elif exact_key(data) is not OPAQUE:
        conditions.append(f"{expression} is {code.bind(data)}" if cls.__eq__ is BY_IDENTITY else
                          f"{code.bind(exact_key)}({expression}) == {code.bind(exact_key(data))}")
        return
    elif names := fields_of(cls):
        conditions.append(f"type{value} is {code.bind(cls)}")
        parts = [(f"{name}.{field}", getattr(data, field)) for field in names]
    else:
        conditions.append(f"{code.bind(_is_same)}({expression}, {code.bind(snapshot(data))})")
        return
    for text, part in parts:
        _add_conditions(part, text, code, conditions)


def _is_same(data: Any, known: Any) -> bool:
    try:
        if type(data) is not type(known) or not bool(data == known):
            return False
    except (TypeError, ValueError):
        return False
    try:
        return hash(data) == hash(known) and marks_of(data) == marks_of(known)
    except TypeError:
        return marks_of(data) == marks_of(known)
