# SPDX-License-Identifier: Apache-2.0
"""Rotations against SciPy's, their derivatives, and how they pass transformations."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Expected
from scipy.spatial.transform import Slerp as ExpectedSlerp

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy.spatial.transform import Rotation, Slerp
from olympus.test_util import check_grads

RNG = np.random.default_rng(7)
HALF_TURNS = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0.6, 0.8, 0, 0]], float)
SMALL = np.concatenate([RNG.standard_normal((6, 3)) * 10.0 ** -np.arange(3, 9)[:, None], np.ones((6, 1))], 1)
QUATERNIONS = np.concatenate([RNG.standard_normal((40, 4)) * 3, np.eye(4)[3:], -np.eye(4)[3:], HALF_TURNS, SMALL])
SEQUENCES = ["".join(s) for s in itertools.product("xyz", repeat=3) if s[0] != s[1] != s[2]]
SEQUENCES += [s.upper() for s in SEQUENCES]


@pytest.fixture(autouse=True)
def _wide() -> Any:
    with olympus.enable_x64(True):
        yield


def close(found: Any, expected: Any, tolerance: float = 1e-14) -> None:
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


def same(found: Rotation, expected: Expected, tolerance: float = 1e-14) -> None:
    """As rotations: a quaternion and its negative are one."""
    close(found.as_matrix(), expected.as_matrix(), tolerance)


def test_forms() -> None:
    found, expected = Rotation.from_quat(QUATERNIONS), Expected.from_quat(QUATERNIONS)
    same(found, expected)
    close(found.as_quat(), expected.as_quat())
    close(found.as_quat(canonical=True, scalar_first=True), expected.as_quat(canonical=True, scalar_first=True))
    close(found.magnitude(), expected.magnitude())
    same(Rotation.from_rotvec(found.as_rotvec()), expected)
    close(jnp.linalg.norm(found.as_rotvec(), axis=-1), expected.magnitude())
    close(found.as_rotvec()[:42], expected.as_rotvec()[:42])  # half turns have two vectors
    close(found.as_rotvec(degrees=True)[:42], expected.as_rotvec(degrees=True)[:42], 1e-13)
    same(Rotation.from_mrp(found.as_mrp()), expected)
    close(found.as_mrp()[:40], expected.as_mrp()[:40])
    same(Rotation.from_matrix(expected.as_matrix()), expected)
    same(found.inv(), expected.inv())
    same(found * found[::-1], expected * expected[::-1])
    vectors = RNG.standard_normal((len(QUATERNIONS), 3))
    for inverse in (False, True):
        close(found.apply(vectors, inverse), expected.apply(vectors, inverse))
        close(found[3].apply(vectors, inverse), expected[3].apply(vectors, inverse))
        close(found.apply(vectors[0], inverse), expected.apply(vectors[0], inverse))
    rotvec = np.array([3.0, -40.0, 7.0])
    same(Rotation.from_rotvec(rotvec, degrees=True), Expected.from_rotvec(rotvec, degrees=True))


@pytest.mark.parametrize("seq", SEQUENCES)
def test_euler_angles(seq: str) -> None:
    found, expected = Rotation.from_quat(QUATERNIONS), Expected.from_quat(QUATERNIONS)
    angles = found.as_euler(seq)
    same(Rotation.from_euler(seq, angles), expected, 2e-7)  # in gimbal lock to the square root of a rounding
    close(angles[:40], expected[:40].as_euler(seq), 1e-12)
    close(found[0].as_euler(seq, degrees=True), expected[0].as_euler(seq, degrees=True), 1e-12)
    given = RNG.uniform(-400, 400, (5, 3))
    same(Rotation.from_euler(seq, given, degrees=True), Expected.from_euler(seq, given, degrees=True), 1e-13)


def test_fewer_angles() -> None:
    for seq, angles in (("x", 0.3), ("Z", [[0.1], [0.2]]), ("y", [[0.1], [0.2]]), ("y", [0.5]), ("xz", [0.1, 0.2]),
                        ("YX", [[0.1, 0.2], [0.3, 0.4]])):
        found, expected = Rotation.from_euler(seq, jnp.asarray(angles)), Expected.from_euler(seq, angles)
        close(found.as_matrix().reshape(-1, 3, 3), expected.as_matrix().reshape(-1, 3, 3))


def test_rows() -> None:
    found, expected = Rotation.from_quat(QUATERNIONS), Expected.from_quat(QUATERNIONS)
    assert len(found) == len(QUATERNIONS) and not found.single and found[1].single and len(found[2:5]) == 3
    joined = Rotation.concatenate([found[0], found[3:5], Rotation.identity()])
    same(joined, Expected.concatenate([expected[0], expected[3:5], Expected.identity()]))
    assert Rotation.identity(3).as_quat().shape == (3, 4)
    weights = np.arange(1.0, len(QUATERNIONS) + 1)
    same(found.mean(), expected.mean(), 1e-12)
    same(found.mean(weights), expected.mean(weights), 1e-12)
    drawn = Rotation.random(olympus.random.key(1), 4000)
    close(jnp.linalg.norm(drawn.as_quat(), axis=-1), 1.0)
    assert float(jnp.abs(drawn.as_matrix().mean(0)).max()) < 0.05  # uniform: its mean is zero
    assert Rotation.random(olympus.random.key(1)).single


def test_between_rotations() -> None:
    times, q = np.array([0.0, 1.0, 3.5, 4.0]), QUATERNIONS[:4]
    found, expected = Slerp.init(times, Rotation.from_quat(q)), ExpectedSlerp(times, Expected.from_quat(q))
    at = np.array([0.0, 0.25, 1.0, 2.0, 3.5, 3.9, 4.0])
    same(found(at), expected(at), 1e-13)
    same(found(0.7), expected(0.7), 1e-13)
    same(olympus.jit(lambda s, t: s(t))(found, at), expected(at), 1e-13)


def test_transformations() -> None:
    q = jnp.asarray(QUATERNIONS[:5])

    @olympus.jit
    def turned(r: Rotation, v: Any) -> tuple[Rotation, Any]:
        return r.inv(), r.apply(v)

    rotation = Rotation.from_quat(q)
    inverse, vectors = turned(rotation, jnp.ones(3))
    assert isinstance(inverse, Rotation)
    same(inverse, Expected.from_quat(QUATERNIONS[:5]).inv())
    close(olympus.vmap(lambda r: r.apply(jnp.ones(3)))(rotation), vectors)
    assert len(olympus.tree.leaves(rotation[0])) == 1 and olympus.tree.map(lambda x: x, rotation[0]).single


@pytest.mark.parametrize("angle", [0.0, 1e-8, 1e-4, 9.99e-4, 1.01e-3, 0.5, 3.0])
def test_derivatives(angle: float) -> None:
    v = jnp.array([0.6, -0.48, 0.64]) * angle
    check_grads(lambda v: Rotation.from_rotvec(v).as_matrix(), (v,), 2, atol=1e-5, rtol=1e-5)
    if angle > 1e-6:
        check_grads(lambda v: Rotation.from_rotvec(v).magnitude(), (v,), 1, atol=1e-4, rtol=1e-4, eps=angle * 1e-3)
    back = olympus.jacrev(lambda v: Rotation.from_rotvec(v).as_rotvec())(v)
    close(back, np.eye(3), 1e-10)
    close(olympus.jacfwd(lambda v: Rotation.from_rotvec(v).as_mrp())(v * 0), np.eye(3) / 4, 1e-12)


def test_single_precision() -> None:
    q = QUATERNIONS.astype(np.float32)
    found = Rotation.from_quat(jnp.asarray(q))
    assert found.as_matrix().dtype == jnp.float32
    np.testing.assert_allclose(found.as_rotvec(), Rotation.from_quat(q.astype(float)).as_rotvec(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_tiny_and_huge_parts_and_narrow_types(dtype: str) -> None:
    limits = jnp.finfo(dtype)
    for size in (float(limits.tiny), float(limits.max)):
        found = Rotation.from_quat(jnp.array([size, 0, 0, size], dtype))
        np.testing.assert_allclose(np.asarray(found.as_quat(), float), [0.5**0.5, 0, 0, 0.5**0.5],
                                   rtol=4 * float(limits.eps))
    mean = Rotation.concatenate([found, found]).mean()
    assert mean.quat.dtype == dtype
    np.testing.assert_allclose(float((mean.inv() * found).magnitude()), 0, atol=8 * float(limits.eps))


def test_what_does_not_fit() -> None:
    single = Rotation.identity()
    for call in (lambda: Rotation.from_quat(jnp.ones(3)), lambda: Rotation.from_matrix(jnp.ones((2, 3))),
                 lambda: Rotation.from_euler("xx", jnp.ones(2)), lambda: Rotation.from_euler("xY", jnp.ones(2)),
                 lambda: single.as_euler("xy"), lambda: single[0], lambda: len(single),
                 lambda: single.mean(jnp.ones(2)), lambda: Slerp.init(jnp.array([1.0, 0.0]), Rotation.identity(2)),
                 lambda: Slerp.init(jnp.array([0.0]), single), lambda: single.apply(jnp.ones(4))):
        with pytest.raises(ArgumentError):
            call()
