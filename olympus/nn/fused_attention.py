# SPDX-License-Identifier: Apache-2.0
"""Attention as one operation, for platforms with a kernel for it: `dot_product_attention` of 16-bit floats on CUDA.

It is an operation from outside (`olympus.extend.core.Primitive`) whose lowering is the composition, and on CUDA an
operation that the platform knows by its name. Its derivative is a second operation, linear in the tangents, whose
transpose is a third one: that computes the scores anew from the logarithms of the sums, so that no pass keeps them.

References:
    T. Dao, D. Fu, S. Ermon, A. Rudra, C. Re, FlashAttention: Fast and Memory-Efficient Exact Attention with
    IO-Awareness, 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program, run
from olympus_core.program.factors import Factor
from olympus_core.runtime import get_world

from .. import lax
from ..lax.staging import traced_platform
from ..numpy.shapes import broadcast_to
from ..operands import broadcast_shape, cast, dtype_of, shape_of
from ..tracing import Aval, aval_of, bind_all
from ..transforms.derivatives.forward import jvp
from ..transforms.derivatives.reverse import vjp
from ..transforms.jaxpr.primitive import Primitive, register_lowering
from ..transforms.jaxpr.writing import Lowering, written
from ..transforms.traces.arithmetic import zeros
from ..transforms.traces.table import Batched, BatchingCall, Jvp, JvpCall, TransposeCall
from .composed_attention import composed

_HALVES = (dtypes.float16, dtypes.bfloat16)
_LARGEST_HEAD, _CAPABILITY = 128, (8, 0)


def fused(
    query: Any, key: Any, value: Any, mask: Any, query_lengths: Any, key_lengths: Any, scale: float, causal: bool,
    window: tuple[int, ...] | None,
) -> tuple[Any, Any] | None:
    """The attention as one operation; None where the platform's kernels do not compute it.

    Args:
        query: As in `dot_product_attention`, with a batch.
        key: Likewise.
        value: Likewise.
        mask: Likewise.
        query_lengths: How many queries of each batch count.
        key_lengths: How many keys of each batch count.
        scale: The factor of the products.
        causal: Whether a query sees only keys that do not come after it.
        window: How many keys before and after its own position a query sees.

    Returns:
        The result, and the logarithms of the sums, of shape (batch, heads, T) in float32.
    """
    if traced_platform.get() is not None or not _is_computed(query, key, value, scale, window):
        return None
    if mask is not None and (dtype_of(mask) != dtypes.bool_ or len(shape_of(mask)) > 4):
        return None
    seen = _joined(mask, query_lengths, key_lengths, shape_of(query)[1], shape_of(key)[1])
    operands = [query, key, value, *([] if seen is None else [seen])]
    length, keys = shape_of(query)[1], shape_of(key)[1]
    before, after = window if window is not None else (length, keys)
    # What reaches beyond all arrays is no limit, and might not fit in the kernels' numbers.
    left, right = before if before < length - 1 else None, 0 if causal else after if after < keys - 1 else None
    out, sums = attention_p.bind(*operands, scale=scale, left=left, right=right)
    return out, sums


def _is_computed(query: Any, key: Any, value: Any, scale: float, window: tuple[int, ...] | None) -> bool:
    """Whether there is a kernel for it, and no query that positions keep from seeing anything."""
    device, size = get_world().default_device(), shape_of(query)[-1]
    capability = tuple(int(part) for part in str(getattr(device, "compute_capability", "0.0")).split("."))
    types = {dtype_of(x) for x in (query, key, value)}
    length, keys = shape_of(query)[1], shape_of(key)[1]
    is_blind = window is not None and length - 1 - window[0] > keys - 1
    return (capability >= _CAPABILITY and len(types) == 1 and types <= set(_HALVES) and size % 8 == 0
            and 0 < size <= _LARGEST_HEAD and 0 < scale < 64 and 0 not in (*shape_of(query), *shape_of(key))
            and not is_blind)


def _joined(mask: Any, query_lengths: Any, key_lengths: Any, length: int, keys: int) -> Any:
    """One mask of four dimensions, each as long as the attention's or 1; None where nothing is masked."""
    parts = [] if mask is None else [lax.reshape(mask, (1,) * (4 - len(shape_of(mask))) + tuple(shape_of(mask)))]
    for lengths, dimension, size in ((query_lengths, 2, length), (key_lengths, 3, keys)):
        if lengths is not None:
            shape = [1, 1, 1, 1]
            shape[dimension] = size
            limit = lax.reshape(cast(lengths, dtypes.int32), (shape_of(lengths)[0], 1, 1, 1))
            whole = (shape_of(lengths)[0], *shape[1:])
            place = lax.broadcasted_iota(np.int32, tuple(shape), dimension)
            parts.append(lax.lt(broadcast_to(place, whole), broadcast_to(limit, whole)))
    found = None
    for part in parts:
        if found is not None:
            shape_ = broadcast_shape("dot_product_attention", [shape_of(found), shape_of(part)])
            part = lax.bitwise_and(broadcast_to(found, shape_), broadcast_to(part, shape_))
        found = part
    return found


# ------------------------------------------------------------------------------------------- what the operations mean
def _attention(query: Any, key: Any, value: Any, *mask: Any, scale: float, left: int | None, right: int | None) -> Any:
    """The composition: the result, and the logarithms of the sums."""
    length, keys = shape_of(query)[1], shape_of(key)[1]
    window = None if left is None and right is None else (
        length if left is None else left, keys if right is None else right)
    return composed(query, key, value, None, mask[0] if mask else None, None, None, scale, False, window, True)


def _tangent(*operands: Any, linear: tuple[bool, ...], masked: bool, **params: Any) -> Any:
    """The tangents of results for tangents of those among query, key and value that are linear."""
    count = 4 if masked else 3
    primals, tangents = operands[:count], list(operands[count + 2:])
    changing = [i for i in range(3) if linear[i]]

    def function(*values: Any) -> Any:
        given = list(primals)
        for i, x in zip(changing, values, strict=True):
            given[i] = x
        return tuple(_attention(*given, **params))

    return jvp(function, [primals[i] for i in changing], tangents)[1]


def _gradient(*operands: Any, masked: bool, **params: Any) -> Any:
    """The cotangents of query, key and value.

    The last operands are the logarithms of the sums, the cotangent of the result, and for each query the sum of the
    products of this with the result, less the cotangent of the logarithm.
    """
    (query, key, value, *mask), (_, c_out, shares) = operands[:-3], operands[-3:]
    (out, _), back = vjp(lambda q, k, v: tuple(_attention(q, k, v, *mask, **params)), query, key, value)
    return back((c_out, lax.sub(_products(c_out, out), shares)))


def _products(x: Any, y: Any) -> Any:
    """The sum of products over a head's elements, of shape (batch, heads, T)."""
    products = lax.mul(cast(x, dtypes.float32), cast(y, dtypes.float32))
    return lax.transpose(products.sum(3), (0, 2, 1))


# ------------------------------------------------------------------------------------------- types and sharding
def _sums_type(query: Any) -> ArrayType:
    batch, length, heads, _ = query.shape
    return ArrayType((batch, heads, length), dtypes.float32)


def _types(query: Any, *others: Any, **params: Any) -> list[Aval]:
    return [Aval(ArrayType(tuple(query.shape), query.dtype)), Aval(_sums_type(query))]


def _gradient_types(query: Any, key: Any, value: Any, *others: Any, **params: Any) -> list[Aval]:
    return [Aval(ArrayType(tuple(x.shape), x.dtype)) for x in (query, key, value)]


def _factors(
    operands: Sequence[ArrayType], results: Sequence[ArrayType], params: Mapping[str, Any]
) -> FactorRule:
    """Examples and heads of keys are split; what a device has of them it computes by itself."""
    (batch, length, heads, size), (_, keys, groups, _) = operands[0].shape, operands[1].shape
    sizes = [batch, groups, heads // groups, length, keys, size]
    factors = [Factor(n, "parallel" if i < 2 else "whole") for i, n in enumerate(sizes)]
    b, g, r, t, s, d = range(6)
    of_queries, of_keys, of_sums = ((b,), (t,), (g, r), (d,)), ((b,), (s,), (g,), (d,)), ((b,), (g, r), (t,))

    def place(type_: ArrayType, position: int, mask: bool) -> tuple[tuple[int, ...], ...]:
        if mask:
            found = []
            for n, whole in zip(type_.shape, ((b,), (g, r), (t,), (s,)), strict=True):
                if n == 1:
                    factors.append(Factor(1, "whole"))
                    whole = (len(factors) - 1,)
                found.append(whole)
            return tuple(found)
        return of_sums if len(type_.shape) == 3 else of_keys if position in _of_keys(params) else of_queries

    masked = params.get("masked", len(operands) == 4)
    placed = tuple(place(x, i, masked and i == 3) for i, x in enumerate(operands))
    made = tuple(place(x, -1 - i if len(results) == 3 else -9, False) for i, x in enumerate(results))
    return FactorRule(tuple(factors), placed, made)


def _of_keys(params: Mapping[str, Any]) -> set[int]:
    """Which operands have the shape of keys, and, as -1 - i, which results of the gradient."""
    found = {1, 2, -2, -3}
    if "linear" in params:
        first = (4 if params["masked"] else 3) + 2
        changing = [i for i in range(3) if params["linear"][i]]
        found |= {first + place for place, i in enumerate(changing) if i > 0}
    return found


# ------------------------------------------------------------------------------------------- derivatives and batching
def _jvp(call: JvpCall) -> Jvp:
    params = call.attributes["params"].values
    results = attention_p.bind(*call.primals, **params)
    linear = tuple(t is not None for t in call.tangents[:3])
    tangents = tangent_p.bind(
        *call.primals, *results, *[t for t in call.tangents[:3] if t is not None], linear=linear,
        masked=len(call.primals) == 4, **params)
    return results, tangents


def _transpose(call: TransposeCall) -> list[Any]:
    params = dict(call.attributes["params"].values)
    linear = params.pop("linear")
    count = (4 if params["masked"] else 3) + 2
    cotangents = [zeros(aval) if c is None else c for c, aval in zip(call.cotangents, call.results, strict=True)]
    *primals, out, sums = call.operands[:count]
    shares = lax.sub(_products(cotangents[0], out), cotangents[1])
    found = gradient_p.bind(*primals, sums, cotangents[0], shares, **params)
    wanted = [found[i] for i in range(3) if linear[i]]
    return [None] * count + [x if is_linear else None for x, is_linear in zip(
        wanted, call.linear[count:], strict=True)]


def _batching(prim: Primitive) -> Callable[[BatchingCall], Batched]:
    """The mapped dimension becomes part of the batch."""
    def batch(call: BatchingCall) -> Batched:
        params, size = call.attributes["params"].values, call.size
        masked = params.get("masked", len(call.values) == 4)
        examples = aval_of(call.front(0)).shape[1]
        values = []
        for i in range(len(call.values)):
            if masked and i == 3 and not call.batched[i] and aval_of(call.values[i]).shape[0] == 1:
                values.append(call.values[i])  # one for all
                continue
            x = call.front(i)
            shape = aval_of(x).shape
            if shape[1] != examples:
                x, shape = broadcast_to(x, (size, examples, *shape[2:])), (size, examples, *shape[2:])
            values.append(lax.reshape(x, (size * examples, *shape[2:])))
        found = prim.bind(*values, **params)
        return [(lax.reshape(x, (size, examples, *shape_of(x)[1:])), True) for x in found]

    return batch


def _rewritten(function: Callable[..., Any]) -> Callable[..., Any]:
    def rewrite(operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Sequence[Any]:
        return list(function(*operands, **attributes["params"].values))

    return rewrite


# ------------------------------------------------------------------------------------------- what the platform knows
def _known_to_platforms(prim: Primitive, name: str, types: Callable[..., list[Aval]]) -> OperationRecord:
    """The operation that stands for a primitive in programs for CUDA, of one device's part."""
    def type_rule(
        operands: Sequence[ArrayType], attributes: Attributes, regions: Sequence[Program]
    ) -> Sequence[ArrayType]:
        return tuple(a.type for a in types(*operands))

    def factor_rule(
        operands: Sequence[ArrayType], results: Sequence[ArrayType], attributes: Attributes
    ) -> FactorRule:
        return FactorRule.unsplittable([t.shape for t in operands], [t.shape for t in results])

    def reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
        params = {key: x for key, x in attributes.items() if key != "masked" or prim is gradient_p}
        given = [ArrayType(x.shape, x.dtype) for x in values]
        return list(run(written(prim, given, params, None, types(*given)), values))

    record = OperationRecord(name, "contraction", type_rule, factor_rule, reference=reference)

    def lowered(*operands: Any, **params: Any) -> list[Any]:
        attributes = {"masked": len(operands) == 4, **params}
        return list(bind_all(record, operands, attributes, (), False))

    register_lowering(prim, Lowering(lowered, True), "cuda")
    return record


def _made(name: str, meaning: Callable[..., Any], types: Callable[..., list[Aval]]) -> Primitive:
    prim = Primitive(name)
    prim.multiple_results = True
    prim.def_abstract_eval(types)
    prim.def_sharding_rule(_factors)
    register_lowering(prim, Lowering(meaning, True))
    prim.rules.batching = _batching(prim)
    return prim


attention_p = _made("dot_product_attention", _attention, _types)
tangent_p = _made("dot_product_attention_tangent", _tangent, _types)
gradient_p = _made("dot_product_attention_gradient", _gradient, _gradient_types)
attention_p.rules.jvp = _jvp
tangent_p.rules.transpose = _transpose
tangent_p.rules.rewrite, gradient_p.rules.rewrite = _rewritten(_tangent), _rewritten(_gradient)
ATTENTION = _known_to_platforms(attention_p, "fused_attention", _types)
GRADIENT = _known_to_platforms(gradient_p, "fused_attention_gradient", _gradient_types)
