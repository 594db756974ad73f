# SPDX-License-Identifier: Apache-2.0
"""Rotations in three dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ... import random as random_numbers
from ...operands import shape_of
from ...typing import Array, ArrayLike
from . import quaternions

__all__ = ["Rotation", "Slerp"]
__dir__ = listed(__all__)


class Rotation(NamedTuple):
    """A rotation in three dimensions, or a row of them.

    It is a tree with one leaf, so that it may be given to, and come from, transformed functions.

    Args:
        quat: Unit quaternions, ``x, y, z, w``, of shape ``(4,)`` or ``(N, 4)``. `from_quat` takes any length.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.spatial.transform import Rotation
        >>> turn = Rotation.from_euler("z", 90, degrees=True)
        >>> print(jnp.round(turn.apply(jnp.array([1.0, 0.0, 0.0])), 5))
        [0. 1. 0.]

    References:
        scipy.spatial.transform.Rotation.
    """

    quat: Array

    @classmethod
    def concatenate(cls, rotations: Sequence[Rotation]) -> Rotation:
        """A row of all these rotations.

        Args:
            rotations: Rotations and rows of them.
        """
        return cls(jnp.concatenate([jnp.atleast_2d(r.quat) for r in rotations]))

    @classmethod
    def from_euler(cls, seq: str, angles: ArrayLike, degrees: bool = False) -> Rotation:
        """Rotations about axes, one after the other.

        Args:
            seq: Up to three axes: of ``xyz`` for axes that stay, of ``XYZ`` for axes that turn along.
            angles: For each axis an angle, along the last dimension; for one axis a number or a row of them too.
            degrees: Whether the angles are in degrees, not radians.
        """
        axes, is_extrinsic = quaternions.sequence_of("from_euler", seq)
        angles = jnp.asarray(angles)
        if len(axes) == 1 and (angles.ndim < 1 or angles.shape[-1] != 1 or angles.ndim == 1 and angles.size != 1):
            angles = angles[..., None]
        angles = quaternions.checked("from_euler", angles, (len(axes),), (1, 2))
        return cls(quaternions.from_euler(axes, is_extrinsic, jnp.radians(angles) if degrees else angles))

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Rotation:
        """Rotations by their matrices.

        Args:
            matrix: Orthogonal matrices of determinant 1, of shape ``(3, 3)`` or ``(N, 3, 3)``.
        """
        return cls(quaternions.from_matrix(quaternions.checked("from_matrix", matrix, (3, 3), (2, 3))))

    @classmethod
    def from_mrp(cls, mrp: ArrayLike) -> Rotation:
        """Rotations by modified Rodrigues parameters.

        Args:
            mrp: Axes times tangents of a quarter of the angle, of shape ``(3,)`` or ``(N, 3)``.
        """
        return cls(quaternions.from_mrp(quaternions.checked("from_mrp", mrp, (3,), (1, 2))))

    @classmethod
    def from_quat(cls, quat: ArrayLike) -> Rotation:
        """Rotations by quaternions of any length.

        Args:
            quat: ``x, y, z, w`` along the last dimension, of shape ``(4,)`` or ``(N, 4)``.
        """
        return cls(quaternions.normalized(quaternions.checked("from_quat", quat, (4,), (1, 2))))

    @classmethod
    def from_rotvec(cls, rotvec: ArrayLike, degrees: bool = False) -> Rotation:
        """Rotations about vectors, by their lengths.

        Args:
            rotvec: The vectors, of shape ``(3,)`` or ``(N, 3)``.
            degrees: Whether the lengths are in degrees, not radians.
        """
        vectors = quaternions.checked("from_rotvec", rotvec, (3,), (1, 2))
        return cls(quaternions.from_rotvec(jnp.radians(vectors) if degrees else vectors))

    @classmethod
    def identity(cls, num: int | None = None, dtype: Any = float) -> Rotation:
        """No rotation.

        Args:
            num: How many; one alone for None.
            dtype: The element type.
        """
        one = jnp.asarray([0, 0, 0, 1], dtype)
        return cls(one if num is None else jnp.tile(one, (num, 1)))

    @classmethod
    def random(cls, random_key: Array, num: int | None = None) -> Rotation:
        """Rotations that are drawn uniformly.

        Args:
            random_key: A key of random numbers.
            num: How many; one alone for None.
        """
        return cls(quaternions.normalized(random_numbers.normal(random_key, (4,) if num is None else (num, 4))))

    def __getitem__(self, indexer: Any) -> Rotation:  # type: ignore[override]
        if self.single:
            raise ArgumentError("Rotation", "a single rotation has no elements", repr(indexer), "a row of rotations")
        return Rotation(self.quat[indexer])

    def __len__(self) -> int:
        if self.single:
            raise ArgumentError("Rotation", "a single rotation has no length", "a rotation", "a row of rotations")
        return int(shape_of(self.quat)[0])

    def __mul__(self, other: Rotation) -> Rotation:  # type: ignore[override]
        return Rotation(quaternions.product(self.quat, other.quat))

    def apply(self, vectors: ArrayLike, inverse: bool = False) -> Array:
        """The rotated vectors.

        Args:
            vectors: Vectors of shape ``(3,)`` or ``(N, 3)``.
            inverse: Whether the inverse rotation is applied.
        """
        vectors = quaternions.checked("apply", vectors, (3,), (1, 2))
        matrix = self.as_matrix()
        return jnp.einsum("...kj,...k->...j" if inverse else "...jk,...k->...j", matrix, vectors)

    def as_euler(self, seq: str, degrees: bool = False) -> Array:
        """Angles of rotations about three axes, one after the other.

        Args:
            seq: Three axes: of ``xyz`` for axes that stay, of ``XYZ`` for axes that turn along.
            degrees: Whether the angles are to be in degrees, not radians.

        Returns:
            The angles; where only the sum or the difference of the first and the third is known, the third is 0.
        """
        axes, is_extrinsic = quaternions.sequence_of("as_euler", seq)
        if len(axes) != 3:
            raise ArgumentError("as_euler", "seq has fewer than three axes", repr(seq), "three axes")
        angles = quaternions.to_euler(self.quat, axes, is_extrinsic)
        return jnp.degrees(angles) if degrees else angles

    def as_matrix(self) -> Array:
        """The rotation matrices."""
        found: Array = quaternions.to_matrix(self.quat)
        return found

    def as_mrp(self) -> Array:
        """The modified Rodrigues parameters."""
        found: Array = quaternions.to_mrp(self.quat)
        return found

    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Array:
        """The unit quaternions.

        Args:
            canonical: Whether of the two quaternions of a rotation the one with a positive last component is given.
            scalar_first: Whether they are given as ``w, x, y, z``.
        """
        found = quaternions.canonical(self.quat) if canonical else self.quat
        return jnp.roll(found, 1, axis=-1) if scalar_first else found

    def as_rotvec(self, degrees: bool = False) -> Array:
        """Vectors about which to rotate, by their lengths.

        Args:
            degrees: Whether the lengths are to be in degrees, not radians.
        """
        found = quaternions.to_rotvec(self.quat)
        return jnp.degrees(found) if degrees else found

    def inv(self) -> Rotation:
        """The inverse."""
        return Rotation(quaternions.conjugate(self.quat))

    def magnitude(self) -> Array:
        """The angles in radians, from 0 to pi."""
        return 2 * jnp.arctan2(jnp.linalg.norm(self.quat[..., :3], axis=-1), jnp.abs(self.quat[..., 3]))

    def mean(self, weights: ArrayLike | None = None) -> Rotation:
        """The rotation that is nearest to all of a row, in the sense of the chordal distance.

        Args:
            weights: A weight for each.
        """
        rows = jnp.atleast_2d(self.quat)
        given = jnp.ones(rows.shape[0], rows.dtype) if weights is None else jnp.asarray(weights, rows.dtype)
        if given.shape != (rows.shape[0],):
            raise ArgumentError("mean", "the weights are not one for each rotation", str(list(given.shape)),
                                str([rows.shape[0]]))
        squares = jnp.einsum("n,ni,nj->ij", given, rows, rows)
        wide = squares.astype(jnp.promote_types(squares.dtype, np.float32))  # decompositions take no narrower types
        return Rotation(jnp.linalg.eigh(wide)[1][:, -1].astype(rows.dtype))

    @property
    def single(self) -> bool:
        """Whether it is one rotation and no row."""
        return len(shape_of(self.quat)) == 1


class Slerp(NamedTuple):
    """Rotations between others: at constant speed about a fixed axis from each to the next; made by `Slerp.init`.

    Args:
        times: The times of the rotations, ascending.
        timedelta: The differences.
        rotations: The rotations.
        rotvecs: For each time but the last the rotation to the next one.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.spatial.transform import Rotation, Slerp
        >>> ends = Rotation.from_euler("z", jnp.array([0.0, 90.0]), degrees=True)
        >>> halfway = Slerp.init(jnp.array([0.0, 1.0]), ends)(0.5)
        >>> print(jnp.round(halfway.magnitude(), 4))
        0.7854

    References:
        scipy.spatial.transform.Slerp; Shoemake, Animating Rotation with Quaternion Curves, SIGGRAPH 1985.
    """

    times: Array
    timedelta: Array
    rotations: Rotation
    rotvecs: Array

    @classmethod
    def init(cls, times: ArrayLike, rotations: Rotation) -> Slerp:
        """The interpolation of rotations.

        Args:
            times: A time for each rotation, ascending.
            rotations: A row of two rotations or more.
        """
        times = jnp.asarray(times)
        if rotations.single or times.shape != (len(rotations),) or len(rotations) < 2:
            raise ArgumentError("Slerp", "times and rotations are not two rows of one length", str(list(times.shape)),
                                "a time for each of two rotations or more")
        if not hasattr(times, "_trace") and not np.all(np.diff(np.asarray(times)) > 0):
            raise ArgumentError("Slerp", "the times do not ascend", str(times), "strictly ascending times")
        between = quaternions.product(quaternions.conjugate(rotations.quat[:-1]), rotations.quat[1:])
        return cls(times, jnp.diff(times), rotations, quaternions.to_rotvec(between))

    def __call__(self, times: ArrayLike) -> Rotation:
        """The rotations at these times; outside of the first and last ones the nearest movement goes on.

        Args:
            times: A time, or a row of them.
        """
        given = jnp.asarray(times)
        index = jnp.clip(jnp.searchsorted(self.times, given, side="right") - 1, 0, self.timedelta.shape[0] - 1)
        share = (given - self.times[index]) / self.timedelta[index]
        turned = quaternions.from_rotvec(self.rotvecs[index] * share[..., None])
        return Rotation(quaternions.product(self.rotations.quat[index], turned))
