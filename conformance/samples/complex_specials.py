# SPDX-License-Identifier: Apache-2.0
"""What complex functions are at infinities and NaN.

As ISO C fixes it (C11, Annex G: G.5.1 multiplication and division, G.6 functions). Functions that C has not, which are
`expm1`, `log1p`, `logistic` and `rsqrt`, are fixed where the limit is one. What is left open there is open here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class SpecialValues:
    """What a complex function has to give for operands that are infinite, no numbers, or so large that it overflows.

    Args:
        value: The results' real and imaginary parts, along a last dimension of two, in float64.
        fixed: Which parts have this value; the others are open.
        signed: Which parts have this sign, too, where they are zero or infinite.
        infinite: Which results are an infinity: at least one of their parts is, and the other one is open.
    """

    value: np.ndarray
    fixed: np.ndarray
    signed: np.ndarray
    infinite: np.ndarray

    @property
    def known(self) -> np.ndarray:
        """Of which results anything is said."""
        return np.asarray(self.fixed.any(-1) | self.infinite)

    def admit(self, found: np.ndarray, tolerance: float) -> np.ndarray:
        """Which results are as they have to be; all of which nothing is said.

        Args:
            found: Complex results, or real ones.
            tolerance: How far a finite part other than zero may be off.
        """
        parts = np.stack([found.real, found.imag], -1).astype(np.float64)
        with np.errstate(all="ignore"):
            near = np.abs(parts - self.value) <= np.where(self.value == 0, 0.0, tolerance)
        good = np.where(np.isnan(self.value), np.isnan(parts), near | (np.abs(parts) == np.abs(self.value)))
        good &= ~self.signed | np.isnan(self.value) | (np.signbit(parts) == np.signbit(self.value))
        return np.asarray((good | ~self.fixed).all(-1) & (~self.infinite | np.isinf(parts).any(-1)))


Specials = Callable[[Sequence[np.ndarray]], SpecialValues]

# The cells of a row: where the imaginary part is zero, another finite number, infinite, NaN; its sign is positive, and
# a negative one gives the conjugate. Rows: the real part, of either sign unless there is one; odd and even functions
# have none to the left. "~" leaves the sign open, "?" the part, "." the result; y is the imaginary part.
_ACOS = """
0     .           .            pi/2,-inf   pi/2,nan
y     .           .            pi/2,-inf   nan,nan
inf   0,-inf      0,-inf       pi/4,-inf   nan,~inf
-inf  pi,-inf     pi,-inf      3pi/4,-inf  nan,~inf
nan   nan,nan     nan,nan      nan,-inf    nan,nan
"""
_ACOSH = """
0     .           .            inf,pi/2    nan,?
y     .           .            inf,pi/2    nan,nan
inf   inf,0       inf,0        inf,pi/4    inf,nan
-inf  inf,pi      inf,pi       inf,3pi/4   inf,nan
nan   nan,nan     nan,nan      inf,nan     nan,nan
"""
_ASINH = """
0     .           .            inf,pi/2    nan,nan
y     .           .            inf,pi/2    nan,nan
inf   inf,0       inf,0        inf,pi/4    inf,nan
nan   nan,0       nan,nan      ~inf,nan    nan,nan
"""
_ATANH = """
0     .           .            0,pi/2      0,nan
y     .           .            0,pi/2      nan,nan
inf   0,pi/2      0,pi/2       0,pi/2      0,nan
nan   nan,nan     nan,nan      ~0,pi/2     nan,nan
"""
_COSH = """
0     .           .            nan,~0      nan,~0
y     .           .            nan,nan     nan,nan
inf   inf,0       inf*cos,inf*sin  ~inf,nan  inf,nan
nan   nan,~0      nan,nan      nan,nan     nan,nan
"""
_SINH = """
0     .           .            ~0,nan      ~0,nan
y     .           .            nan,nan     nan,nan
inf   inf,0       inf*cos,inf*sin  ~inf,nan  ~inf,nan
nan   nan,0       nan,nan      nan,nan     nan,nan
"""
_TANH = """
0     .           .            ?,nan       ?,nan
y     .           .            nan,nan     nan,nan
inf   1,0         1,0*sin2     1,~0        1,~0
nan   nan,0       nan,nan      nan,nan     nan,nan
"""
_EXP = """
0     .           .            nan,nan     nan,nan
y     .           .            nan,nan     nan,nan
inf   inf,0       inf*cos,inf*sin  ~inf,nan  ~inf,nan
-inf  0,0         0*cos,0*sin  ~0,~0       ~0,~0
nan   nan,0       nan,nan      nan,nan     nan,nan
"""
_EXPM1 = """
0     .           .            nan,nan     nan,nan
y     .           .            nan,nan     nan,nan
inf   inf,0       inf*cos,inf*sin  ~inf,nan  ~inf,nan
-inf  -1,0        -1,0*sin     -1,~0       -1,~0
nan   nan,0       nan,nan      nan,nan     nan,nan
"""
_LOG = """
0     -inf,0      .            inf,pi/2    nan,nan
-0    -inf,pi     .            inf,pi/2    nan,nan
y     .           .            inf,pi/2    nan,nan
inf   inf,0       inf,0        inf,pi/4    inf,nan
-inf  inf,pi      inf,pi       inf,3pi/4   inf,nan
nan   nan,nan     nan,nan      inf,nan     nan,nan
"""
_LOG1P = """
0     .           .            inf,pi/2    nan,nan
y     .           .            inf,pi/2    nan,nan
inf   inf,0       inf,0        inf,pi/4    inf,nan
-inf  inf,pi      inf,pi       inf,3pi/4   inf,nan
nan   nan,nan     nan,nan      inf,nan     nan,nan
"""
_SQRT = """
0     .           .            inf,inf     nan,nan
y     .           .            inf,inf     nan,nan
inf   inf,0       inf,0        inf,inf     inf,nan
-inf  0,inf       0,inf        inf,inf     nan,~inf
nan   nan,nan     nan,nan      inf,inf     nan,nan
"""
_RSQRT = """
0     .           .            ~0,~0       nan,nan
y     .           .            ~0,~0       nan,nan
inf   ~0,~0       ~0,~0        ~0,~0       .
-inf  ~0,~0       ~0,~0        ~0,~0       .
nan   nan,nan     nan,nan      .           nan,nan
"""
_LOGISTIC = """
0     .           .            nan,nan     nan,nan
y     .           .            nan,nan     nan,nan
inf   1,~0        1,~0         1,~0        1,~0
-inf  ~0,~0       ~0,~0        ~0,~0       ~0,~0
nan   nan,?       nan,nan      nan,nan     nan,nan
"""
_ABS = """
0     .           .            inf,?       nan,?
y     .           .            inf,?       nan,?
inf   inf,?       inf,?        inf,?       inf,?
nan   nan,?       nan,?        inf,?       nan,?
"""
_SIGN = """
0     .           .            .           nan,nan
y     .           .            .           nan,nan
inf   .           .            .           .
nan   nan,nan     nan,nan      .           nan,nan
"""

_SIZES = {"0": 0.0, "1": 1.0, "inf": math.inf, "nan": math.nan, "pi": math.pi, "pi/2": math.pi / 2,
          "pi/4": math.pi / 4, "3pi/4": 3 * math.pi / 4, "?": 0.0}
_KINDS = ("0", "y", "inf", "nan")
_GREAT = 800.0  # beyond it exponentials are infinite, or vanish, in every type
_USUAL = 1e9
_CALM = 1e4  # up to it sines and cosines keep their signs however an argument is reduced


def _cell(text: str) -> tuple[float, bool, bool, str]:
    """A part's value, whether it and its sign are fixed, and the wave that gives the sign."""
    size, _, wave = text.partition("*")
    bare = size.lstrip("-~")
    return math.copysign(_SIZES[bare], -1.0 if size[0] == "-" else 1.0), bare != "?", size[0] not in "~?", wave


def _kinds(x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x), 3, np.where(np.isinf(x), 2, np.where(x == 0, 0, 1)))


def _nothing(shape: tuple[int, ...]) -> SpecialValues:
    parts = (*shape, 2)
    return SpecialValues(np.zeros(parts), np.zeros(parts, bool), np.zeros(parts, bool), np.zeros(shape, bool))


def _table(text: str, parity: int = 0, exponential: bool = False) -> Specials:
    """The rule of a table; `parity` is 1 for even functions and -1 for odd ones."""
    lines = [line.split() for line in text.strip().splitlines()]
    rows = {first: [[_cell(part) for part in (cell.split(",") if cell != "." else "??")] for cell in cells]
            for first, *cells in lines}

    def specials(operands: Sequence[np.ndarray]) -> SpecialValues:
        (z,) = operands
        left, below = (np.signbit(part) & ~np.isnan(part) for part in (z.real, z.imag))
        x, y = np.abs(z.real), np.abs(z.imag)
        if parity:  # turned into the right half: what was above is below then
            below = below ^ left
        if exponential:
            x = np.where((x >= _GREAT) & (y <= _CALM), np.inf, x)
        made, kinds, columns = _nothing(z.shape), _kinds(x), _kinds(y)
        angle = np.where(np.isfinite(y), y, 0.0)
        waves = {"cos": np.cos(angle), "sin": np.sin(angle), "sin2": np.sin(2 * angle)}
        for i, kind in enumerate(_KINDS):
            for is_left in (False, True):
                row = rows[kind if parity or not is_left or f"-{kind}" not in rows else f"-{kind}"]
                for j, cell in enumerate(row):
                    here = (kinds == i) & (columns == j) & (left == is_left)
                    for part, (value, fixed, signed, wave) in enumerate(cell):
                        made.value[here, part] = np.copysign(value, waves[wave][here]) if wave else value
                        made.fixed[here, part], made.signed[here, part] = fixed, signed
        if parity < 0:
            made.value[left] *= -1
        made.value[below, 1] *= -1
        return made

    return specials


def _turned(z: np.ndarray) -> np.ndarray:
    turned = np.empty_like(z)
    turned.real, turned.imag = -z.imag, z.real
    return turned


def _back(inner: Specials) -> Specials:
    """f(z) = -i g(i z): the circular function of a hyperbolic one."""

    def specials(operands: Sequence[np.ndarray]) -> SpecialValues:
        found = inner([_turned(operands[0])])
        value = np.stack([found.value[..., 1], -found.value[..., 0]], -1)
        return SpecialValues(value, found.fixed[..., ::-1], found.signed[..., ::-1], found.infinite)

    return specials


def _is_usual(x: np.ndarray) -> np.ndarray:
    """Which parts do not vanish or overflow in a product with another one, in any type."""
    size = np.abs(x)
    return np.asarray(~np.isfinite(x) | (x == 0) | ((size > 1 / _USUAL) & (size < _USUAL)))


def _arithmetic(naive: Callable[[np.ndarray, np.ndarray], np.ndarray], divides: bool) -> Specials:
    """Infinities and zeros as G.5.1 has them, where the definition in NumPy's arithmetic agrees; NaN that stays."""

    def specials(operands: Sequence[np.ndarray]) -> SpecialValues:
        x, y = operands
        with np.errstate(all="ignore"):
            found = naive(x, y)
        made = _nothing(found.shape)
        infinite = [np.isinf(v.real) | np.isinf(v.imag) for v in operands]
        nan = [np.isnan(v) & ~w for v, w in zip(operands, infinite, strict=True)]
        is_infinite = np.isinf(found.real) | np.isinf(found.imag)
        usual = np.logical_and.reduce([_is_usual(part) for v in operands for part in (v.real, v.imag)])
        if divides:
            made.infinite[...] = usual & is_infinite & ~infinite[1] & (infinite[0] | ((y == 0) & (x != 0) & ~nan[0]))
            made.fixed[usual & (found == 0) & infinite[1] & ~infinite[0] & ~nan[0]] = True
        else:
            made.infinite[...] = usual & is_infinite & (infinite[0] | infinite[1]) & ~nan[0] & ~nan[1]
        gone = (nan[0] | nan[1]) & ~infinite[0] & ~infinite[1] & ~(divides & (y == 0))
        made.fixed[gone], made.value[gone] = True, np.nan
        return made

    return specials


def _pow(operands: Sequence[np.ndarray]) -> SpecialValues:
    """C leaves powers open; but NaN stays, beside numbers that do not decide the power by themselves."""
    x, y = operands
    made = _nothing(x.shape)
    infinite = [np.isinf(v.real) | np.isinf(v.imag) for v in operands]
    gone = (np.isnan(x) | np.isnan(y)) & ~infinite[0] & ~infinite[1] & (x != 0) & (x != 1) & (y != 0) & (y != 1)
    made.fixed[gone], made.value[gone] = True, np.nan
    return made


_cosh, _sinh, _tanh = _table(_COSH, 1, True), _table(_SINH, -1, True), _table(_TANH, -1, True)
_asinh, _atanh = _table(_ASINH, -1), _table(_ATANH, -1)
# By the operations' names.
SPECIALS: Mapping[str, Specials] = MappingProxyType({
    "abs": _table(_ABS), "sign": _table(_SIGN), "exp": _table(_EXP, 0, True), "expm1": _table(_EXPM1, 0, True),
    "log": _table(_LOG), "log1p": _table(_LOG1P), "sqrt": _table(_SQRT), "rsqrt": _table(_RSQRT),
    "logistic": _table(_LOGISTIC, 0, True), "cosh": _cosh, "sinh": _sinh, "tanh": _tanh,
    "cos": lambda operands: _cosh([_turned(operands[0])]), "sin": _back(_sinh), "tan": _back(_tanh),
    "acos": _table(_ACOS), "asin": _back(_asinh), "atan": _back(_atanh),
    "acosh": _table(_ACOSH), "asinh": _asinh, "atanh": _atanh,
    "mul": _arithmetic(np.multiply, divides=False), "div": _arithmetic(np.divide, divides=True), "pow": _pow,
})
