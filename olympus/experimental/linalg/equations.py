# SPDX-License-Identifier: Apache-2.0
"""Linear equations whose matrix is split over a grid of devices."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.errors import ArgumentError, described
from olympus_core.placement import Mesh

from ... import numpy as jnp
from ...lax import linalg
from ...numpy.promotion import inexact_dtype
from ...operands import dtype_of, shape_of
from ...transforms.jit import jit
from ...typing import Array, ArrayLike
from .factors import factored
from .grids import Blocks, Grid, check_block_size, check_matrix, dealt_over, grid_of, padded, padded_square


def solve(
    a: ArrayLike, b: ArrayLike, *, assume_a: str = "gen", mesh: Mesh | None = None, axes: Any = None,
    block_size: int | None = None,
) -> Array:
    """The solution of A X = B, with a matrix that is split over a mesh in both dimensions.

    A general matrix is eliminated with exchanges of rows (partial pivoting: the pivot is the greatest number of its
    column, wherever it is), a positive definite one by its Cholesky factor. Blocks are dealt to the devices as for
    `cholesky`; right-hand sides are split in rows and columns, too. Sizes that the mesh does not divide are padded.

    Args:
        a: A matrix of shape ``(n, n)``.
        b: Right-hand sides of shape ``(n, k)``, or ``(n,)`` for one.
        assume_a: ``"gen"`` for any matrix, ``"pos"`` for a Hermitian positive definite one, of which the lower
            triangle is read.
        mesh: The devices; when left out those of an operand's sharding, or of `olympus.set_mesh`.
        axes: A pair: the mesh axes that split rows, and those that split columns, each a name or several; the first
            two axes of the mesh when left out.
        block_size: The greatest number of rows of a block; 128 when left out, or more
            where a device would have many blocks.

    Returns:
        The solution, of the shape of `b`; NaN or infinity when the matrix is singular, and NaN when it is not positive
        definite and was assumed to be.

    Raises:
        ArgumentError: If the shapes do not fit, or there is no mesh.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import linalg
        >>> mesh = olympus.make_mesh((4, 2), ("x", "y"))
        >>> a = jnp.array([[0.0, 2.0], [1.0, 1.0]])
        >>> linalg.solve(a, jnp.array([4.0, 3.0]), mesh=mesh).tolist()
        [1.0, 2.0]

    References:
        J. Choi, J. J. Dongarra, L. S. Ostrouchov, A. P. Petitet, D. W. Walker and R. C. Whaley, Design and
        implementation of the ScaLAPACK LU, QR, and Cholesky factorization routines, 1996.
    """
    grid = grid_of("solve", mesh, axes, a, b)
    n, _ = check_matrix("solve", "a", a, square=True)
    if assume_a not in ("gen", "pos"):
        raise ArgumentError("solve", "assume_a does not fit", described(assume_a), "'gen' or 'pos'")
    shape = shape_of(b)
    if len(shape) not in (1, 2) or shape[0] != n:
        raise ArgumentError("solve", "the right-hand sides do not fit", f"shape {shape}", f"({n},) or ({n}, k)")
    check_block_size("solve", block_size)
    return _solve(a, b, grid, block_size, assume_a == "pos")


@functools.partial(jit, static_argnums=(2, 3, 4))
def _solve(a: Any, b: Any, grid: Grid, block_size: int | None, positive: bool) -> Any:
    shape = shape_of(b)
    n, width = shape[0], shape[1] if len(shape) == 2 else 1
    dtype = inexact_dtype(jnp.result_type(a, b))
    rows, columns = dealt_over(grid, n, block_size)
    size, sides = rows.count * rows.size, grid.columns.size

    def part(a: Any, b: Any) -> Any:
        method = by_factor if positive else by_elimination
        return rows.collected(method(rows, columns, columns.dealt(rows.dealt(a, 0), 1), rows.dealt(b, 0)), 0)

    def solution(a: Any, b: Any) -> Any:
        matrix = padded_square(a.astype(dtype), size)
        right = padded(b.astype(dtype).reshape(n, width), size, max(-(-width // sides), 1) * sides)
        return grid.map(part, 1, matrix, right)[:n, :width].reshape(shape)

    return grid.run(solution, shape, a, b)


def by_elimination(rows: Blocks, columns: Blocks, a: Any, b: Any) -> Any:
    """One device's blocks of the solution, by elimination with partial pivoting.

    Args:
        rows: How rows are dealt, of the right-hand sides as well.
        columns: How columns of the matrix are.
        a: This device's blocks of the matrix.
        b: Its part of the right-hand sides.
    """
    size = rows.size
    diagonal = []
    for k in range(rows.count):
        top, left = rows.place(k), columns.place(k)
        panel = columns.side.spread(a[top:, left:left + size], columns.owner(k))
        # All devices factorize the panel, so that all know the pivots.
        factors, pivots, order = linalg.lu(rows.joined(rows.side.gather(panel), k))
        diagonal.append(factors[:size])
        targets = jnp.concatenate([jnp.arange(size, dtype=pivots.dtype), pivots])
        moved = _Exchange(rows, k, targets, order[targets])
        below = rows.own(factors, k)
        a = a.at[:, left:].set(_eliminated(rows, k, moved, factors[:size], below, a[:, left:]))
        b = _eliminated(rows, k, moved, factors[:size], below, b)
    for k in reversed(range(rows.count)):
        top, left, end = rows.place(k), columns.place(k), rows.place(k) + size
        part = rows.side.spread(b[top:end], rows.owner(k))
        x = linalg.triangular_solve(diagonal[k], part, left_side=True)
        panel = columns.side.spread(a[:end, left:left + size], columns.owner(k))
        b = _substituted(rows, k, panel, x, b)
    return b


class _Exchange:
    """Rows of a matrix that change places.

    Args:
        rows: How rows are dealt.
        block: The block from which on they are counted.
        targets: Where they go.
        sources: Where they come from.
    """

    def __init__(self, rows: Blocks, block: int, targets: Any, sources: Any) -> None:
        self._side, self._rows, self._first = rows.side, rows, block * rows.size
        self._targets, self._sources = self._places(targets), self._places(sources)

    def _places(self, numbers: Any) -> tuple[Any, Any]:
        """Whether this device has each row, and where."""
        block, within = jnp.divmod(numbers + self._first, self._rows.size)
        turn, owner = jnp.divmod(block, self._side.size)
        return owner == self._side.rank(), turn * self._rows.size + within

    def __call__(self, x: Any) -> tuple[Any, Any]:
        """The rows that come to the block, and the matrix after the exchange."""
        (has, source), (gets, target) = self._sources, self._targets
        mine = jnp.where(has[:, None], jnp.take(x, source, axis=0, mode="clip"), jnp.zeros((), dtype_of(x)))
        rows = self._side.total(mine)
        beyond = shape_of(x)[0]
        return rows[:self._rows.size], x.at[jnp.where(gets, target, beyond)].set(rows, mode="drop")


def _eliminated(rows: Blocks, k: int, exchange: _Exchange, corner: Any, below: Any, x: Any) -> Any:
    """Columns of the matrix, or right-hand sides, after a block of rows is eliminated from the later ones."""
    size, top = rows.size, rows.place(k)
    head, x = exchange(x)
    head = linalg.triangular_solve(corner, head, left_side=True, lower=True, unit_diagonal=True)
    mine = rows.side.rank() == rows.owner(k)
    x = x.at[top:top + size].set(jnp.where(mine, head, x[top:top + size]))
    return x.at[top:].add(-jnp.matmul(below, head, precision="highest"))


def _substituted(rows: Blocks, k: int, panel: Any, x: Any, b: Any) -> Any:
    """Right-hand sides after a block of the solution is known: it stands in its place, and its part is subtracted.

    Args:
        rows: How rows are dealt.
        k: The block.
        panel: This device's rows of the block's columns, up to the end of its place.
        x: The block of the solution.
        b: The right-hand sides.
    """
    top, end = rows.place(k), rows.place(k) + rows.size
    earlier = jnp.repeat(jnp.arange(k // rows.side.size + 1) * rows.side.size + rows.side.rank() < k, rows.size)
    panel = jnp.where(earlier[:, None], panel, jnp.zeros((), dtype_of(panel)))
    mine = rows.side.rank() == rows.owner(k)
    b = b.at[top:end].set(jnp.where(mine, x, b[top:end]))
    return b.at[:end].add(-jnp.matmul(panel, x, precision="highest"))


def by_factor(rows: Blocks, columns: Blocks, a: Any, b: Any) -> Any:
    """One device's blocks of the solution, by the Cholesky factor; arguments as for `by_elimination`."""
    size = rows.size
    a, diagonal = factored(rows, columns, a)
    for k in range(rows.count):
        top, left = rows.place(k), columns.place(k)
        x = linalg.triangular_solve(
            diagonal[k], rows.side.spread(b[top:top + size], rows.owner(k)), left_side=True, lower=True)
        panel = columns.side.spread(a[top:, left:left + size], columns.owner(k))
        below = jnp.where(rows.after(k)[:, None], panel, jnp.zeros((), dtype_of(panel)))
        mine = rows.side.rank() == rows.owner(k)
        b = b.at[top:top + size].set(jnp.where(mine, x, b[top:top + size]))
        b = b.at[top:].add(-jnp.matmul(below, x, precision="highest"))
    for k in reversed(range(rows.count)):
        top, end = rows.place(k), rows.place(k) + size
        x = linalg.triangular_solve(diagonal[k], rows.side.spread(b[top:end], rows.owner(k)), left_side=True,
                                    lower=True, transpose_a=True, conjugate_a=True)
        # A row of blocks of the factor, of which each device needs the columns that its rows are.
        across = rows.side.spread(a[top:end], rows.owner(k))
        whole = columns.joined(columns.side.gather(across.conj().T), 0)
        numbers = jnp.arange(k // rows.side.size + 1) * rows.side.size + rows.side.rank()
        panel = jnp.take(whole.reshape(rows.count, size, size), numbers, axis=0, mode="clip").reshape(-1, size)
        b = _substituted(rows, k, panel, x, b)
    return b


