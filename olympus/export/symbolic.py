# SPDX-License-Identifier: Apache-2.0
"""Symbolic shapes: named dimensions in the shapes of arguments, written as text."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from olympus_core.errors import ArgumentError, ExportedCallError, OlympusError, SymbolicShapeError, described
from olympus_core.location import user_location

from .. import tree
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import Aval, aval_of
from ..transforms.prefix import spread
from .dimensions import Dimension, Scope, evaluate, extreme, solved, variables

_LONGEST, _MOST_CONSTRAINTS = 1000, 64
_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow}
_FUNCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "floordiv": operator.floordiv, "mod": operator.mod, "max": lambda a, b: extreme("max", a, b),
    "min": lambda a, b: extreme("min", a, b)}
_COMPARED = re.compile(r"(>=|<=|==)")


class SymbolicScope(Scope):
    """Dimensions that belong together, with what is known of them.

    Args:
        constraints: What is known, such as ``"n >= 2"``, ``"a <= b"`` and ``"a == 2*b"``.

    Raises:
        SymbolicShapeError: For a constraint that cannot be read, or is false.

    Example:
        >>> from olympus import export
        >>> scope = export.SymbolicScope(["n >= 2"])
        >>> n, = export.symbolic_shape("n", scope=scope)
        >>> n - 1 >= 1
        True
    """

    def __init__(self, constraints: Sequence[str] = ()) -> None:
        super().__init__()
        self._made_at = user_location()
        if isinstance(constraints, str):
            raise SymbolicShapeError("constraints are a list of texts", repr(constraints))
        if len(constraints) > _MOST_CONSTRAINTS:
            raise SymbolicShapeError(f"there are more than {_MOST_CONSTRAINTS} constraints")
        for text in constraints:
            self._add(text)

    def _add(self, text: str) -> None:
        parts = _COMPARED.split(text) if isinstance(text, str) else ()
        if len(parts) != 3:
            raise SymbolicShapeError("a constraint compares two sizes by >=, <= or ==", repr(text))
        left, right = (parsed(part, self) for part in parts[::2])
        differences = {">=": [left - right], "<=": [right - left], "==": [left - right, right - left]}[parts[1]]
        for difference in differences:
            if isinstance(difference, Dimension):
                self.known.append(difference.terms)
                self.constraints_of.append(text)
            elif difference < 0:
                raise SymbolicShapeError("a constraint can never hold", repr(text))
        self.constraints.append(f"{left} {parts[1]} {right}")

    def __repr__(self) -> str:
        return f"SymbolicScope made at {self._made_at} with constraints {self.constraints}"


def is_symbolic_dim(p: Any) -> bool:
    """Whether a size of a dimension is a symbolic one.

    Args:
        p: The size.

    Example:
        >>> from olympus import export
        >>> export.is_symbolic_dim(export.symbolic_shape("2*n")[0]), export.is_symbolic_dim(3)
        (True, False)
    """
    return isinstance(p, Dimension)


def symbolic_shape(
    shape_spec: str | None, *, constraints: Sequence[str] = (), scope: SymbolicScope | None = None,
    like: Sequence[int | None] | None = None,
) -> tuple[Any, ...]:
    """A shape with named dimensions, each of which stands for any size from 1 on.

    Args:
        shape_spec: Sizes with commas between: numbers, names, ``+ - *``, ``floordiv(a, b)``, ``mod(a, b)``,
            ``max(a, b)`` and ``min(a, b)``. ``_`` takes the size that `like` has there, a last
            ``...`` all that are left.
        constraints: What is known of the names, where they are new ones; see `SymbolicScope`.
        scope: Where the names belong; new ones when left out.
        like: The shape that ``_`` and ``...`` are taken from.

    Returns:
        The sizes: integers, and symbolic ones.

    Raises:
        SymbolicShapeError: For text that cannot be read, or constraints with a scope.

    Example:
        >>> from olympus import export
        >>> b, n = export.symbolic_shape("b, 2*n")
        >>> (b + n) * 2 - n, n % 2
        (2*b + 2*n, 0)
    """
    if not isinstance(scope, (SymbolicScope, type(None))):
        raise ArgumentError("symbolic_shape", "scope is none", described(scope), "a SymbolicScope, or None")
    if scope is not None and constraints:
        raise SymbolicShapeError("a scope has constraints of its own", "both", "Give them to SymbolicScope.")
    place = SymbolicScope(constraints) if scope is None else scope
    if shape_spec is None:
        shape_spec = "..."
    if not isinstance(shape_spec, str):
        raise SymbolicShapeError("a shape is a text", described(shape_spec))
    text = shape_spec.strip()
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    parts = _split(text)
    known = None if like is None else tuple(like)
    if parts and parts[-1] == "...":
        if known is None or len(known) < len(parts) - 1:
            raise SymbolicShapeError("'...' stands for the sizes that are left of a shape like it", repr(shape_spec))
        parts = [*parts[:-1], *["_"] * (len(known) - len(parts) + 1)]
    if known is not None and len(known) != len(parts):
        raise SymbolicShapeError(f"it has {len(parts)} dimensions where the array has {len(known)}", repr(shape_spec))
    found = []
    for i, part in enumerate(parts):
        if part == "_":
            if known is None or known[i] is None:
                raise SymbolicShapeError("'_' stands for the size of a shape like it", repr(shape_spec))
            found.append(known[i])
            continue
        size = parsed(part, place)
        if known is not None and not isinstance(size, Dimension) and known[i] not in (None, size):
            raise SymbolicShapeError(f"a dimension is {size} where the array has {known[i]}", repr(shape_spec))
        found.append(size)
    return tuple(found)


def symbolic_args_specs(
    args: Any, shapes_specs: Any, constraints: Sequence[str] = (), scope: SymbolicScope | None = None,
) -> Any:
    """What stands for arguments, with symbolic shapes, for `export`.

    Args:
        args: The arguments, or what stands for them: their element types are taken, and sizes where ``_`` stands.
        shapes_specs: For each a text as `symbolic_shape` takes it, or None for the shape that it has; a text for a
            container is meant for all in it.
        constraints: What is known of the names.
        scope: Where the names belong; new ones when left out.

    Returns:
        `ShapeDtypeStruct` in the structure of the arguments.

    Raises:
        SymbolicShapeError: For texts that cannot be read, or do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus import export
        >>> export.symbolic_args_specs((jnp.ones((3, 4)), jnp.ones(4)), ("b, d", "d"))[0]
        ShapeDtypeStruct(shape=(b, d), dtype=float32)
    """
    if scope is not None and constraints:
        raise SymbolicShapeError("a scope has constraints of its own", "both", "Give them to SymbolicScope.")
    place = SymbolicScope(constraints) if scope is None else scope
    leaves, structure = tree.flatten(args)
    specs = spread("symbolic_args_specs", "shapes_specs", shapes_specs, args, lambda x: x is None or isinstance(x, str),
                   "a text or None")
    found = []
    for leaf, spec in zip(leaves, specs, strict=True):
        aval = aval_of(leaf)
        found.append(ShapeDtypeStruct(symbolic_shape(spec, scope=place, like=aval.shape), aval.dtype,
                                      weak_type=aval.weak))
    return tree.unflatten(structure, found)


def parsed(text: str, scope: Scope) -> Any:
    """The size that a text stands for.

    Args:
        text: The text.
        scope: Where its names belong.

    Raises:
        SymbolicShapeError: For what is no size.
    """
    if len(text) > _LONGEST:
        raise SymbolicShapeError("a size's text is too long", repr(text[:80]))
    try:
        return _read(ast.parse(text.strip().replace("^", "**"), mode="eval").body, scope, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, ArithmeticError, OlympusError) as error:
        if isinstance(error, SymbolicShapeError):
            raise
        raise SymbolicShapeError(f"a size cannot be read ({type(error).__name__})", repr(text)) from error


def scope_of(function: str, avals: Sequence[Aval]) -> Scope | None:
    """The scope of arguments' symbolic dimensions, all of which follow from the arguments' shapes; None without any.

    Args:
        function: The function, for errors.
        avals: What is known of the arguments.
    """
    sizes: list[Any] = [n for aval in avals for n in aval.shape if isinstance(n, Dimension)]
    if not sizes:
        return None
    scope = sizes[0].scope
    if any(size.scope is not scope for size in sizes):
        raise SymbolicShapeError("the arguments' dimensions belong to several scopes", function,
                                 "Make all with one call of symbolic_args_specs, or pass scope=.")
    known: dict[str, int] = {}
    while (found := next((s for s in (solved(n, 0, known) for n in sizes) if s is not None), None)) is not None:
        known[found[0]] = 1
    missing = set().union(*map(variables, sizes)) - set(known)
    if missing:
        raise SymbolicShapeError(
            f"{', '.join(sorted(missing))} cannot be found from the arguments' shapes", ", ".join(map(str, sizes)),
            "Let each dimension stand alone, or times a number, in some argument's shape.")
    return scope


def values_of(function: str, scope: Scope, expected: Sequence[Aval], given: Sequence[Aval]) -> dict[str, int]:
    """The values of the dimensions for a call's arguments, checked.

    Args:
        function: The function, for errors.
        scope: Where the dimensions belong.
        expected: What the arguments must be.
        given: What they are.
    """
    def refuse(what: str, i: int, fix: str | None = None) -> NoReturn:
        raise ExportedCallError(function, what, f"argument {i}: {given[i]!r}",
                                f"{expected[i]!r}" + "".join(f"; {c}" for c in scope.constraints), fix)

    places: list[tuple[int, int, Any]] = []
    for i, (own, aval) in enumerate(zip(given, expected, strict=True)):
        if own.ndim != aval.ndim or own.dtype != aval.dtype and not own.weak:
            refuse(f"a flat argument {i} of another type", i)
        for n, size in zip(own.shape, aval.shape, strict=True):
            if isinstance(n, Dimension):
                refuse("a symbolic dimension of another export", i, "Call it with arguments of known sizes.")
            places.append((i, n, size))
    values: dict[str, int] = {}
    rest = [place for place in places if isinstance(place[2], Dimension)]
    while rest:
        unsolved = []
        for i, n, size in rest:
            found = solved(size, n, values)
            if found is None:
                if variables(size) - set(values):
                    unsolved.append((i, n, size))
                continue
            name, value, remainder = found
            if remainder or value < 1:
                refuse(f"a size of {n} where it has {size}, and {name} is an integer of at least 1", i)
            values[name] = value
        if len(unsolved) == len(rest):
            raise SymbolicShapeError("dimensions cannot be found from the arguments' shapes", function)
        rest = unsolved
    for i, n, size in places:
        expects = evaluate(size, values)
        if expects != n or n >= 1 << 31:
            shown = ", ".join(f"{name} = {value}" for name, value in values.items())
            refuse(f"a size of {n} where it has {size}" + (f" = {expects} ({shown})" if shown else ""), i)
    for text, known in zip(scope.constraints_of, scope.known, strict=True):
        if evaluate(Dimension(scope, known), values) < 0:
            shown = ", ".join(f"{name} = {value}" for name, value in values.items())
            refuse(f"sizes for which {text} does not hold ({shown})", 0)
    return values


def _read(node: ast.AST, scope: Scope, text: str) -> Any:
    found = _value(node, scope, text)
    if isinstance(found, int) and abs(found) >> 64:
        raise SymbolicShapeError("a number in a size is too great", repr(text[:80]))
    return found


def _value(node: ast.AST, scope: Scope, text: str) -> Any:
    match node:
        case ast.Constant(value=int(number)) if type(number) is int and number < 1 << 63:
            return number
        case ast.Name(id=name):
            return scope.variable(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return 0 - _read(operand, scope, text)
        case ast.BinOp(op=ast.Pow(), left=left, right=ast.Constant(value=int(power))) if 0 <= power <= 16:
            return _read(left, scope, text) ** power
        case ast.BinOp(op=(ast.Add() | ast.Sub() | ast.Mult()) as kind, left=left, right=right):
            return _OPERATORS[type(kind)](_read(left, scope, text), _read(right, scope, text))
        case ast.Call(func=ast.Name(id=name), args=[first, second], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_read(first, scope, text), _read(second, scope, text))
    raise SymbolicShapeError("a size consists of numbers, names, + - *, floordiv, mod, max and min", repr(text))


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    parts = [part.strip() for part in parts]
    return parts[:-1] if parts[-1] == "" else parts


__all__ = [
    "SymbolicScope", "is_symbolic_dim", "parsed", "scope_of", "symbolic_args_specs", "symbolic_shape", "values_of",
]
