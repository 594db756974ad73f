# SPDX-License-Identifier: Apache-2.0
"""What a decomposition leaves open is no difference, and everything else is one."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_conformance.samples.instance import Instance
from olympus_conformance.samples.linear_algebra import aligned
from olympus_core import ops

_TOLERANCE = 1e-12


def _matrix(*shape: int) -> np.ndarray:
    random = np.random.default_rng(sum(shape))
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def _unitary(n: int) -> np.ndarray:
    return np.linalg.qr(_matrix(n, n))[0]


def _differs(found: list[np.ndarray], wanted: list[np.ndarray]) -> bool:
    return any(np.abs(x - y).max(initial=0.0) > _TOLERANCE for x, y in zip(found, wanted, strict=True))


def test_eigenvalues_of_general_matrices_have_any_order() -> None:
    x = _matrix(2, 6, 6)
    values, vectors = np.linalg.eig(x)
    instance = Instance(ops.eig, [x], {"left": False, "right": True})
    order = [3, 0, 5, 1, 4, 2]
    phases = np.exp(1j * np.arange(6))
    found = [values[:, order], vectors[:, :, order] * phases]
    assert not _differs(aligned(instance, found, [values, vectors]), [values, vectors])
    assert _differs(aligned(instance, [values * 1.001, vectors], [values, vectors]), [values, vectors])
    assert _differs(aligned(instance, [values[:, order], vectors], [values, vectors]), [values, vectors])
    twice = values[:, [0, 0, 2, 3, 4, 5]]
    assert _differs(aligned(instance, [twice, vectors], [values, vectors]), [values, vectors])


@pytest.mark.parametrize("shape", [(2, 6, 3), (2, 3, 6), (4, 4), (5, 4)])
def test_a_full_basis_is_any_of_its_space(shape: tuple[int, ...]) -> None:
    x = _matrix(*shape)
    u, s, vh = np.linalg.svd(x)
    wanted, k = [s, u, vh], s.shape[-1]
    instance = Instance(ops.svd, [x], {"vectors": True, "full_matrices": True})
    phases = np.exp(1j * np.arange(k))
    other_u, other_vh = u.copy(), vh.copy()
    other_u[..., :k] *= phases
    other_vh[..., :k, :] *= phases.conj()[:, None]
    other_u[..., k:] = u[..., k:] @ _unitary(shape[-2] - k) if shape[-2] > k else u[..., k:]
    other_vh[..., k:, :] = _unitary(shape[-1] - k) @ vh[..., k:, :] if shape[-1] > k else vh[..., k:, :]
    assert not _differs(aligned(instance, [s, other_u, other_vh], wanted), wanted)
    if shape[-2] > k:
        longer, elsewhere = other_u.copy(), other_u.copy()
        longer[..., k:] *= 1.01
        elsewhere[..., k] = other_u[..., 0]
        assert _differs(aligned(instance, [s, longer, other_vh], wanted), wanted)
        assert _differs(aligned(instance, [s, elsewhere, other_vh], wanted), wanted)
    wrong = other_u.copy()
    wrong[..., 0] = -wrong[..., 0]  # not with the other side's
    assert _differs(aligned(instance, [s, wrong, other_vh], wanted), wanted)
