# SPDX-License-Identifier: Apache-2.0
"""What the records share: checks of operands and attributes, factor bookkeeping, references without warnings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import (
    ArrayType,
    Attributes,
    Factor,
    FactorRule,
    OperationRecord,
    Program,
    Reduction,
    SymbolicSize,
)
from olympus_core.program.exactness import ANY_OPERANDS, Exactness, Samples
from olympus_core.program.factors import DimensionFactors, Kind
from olympus_core.program.record import FactorRuleOf, Reference, TypeRule

_KINDS: Mapping[str, Callable[[np.dtype], bool]] = {
    "bool": dtypes.is_bool,
    "integer": dtypes.is_integer,
    "float": dtypes.is_float,
    "complex": dtypes.is_complex,
    "key": dtypes.is_key,
    "float32 or float64": lambda dtype: dtype in (dtypes.float32, dtypes.float64),
}

Domain = tuple[str, ...]  # kinds of element types that an operation takes
FLOAT: Domain = ("float",)
COMPLEX: Domain = ("complex",)
PART: Domain = ("float32 or float64",)  # what complex numbers consist of
INTEGER: Domain = ("integer",)
BITS: Domain = ("bool", "integer")
INEXACT: Domain = ("float", "complex")
NUMBER: Domain = ("integer", "float", "complex")
ORDERED: Domain = ("bool", "integer", "float")
REAL: Domain = ("integer", "float")
ANY: Domain = ("bool", "integer", "float", "complex")



def refuse(
    name: str, problem: str, types: Sequence[ArrayType] = (), expected: object = None, fix: str | None = None
) -> NoReturn:
    """Raises the error that shows the operand types."""
    raise OperandError(name, problem, given=", ".join(map(str, types)) or None, expected=expected, fix=fix)


def check(
    name: str, types: Sequence[ArrayType], attributes: Attributes, regions: Sequence[Program], count: int | None = None,
    required: Sequence[str] = (), optional: Sequence[str] = (),
) -> None:
    """Refuses a wrong number of operands, missing or unknown attributes, and regions."""
    if count is not None and len(types) != count:
        refuse(name, "wrong number of operands", types, f"{count} operands, not {len(types)}")
    missing = [key for key in required if key not in attributes]
    unknown = sorted(set(attributes) - set(required) - set(optional)) if attributes else []
    if missing or unknown:
        problem = f"{'missing' if missing else 'unknown'} attributes: {', '.join(missing or unknown)}"
        raise OperandError(name, problem, given=sorted(attributes), expected=[*required, *optional])
    if regions:
        refuse(name, "takes no regions", types)


def check_domain(name: str, type: ArrayType, domain: Domain, types: Sequence[ArrayType]) -> None:
    """Refuses an element type outside the operation's domain."""
    if not any(_KINDS[kind](type.dtype) for kind in domain):
        fix = "Convert the array first with x.astype(...)."
        if dtypes.is_key(type.dtype):
            fix = "Take the words that keys of random numbers consist of, with random.key_data(keys)."
        refuse(name, f"does not take {dtypes.name_of(type.dtype)}", types, f"element type {' or '.join(domain)}", fix)


def check_equal(name: str, types: Sequence[ArrayType]) -> None:
    """Refuses operands of different shapes or element types."""
    if any(t is not types[0] for t in types):
        refuse(name, "operands differ in shape or element type", types, "equal shapes and element types",
               "Convert with x.astype(...) and broadcast first, or use the function of olympus.numpy, which does both.")


def is_index(value: object) -> bool:
    """Whether a value is a plain integer, or the size of a symbolic dimension."""
    return isinstance(value, (int, SymbolicSize)) and not isinstance(value, bool)


def check_integers(
    name: str, attributes: Attributes, key: str, length: int | None = None, least: int | None = 0
) -> tuple[int, ...]:
    """The attribute, which must be a tuple of plain integers of the given length, each at least `least`."""
    value = attributes[key]
    fits = isinstance(value, tuple) and all(is_index(n) and (least is None or n >= least) for n in value)
    if not fits or (length is not None and len(value) != length):
        count = "" if length is None else f"{length} "
        bound = "" if least is None else f", each at least {least}"
        raise OperandError(name, f"{key} does not fit", value, f"a tuple of {count}integers{bound}")
    return value


def check_dimensions(
    name: str, attributes: Attributes, key: str, ndim: int, increasing: bool = False, length: int | None = None
) -> tuple[int, ...]:
    """The attribute, which must be a tuple of different dimensions of an array with `ndim` of them."""
    value = check_integers(name, attributes, key, length)
    ordered = not increasing or list(value) == sorted(value)
    if len(set(value)) != len(value) or any(d >= ndim for d in value) or not ordered:
        order = " in increasing order" if increasing else ""
        raise OperandError(name, f"{key} does not fit", value, f"different dimensions below {ndim}{order}")
    return value


def check_dimension(name: str, attributes: Attributes, key: str, ndim: int) -> int:
    """The attribute, which must be one dimension of an array with `ndim` of them."""
    value = attributes[key]
    if not is_index(value) or not 0 <= value < ndim:
        raise OperandError(name, f"{key} does not fit", value, f"a dimension below {ndim}")
    return value


def check_dtype(name: str, attributes: Attributes, key: str, domain: Domain = ANY) -> np.dtype:
    """The attribute, which must be an element type of the domain."""
    value = attributes[key]
    if not isinstance(value, np.dtype) or not any(_KINDS[kind](value) for kind in domain):
        shown = dtypes.name_of(value) if isinstance(value, np.dtype) else value
        raise OperandError(name, f"{key} does not fit", shown, f"a dtype: {' or '.join(domain)}")
    return value


def check_choice(name: str, attributes: Attributes, key: str, choices: Sequence[str]) -> str:
    """The attribute, which must be one of the words."""
    value = attributes[key]
    if value not in choices:
        raise OperandError(name, f"{key} does not fit", value, f"one of {', '.join(choices)}")
    return value



class FactorTable:
    """Numbers the factors of a rule while it is written down."""

    def __init__(self) -> None:
        self.factors: list[Factor] = []

    def new(self, size: int, kind: Kind = "parallel", reduction: Reduction | None = None) -> int:
        """A new factor's number."""
        self.factors.append(Factor(size, kind, reduction))
        return len(self.factors) - 1

    def whole(self, size: int) -> int:
        """The number of a new factor that must not be split."""
        return self.new(size, "whole")

    def rule(self, operands: Sequence[Sequence[int]], results: Sequence[Sequence[int]]) -> FactorRule:
        """The rule in which every dimension is the one factor given for it."""
        return FactorRule(tuple(self.factors), _single(operands), _single(results))


def _single(terms: Sequence[Sequence[int]]) -> tuple[DimensionFactors, ...]:
    return tuple(tuple((f,) for f in term) for term in terms)


def elementwise_factors(
    operands: Sequence[ArrayType], results: Sequence[ArrayType], attributes: Attributes
) -> FactorRule:
    """The factor rule of all elementwise operations."""
    return FactorRule.elementwise(results[0].shape, len(operands), len(results))


def along_dimension_factors(
    operands: Sequence[ArrayType], results: Sequence[ArrayType], attributes: Attributes
) -> FactorRule:
    """Operands and results of one shape; the attribute `dimension` whole, the rest parallel."""
    table = FactorTable()
    whole = attributes["dimension"]
    dims = [table.new(n, "whole" if d == whole else "parallel") for d, n in enumerate(results[0].shape)]
    return table.rule([dims] * len(operands), [dims] * len(results))


def compute_dtype(dtype: np.dtype) -> np.dtype:
    """The element type in which the references compute: float32 for all narrower floats."""
    return dtypes.float32 if dtypes.is_float(dtype) and dtype.itemsize < 4 else dtype


def sum_dtype(operand: np.dtype, result: np.dtype) -> np.dtype:
    """The element type in which the references multiply and sum: the wider one; of integers it wraps."""
    if dtypes.is_integer(operand) and dtypes.is_integer(result):  # int64 and uint64 would be promoted to float64
        return max(result, operand, key=dtypes.bits_of)
    return np.promote_types(compute_dtype(operand), compute_dtype(result))


def widened(x: np.ndarray) -> np.ndarray:
    """The array in the element type in which the references compute."""
    return x.astype(compute_dtype(x.dtype), copy=False)


_DOUBLE = {dtypes.float16: dtypes.float64, dtypes.bfloat16: dtypes.float64, dtypes.float32: dtypes.float64,
           dtypes.complex64: dtypes.complex128}


def doubled(x: np.ndarray) -> np.ndarray:
    """The array in 64-bit parts: a result computed from it and rounded is the nearest there is, nearly always."""
    return x.astype(_DOUBLE.get(x.dtype, dtypes.float64 if dtypes.is_float(x.dtype) else x.dtype), copy=False)


def quiet(reference: Callable[[Sequence[np.ndarray], Attributes], Sequence[Any]]) -> Reference:
    """The reference with NumPy's floating-point warnings off, and with arrays where NumPy gives scalars."""

    def run(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
        with np.errstate(all="ignore"):
            return tuple(np.asarray(v) for v in reference([np.asarray(v) for v in values], attributes))

    return run


def all_ones(dtype: np.dtype) -> np.ndarray:
    """The integer with every bit set: -1, or the greatest unsigned one."""
    return np.invert(np.zeros((), dtype))


def size_of(shape: Sequence[int]) -> int:
    """Number of elements of a shape."""
    return math.prod(shape)



def elementwise(
    name: str, arity: int, domain: Domain, function: Callable[..., Any], exactness: Exactness,
    result: Callable[[np.dtype], np.dtype] | None = None, additive: tuple[frozenset[int], ...] = (),
    widen: bool = True, precise: bool = False, identity: Callable[[np.dtype], np.ndarray] | None = None,
    samples: Samples = ANY_OPERANDS, cost: float = 1.0,
) -> OperationRecord:
    """The record of an operation on equal operands, index by index.

    Args:
        name: Its name.
        arity: Number of operands.
        domain: The kinds of element types that it takes.
        function: Its meaning in NumPy.
        exactness: How far its results may be off, on every platform.
        result: Element type of the operands to that of the result; the same where None.
        additive: As in `OperationRecord`.
        widen: Whether floats narrower than float32 are computed in float32 and rounded once.
        precise: Whether all floats are computed in float64 and rounded once: for what NumPy only approximates.
        identity: As in `OperationRecord`.
        samples: As in `OperationRecord`.
        cost: As in `OperationRecord`.

    Returns:
        The record.
    """
    result_dtype = result or (lambda dtype: dtype)

    def type_rule(
        types: Sequence[ArrayType], attributes: Attributes, regions: Sequence[Program]
    ) -> Sequence[ArrayType]:
        check(name, types, attributes, regions, arity)
        check_equal(name, types)
        check_domain(name, types[0], domain, types)
        return (types[0].with_dtype(result_dtype(types[0].dtype)),)

    def reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[Any]:
        prepare = doubled if precise else widened
        out = function(*(prepare(v) for v in values) if widen else values)
        return (dtypes.cast(np.asarray(out), result_dtype(values[0].dtype)),)

    rule: TypeRule = type_rule
    factors: FactorRuleOf = elementwise_factors
    return OperationRecord(
        name, "elementwise", rule, factors, quiet(reference), additive=additive, identity=identity, arity=arity,
        exactness=exactness, samples=samples, cost=cost)
