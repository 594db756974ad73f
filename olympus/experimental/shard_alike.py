# SPDX-License-Identifier: Apache-2.0
"""Arrays that are to be split in the same way."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, TypeVar

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError
from olympus_core.program import ArrayType, FactorRule

from .. import tree
from ..interpreters import ad, batching, mlir
from ..operands import shape_of, weakly
from ..tracing import aval_of
from ..transforms.jaxpr import Primitive
from ..transforms.traces.dimensions import repeated

__all__ = ["shard_alike"]
__dir__ = listed(__all__)

T = TypeVar("T")


def shard_alike(x: T, y: T) -> tuple[T, T]:
    """Says that two arrays are to be split in the same way: where one is split, the other is so as well.

    Args:
        x: An array, or a nested container of arrays.
        y: Another one, of the same structure and shapes.

    Returns:
        Both, with the same values.

    Raises:
        ArgumentError: If structures or shapes differ.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import NamedSharding, PartitionSpec as P
        >>> halves = NamedSharding(olympus.make_mesh((2,), ("x",)), P("x"))
        >>> like = olympus.jit(lambda x: shard_alike(x, jnp.zeros(4))[1])
        >>> like(olympus.device_put(jnp.ones(4), halves)).sharding.spec
        PartitionSpec('x',)
    """
    (left, structure), (right, other) = tree.flatten(x), tree.flatten(y)
    if structure != other:
        raise ArgumentError("shard_alike", "the structures differ", f"{structure} and {other}", "equal structures")
    shapes: list[Any] = [[shape_of(leaf) for leaf in leaves] for leaves in (left, right)]
    if shapes[0] != shapes[1]:
        raise ArgumentError("shard_alike", "the shapes differ", f"{shapes[0]} and {shapes[1]}", "equal shapes")
    found = [_alike(*pair) for pair in zip(left, right, strict=True)]
    return tree.unflatten(structure, [a for a, _ in found]), tree.unflatten(structure, [b for _, b in found])


def _alike(x: Any, y: Any) -> list[Any]:
    results = _primitive().bind(x, y)
    return [weakly(result, aval_of(given).weak) for result, given in zip(results, (x, y), strict=True)]


@functools.cache
def _primitive() -> Primitive:
    """Hands its two operands on; its rule of how it is split knows one set of dimensions for both."""
    made = Primitive("shard_alike")
    made.multiple_results = True
    made.def_abstract_eval(lambda x, y: [x, y])
    made.def_sharding_rule(_split)
    mlir.register_lowering(made, mlir.lower_fun(lambda x, y: (x, y), multiple_results=True))

    def differentiated(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
        return made.bind(*primals), made.bind(*map(ad.instantiate_zeros, tangents))

    def transposed(cotangents: Sequence[Any], *operands: Any) -> Any:
        return made.bind(*map(ad.instantiate_zeros, cotangents))

    def batched(values: Sequence[Any], dimensions: Sequence[Any]) -> tuple[Any, Any]:
        size = next(shape_of(x)[0] for x, d in zip(values, dimensions, strict=True) if d is not None)
        return made.bind(*(repeated(x, size) if d is None else x
                           for x, d in zip(values, dimensions, strict=True))), (0, 0)

    ad.primitive_jvps[made], ad.primitive_transposes[made] = differentiated, transposed
    batching.primitive_batchers[made] = batched
    return made


def _split(operands: Sequence[ArrayType], results: Sequence[ArrayType], params: Any) -> FactorRule:
    return FactorRule.elementwise(operands[0].shape, 2, 2)
