# SPDX-License-Identifier: Apache-2.0
"""Sizes that are not known yet: integer polynomials in named dimensions, and what can be decided of them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from olympus_core.errors import InconclusiveDimensionOperation, OlympusError, SymbolicShapeError
from olympus_core.ops import reduce_sum
from olympus_core.program import SymbolicSize

from ..operands import convert, filled
from ..tracing import bind
from ..tracing.aval import scalar_dtype

Monomial = tuple[tuple[str, int], ...]  # factors by their text, each with its power
Terms = Mapping[Monomial, Any]
Interval = tuple[float, float]
_SEARCH = 3  # constraints that are combined to bound one size
_FEW = 8  # constraints; more are not combined
_MOST_TERMS, _GREATEST = 500, 1 << 128
_INFINITE = math.inf


class Scope:
    """Dimensions that belong together, and what is known of them.

    Attributes:
        constraints: What is known, as text.
        known: The same as polynomials that are not negative.
        constraints_of: For each of these the constraint that says so.
        functions: For the text of ``floordiv``, ``mod``, ``max`` and ``min`` of sizes: the name and the operands.
    """

    def __init__(self) -> None:
        self.constraints: list[str] = []
        self.known: list[Terms] = []
        self.constraints_of: list[str] = []
        self.functions: dict[str, tuple[str, Any, Any]] = {}

    def variable(self, name: str) -> Dimension:
        """A named dimension."""
        return Dimension(self, {((name, 1),): 1})


class Dimension(SymbolicSize):
    """A size that is a polynomial in named dimensions, each of which is at least 1.

    It takes part in arithmetic with integers and other sizes of its scope. A comparison that holds for some values of
    the dimensions only is an error; two sizes are equal if they are for all values. In arithmetic with arrays and
    floats it stands for its value.

    Args:
        scope: Where the dimensions belong.
        terms: The coefficient of each product of powers.
    """

    __slots__ = ("_hash", "_text", "scope", "terms")

    def __init__(self, scope: Scope, terms: Terms) -> None:
        self.scope, self.terms = scope, terms
        self._text = _text(terms)
        self._hash = hash(self._text)

    def __repr__(self) -> str:
        return self._text

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Any) -> Any:
        return self._with(other, operator.add, lambda a, b: _made(self.scope, _sum(a, b, 1)))

    def __sub__(self, other: Any) -> Any:
        return self._with(other, operator.sub, lambda a, b: _made(self.scope, _sum(a, b, -1)))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a, lambda a, b: _made(self.scope, _sum(b, a, -1)))

    def __mul__(self, other: Any) -> Any:
        return self._with(other, operator.mul, lambda a, b: _made(self.scope, _product(a, b)))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return 0 - self

    def __pos__(self) -> Any:
        return self

    def __pow__(self, power: int) -> Any:
        if type(power) is not int or power < 0:
            return self.__olympus_array__() ** power
        return math.prod([self] * power)

    def __floordiv__(self, other: Any) -> Any:
        return self._with(other, operator.floordiv, lambda a, b: _divided(self.scope, a, b)[0])

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b // a, lambda a, b: _divided(self.scope, b, a)[0])

    def __mod__(self, other: Any) -> Any:
        return self._with(other, operator.mod, lambda a, b: _divided(self.scope, a, b)[1])

    def __rmod__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b % a, lambda a, b: _divided(self.scope, b, a)[1])

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __truediv__(self, other: Any) -> Any:
        return self.__olympus_array__() / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.__olympus_array__()

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, Dimension) and other.scope is not self.scope:
            return False
        terms = _terms(self.scope, other)
        if terms is None:
            return False if not hasattr(other, "aval") else NotImplemented
        difference = _sum(self.terms, terms, -1)
        return not difference or bounds(self.scope, difference) == (0, 0)

    def __ge__(self, other: Any) -> bool:
        return self._not_negative(other, 1, 0, ">=")

    def __gt__(self, other: Any) -> bool:
        return self._not_negative(other, 1, 1, ">")

    def __le__(self, other: Any) -> bool:
        return self._not_negative(other, -1, 0, "<=")

    def __lt__(self, other: Any) -> bool:
        return self._not_negative(other, -1, 1, "<")

    def __bool__(self) -> bool:
        low, high = bounds(self.scope, self.terms)
        if low > 0 or high < 0:
            return True
        raise InconclusiveDimensionOperation(f"bool({self})", self._constraints())

    def __index__(self) -> int:
        raise InconclusiveDimensionOperation(f"int({self})", self._constraints())

    def __int__(self) -> int:
        return self.__index__()

    def __float__(self) -> float:
        raise InconclusiveDimensionOperation(f"float({self})", self._constraints())

    def sliced(self, index: slice, size: Any) -> tuple[Any, Any, Any]:
        """First index, step and number of the elements that a slice of so many has."""
        step = 1 if index.step is None else operator.index(index.step)
        if not step:
            raise ValueError("slice step cannot be zero")

        def end(given: Any, otherwise: Any) -> Any:
            if given is None:
                return otherwise
            given = given if isinstance(given, Dimension) else operator.index(given)
            place = given + size if given < 0 else given
            low, high = (0, size) if step > 0 else (-1, size - 1)
            return extreme("min", extreme("max", place, low), high)

        first = end(index.start, 0 if step > 0 else size - 1)
        last = end(index.stop, size if step > 0 else -1)
        width = last - first if step > 0 else first - last
        return first, step, extreme("max", -((-width) // abs(step)), 0)

    def __olympus_array__(self) -> Any:
        """The size as a value of the program."""
        return as_value(self)

    def __reduce__(self) -> Any:
        raise InconclusiveDimensionOperation(f"pickle of {self}", self._constraints())

    def _constraints(self) -> str:
        return "; ".join(["every dimension is at least 1", *self.scope.constraints])

    def _with(self, other: Any, as_values: Callable[[Any, Any], Any], as_sizes: Callable[[Any, Any], Any]) -> Any:
        terms = _terms(self.scope, other)
        if terms is not None:
            return as_sizes(self.terms, terms)
        return as_values(self.__olympus_array__(), other)

    def _not_negative(self, other: Any, sign: int, least: int, shown: str) -> bool:
        terms = _terms(self.scope, other)
        if terms is None:
            return NotImplemented
        difference = _sum(self.terms, terms, -1) if sign > 0 else _sum(terms, self.terms, -1)
        low, high = bounds(self.scope, difference)
        if low >= least:
            return True
        if high < least:
            return False
        raise InconclusiveDimensionOperation(f"{self} {shown} {other}", self._constraints())


def extreme(name: str, a: Any, b: Any) -> Any:
    """The larger (``max``) or the smaller (``min``) of two sizes."""
    scope = next((x.scope for x in (a, b) if isinstance(x, Dimension)), None)
    if scope is None:
        return max(a, b) if name == "max" else min(a, b)
    first, second = _terms(scope, a), _terms(scope, b)
    if first is None or second is None:
        raise TypeError(f"{name} of sizes takes integers and sizes, not {a!r} and {b!r}")
    low, high = bounds(scope, _sum(first, second, -1))
    if low >= 0 or high <= 0:
        return a if (low >= 0) == (name == "max") else b
    ordered = sorted((a, b), key=str)
    return _function(scope, name, *ordered)


def evaluate(size: Any, values: Mapping[str, int]) -> int:
    """The value of a size for values of its dimensions."""
    if not isinstance(size, Dimension):
        return int(size)
    return sum(int(c) * math.prod(_factor(size.scope, f, values) ** power for f, power in monomial)
               for monomial, c in size.terms.items())


def variables(size: Any) -> set[str]:
    """The dimensions that a size depends on."""
    if not isinstance(size, Dimension):
        return set()
    found: set[str] = set()
    for monomial in size.terms:
        for factor, _ in monomial:
            parts = size.scope.functions.get(factor)
            found |= {factor} if parts is None else variables(parts[1]) | variables(parts[2])
    return found


def solved(size: Dimension, value: int, known: Mapping[str, int]) -> tuple[str, int, int] | None:
    """The one dimension that is missing where a size has a value: name, value, remainder; None where it is not one."""
    rest, slope, name = value, 0, ""
    for monomial, c in size.terms.items():
        missing = [(f, power) for f, power in monomial if f not in known and (
            f not in size.scope.functions or variables_of(size.scope, f) - set(known))]
        weight = int(c) * math.prod(_factor(size.scope, f, known) ** power for f, power in monomial
                                    if (f, power) not in missing)
        if not missing:
            rest -= weight
        elif len(missing) == 1 and missing[0][1] == 1 and missing[0][0] not in size.scope.functions and (
                name in ("", missing[0][0])):
            name, slope = missing[0][0], slope + weight
        else:
            return None
    return (name, rest // slope, rest % slope) if slope else None


def variables_of(scope: Scope, factor: str) -> set[str]:
    """The dimensions that a factor depends on."""
    parts = scope.functions.get(factor)
    return {factor} if parts is None else variables(parts[1]) | variables(parts[2])


def bounds(scope: Scope, terms: Terms, depth: int = _SEARCH) -> Interval:
    """Between which numbers a polynomial is certain to lie."""
    depth = depth if len(scope.known) <= _FEW else min(depth, 1)
    return _least(scope, terms, depth), -_least(scope, {m: -c for m, c in terms.items()}, depth)


def as_value(size: Dimension) -> Any:
    """A size as a value of the program that is traced: as many ones, added up."""
    kind = scalar_dtype(int)
    negative = {m: -c for m, c in size.terms.items() if c < 0}
    positive = {m: c for m, c in size.terms.items() if c > 0}
    parts: list[Any] = [_made(size.scope, terms) if terms else 0 for terms in (positive, negative)]
    counts = [n if isinstance(n, int) else bind(reduce_sum, filled(1, (n,), kind), dimensions=(0,), weak=False)
              for n in parts]
    return convert(counts[0] - counts[1], kind, True)


def _terms(scope: Scope, value: Any) -> Terms | None:
    """The polynomial of an integer or a size; None for what is none."""
    if isinstance(value, Dimension):
        if value.scope is not scope:
            raise InconclusiveDimensionOperation(
                f"{value} beside a dimension of another scope",
                "nothing is known of dimensions of two scopes: make all with one scope")
        return value.terms
    if isinstance(value, (bool, float)) or hasattr(value, "aval") or bool(getattr(value, "shape", None)):
        return None
    try:
        number = operator.index(value)
    except (TypeError, OlympusError):
        return None
    return {(): number} if number else {}


def _made(scope: Scope, terms: Terms) -> Any:
    if not terms:
        return 0
    return int(terms[()]) if len(terms) == 1 and () in terms else Dimension(scope, terms)


def _sum(a: Terms, b: Terms, sign: int) -> Terms:
    found = dict(a)
    for monomial, c in b.items():
        found[monomial] = found.get(monomial, 0) + sign * c
    return {m: c for m, c in found.items() if c}


def _times(a: Monomial, b: Monomial, sign: int = 1) -> Monomial | None:
    powers = dict(a)
    for factor, power in b:
        powers[factor] = powers.get(factor, 0) + sign * power
    if min(powers.values(), default=0) < 0:
        return None
    return tuple(sorted((f, p) for f, p in powers.items() if p))


def _product(a: Terms, b: Terms) -> Terms:
    found: Terms = {}
    for m, c in a.items():
        for n, d in b.items():
            product = _times(m, n)
            found = _sum(found, {product or (): c * d}, 1)
            if len(found) > _MOST_TERMS or abs(c * d) > _GREATEST:
                raise SymbolicShapeError("a size has too many terms, or too great numbers")
    return found


def _divided(scope: Scope, a: Terms, b: Terms) -> tuple[Any, Any]:
    """Quotient, rounded down, and remainder."""
    if not b:
        raise ZeroDivisionError("a size is divided by zero")
    quotient: Terms = {}
    rest = dict(a)
    leading = max(b, key=_degree)
    for monomial in sorted(a, key=_degree, reverse=True):
        c = rest.get(monomial, 0)
        over = _times(monomial, leading, -1)
        if over is None or not c or (c % b[leading] and (len(b) > 1 or over)):
            continue
        part = {over: c // b[leading]}
        quotient = _sum(quotient, part, 1)
        rest = dict(_sum(rest, _product(part, b), -1))
    if not rest:
        return _made(scope, quotient), 0
    if b.keys() != {()}:  # a quotient that leaves a remainder is not known to be the right one
        left, right = _made(scope, a), _made(scope, b)
        low, high = bounds(scope, a)
        if low >= 0 and bounds(scope, _sum(b, a, -1))[0] > 0:
            return 0, left
        if high < 0 and bounds(scope, around := _sum(b, a, 1))[0] >= 0:  # an index that counts from the end
            return -1, _made(scope, around)
        return _function(scope, "floordiv", left, right), _function(scope, "mod", left, right)
    left, right = _made(scope, rest), _made(scope, b)
    low, high = bounds(scope, rest)
    if right > 0 and low >= 0 and high < right:
        return _made(scope, quotient), left
    reduced = {m: c % right for m, c in rest.items() if c % right}
    return (_made(scope, _sum(quotient, {((_named(scope, "floordiv", left, right), 1),): 1}, 1)),
            _function(scope, "mod", _made(scope, reduced), right))


def _degree(monomial: Monomial) -> tuple[int, Monomial]:
    return sum(power for _, power in monomial), monomial


def _named(scope: Scope, name: str, a: Any, b: Any) -> str:
    text = f"{name}({a}, {b})"
    scope.functions[text] = name, a, b
    return text


def _function(scope: Scope, name: str, a: Any, b: Any) -> Any:
    return Dimension(scope, {((_named(scope, name, a, b), 1),): 1})


def _text(terms: Terms) -> str:
    parts: list[str] = []
    for monomial in sorted(terms, key=lambda m: (-_degree(m)[0], m)):
        c = terms[monomial]
        factors = "*".join(f if power == 1 else f"{f}^{power}" for f, power in monomial)
        number = "" if abs(c) == 1 and factors else str(abs(c)) + ("*" if factors else "")
        sign = ("- " if c < 0 else "+ ") if parts else ("-" if c < 0 else "")
        parts.append(f"{sign}{number}{factors}")
    return " ".join(parts)


_FUNCTIONS: Mapping[str, Callable[[int, int], int]] = {
    "floordiv": operator.floordiv, "mod": operator.mod, "max": max, "min": min}


def _factor(scope: Scope, factor: str, values: Mapping[str, int]) -> int:
    parts = scope.functions.get(factor)
    if parts is None:
        return values[factor]
    name, a, b = parts
    return _FUNCTIONS[name](evaluate(a, values), evaluate(b, values))


def _least(scope: Scope, terms: Terms, depth: int) -> float:
    """A number that a polynomial is certainly not below."""
    found: float = 0
    for monomial, c in terms.items():
        low, high = _range(scope, monomial)
        found += c * (low if c > 0 else high)
    if depth:
        for known in (*scope.known, *_of_quotients(scope, terms)):
            for monomial in known:
                if monomial and monomial in terms and terms[monomial] * known[monomial] > 0:
                    share = Fraction(terms[monomial]) / Fraction(known[monomial])
                    rest = _sum(terms, {m: share * c for m, c in known.items()}, -1)
                    found = max(found, _least(scope, rest, depth - 1))
    return math.ceil(found) if math.isfinite(found) else found


def _of_quotients(scope: Scope, terms: Terms) -> Iterator[Terms]:
    """What is never negative because of the quotients by a number in a polynomial: the remainder, and what it lacks."""
    for monomial in terms:
        name, a, b = scope.functions.get(monomial[0][0], ("", 0, 0)) if len(monomial) == 1 else ("", 0, 0)
        if name == "floordiv" and isinstance(b, int) and b > 0 and monomial[0][1] == 1:
            remainder = _sum(_terms(scope, a) or {}, {monomial: b}, -1)
            yield remainder
            yield _sum({(): b - 1}, remainder, -1)


def _range(scope: Scope, monomial: Monomial) -> Interval:
    found: Interval = (1, 1)
    for factor, power in monomial:
        interval = _factor_range(scope, factor)
        for _ in range(power):
            ends = [_finite(x, y) for x in found for y in interval]
            found = min(ends), max(ends)
    return found


def _finite(a: float, b: float) -> float:
    return 0 if not a or not b else a * b


def _factor_range(scope: Scope, factor: str) -> Interval:
    parts = scope.functions.get(factor)
    if parts is None:
        return 1, _INFINITE
    name, a, b = parts
    (low, high), (least, most) = (_interval(scope, x) for x in (a, b))
    if name == "max":
        return max(low, least), max(high, most)
    if name == "min":
        return min(low, least), min(high, most)
    if name == "mod":
        return (0, most - 1) if least > 0 else (-_INFINITE, _INFINITE)
    if least <= 0:
        return -_INFINITE, _INFINITE
    ends = [x if math.isinf(x) and not math.isinf(y) else 0 if math.isinf(y) and x >= 0 else -1 if math.isinf(y)
            else x // y for x in (low, high) for y in (least, most)]
    return min(ends), max(ends)


def _interval(scope: Scope, size: Any) -> Interval:
    return bounds(scope, size.terms, 1) if isinstance(size, Dimension) else (size, size)


__all__ = ["Dimension", "Scope", "as_value", "bounds", "evaluate", "extreme", "solved", "variables"]
