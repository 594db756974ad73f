# SPDX-License-Identifier: Apache-2.0
"""Primitives by name, as libraries know them: `add_p`, `scan_p`, ...; also some that are in no program here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core import ops

from ..tracing import aval_of
from ..transforms.jaxpr import PRIMITIVES, Primitive, eval_jaxpr
from ..transforms.jaxpr.composed import NamedPrimitive, composed
from ..transforms.traces.arithmetic import like
from . import linalg
from .bit_generators import rng_bit_generator, rng_uniform
from .bits import mulhi, reduce_precision
from .elementwise import (
    add,
    checked_exponent,
    exp2,
    integer_pow,
    max,
    min,
    mul,
    optimization_barrier,
    square,
)
from .folds import reduce_window, reduce_xor
from .joining import split, stack, tile, unstack
from .reductions import approx_max_k, approx_min_k, cumlogsumexp
from .staging import after_all, create_token
from .structure import reshape, squeeze

Function = Callable[..., Any]


def _windows(name: str, function: Function, record: Any) -> Primitive:
    params = ("window_dimensions", "window_strides", "padding", "base_dilation", "window_dilation")

    def run(x: Any, **given: Any) -> Any:
        return reduce_window(x, record.nothing(aval_of(x).dtype)[()], function, **given)

    return composed(name, run, *params)


def _inline(*args: Any, call_jaxpr: Any) -> list[Any]:
    return eval_jaxpr(getattr(call_jaxpr, "jaxpr", call_jaxpr), getattr(call_jaxpr, "consts", ()), *args)


def _approx_top_k(operand: Any, *, is_max_k: bool, **params: Any) -> Any:
    return (approx_max_k if is_max_k else approx_min_k)(operand, **params)


def _slope_of_power(t: Any, x: Any, y: int) -> Any:
    if y in (0, 1):
        return t if y else None
    return mul(t, mul(like(x, y), x if y == 2 else integer_pow(x, y=y - 1)))


# Those that other libraries' programs have, and that are several operations here, or none.
_COMPOSED = (
    NamedPrimitive("square", square, lambda t, x: mul(t, mul(like(x, 2), x))),
    NamedPrimitive("integer_pow", integer_pow, _slope_of_power, lambda x, y: checked_exponent(x.dtype, y), "y"),
    composed("exp2", exp2, others={"accuracy": None}), composed("squeeze", squeeze, "dimensions"),
    composed("copy", lambda x: reshape(x, aval_of(x).shape)), composed("add_any", add),
    composed("reduce_precision", reduce_precision, "exponent_bits", "mantissa_bits"),
    composed("cumlogsumexp", cumlogsumexp, "axis", "reverse"), composed("reduce_xor", reduce_xor, "axes"),
    composed("mulhi", mulhi), composed("tile", tile, "reps"),
    composed("stack", lambda *args, axis: stack(args, axis), "axis"),
    composed("split", split, "sizes", "axis", several=True), composed("unstack", unstack, "axis", several=True),
    composed("optimization_barrier", lambda *args: optimization_barrier(args), several=True),
    composed("after_all", after_all), composed("create_token", create_token),
    composed("approx_top_k", _approx_top_k, "k", "reduction_dimension", "recall_target", "is_max_k",
             "reduction_input_size_override", "aggregate_to_topk", several=True),
    composed("rng_uniform", rng_uniform, "shape"),
    composed("rng_bit_generator", rng_bit_generator, "shape", "dtype", "algorithm", others={"out_sharding": None},
             several=True),
    composed("cholesky_update", linalg.cholesky_update),
    composed("lu_pivots_to_permutation", linalg.lu_pivots_to_permutation, "permutation_size"),
    composed("symmetric_product", linalg.symmetric_product, "alpha", "beta"),
    composed("call", _inline, "call_jaxpr", several=True),
    composed("closed_call", _inline, "call_jaxpr", several=True),
    composed("qr", linalg.qr, "full_matrices", "pivoting", others={"use_magma": None}, several=True),
    _windows("reduce_window_max", max, ops.max), _windows("reduce_window_min", min, ops.min),
    _windows("reduce_window_sum", add, ops.add),
)
# Names under which libraries know some of them.
_IDENTIFIERS = {"remat2": "remat", "add_any": "add_jaxvals"}


def _identifier(name: str) -> str:
    return f"{_IDENTIFIERS.get(name, name).replace('-', '_')}_p"


BY_NAME: dict[str, Primitive] = {
    _identifier(primitive.name): primitive for primitive in (*PRIMITIVES.values(), *_COMPOSED)}
__all__: list[str] = []
