# SPDX-License-Identifier: Apache-2.0
"""Decompositions of matrices, and equations with them."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .side import Side, Work


def decomposition(side: Side, which: str, shape: Sequence[int]) -> Work:
    """One decomposition of all matrices; what is compared is the matrix, or the right-hand sides, made of it again."""
    n, few = shape[-1], slice(4) if len(shape) > 2 else slice(None)
    x = np.random.default_rng(0).standard_normal(tuple(shape), np.float32) / np.float32(np.sqrt(n))
    if which in ("cholesky", "eigh"):
        x = x @ np.swapaxes(x, -1, -2) + np.eye(n, dtype=np.float32)
    if which == "solve":
        x = x + 2 * np.eye(n, dtype=np.float32)
    linalg = importlib.import_module("numpy.linalg" if side.plain else f"{side.name}.numpy.linalg")
    functions: dict[str, Any] = {
        "cholesky": linalg.cholesky, "qr": linalg.qr, "eigh": linalg.eigh,
        "svd": lambda x: linalg.svd(x, full_matrices=False), "solve": lambda x: linalg.solve(x, x)}

    def read(found: Any) -> Any:
        """Of some matrices of a batch: all of them would take longer than the samples."""
        if which == "solve":
            return side.host(found)[few]
        if which == "cholesky":
            factor = side.host(found)[few]
            return factor @ np.swapaxes(factor, -1, -2)
        a, b, *rest = (side.host(part)[few] for part in found)
        if which == "qr":
            return a @ b
        if which == "eigh":
            return (b * a[..., None, :]) @ np.swapaxes(b, -1, -2)
        return a * b[..., None, :] @ rest[0]

    truth = np.broadcast_to(np.eye(n, dtype=np.float32), x.shape) if which == "solve" else x
    names = {"f": side.jit(functions[which]), "x": side.put(x)}
    return Work("f(x)", names, truth[few], 1e-3, tree=True, read=read)
