# SPDX-License-Identifier: Apache-2.0
"""The QR decomposition of a tall matrix whose rows are split over devices."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ArgumentError
from olympus_core.placement import Mesh, NamedSharding, PartitionSpec

from ... import numpy as jnp
from ...lax import linalg
from ...numpy.linalg.decompositions import QRResult
from ...numpy.promotion import inexact_dtype
from ...operands import dtype_of, shape_of
from ...transforms.derivatives.custom_forward import custom_jvp
from ...transforms.explicit import auto_axes
from ...transforms.jit import jit
from ...transforms.shard_map import shard_map
from ...typing import ArrayLike
from .grids import Grid, Side, check_axes, check_matrix, grid_of, padded


def qr(a: ArrayLike, *, mesh: Mesh | None = None, axes: str | Sequence[str] | None = None) -> QRResult:
    """The reduced QR decomposition of a tall matrix whose rows are split over a mesh, in one exchange (TSQR).

    Each device decomposes its rows, all gather the triangular factors and decompose these, and each multiplies its
    part of Q by its part of the second one. What travels is a square of `n` rows for each device, whatever their number
    of rows. Rows that the mesh does not divide are padded.

    Args:
        a: A matrix of shape ``(m, n)`` with ``m >= n``.
        mesh: The devices; when left out those of the operand's sharding, or of `olympus.set_mesh`.
        axes: The mesh axes that split rows, a name or several; all axes of the mesh when left out.

    Returns:
        ``(Q, R)``: Q of shape ``(m, n)``, split as the matrix is, and R on all devices, with a diagonal that is real
        and not negative. This makes them unique for a matrix of full rank, whatever the number of devices. NaN for
        a matrix with NaN or infinity in it.

    Raises:
        ArgumentError: If it is no such matrix, or there is no mesh.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import linalg
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> q, r = linalg.qr(jnp.array([[0.0, 1.0], [-3.0, 2.0], [0.0, 0.0]]), mesh=mesh)
        >>> r.tolist()
        [[3.0, -2.0], [0.0, 1.0]]

    References:
        J. Demmel, L. Grigori, M. Hoemmen and J. Langou, Communication-optimal parallel and sequential QR and LU
        factorizations, 2012.
    """
    grid = grid_of("qr", mesh, None, a)
    m, n = check_matrix("qr", "a", a)
    if m < n:
        raise ArgumentError("qr", "the matrix is wide", f"shape {(m, n)}", "at least as many rows as columns",
                            "Use olympus.numpy.linalg.qr, which needs the matrix whole on each device.")
    names = grid.mesh.axis_names if axes is None else (axes,) if isinstance(axes, str) else tuple(axes)
    check_axes("qr", grid.mesh, names)
    return QRResult(*_qr(a, Grid(grid.mesh, Side(names, grid.mesh.parts(names)), Side((), 1))))


@functools.partial(jit, static_argnums=(1,))
def _qr(a: Any, grid: Grid) -> Any:
    side = grid.rows

    def decomposed(a: Any) -> Any:
        return _decomposed(a.astype(inexact_dtype(dtype_of(a))), grid)

    if not grid.mesh.has_explicit_axes:
        return decomposed(a)
    split = PartitionSpec() if shape_of(a)[0] % side.size else PartitionSpec(side.axes)
    where = (NamedSharding(grid.mesh, split), NamedSharding(grid.mesh, PartitionSpec()))
    return auto_axes(decomposed, out_sharding=where)(a)


@functools.partial(custom_jvp, nondiff_argnums=(1,))
def _decomposed(a: Any, grid: Grid) -> Any:
    m, n = shape_of(a)
    side, split = grid.rows, PartitionSpec(grid.rows.axes)
    q, r = shard_map(functools.partial(tall_skinny, side), mesh=grid.mesh, in_specs=split,
                     out_specs=(split, PartitionSpec()))(padded(a, -(-m // side.size) * side.size, n))
    return q[:m], r


@_decomposed.defjvp
def _decomposed_jvp(grid: Grid, primals: Any, tangents: Any) -> Any:
    """The tangents of Q and R: the decompositions of the parts need not have any, since their rank may be lower."""
    (a,), (moved,) = primals, tangents
    q, r = _decomposed(a, grid)
    ratio = linalg.triangular_solve(r, moved)
    within = jnp.matmul(q.conj().T, ratio, precision="highest")
    below = jnp.tril(within, -1)
    turned = below - below.conj().T
    if jnp.iscomplexobj(q):  # the diagonal of R stays real
        turned = turned + 1j * jnp.diag(jnp.diagonal(within).imag)
    return (q, r), (jnp.matmul(q, turned - within, precision="highest") + ratio,
                    jnp.triu(jnp.matmul(within - turned, r, precision="highest")))


def tall_skinny(side: Side, a: Any) -> tuple[Any, Any]:
    """One device's rows of Q, and R.

    Args:
        side: The devices that have rows.
        a: This device's rows.
    """
    n = shape_of(a)[1]
    q, r = linalg.qr(a, full_matrices=False)
    parts = side.gather(r)
    height = shape_of(parts)[1]
    outer, r = linalg.qr(parts.reshape(side.size * height, n), full_matrices=False)
    mine = jnp.take(outer.reshape(side.size, height, n), side.rank(), axis=0)
    d = jnp.diagonal(r)
    size = jnp.abs(d)
    sign = jnp.where(d == 0, jnp.ones((), dtype_of(d)), d / jnp.where(size == 0, jnp.ones((), dtype_of(size)), size))
    return jnp.matmul(q, mine * sign, precision="highest"), jnp.triu(r * sign.conj()[:, None])
