# SPDX-License-Identifier: Apache-2.0
"""What a work needs at least, counted from its arrays and its program: bytes, additions and multiplications.

The program is the jaxpr of the work's own text, so that nothing is counted by hand. The counts are the least that is
known, not the usual ones, as `cost_analysis` has them: with too many a slow kernel would look like a quick one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .side import Side, Work

# Multiply-adds of one element of a function, in float32 and float64 (`tests/benchmarks/test_counting.py` computes the
# degrees): a polynomial that holds the type's precision where the argument is reduced to, two for the reduction.
_FUNCTIONS: Mapping[str, tuple[int, int]] = {
    "exp": (6 + 2, 11 + 2),  # of degree 6 and 11, over ln 2
    "sin": (4 + 2 + 2, 8 + 2 + 2),  # x p(x^2), over pi
    "cos": (4 + 2 + 2, 8 + 2 + 2),
    "log": (3 + 6, 7 + 6),  # s p(s^2) of s = (m - 1) / (m + 1), and the exponent's part
    "tanh": (6 + 2 + 3, 11 + 2 + 3),  # (e - 1) / (e + 1) of an exponential
    "logistic": (6 + 2 + 1, 11 + 2 + 1),  # 1 / (1 + e), an operation each
    "pow": (3 + 6 + 6 + 2, 7 + 6 + 11 + 2),  # the exponential of a logarithm
}
# One operation for each element of the result.
_SINGLE = frozenset({"add", "sub", "mul", "div", "max", "min", "sqrt", "rsqrt", "integer_pow", "square", "add_any"})
# One for each element of the operand.
_REDUCTIONS = frozenset({"reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "cumsum", "argmax", "argmin"})
# What multiplies and adds nothing: elements are moved, chosen, compared or made.
_FREE = frozenset({
    "abs", "and", "broadcast_in_dim", "ceil", "concatenate", "convert_element_type", "copy", "dynamic_slice",
    "dynamic_update_slice", "eq", "expand_dims", "floor", "gather", "ge", "gt", "iota", "is_finite", "le", "lt", "ne",
    "neg", "not", "or", "pad", "psum", "reduce_and", "reduce_or", "reshape", "rev", "select_n", "sharding_constraint",
    "sign", "slice", "split", "squeeze", "stop_gradient", "top_k", "transpose",
})


class UncountableError(Exception):
    """A program has an operation for which no honest count is known."""


def demand(side: Side, work: Work) -> dict[str, float]:
    """Bytes ``read`` and ``written``, and the operations by type.

    Args:
        side: The library, which must have `make_jaxpr`.
        work: What is counted.

    Raises:
        UncountableError: The program has something for which no count is known.
    """
    functions = {name: value for name, value in work.names.items() if callable(value)}
    given = {name: value for name, value in work.names.items() if name not in functions}
    jaxpr = side.library.make_jaxpr(lambda given: eval(work.statement, {**functions, **given}))(given).jaxpr
    used = _used(jaxpr)
    read = sum(_nbytes(v) for v in jaxpr.invars if v in used)
    return {"read": read, "written": sum(map(_nbytes, jaxpr.outvars)), **_program(jaxpr)}


def _nbytes(value: Any) -> float:
    return float(math.prod(value.aval.shape) * np.dtype(value.aval.dtype).itemsize)


def _inner(equation: Any) -> Any:
    """The program in an operation, such as a jitted function; None where it has none."""
    # How a scatter makes one element of two is no program of its own.
    values = (getattr(value, "jaxpr", value) for key, value in equation.params.items() if key != "update_jaxpr")
    return next((value for value in values if hasattr(value, "eqns")), None)


def _used(jaxpr: Any) -> set[Any]:
    """What a program needs of its inputs, and of what it computes."""
    found = {v for v in jaxpr.outvars if not hasattr(v, "val")}
    for equation in jaxpr.eqns:
        inner, operands = _inner(equation), equation.invars
        if inner is not None and len(inner.invars) == len(operands):
            needed = _used(inner)
            operands = [v for v, own in zip(operands, inner.invars, strict=True) if own in needed]
        found |= {v for v in operands if not hasattr(v, "val")}
    return found


def _program(jaxpr: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for equation in jaxpr.eqns:
        found.update(_equation(equation))
    return found


def _equation(equation: Any) -> Mapping[str, float]:
    name = equation.primitive.name
    if name in _FREE:
        return {}
    inner = _inner(equation)
    if inner is not None:
        times = _times(equation)
        return Counter({kind: count * times for kind, count in _program(inner).items()})
    kind = np.dtype(equation.outvars[0].aval.dtype)
    is_wide = kind.name in ("float64", "complex128")
    is_product = name in ("dot_general", "conv_general_dilated")
    count = _count(equation, is_wide)
    if kind.kind in "iub":
        if is_product:
            raise UncountableError("what the machine multiplies of integers is not measured")
        return {}  # places and conditions, not the work
    # Narrow numbers are computed as float32, but for products, whatever type they are summed in.
    is_narrow = is_product and np.dtype(equation.invars[0].aval.dtype).name == "bfloat16"
    return {"float64" if is_wide else "bfloat16" if is_narrow else "float32": count}


def _count(equation: Any, is_wide: bool) -> float:
    """An operation's additions and multiplications."""
    name = equation.primitive.name
    size = float(math.prod(equation.outvars[0].aval.shape))
    if name in _SINGLE:
        return size
    if name in _REDUCTIONS:
        return float(math.prod(equation.invars[0].aval.shape))
    if name in _FUNCTIONS:
        return 2.0 * _FUNCTIONS[name][is_wide] * size
    if name not in _ROUTINES:
        raise UncountableError(f"no count is known for {name}")
    return _ROUTINES[name](equation)


def _times(equation: Any) -> int:
    """How often an operation's program runs."""
    name, params = equation.primitive.name, equation.params
    if name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call", "checkpoint", "remat"):
        return 1
    if name == "scan":
        return int(params["length"])
    if name == "shard_map":
        return int(params["mesh"].size)
    raise UncountableError(f"how often {name} runs is not known")


def _product(equation: Any) -> float:
    (contracted, _), _ = equation.params["dimension_numbers"]
    shape = equation.invars[0].aval.shape
    size = math.prod(equation.outvars[0].aval.shape)
    return 2.0 * size * math.prod(shape[k] for k in contracted) if contracted else float(size)


def _convolution(equation: Any) -> float:
    """A product for each place of a window that holds an element: neither padding nor inserted zeros."""
    p = equation.params
    numbers = p["dimension_numbers"]
    image, kernel, out = (v.aval.shape for v in (*equation.invars, *equation.outvars))
    places = 1
    for k, (low, _) in enumerate(p["padding"]):
        outputs, taps = np.arange(out[numbers.out_spec[2 + k]]), np.arange(kernel[numbers.rhs_spec[2 + k]])
        at = outputs[:, None] * p["window_strides"][k] + taps * p["rhs_dilation"][k] - low
        inside = (at >= 0) & (at <= (image[numbers.lhs_spec[2 + k]] - 1) * p["lhs_dilation"][k])
        places *= int(np.sum(inside & (at % p["lhs_dilation"][k] == 0)))
    results = out[numbers.out_spec[0]] * out[numbers.out_spec[1]]
    return 2.0 * results * kernel[numbers.rhs_spec[1]] * places


def _transform(equation: Any) -> float:
    """Split radix: 4 n log n - 6 n + 8 for a line of complex numbers, half of it of real ones."""
    lines, total = equation.params["fft_lengths"], 0.0
    size = max(math.prod(v.aval.shape) for v in (equation.invars[0], equation.outvars[0]))
    for n in lines:
        total += size / n * max(0.0, 4 * n * math.log2(n) - 6 * n + 8)
    return total / (1 if "R" not in str(equation.params["fft_type"]) else 2)


def _matrices(flops: Callable[[int, int], float]) -> Callable[[Any], float]:
    """Of each matrix of the first operand, by its rows and columns."""
    def count(equation: Any) -> float:
        *batch, rows, columns = equation.invars[0].aval.shape
        return math.prod(batch) * flops(rows, columns)

    return count


def _reflections(m: int, n: int) -> float:
    short, long = min(m, n), max(m, n)
    return 2.0 * short * short * (long - short / 3)


def _solutions(equation: Any) -> float:
    rows = equation.invars[0].aval.shape[-1]
    return float(rows * math.prod(equation.invars[1].aval.shape))


# Leading terms. Of eigenvalues and singular values only the reduction to a band and the way back are counted, with
# all vectors: how long what is between takes depends on the numbers.
_ROUTINES: dict[str, Callable[[Any], float]] = {
    "scatter-add": lambda equation: float(math.prod(equation.invars[2].aval.shape)), "dot_general": _product,
    "conv_general_dilated": _convolution, "fft": _transform,
    "triangular_solve": _solutions,
    "cholesky": _matrices(lambda n, _: n**3 / 3),
    "lu": _matrices(lambda m, n: min(m, n) ** 2 * (max(m, n) - min(m, n) / 3)),
    "geqrf": _matrices(_reflections), "householder_product": _matrices(_reflections),
    "eigh": _matrices(lambda n, _: (4 / 3 + 2) * n**3),
    "svd": _matrices(lambda m, n: 2 * _reflections(m, n) + 2.0 * (m + n) * min(m, n) ** 2),
}
