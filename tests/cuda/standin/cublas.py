# SPDX-License-Identifier: Apache-2.0
"""The functions of `cupy.cuda.cublas` that the platform calls, over column-major memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import get_blas_funcs, get_lapack_funcs

from .library_calls import DTYPES, Call, end_handle, new_handle, seen

_INT = np.dtype(np.int32)


class CUBLASError(RuntimeError):
    """An error of the library."""


def create() -> int:
    return new_handle("cublas")


def destroy(handle: int) -> None:
    end_handle("cublas", handle)


def solve(a: np.ndarray, b: np.ndarray, side: int, uplo: int, trans: int, diag: int, alpha: Any) -> None:
    """What `trsm` writes into b."""
    trsm = get_blas_funcs("trsm", (a, b))
    b[...] = trsm(alpha, a, b, side=side, lower=int(uplo == 0), trans_a=trans, diag=diag)


def _trsm(letter: str) -> Callable[..., None]:
    dtype = DTYPES[letter]

    def trsm(handle: int, side: int, uplo: int, trans: int, diag: int, m: int, n: int, alpha: int, A: int, lda: int,
             B: int, ldb: int) -> None:
        call = Call("cublas", f"{letter}trsm", handle, (side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb))
        _choices(call, side, uplo, trans, diag)
        size = n if side else m
        a, b = call.matrix(A, size, size, lda, dtype, writes=False), call.matrix(B, m, n, ldb, dtype)
        factor = seen(alpha, 1, dtype)[0]  # read at once, as from the host
        call.enqueue(lambda: solve(a, b, side, uplo, trans, diag, factor))

    return trsm


def _trsm_batched(letter: str) -> Callable[..., None]:
    dtype = DTYPES[letter]

    def trsm_batched(handle: int, side: int, uplo: int, trans: int, diag: int, m: int, n: int, alpha: int, Aarray: int,
                     lda: int, Barray: int, ldb: int, batchCount: int) -> None:
        call = Call("cublas", f"{letter}trsmBatched", handle,
                    (side, uplo, trans, diag, m, n, alpha, Aarray, lda, Barray, ldb, batchCount))
        _choices(call, side, uplo, trans, diag)
        size = n if side else m
        matrices = call.pointed(Aarray, batchCount, size, size, lda, dtype)
        sides = call.pointed(Barray, batchCount, m, n, ldb, dtype)
        factor = seen(alpha, 1, dtype)[0]

        def run() -> None:
            for a, b in zip(matrices(), sides(), strict=True):
                solve(a, b, side, uplo, trans, diag, factor)

        call.enqueue(run)

    return trsm_batched


def _getrf_batched(letter: str) -> Callable[..., None]:
    dtype = DTYPES[letter]

    def getrf_batched(handle: int, n: int, Aarray: int, lda: int, PivotArray: int, infoArray: int,
                      batchSize: int) -> None:
        call = Call("cublas", f"{letter}getrfBatched", handle, (n, Aarray, lda, PivotArray, infoArray, batchSize))
        matrices = call.pointed(Aarray, batchSize, n, n, lda, dtype)
        pivots = call.memory(PivotArray, n * batchSize, _INT).reshape(batchSize, n)
        infos = call.memory(infoArray, batchSize, _INT)

        def run() -> None:
            for i, a in enumerate(matrices()):
                a[...], found, infos[i] = get_lapack_funcs("getrf", (a,))(a)
                pivots[i] = found + 1

        call.enqueue(run)

    return getrf_batched


def _choices(call: Call, side: int, uplo: int, trans: int, diag: int) -> None:
    call.one_of(side, 0, 1)
    call.one_of(uplo, 0, 1)
    call.one_of(trans, 0, 1, 2)
    call.one_of(diag, 0, 1)


for _letter in DTYPES:
    globals().update({f"{_letter}trsm": _trsm(_letter), f"{_letter}trsmBatched": _trsm_batched(_letter),
                      f"{_letter}getrfBatched": _getrf_batched(_letter)})
