# SPDX-License-Identifier: Apache-2.0
"""What operations that libraries add do for all indices of a mapped dimension."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from ..tracing import aval_of
from ..transforms.batching.containers import Container, FromElement, ToElement, containers, is_container
from ..transforms.batching.vmap import vmap
from ..transforms.jaxpr import conventions
from ..transforms.jaxpr.conventions import AxisData, Rule, not_mapped
from ..transforms.jaxpr.primitive import Primitive
from ..transforms.traces.batching_trace import BatchingTrace as BatchTrace
from ..transforms.traces.batching_trace import BatchTracer
from ..transforms.traces.dimensions import moved, repeated, reshaped
from .registers import Register

Dimension = int | None


def _enter(takes_axis: bool, prim: Primitive, rule: Rule | None) -> None:
    prim.rules.batching = None if rule is None else conventions.batching(prim, rule, takes_axis)


def _known(takes_axis: bool, prim: Primitive) -> Rule:
    def rule(operands: Sequence[Any], dimensions: Sequence[Dimension], **params: Any) -> tuple[Any, Any]:
        results = vmap(lambda *values: prim.bind(*values, **params), in_axes=tuple(dimensions))(*operands)
        return results, _in_front(prim, results)

    return (lambda axis, *given, **params: rule(*given, **params)) if takes_axis else rule


primitive_batchers = Register("primitive_batchers", functools.partial(_enter, False), functools.partial(_known, False))
fancy_primitive_batchers = Register(
    "fancy_primitive_batchers", functools.partial(_enter, True), functools.partial(_known, True))


class _OfSizeAndName(Register):
    """The register of rules that take the mapped dimension's size and name, and a trace, in front of the operands."""

    def __getitem__(self, prim: Primitive) -> Rule:
        rule = fancy_primitive_batchers[prim]
        return lambda size, name, trace, *given, **params: rule(AxisData(name, size, None, None), *given, **params)

    def __setitem__(self, prim: Primitive, rule: Rule) -> None:
        fancy_primitive_batchers[prim] = lambda axis, *given, **params: rule(
            axis.size, axis.name, None, *given, **params)

    def __delitem__(self, prim: Primitive) -> None:
        del fancy_primitive_batchers[prim]

    def __iter__(self) -> Iterator[Primitive]:
        return iter(fancy_primitive_batchers)

    def __len__(self) -> int:
        return len(fancy_primitive_batchers)


axis_primitive_batchers = _OfSizeAndName(
    "axis_primitive_batchers", functools.partial(_enter, True), functools.partial(_known, True))


def _in_front(prim: Primitive, results: Any) -> Any:
    """The mapped dimension of each result, or of the only one: the first."""
    return [0] * len(results) if prim.multiple_results else 0


def defvectorized(prim: Primitive) -> None:
    """Registers that a primitive does the same for every element: a mapped dimension is one more dimension.

    Args:
        prim: The primitive.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import batching
        >>> square_p = Primitive("square")
        >>> impl, aval = square_p.def_impl(lambda x: x * x), square_p.def_abstract_eval(lambda x: x)
        >>> batching.defvectorized(square_p)
        >>> print(olympus.vmap(square_p.bind)(jnp.arange(3.0)))
        [0. 1. 4.]
    """
    def rule(operands: Sequence[Any], dimensions: Sequence[Dimension], **params: Any) -> tuple[Any, Any]:
        size = _size(operands, dimensions)
        results = prim.bind(*(bdim_at_front(x, d, size) for x, d in zip(operands, dimensions, strict=True)), **params)
        return results, _in_front(prim, results)

    primitive_batchers[prim] = rule


def defbroadcasting(prim: Primitive) -> None:
    """Registers that a primitive does the same for every element, of operands of different numbers of dimensions.

    Args:
        prim: The primitive.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import batching
        >>> plus_p = Primitive("plus")
        >>> impl = plus_p.def_impl(lambda x, y: x + y)
        >>> aval = plus_p.def_abstract_eval(lambda x, y: max(x, y, key=lambda aval: aval.ndim))
        >>> batching.defbroadcasting(plus_p)
        >>> print(olympus.vmap(plus_p.bind, (0, None))(jnp.arange(3.0), 1.0))
        [1. 2. 3.]
    """
    def rule(operands: Sequence[Any], dimensions: Sequence[Dimension], **params: Any) -> tuple[Any, Any]:
        most = max(aval_of(x).ndim - (d is not not_mapped) for x, d in zip(operands, dimensions, strict=True))
        given = []
        for x, d in zip(operands, dimensions, strict=True):
            if d is not not_mapped:  # the mapped dimension in front of as many as the greatest operand has
                x = moved(x, d, 0)
                shape = aval_of(x).shape
                x = reshaped(x, (shape[0], *[1] * (most + 1 - len(shape)), *shape[1:]))
            given.append(x)
        results = prim.bind(*given, **params)
        return results, _in_front(prim, results)

    primitive_batchers[prim] = rule


def defreducer(prim: Primitive) -> None:
    """Registers that a primitive with one operand folds the dimensions that its parameter `axes` lists.

    Args:
        prim: The primitive.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import batching
        >>> total_p = Primitive("total")
        >>> impl = total_p.def_impl(lambda x, *, axes: x.sum(axes))
        >>> batching.defreducer(total_p)
        >>> print(olympus.vmap(lambda x: total_p.bind(x, axes=(0,)))(jnp.ones((2, 3))))
        [3. 3.]
    """
    def rule(operands: Sequence[Any], dimensions: Sequence[int], *, axes: Sequence[int], **params: Any) -> Any:
        (operand,), (dimension,) = operands, dimensions
        found = tuple(d + (d >= dimension) for d in axes)
        return prim.bind(operand, axes=found, **params), dimension - sum(d < dimension for d in found)

    primitive_batchers[prim] = rule


def broadcast(x: Any, sz: int, axis: int, mesh_axis: Any = None) -> Any:
    """A value, the same for each index of a new dimension.

    Args:
        x: The value.
        sz: The size of the dimension.
        axis: Where it stands.
        mesh_axis: Accepted for compatibility.

    Example:
        >>> from olympus.interpreters import batching
        >>> batching.broadcast(1.0, 3, 0).shape
        (3,)
    """
    return moved(repeated(x, sz), 0, axis)


def bdim_at_front(x: Any, bdim: Dimension, size: int, mesh_axis: Any = None) -> Any:
    """A value with its mapped dimension in front; repeated where it has none.

    Args:
        x: The value.
        bdim: Its mapped dimension; `not_mapped` for none.
        size: The size of the mapped dimension.
        mesh_axis: Accepted for compatibility.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.interpreters import batching
        >>> batching.bdim_at_front(jnp.ones((2, 3)), 1, 3).shape
        (3, 2)
    """
    return repeated(x, size) if bdim is not_mapped else moved(x, bdim, 0)


def moveaxis(x: Any, src: int, dst: int) -> Any:
    """A value with one dimension at another position.

    Args:
        x: The value.
        src: The dimension.
        dst: Its new position.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.interpreters import batching
        >>> batching.moveaxis(jnp.ones((2, 3)), 1, 0).shape
        (3, 2)
    """
    ndim = aval_of(x).ndim
    return moved(x, src % ndim, dst % ndim)


def matchaxis(
    axis_name: Any, sz: int, mesh_axis: Any, src: Dimension, dst: Dimension, x: Any, sum_match: bool = False
) -> Any:
    """A value with its mapped dimension where another one has it.

    Args:
        axis_name: Accepted for compatibility.
        sz: The size of the mapped dimension.
        mesh_axis: Accepted for compatibility.
        src: Its mapped dimension; `not_mapped` for none.
        dst: Where that shall stand.
        x: The value.
        sum_match: Whether the mapped dimension is summed where `dst` is `not_mapped`.

    Raises:
        ArgumentError: When there is a mapped dimension and none is wanted.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.interpreters import batching
        >>> batching.matchaxis(None, 3, None, 1, 0, jnp.ones((2, 3))).shape
        (3, 2)
    """
    if src == dst:
        return x
    if src is not_mapped:
        return broadcast(x, sz, 0 if dst is None else dst)
    if dst is not not_mapped:
        return moveaxis(x, src, dst)
    if sum_match:
        from ..lax import reduce_sum

        return reduce_sum(x, (src,))
    raise ArgumentError("matchaxis", "the value has a mapped dimension, and none is wanted", described(src), None)


def register_vmappable(
    data_type: type, spec_type: type, axis_size_type: type, to_elt: ToElement, from_elt: FromElement,
    make_iota: Callable[[Any], Any] | None,
) -> None:
    """Registers a type of containers that says itself how `vmap` takes one index of it.

    Args:
        data_type: The type.
        spec_type: The type of what stands for such a container in `in_axes` and `out_axes`; None may stand, too.
        axis_size_type: The type of the number of indices, as which an integer is given.
        to_elt: Gives one index of a container. It is called with a function that gives one index of a part (called with
            the part and its dimension, or None), with None, the container and its entry of `in_axes`.
        from_elt: Gives the container of one index's. It is called with a function that puts a part together (called
            with the number of indices, the part and its dimension), the number, the container and its entry of
            `out_axes`.
        make_iota: None.

    Raises:
        NotSupportedError: For a `make_iota`, which numbers of indices that are no integers need.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.interpreters import batching
        >>> class Pair:
        ...     def __init__(self, each, shared):
        ...         self.each, self.shared = each, shared
        >>> batching.register_vmappable(
        ...     Pair, int, int, lambda take, _, pair, axis: Pair(take(pair.each, axis), pair.shared),
        ...     lambda put, size, pair, axis: Pair(put(size, pair.each, axis), pair.shared), None)
        >>> found = olympus.vmap(lambda p: Pair(p.each * 2, p.shared + 1))(Pair(jnp.arange(3), 1))
        >>> print(found.each, found.shared)
        [0 2 4] 2
        >>> batching.unregister_vmappable(Pair)
    """
    if make_iota is not None:
        raise NotSupportedError("register_vmappable: make_iota", "the number of indices is an integer", "Pass None.")
    containers[data_type] = Container(spec_type, to_elt, from_elt)


def unregister_vmappable(data_type: type) -> None:
    """Takes back what `register_vmappable` registered of a type, if anything.

    Args:
        data_type: The type.

    Example:
        >>> from olympus.interpreters import batching
        >>> batching.unregister_vmappable(int)
    """
    containers.pop(data_type, None)


def is_vmappable(x: Any) -> bool:
    """Whether a value's type is one that `register_vmappable` registered.

    Args:
        x: The value.

    Example:
        >>> from olympus.interpreters import batching
        >>> batching.is_vmappable(1.0)
        False
    """
    return is_container(x)


def _size(operands: Sequence[Any], dimensions: Sequence[Dimension]) -> int:
    return next(aval_of(x).shape[d] for x, d in zip(operands, dimensions, strict=True) if d is not None)


__all__ = [
    "AxisData", "BatchTrace", "BatchTracer", "axis_primitive_batchers", "bdim_at_front", "broadcast",
    "defbroadcasting", "defreducer", "defvectorized", "fancy_primitive_batchers", "is_vmappable", "matchaxis",
    "moveaxis", "not_mapped", "primitive_batchers", "register_vmappable", "unregister_vmappable",
]
__dir__ = listed(__all__)
