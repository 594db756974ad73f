# SPDX-License-Identifier: Apache-2.0
"""The Cholesky factor of a matrix that is split over a grid of devices."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.placement import Mesh

from ... import lax
from ... import numpy as jnp
from ...lax import linalg
from ...numpy.promotion import inexact_dtype
from ...operands import dtype_of, shape_of
from ...transforms.jit import jit
from ...typing import Array, ArrayLike
from .grids import Blocks, Grid, check_block_size, check_matrix, dealt_over, grid_of, padded_square


def cholesky(
    a: ArrayLike, *, mesh: Mesh | None = None, axes: Any = None, block_size: int | None = None,
    symmetrize_input: bool = True,
) -> Array:
    """The lower triangular factor L of a Hermitian positive definite matrix that is split over a mesh: A = L L^H.

    The matrix is dealt to the devices in blocks, in turn along both dimensions; a panel of the factor at a time is
    computed by the devices of its column, and broadcast, and all subtract its product from what is left. Sizes that the
    mesh does not divide are padded. The program has a step for each block of rows.

    Args:
        a: A matrix of shape ``(n, n)``.
        mesh: The devices; when left out those of the operand's sharding, or of `olympus.set_mesh`.
        axes: A pair: the mesh axes that split rows, and those that split columns, each a name or several; the first
            two axes of the mesh when left out.
        block_size: The greatest number of rows of a block; 128 when left out, or more
            where a device would have many blocks.
        symmetrize_input: Whether (a + a^H) / 2 is factorized; otherwise only the lower triangle is read.

    Returns:
        The factor, split as the matrix is; NaN when the matrix is not positive definite.

    Raises:
        ArgumentError: If it is no square matrix, or there is no mesh.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import linalg
        >>> mesh = olympus.make_mesh((4, 2), ("x", "y"))
        >>> linalg.cholesky(jnp.array([[4.0, 2.0], [2.0, 5.0]]), mesh=mesh).tolist()
        [[2.0, 0.0], [1.0, 2.0]]

    References:
        J. Choi, J. J. Dongarra, L. S. Ostrouchov, A. P. Petitet, D. W. Walker and R. C. Whaley, Design and
        implementation of the ScaLAPACK LU, QR, and Cholesky factorization routines, 1996.
    """
    grid = grid_of("cholesky", mesh, axes, a)
    check_matrix("cholesky", "a", a, square=True)
    check_block_size("cholesky", block_size)
    return _cholesky(a, grid, block_size, bool(symmetrize_input))


@functools.partial(jit, static_argnums=(1, 2, 3))
def _cholesky(a: Any, grid: Grid, block_size: int | None, symmetrize: bool) -> Any:
    n = shape_of(a)[0]
    dtype = inexact_dtype(dtype_of(a))
    rows, columns = dealt_over(grid, n, block_size)

    def part(a: Any) -> Any:
        found, _ = factored(rows, columns, columns.dealt(rows.dealt(a, 0), 1))
        return columns.collected(rows.collected(found, 0), 1)

    def factor(a: Any) -> Any:
        a = a.astype(dtype)
        whole = padded_square((a + a.conj().T) / 2 if symmetrize else a, rows.count * rows.size)
        return grid.map(part, 1, whole)[:n, :n]

    return grid.run(factor, (n, n), a)


def factored(rows: Blocks, columns: Blocks, a: Any) -> tuple[Any, list[Any]]:
    """One device's blocks of the factor, and the factors of the blocks on the diagonal.

    Args:
        rows: How rows are dealt.
        columns: How columns are.
        a: This device's blocks of the matrix, of which the lower triangle is read.
    """
    size, dtype = rows.size, dtype_of(a)
    zero = jnp.zeros((), dtype)
    diagonal: list[Any] = []
    for k in range(rows.count):
        top, left = rows.place(k), columns.place(k)
        panel = columns.side.spread(a[top:, left:left + size], columns.owner(k))
        corner = linalg.cholesky(rows.side.spread(panel[:size], rows.owner(k)), symmetrize_input=False)
        diagonal.append(corner)
        below = linalg.triangular_solve(corner, panel, lower=True, transpose_a=True, conjugate_a=True)
        later = rows.after(k)[:, None]
        below = jnp.where(later, below, zero)
        mine = rows.side.rank() == rows.owner(k)
        head = jnp.where(mine, jnp.tril(corner), below[:size])
        made = below.at[:size].set(head)
        holds = columns.side.rank() == columns.owner(k)
        a = a.at[top:, left:left + size].set(jnp.where(holds, made, a[top:, left:left + size]))
        # Of the factor's rows each device needs those that belong to its columns, too.
        across = columns.own(rows.joined(rows.side.gather(below), k), k)
        a = a.at[top:, left:].add(-lax.dot_general(below, across.conj(), (((1,), (1,)), ((), ())), precision="highest"))
    is_lower = _places(rows)[:, None] >= _places(columns)[None, :]
    failed = functools.reduce(jnp.logical_or, [jnp.isnan(x).any() for x in diagonal])
    return jnp.where(failed, jnp.asarray(jnp.nan, dtype), jnp.where(is_lower, a, zero)), diagonal


def _places(blocks: Blocks) -> Any:
    """The places in the matrix of this device's rows or columns."""
    return (blocks.numbers(0)[:, None] * blocks.size + jnp.arange(blocks.size)[None, :]).reshape(-1)
