# SPDX-License-Identifier: Apache-2.0
"""Unit quaternions along the last dimension, ``x, y, z, w``: products, and other forms of rotations.

Where a form is singular (no rotation, half turns) the functions have finite derivatives: each branch is evaluated
only where it holds.
"""

from __future__ import annotations

import math
from typing import Any

from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...operands import shape_of

_AXES = "xyz"
SMALL_ANGLE = 1e-3  # below which the series to the fourth order are exact to a rounding in double precision


def checked(function: str, x: Any, sizes: tuple[int, ...], ranks: tuple[int, ...]) -> Any:
    """An array of one such thing, or of a row of them.

    Args:
        function: Who asks, for errors.
        x: The array.
        sizes: Sizes of its last dimensions.
        ranks: The numbers of dimensions that it may have.
    """
    x = jnp.asarray(x)
    if not jnp.issubdtype(x.dtype, jnp.floating):
        x = x.astype(float)
    shape = shape_of(x)
    if len(shape) not in ranks or shape[len(shape) - len(sizes):] != sizes:
        text = " or ".join(str([*["N"] * (rank - len(sizes)), *sizes]).replace("'", "") for rank in ranks)
        raise ArgumentError(function, "the array has another shape than it should", str(list(shape)), text)
    return x


def normalized(q: Any) -> Any:
    """Quaternions of length 1; those of tiny and huge parts too, whose squares are beyond the element type."""
    q = q / jnp.max(jnp.abs(q), axis=-1, keepdims=True)
    return q / jnp.linalg.norm(q, axis=-1, keepdims=True)


def product(p: Any, q: Any) -> Any:
    """The Hamilton product: the rotation `q`, then `p`."""
    p, q = jnp.broadcast_arrays(p, q)
    u, a, v, b = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    vector = a * v + b * u + jnp.cross(u, v)
    return jnp.concatenate([vector, a * b - (u * v).sum(-1, keepdims=True)], -1)


def conjugate(q: Any) -> Any:
    """The inverse rotations."""
    return jnp.concatenate([-q[..., :3], q[..., 3:]], -1)


def canonical(q: Any) -> Any:
    """Of the two quaternions of each rotation the one whose last component that is not zero is positive."""
    x, y, z, w = (q[..., i] for i in range(4))
    negative = (w < 0) | (w == 0) & ((x < 0) | (x == 0) & ((y < 0) | (y == 0) & (z < 0)))
    return jnp.where(negative[..., None], -q, q)


def to_matrix(q: Any) -> Any:
    """Rotation matrices."""
    x, y, z, w = (q[..., i] for i in range(4))
    rows = [
        [x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w],
    ]
    return jnp.stack([jnp.stack(row, -1) for row in rows], -2)


def from_matrix(m: Any) -> Any:
    """Quaternions of rotation matrices, by the largest of the four components (Markley, JGCD 31, 2008)."""
    diagonal = jnp.stack([m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]], -1)
    trace = diagonal.sum(-1)
    minus = [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]]
    candidates = []
    for i in range(3):
        parts = [1 - trace + 2 * diagonal[..., i] if j == i else m[..., i, j] + m[..., j, i] for j in range(3)]
        candidates.append(jnp.stack([*parts, minus[i]], -1))
    candidates.append(jnp.stack([*minus, 1 + trace], -1))
    best = jnp.argmax(jnp.concatenate([diagonal, trace[..., None]], -1), -1)
    stacked = jnp.stack(candidates, -2)
    return normalized(jnp.take_along_axis(stacked, best[..., None, None], -2)[..., 0, :])


def from_rotvec(v: Any) -> Any:
    """Quaternions of rotations about vectors, by their lengths in radians."""
    square = (v * v).sum(-1, keepdims=True)
    small = square <= SMALL_ANGLE**2
    angle = jnp.sqrt(jnp.where(small, 1, square))
    scale = jnp.where(small, 0.5 - square / 48 + square * square / 3840, jnp.sin(angle / 2) / angle)
    w = jnp.where(small, 1 - square / 8 + square * square / 384, jnp.cos(angle / 2))
    return jnp.concatenate([scale * v, w], -1)


def to_rotvec(q: Any) -> Any:
    """Vectors about which to rotate, by their lengths in radians: at most pi."""
    q = canonical(q)
    vector, w = q[..., :3], q[..., 3:]
    square = (vector * vector).sum(-1, keepdims=True)
    small = square <= (SMALL_ANGLE / 2) ** 2
    length = jnp.sqrt(jnp.where(small, 1, square))
    angle = 2 * jnp.arctan2(length, w)
    return vector * jnp.where(small, 2 + square / 3 + 3 * square * square / 20, angle / length)


def from_mrp(p: Any) -> Any:
    """Quaternions of modified Rodrigues parameters."""
    square = (p * p).sum(-1, keepdims=True)
    return jnp.concatenate([2 * p, 1 - square], -1) / (1 + square)


def to_mrp(q: Any) -> Any:
    """Modified Rodrigues parameters: the axis times the tangent of a quarter of the angle, which is at most pi."""
    q = jnp.where(q[..., 3:] < 0, -q, q)
    return q[..., :3] / (1 + q[..., 3:])


def sequence_of(function: str, seq: str) -> tuple[list[int], bool]:
    """The axes of a sequence of Euler angles, and whether it is extrinsic."""
    lower = seq.lower()
    is_extrinsic, is_intrinsic = seq == lower, seq == seq.upper()
    if not 1 <= len(seq) <= 3 or set(lower) - set(_AXES) or not is_extrinsic and not is_intrinsic:
        raise ArgumentError(function, "seq is no sequence of axes", repr(seq),
                            "up to three of xyz (axes that stay), or of XYZ (axes that turn along)")
    if any(a == b for a, b in zip(lower, lower[1:], strict=False)):
        raise ArgumentError(function, "consecutive axes must be different", repr(seq), "such as xyz or zxz")
    return [_AXES.index(c) for c in lower], is_extrinsic


def from_euler(axes: list[int], is_extrinsic: bool, angles: Any) -> Any:
    """Quaternions of Euler angles in radians, which stand along the last dimension."""
    found: Any = None
    for n, axis in enumerate(axes):
        half = angles[..., n] / 2
        parts = [jnp.zeros_like(half)] * 3
        parts[axis] = jnp.sin(half)
        one = jnp.stack([*parts, jnp.cos(half)], -1)
        found = one if found is None else product(one, found) if is_extrinsic else product(found, one)
    return found


def to_euler(q: Any, axes: list[int], is_extrinsic: bool) -> Any:
    """Euler angles in radians (Bernardes and Viollet, PLOS ONE 17, 2022); the third is 0 in gimbal lock."""
    i, j, k = axes if is_extrinsic else axes[::-1]
    is_symmetric = i == k
    k = 3 - i - j if is_symmetric else k
    sign = (i - j) * (j - k) * (k - i) // 2
    x = [q[..., n] for n in range(4)]
    if is_symmetric:
        a, b, c, d = x[3], x[i], x[j], x[k] * sign
    else:
        a, b, c, d = x[3] - x[j], x[i] + x[k] * sign, x[j] + x[3], x[k] * sign - x[i]
    second = 2 * jnp.arctan2(jnp.hypot(c, d), jnp.hypot(a, b))
    low, high = jnp.abs(second) <= 1e-7, jnp.abs(second - math.pi) <= 1e-7
    half_sum, half_difference = jnp.arctan2(b, a), jnp.arctan2(d, c)
    locked = jnp.where(low, 2 * half_sum, 2 * half_difference * (-1 if is_extrinsic else 1))
    first = half_sum - half_difference
    third = half_sum + half_difference
    if not is_extrinsic:
        first, third = third, first
    first, third = jnp.where(low | high, locked, first), jnp.where(low | high, 0, third)
    if not is_symmetric:
        if is_extrinsic:
            third = third * sign
        else:
            first = first * sign
        second = second - math.pi / 2
    angles = jnp.stack([first, second, third], -1)
    return jnp.where(angles < -math.pi, angles + 2 * math.pi, jnp.where(angles > math.pi, angles - 2 * math.pi, angles))
