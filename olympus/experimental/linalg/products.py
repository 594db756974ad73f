# SPDX-License-Identifier: Apache-2.0
"""Products of matrices that are split over a grid of devices."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.errors import ArgumentError
from olympus_core.placement import Mesh

from ... import lax
from ... import numpy as jnp
from ...operands import dtype_of, shape_of
from ...transforms.jit import jit
from ...typing import Array, ArrayLike
from .grids import Grid, check_block_size, check_matrix, grid_of, padded


def matmul(
    a: ArrayLike, b: ArrayLike, *, mesh: Mesh | None = None, axes: Any = None, block_size: int | None = None,
    precision: Any = None,
) -> Array:
    """The product of two matrices, each split in both dimensions over a mesh, by SUMMA.

    Each device computes its block of the product from panels of the operands, which are broadcast along its row and
    its column of devices one after the other: no device ever holds more than its blocks and one panel of each operand.
    Sizes that the mesh does not divide are padded. It has derivatives of any order.

    Args:
        a: A matrix of shape ``(m, k)``.
        b: A matrix of shape ``(k, n)``.
        mesh: The devices; when left out those of an operand's sharding, or of `olympus.set_mesh`.
        axes: A pair: the mesh axes that split rows, and those that split columns, each a name or several; the first
            two axes of the mesh when left out.
        block_size: The greatest width of a panel; as wide as the grid allows when left out.
        precision: As for `olympus.numpy.matmul`.

    Returns:
        The product, split as the operands are.

    Raises:
        ArgumentError: If the shapes do not fit, or there is no mesh.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import linalg
        >>> from olympus.sharding import NamedSharding, PartitionSpec as P
        >>> mesh = olympus.make_mesh((4, 2), ("x", "y"))
        >>> a = olympus.device_put(jnp.ones((8, 16)), NamedSharding(mesh, P("x", "y")))
        >>> b = olympus.device_put(jnp.ones((16, 4)), NamedSharding(mesh, P("x", "y")))
        >>> c = linalg.matmul(a, b)
        >>> c.shape, float(c[3, 2]), c.sharding.spec
        ((8, 4), 16.0, PartitionSpec('x', 'y'))

    References:
        R. A. van de Geijn and J. Watts, SUMMA: scalable universal matrix multiplication algorithm, 1997.
    """
    grid = grid_of("matmul", mesh, axes, a, b)
    (m, k), (inner, n) = check_matrix("matmul", "a", a), check_matrix("matmul", "b", b)
    if k != inner:
        raise ArgumentError("matmul", "the matrices do not fit together", f"shapes {(m, k)} and {(inner, n)}",
                            "as many columns as rows")
    check_block_size("matmul", block_size)
    return _matmul(a, b, grid, block_size, precision)


@functools.partial(jit, static_argnums=(2, 3, 4))
def _matmul(a: Any, b: Any, grid: Grid, block_size: int | None, precision: Any) -> Any:
    (m, k), n = shape_of(a), shape_of(b)[1]
    dtype = jnp.result_type(a, b)

    def product(a: Any, b: Any) -> Any:
        rows, columns, common = grid.rows.size, grid.columns.size, grid.common
        count = common * (1 if block_size is None else max(-(-k // (block_size * common)), 1))
        width = max(-(-k // count), 1)
        whole = grid.map(
            functools.partial(summa, grid, count, precision), 1,
            padded(a.astype(dtype), -(-m // rows) * rows, count * width),
            padded(b.astype(dtype), count * width, -(-n // columns) * columns))
        return whole[:m, :n]

    return grid.run(product, (m, n), a, b)


def summa(grid: Grid, count: int, precision: Any, a: Any, b: Any) -> Any:
    """One device's block of a product: the sum over `count` panels of the operands.

    Args:
        grid: The devices.
        count: The number of panels, which both sides of the grid divide.
        precision: As for `olympus.numpy.matmul`.
        a: This device's block of the left operand.
        b: That of the right one.
    """
    dtype = dtype_of(a)
    narrow = jnp.issubdtype(dtype, jnp.floating) and dtype.itemsize < 4
    summed = jnp.float32 if narrow else dtype  # the sum of panels is rounded once
    along, down = count // grid.columns.size, count // grid.rows.size
    width = shape_of(a)[1] // along
    terms = []
    for panel in range(count):
        left = lax.slice_in_dim(a, panel % along * width, (panel % along + 1) * width, axis=1)
        right = lax.slice_in_dim(b, panel % down * width, (panel % down + 1) * width, axis=0)
        terms.append(jnp.matmul(grid.columns.spread(left, panel // along), grid.rows.spread(right, panel // down),
                                precision=precision, preferred_element_type=summed))
    return functools.reduce(jnp.add, terms).astype(dtype)
