# SPDX-License-Identifier: Apache-2.0
"""Functions of dense arrays that take sparse ones: their programs, evaluated operation by operation."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program import ArrayType, Operation, Program

from ... import lax, tree
from ... import numpy as jnp
from ...tracing import Aval, aval_of, bind_all, stage
from ...tracing.wrapping import wraps
from ...transforms.jit import jit
from ...typing import Array, ArrayLike
from .base import LATER, JAXSparse, no_rule
from .bcoo import BCOO, bcoo_sum_duplicates
from .bcsr import BCSR
from .matrices import COO, CSC, CSR
from .products import bcoo_dot_general, bcoo_multiply_dense, bcoo_multiply_sparse, divided
from .structure import (
    bcoo_broadcast_in_dim,
    bcoo_concatenate,
    bcoo_dynamic_slice,
    bcoo_reduce_sum,
    bcoo_reshape,
    bcoo_rev,
    bcoo_slice,
    bcoo_transpose,
)
from .windows import bcoo_gather

__all__ = ["sparsify", "todense"]


@dataclass(frozen=True)
class _Repeated:
    """A dense value that repeats along dimensions, in which it has size one; made whole where an operation needs it."""

    small: Any
    shape: tuple[int, ...]


def _is_sparse(x: Any) -> bool:
    return isinstance(x, JAXSparse)


def todense(arr: JAXSparse | ArrayLike) -> Array:
    """The dense form of an array, sparse or not; inside of `sparsify` too.

    Args:
        arr: A sparse array, or a dense one, which stays.

    Returns:
        A dense array.

    Example:
        >>> import olympus.numpy as jnp
        >>> todense(BCOO.fromdense(jnp.array([0, 2])))
        Array([0, 2], dtype=int32)
    """
    return arr.todense() if isinstance(arr, JAXSparse) else jnp.asarray(arr)


def sparsify(f: Callable[..., Any], use_tracer: bool = False) -> Callable[..., Any]:
    """A function that takes sparse arrays where another one takes dense ones.

    Operations that keep zeros zero work on the stored elements; results are sparse where they can be.

    Args:
        f: A function of arrays.
        use_tracer: Accepted; both ways are one here.

    Returns:
        The function; its arguments may be sparse arrays (BCOO, BCSR, COO, CSR, CSC) and dense ones, in trees.

    Raises:
        NotSupportedError: When the function is called: if an operation of it gives no zeros for zeros.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([[0.0, 2.0], [3.0, 0.0]]))
        >>> sparsify(lambda x, v: jnp.sum(2 * x, axis=0) @ v)(x, jnp.array([1.0, 10.0]))
        Array(46., dtype=float32)
    """
    if not callable(f):
        raise ArgumentError("sparsify", "it is not a function", described(f), "a function of arrays")

    @wraps(f)
    def sparsified(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree.flatten((args, kwargs), is_leaf=_is_sparse)
        if not any(map(_is_sparse, leaves)):
            return f(*args, **kwargs)
        arrays = [i for i, x in enumerate(leaves) if _is_sparse(x) or _is_array(x)]
        values = [_as_bcoo(leaves[i]) for i in arrays]
        held: list[Any] = []

        def flat(*traced: Any) -> list[Any]:
            given = list(leaves)
            for i, x in zip(arrays, traced, strict=True):
                given[i] = x
            own_args, own_kwargs = tree.unflatten(structure, given)
            found, results = tree.flatten(f(*own_args, **own_kwargs))
            held.append(results)
            return found

        avals = [Aval(ArrayType(x.shape, x.dtype), False) if isinstance(x, BCOO) else aval_of(x) for x in values]
        program, _, captured = stage(flat, avals, getattr(f, "__name__", "sparsified"))
        results = _evaluated(program, [*values, *captured])
        is_by_rows = any(isinstance(x, BCSR) for x in leaves) and not any(isinstance(x, (BCOO, COO)) for x in leaves)
        return tree.unflatten(held[-1], [_given_back(x, is_by_rows) for x in results])

    return sparsified


def _is_array(x: Any) -> bool:
    try:
        aval_of(x)
    except (TypeError, ValueError):
        return False
    return True


def _as_bcoo(x: Any) -> Any:
    return x.to_bcoo() if isinstance(x, (BCSR, COO, CSR, CSC)) else x


def _given_back(x: Any, is_by_rows: bool) -> Any:
    if is_by_rows and isinstance(x, BCOO) and x.n_sparse == 2:
        return BCSR.from_bcoo(x)
    return _whole(x)


def _whole(x: Any) -> Any:
    return jnp.broadcast_to(x.small, x.shape) if isinstance(x, _Repeated) else x


def _evaluated(program: Program, inputs: Sequence[Any]) -> list[Any]:
    values = dict(zip(program.inputs, inputs, strict=True))
    for operation in program.operations:
        operands = [values[v] for v in operation.operands]
        values.update(zip(operation.results, _results(operation, operands), strict=True))
    return [values[v] for v in program.outputs]


def _results(operation: Operation, operands: list[Any]) -> Sequence[Any]:
    attributes = dict(operation.attributes)
    if operation.record is ops.broadcast_in_dim and not isinstance(operands[0], BCOO):
        return [_repeated(operands[0], attributes["shape"], attributes["dimensions"])]
    if operation.record is ops.constant:
        return [attributes["value"]]  # known, also while an outer function is traced
    if operation.record is ops.call:
        return _evaluated(operation.regions[0], operands)
    if not any(isinstance(x, BCOO) for x in operands):
        return bind_all(operation.record, [_whole(x) for x in operands], attributes, operation.regions)
    rule = _RULES.get(operation.name)
    if rule is None:
        of_elements = _of_elements(operation, operands[0])
        if of_elements is None:
            raise no_rule(operation.name)
        return [of_elements]
    found = rule(operands, attributes, operation.regions)
    return found if isinstance(found, list) else [found]


def _repeated(x: Any, shape: tuple[int, ...], dimensions: tuple[int, ...]) -> _Repeated:
    x = _small(x)
    sizes = [1] * len(shape)
    for d, size in zip(dimensions, x.shape, strict=True):
        sizes[d] = size
    return _Repeated(x.reshape(sizes), shape)


def _small(x: Any) -> Any:
    return x.small if isinstance(x, _Repeated) else x


Rule = Callable[[list[Any], dict[str, Any], Sequence[Program]], Any]
_RULES: dict[str, Rule] = {}


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


def _of_elements(operation: Operation, x: BCOO) -> BCOO | None:
    """An elementwise function of the stored elements; None if it gives something for zero."""
    record = operation.record
    if record.category != "elementwise" or record.reference is None or len(operation.operands) != 1:
        return None
    (nothing,) = record.reference([np.zeros((), x.dtype)], operation.attributes)
    if nothing != 0:
        return None
    if not record.additive and not x.unique_indices:
        x = bcoo_sum_duplicates(x, nse=x.nse)
    return x.with_parts(bind_all(record, [x.data], operation.attributes)[0])


@_rule("mul")
def _mul(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> BCOO:
    x, y = operands
    if isinstance(x, BCOO) and isinstance(y, BCOO):
        if x is y:
            x = x if x.unique_indices else bcoo_sum_duplicates(x, nse=x.nse)
            return x.with_parts(x.data * x.data)
        return bcoo_multiply_sparse(x, y)
    sparse, dense = (x, y) if isinstance(x, BCOO) else (y, x)
    return sparse.with_parts(bcoo_multiply_dense(sparse, _small(dense)))


@_rule("div")
def _div(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> BCOO:
    x, y = operands
    if not isinstance(x, BCOO) or isinstance(y, BCOO):
        raise no_rule("division by a sparse array")
    return divided(x, _small(y))


@_rule("pow")
def _pow(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> BCOO:
    x, y = operands
    exponent = _small(y)
    if not isinstance(x, BCOO) or isinstance(y, BCOO) or not _is_positive(exponent):
        raise no_rule("pow with an exponent that is not a positive number, known while tracing,")
    x = x if x.unique_indices else bcoo_sum_duplicates(x, nse=x.nse)
    return x.with_parts(jnp.power(x.data, exponent.reshape(())))


def _is_positive(exponent: Any) -> bool:
    return exponent.size == 1 and isinstance(exponent, (np.ndarray, Array)) and bool((exponent > 0).all())


def _sum(x: Any, y: Any) -> Any:
    if not (isinstance(x, BCOO) and isinstance(y, BCOO)):
        return todense(_whole(x)) + todense(_whole(y))
    if (x.n_batch, x.n_dense) != (y.n_batch, y.n_dense):
        raise no_rule(f"addition of arrays of different layouts, {x!r} and {y!r},")
    n, front = x.n_batch, x.shape[:x.n_batch]
    parts = [jnp.concatenate([jnp.broadcast_to(p, (*front, *p.shape[n:])) for p in pair], axis=n)
             for pair in ((x.data, y.data), (x.indices, y.indices))]
    return BCOO((parts[0], parts[1]), shape=x.shape)


_RULES["add"] = lambda operands, attributes, regions: _sum(*operands)
_RULES["sub"] = lambda operands, attributes, regions: _sum(operands[0], _negative(operands[1]))


def _negative(x: Any) -> Any:
    return x.with_parts(-x.data) if isinstance(x, BCOO) else -_whole(x)


@_rule("dot_general")
def _dot_general(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> Any:
    numbers = ((attributes["lhs_contracting"], attributes["rhs_contracting"]),
               (attributes["lhs_batch"], attributes["rhs_batch"]))
    x, y = map(_whole, operands)
    return bcoo_dot_general(x, y, dimension_numbers=numbers, preferred_element_type=attributes.get("dtype"))


@_rule("reduce_sum")
def _reduce_sum(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> Any:
    found = bcoo_reduce_sum(operands[0], axes=attributes["dimensions"])
    return found if found.shape else found.todense()


_RULES.update({
    "transpose": lambda xs, a, _: bcoo_transpose(xs[0], permutation=a["permutation"]),
    "reshape": lambda xs, a, _: _reshaped(xs[0], a["shape"]),
    "broadcast_in_dim": lambda xs, a, _: bcoo_broadcast_in_dim(
        xs[0], shape=a["shape"], broadcast_dimensions=a["dimensions"]),
    "slice": lambda xs, a, _: bcoo_slice(
        xs[0], start_indices=a["starts"], limit_indices=a["limits"], strides=a["strides"]),
    "dynamic_slice": lambda xs, a, _: bcoo_dynamic_slice(xs[0], [_whole(x) for x in xs[1:]], a["sizes"]),
    "reverse": lambda xs, a, _: bcoo_rev(xs[0], a["dimensions"]),
})


def _reshaped(x: BCOO, shape: tuple[int, ...]) -> BCOO:
    """A new shape; where only dimensions of size one come or go, in any kind of dimensions."""
    if tuple(n for n in x.shape if n != 1) != tuple(n for n in shape if n != 1) or 0 in shape:
        return bcoo_reshape(x, new_sizes=shape)
    kept = bcoo_reduce_sum(x, axes=tuple(d for d, n in enumerate(x.shape) if n == 1))
    places = tuple(d for d, n in enumerate(shape) if n != 1)
    return bcoo_broadcast_in_dim(kept, shape=shape, broadcast_dimensions=places)


@_rule("gather")
def _gather(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> BCOO:
    x, indices = operands
    if isinstance(indices, BCOO):
        raise no_rule("indexing by a sparse array")
    numbers = lax.GatherDimensionNumbers(
        attributes["offset_dims"], attributes["collapsed_slice_dims"], attributes["start_index_map"],
        attributes["operand_batching_dims"], attributes["indices_batching_dims"])
    return bcoo_gather(x, _whole(indices), numbers, attributes["slice_sizes"], mode=attributes["mode"],
                       fill_value=attributes.get("fill_value"))


@_rule("concatenate")
def _concatenate(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> BCOO:
    if not all(isinstance(x, BCOO) for x in operands):
        raise no_rule("concatenation of sparse and dense arrays")
    return bcoo_concatenate(operands, dimension=attributes["dimension"])


@_rule("cond")
def _cond(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> list[Any]:
    index, *rest = operands
    if isinstance(index, BCOO):
        raise no_rule("a choice by a sparse array")
    branches = [functools.partial(_evaluated_whole, region) for region in regions]
    return list(lax.switch(index, [lambda *xs, b=b: b(xs) for b in branches], *map(_whole, rest)))


def _evaluated_whole(program: Program, inputs: Sequence[Any]) -> list[Any]:
    return [_whole(x) for x in _evaluated(program, inputs)]


@_rule("while")
def _while(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> list[Any]:
    condition, body = regions
    operands = list(map(_whole, operands))
    held, carry = operands[:attributes["constants"]], operands[attributes["constants"]:]
    return list(lax.while_loop(
        lambda c: _evaluated_whole(condition, [*held, *c])[0], lambda c: _evaluated_whole(body, [*held, *c]), carry))


@_rule("scan")
def _scan(operands: list[Any], attributes: dict[str, Any], regions: Sequence[Program]) -> list[Any]:
    operands = list(map(_whole, operands))
    first, second = attributes["constants"], attributes["constants"] + attributes["carry"]
    held, carry, slices = operands[:first], operands[first:second], operands[second:]
    if any(isinstance(x, BCOO) for x in slices):
        raise no_rule("a scan over a sparse array")

    def step(c: Any, xs: Any) -> tuple[list[Any], list[Any]]:
        found = _evaluated_whole(regions[0], [*held, *c, *xs])
        return found[:len(carry)], found[len(carry):]

    last, rows = lax.scan(step, carry, slices, length=attributes["length"], reverse=attributes["reverse"])
    return [*last, *rows]


@functools.cache
def operator_of(name: str) -> Callable[..., Any]:
    """A function of `olympus.numpy` for sparse arrays, as a jitted one: what the arrays' operators call."""
    return jit(sparsify(getattr(jnp, name)))


LATER.sparsify, LATER.operator_of = sparsify, operator_of
