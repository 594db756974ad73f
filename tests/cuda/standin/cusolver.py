# SPDX-License-Identifier: Apache-2.0
"""The functions of `cupy.cuda.cusolver` that the platform calls, over column-major memory.

Each does what the library's documentation says and no more: what is not a result has no content afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import get_lapack_funcs

from .library_calls import DTYPES, Call, end_handle, new_handle, real, spoil
from .machine import MACHINE

_INT, _BYTE = np.dtype(np.int32), np.dtype(np.uint8)
_TYPES = {0: DTYPES["s"], 1: DTYPES["d"], 4: DTYPES["c"], 5: DTYPES["z"]}  # cudaDataType_t
_VERSION = [12, 0, 4]
_MOST_JACOBI = 32
_settings: dict[int, str] = {}


class CUSOLVERError(RuntimeError):
    """An error of the library."""


def create() -> int:
    return new_handle("cusolver")


def destroy(handle: int) -> None:
    end_handle("cusolver", handle)


def getProperty(type: int) -> int:
    return _VERSION[type]


def _created(kind: str) -> Callable[[], int]:
    def created() -> int:
        found = next(MACHINE.numbers)
        _settings[found] = kind
        return found
    return created


def _destroyed(kind: str) -> Callable[[int], None]:
    def destroyed(made: int) -> None:
        MACHINE.check(_settings.pop(made, None) == kind, f"{made!r} is no live {kind}")
    return destroyed


createSyevjInfo, destroySyevjInfo = _created("syevjInfo"), _destroyed("syevjInfo")
createGesvdjInfo, destroyGesvdjInfo = _created("gesvdjInfo"), _destroyed("gesvdjInfo")
createParams, destroyParams = _created("params"), _destroyed("params")


def _lapack(name: str, x: np.ndarray) -> Any:
    return get_lapack_funcs(name, (x,))


def _is(call: Call, settings: int, kind: str) -> None:
    call.check(_settings.get(settings) == kind, f"{settings!r} is no {kind}")


def _other(a: np.ndarray, uplo: int) -> tuple[np.ndarray, ...]:
    """Where the triangle is that a function does not read."""
    return (np.triu_indices(len(a), 1) if uplo == 0 else np.tril_indices(len(a), -1))


def _cholesky(a: np.ndarray, uplo: int) -> int:
    factor, info = _lapack("potrf", a)(a, lower=int(uplo == 0), clean=0)
    a[...] = factor
    return int(info)


def _potrf(letter: str) -> dict[str, Callable[..., Any]]:
    dtype = DTYPES[letter]

    def size(n: int) -> int:
        return 5 * n + 3

    def potrf_bufferSize(handle: int, uplo: int, n: int, A: int, lda: int) -> int:
        Call("cusolver", f"{letter}potrf_bufferSize", handle, (uplo, n, A, lda))
        return size(n)

    def potrf(handle: int, uplo: int, n: int, A: int, lda: int, work: int, lwork: int, devInfo: int) -> None:
        call = Call("cusolver", f"{letter}potrf", handle, (uplo, n, A, lda, work, lwork, devInfo))
        call.one_of(uplo, 0, 1)
        a, info = call.matrix(A, n, n, lda, dtype), call.memory(devInfo, 1, _INT)

        def run() -> None:
            info[0] = _cholesky(a, uplo)

        call.enqueue(run, [call.workspace(work, lwork, size(n), dtype)])

    def potrfBatched(handle: int, uplo: int, n: int, Aarray: int, lda: int, infoArray: int, batchSize: int) -> None:
        call = Call("cusolver", f"{letter}potrfBatched", handle, (uplo, n, Aarray, lda, infoArray, batchSize))
        call.one_of(uplo, 0, 1)
        matrices = call.pointed(Aarray, batchSize, n, n, lda, dtype)
        infos = call.memory(infoArray, batchSize, _INT)

        def run() -> None:
            for i, a in enumerate(matrices()):
                infos[i] = _cholesky(a, uplo)
                a[_other(a, uplo)] = -77  # it is workspace

        call.enqueue(run)

    return {"potrf": potrf, "potrf_bufferSize": potrf_bufferSize, "potrfBatched": potrfBatched}


def _getrf(letter: str) -> dict[str, Callable[..., Any]]:
    dtype = DTYPES[letter]

    def size(m: int, n: int) -> int:
        return m + 2 * n + 11

    def getrf_bufferSize(handle: int, m: int, n: int, A: int, lda: int) -> int:
        Call("cusolver", f"{letter}getrf_bufferSize", handle, (m, n, A, lda))
        return size(m, n)

    def getrf(handle: int, m: int, n: int, A: int, lda: int, work: int, devIpiv: int, devInfo: int) -> None:
        call = Call("cusolver", f"{letter}getrf", handle, (m, n, A, lda, work, devIpiv, devInfo))
        a, info = call.matrix(A, m, n, lda, dtype), call.memory(devInfo, 1, _INT)
        pivots, space = call.memory(devIpiv, min(m, n), _INT), call.memory(work, size(m, n), dtype)

        def run() -> None:
            a[...], found, info[0] = _lapack("getrf", a)(a)
            pivots[...] = found + 1

        call.enqueue(run, [space])

    return {"getrf": getrf, "getrf_bufferSize": getrf_bufferSize}


def _geqrf(letter: str) -> dict[str, Callable[..., Any]]:
    dtype = DTYPES[letter]
    is_complex = dtype.kind == "c"
    make, apply = ("ungqr", "unmqr") if is_complex else ("orgqr", "ormqr")

    def size(n: int) -> int:
        return 32 * n + 1

    def geqrf_bufferSize(handle: int, m: int, n: int, A: int, lda: int) -> int:
        Call("cusolver", f"{letter}geqrf_bufferSize", handle, (m, n, A, lda))
        return size(n)

    def geqrf(handle: int, m: int, n: int, A: int, lda: int, tau: int, work: int, lwork: int, devInfo: int) -> None:
        call = Call("cusolver", f"{letter}geqrf", handle, (m, n, A, lda, tau, work, lwork, devInfo))
        a, info = call.matrix(A, m, n, lda, dtype), call.memory(devInfo, 1, _INT)
        factors = call.memory(tau, min(m, n), dtype)

        def run() -> None:
            a[...], factors[...], _, info[0] = _lapack("geqrf", a)(a)

        call.enqueue(run, [call.workspace(work, lwork, size(n), dtype)])

    def gqr_bufferSize(handle: int, m: int, n: int, k: int, A: int, lda: int, tau: int) -> int:
        Call("cusolver", f"{letter}{make}_bufferSize", handle, (m, n, k, A, lda, tau))
        return size(n) + 5

    def gqr(handle: int, m: int, n: int, k: int, A: int, lda: int, tau: int, work: int, lwork: int,
            devInfo: int) -> None:
        call = Call("cusolver", f"{letter}{make}", handle, (m, n, k, A, lda, tau, work, lwork, devInfo))
        call.check(m >= n >= k >= 0, f"{m} x {n} with {k} reflections")
        a, info = call.matrix(A, m, n, lda, dtype), call.memory(devInfo, 1, _INT)
        factors = call.memory(tau, k, dtype, writes=False)

        def run() -> None:
            a[...], _, info[0] = _lapack(make, a)(a, factors)

        call.enqueue(run, [call.workspace(work, lwork, size(n) + 5, dtype)])

    def mqr_bufferSize(handle: int, side: int, trans: int, m: int, n: int, k: int, A: int, lda: int, tau: int, C: int,
                       ldc: int) -> int:
        Call("cusolver", f"{letter}{apply}_bufferSize", handle, (side, trans, m, n, k, A, lda, tau, C, ldc))
        return 8 * max(m, n) + 9

    def mqr(handle: int, side: int, trans: int, m: int, n: int, k: int, A: int, lda: int, tau: int, C: int, ldc: int,
            work: int, lwork: int, devInfo: int) -> None:
        call = Call("cusolver", f"{letter}{apply}", handle,
                    (side, trans, m, n, k, A, lda, tau, C, ldc, work, lwork, devInfo))
        call.one_of(side, 0, 1)
        call.one_of(trans, 0, 2 if is_complex else 1)
        a = call.matrix(A, n if side else m, k, lda, dtype, writes=False)
        factors, info = call.memory(tau, k, dtype, writes=False), call.memory(devInfo, 1, _INT)
        c = call.matrix(C, m, n, ldc, dtype)

        def run() -> None:
            found, _, info[0] = _lapack(apply, a)("LR"[side], "NTC"[trans], a, factors, np.array(c, order="F"),
                                                 lwork=64 * max(m, n))
            c[...] = found

        call.enqueue(run, [call.workspace(work, lwork, 8 * max(m, n) + 9, dtype)])

    return {"geqrf": geqrf, "geqrf_bufferSize": geqrf_bufferSize, make: gqr, f"{make}_bufferSize": gqr_bufferSize,
            apply: mqr, f"{apply}_bufferSize": mqr_bufferSize}


def _eigenvalues(a: np.ndarray, w: np.ndarray, jobz: int, uplo: int) -> int:
    """Vectors take the matrix' place; without them it has no content."""
    if not np.isfinite(a).all():
        raise RuntimeError("the iteration for eigenvalues of NaN does not end")
    try:
        values, vectors = np.linalg.eigh(np.array(a), "U" if uplo else "L")
    except np.linalg.LinAlgError:
        return len(a) + 1
    w[...] = values
    if jobz:
        a[...] = vectors * _phases(len(a), a.dtype)
    else:
        spoil(a)
    return 0


def _phases(count: int, dtype: np.dtype) -> np.ndarray:
    """The phases of vectors, which are any."""
    angles = np.arange(count) * (2.0 if dtype.kind == "c" else np.pi)
    return (np.exp(1j * angles) if dtype.kind == "c" else np.cos(angles)).astype(dtype)


def _syevj(letter: str) -> dict[str, Callable[..., Any]]:
    dtype = DTYPES[letter]
    name = ("heevj" if dtype.kind == "c" else "syevj") + "Batched"

    def size(n: int, batch: int) -> int:
        return batch * (n + 1) + 2

    def syevjBatched_bufferSize(handle: int, jobz: int, uplo: int, n: int, A: int, lda: int, W: int, params: int,
                                batchSize: int) -> int:
        call = Call("cusolver", f"{letter}{name}_bufferSize", handle, (jobz, uplo, n, A, lda, W, params, batchSize))
        _is(call, params, "syevjInfo")
        return size(n, batchSize)

    def syevjBatched(handle: int, jobz: int, uplo: int, n: int, A: int, lda: int, W: int, work: int, lwork: int,
                     info: int, params: int, batchSize: int) -> None:
        call = Call("cusolver", f"{letter}{name}", handle,
                    (jobz, uplo, n, A, lda, W, work, lwork, info, params, batchSize))
        _is(call, params, "syevjInfo")
        call.one_of(jobz, 0, 1)
        call.one_of(uplo, 0, 1)
        matrices = call.stack(A, batchSize, n, n, lda, dtype)
        values = call.memory(W, batchSize * n, real(dtype)).reshape(batchSize, n)
        infos = call.memory(info, batchSize, _INT)

        def run() -> None:
            for i, a in enumerate(matrices):
                infos[i] = _eigenvalues(a, values[i], jobz, uplo)

        call.enqueue(run, [call.workspace(work, lwork, size(n, batchSize), dtype)])

    return {name: syevjBatched, f"{name}_bufferSize": syevjBatched_bufferSize}


def _type(call: Call, number: int) -> np.dtype:
    call.check(number in _TYPES, f"{number} is no type of data")
    return _TYPES[number]


def xsyevd_bufferSize(handle: int, params: int, jobz: int, uplo: int, n: int, dataTypeA: int, A: int, lda: int,
                      dataTypeW: int, W: int, computeType: int) -> tuple[int, int]:
    call = Call("cusolver", "xsyevd_bufferSize", handle,
                (params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W, computeType))
    _is(call, params, "params")
    return 16 * n + 40, 8 * n + 1


def xsyevd(handle: int, params: int, jobz: int, uplo: int, n: int, dataTypeA: int, A: int, lda: int, dataTypeW: int,
           W: int, computeType: int, bufferOnDevice: int, workspaceInBytesOnDevice: int, bufferOnHost: int,
           workspaceInBytesOnHost: int, info: int) -> None:
    call = Call("cusolver", "xsyevd", handle, (
        params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W, computeType, bufferOnDevice, workspaceInBytesOnDevice,
        bufferOnHost, workspaceInBytesOnHost, info))
    _is(call, params, "params")
    dtype = _type(call, dataTypeA)
    call.check(computeType == dataTypeA and _type(call, dataTypeW) == real(dtype), "types that do not belong together")
    call.one_of(jobz, 0, 1)
    call.one_of(uplo, 0, 1)
    a, w, infos = call.matrix(A, n, n, lda, dtype), call.memory(W, n, real(dtype)), call.memory(info, 1, _INT)
    call.check(workspaceInBytesOnHost >= 8 * n + 1 and bufferOnHost, "no workspace on the host")

    def run() -> None:
        infos[0] = _eigenvalues(a, w, jobz, uplo)

    call.enqueue(run, [call.workspace(bufferOnDevice, workspaceInBytesOnDevice, 16 * n + 40, _BYTE)])


def _decomposed(a: np.ndarray, s: np.ndarray, job: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Left and adjoint right vectors by job `A`, `S` or `N`, whose phases are any."""
    if not np.isfinite(a).all():
        raise RuntimeError("the iteration for singular values of NaN does not end")
    found = np.linalg.svd(np.array(a), full_matrices=job == "A")
    left, right, phases = found[0], found[2], _phases(len(s), a.dtype)
    left[:, :len(s)] *= phases
    right[:len(s)] *= phases.conj()[:, None]
    s[...] = found[1]
    spoil(a)
    return left, right, 0


def _gesvd(letter: str) -> dict[str, Callable[..., Any]]:
    dtype = DTYPES[letter]

    def size(m: int, n: int) -> int:
        return 3 * m + 4 * n + 6

    def gesvd_bufferSize(handle: int, m: int, n: int) -> int:
        call = Call("cusolver", f"{letter}gesvd_bufferSize", handle, (m, n))
        call.check(m >= n, f"it takes no matrix of {m} x {n}")
        return size(m, n)

    def gesvd(handle: int, jobu: int, jobvt: int, m: int, n: int, A: int, lda: int, S: int, U: int, ldu: int, VT: int,
              ldvt: int, Work: int, lwork: int, rwork: int, devInfo: int) -> None:
        call = Call("cusolver", f"{letter}gesvd", handle,
                    (jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, Work, lwork, rwork, devInfo))
        call.check(m >= n, f"it takes no matrix of {m} x {n}")
        call.check(jobu == jobvt and chr(jobu) in "ASN", f"jobs {jobu} and {jobvt}")
        job = chr(jobu)
        a, s, info = call.matrix(A, m, n, lda, dtype), call.memory(S, n, real(dtype)), call.memory(devInfo, 1, _INT)
        u = call.matrix(U, m, {"A": m, "S": n, "N": 0}[job], ldu, dtype)
        vt = call.matrix(VT, n, 0 if job == "N" else n, ldvt, dtype)
        spaces = [call.workspace(Work, lwork, size(m, n), dtype), call.memory(rwork, n - 1, real(dtype))]

        def run() -> None:
            left, right, info[0] = _decomposed(a, s, job)
            if job != "N":
                u[...], vt[...] = left, right

        call.enqueue(run, spaces)

    return {"gesvd": gesvd, "gesvd_bufferSize": gesvd_bufferSize}


def _gesvdj(letter: str) -> dict[str, Callable[..., Any]]:
    dtype = DTYPES[letter]

    def size(m: int, n: int) -> int:
        return 2 * m + 5 * n + 21

    def gesvdj_bufferSize(handle: int, jobz: int, econ: int, m: int, n: int, A: int, lda: int, S: int, U: int, ldu: int,
                          V: int, ldv: int, params: int) -> int:
        call = Call("cusolver", f"{letter}gesvdj_bufferSize", handle,
                    (jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, params))
        _is(call, params, "gesvdjInfo")
        return size(m, n)

    def gesvdj(handle: int, jobz: int, econ: int, m: int, n: int, A: int, lda: int, S: int, U: int, ldu: int, V: int,
               ldv: int, work: int, lwork: int, info: int, params: int) -> None:
        call = Call("cusolver", f"{letter}gesvdj", handle,
                    (jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, params))
        _is(call, params, "gesvdjInfo")
        call.one_of(jobz, 0, 1)
        call.one_of(econ, 0, 1)
        k = min(m, n)
        a, s, infos = call.matrix(A, m, n, lda, dtype), call.memory(S, k, real(dtype)), call.memory(info, 1, _INT)
        u = call.matrix(U, m, (k if econ else m) * jobz, ldu, dtype)
        v = call.matrix(V, n, (k if econ else n) * jobz, ldv, dtype)

        def run() -> None:
            left, right, infos[0] = _decomposed(a, s, "S" if econ else "A")
            if jobz:
                u[...], v[...] = left, right.conj().T

        call.enqueue(run, [call.workspace(work, lwork, size(m, n), dtype)])

    def gesvdjBatched_bufferSize(handle: int, jobz: int, m: int, n: int, A: int, lda: int, S: int, U: int, ldu: int,
                                 V: int, ldv: int, params: int, batchSize: int) -> int:
        call = Call("cusolver", f"{letter}gesvdjBatched_bufferSize", handle,
                    (jobz, m, n, A, lda, S, U, ldu, V, ldv, params, batchSize))
        _is(call, params, "gesvdjInfo")
        return size(m, n) * batchSize

    def gesvdjBatched(handle: int, jobz: int, m: int, n: int, A: int, lda: int, S: int, U: int, ldu: int, V: int,
                      ldv: int, work: int, lwork: int, info: int, params: int, batchSize: int) -> None:
        call = Call("cusolver", f"{letter}gesvdjBatched", handle,
                    (jobz, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, params, batchSize))
        _is(call, params, "gesvdjInfo")
        call.check(max(m, n) <= _MOST_JACOBI, f"it takes no batch of {m} x {n}")
        k = min(m, n)
        matrices = call.stack(A, batchSize, m, n, lda, dtype)
        values = call.memory(S, batchSize * k, real(dtype)).reshape(batchSize, k)
        infos = call.memory(info, batchSize, _INT)
        lefts, rights = ((call.stack(U, batchSize, m, m, ldu, dtype), call.stack(V, batchSize, n, n, ldv, dtype))
                         if jobz else ([], []))

        def run() -> None:
            for i, a in enumerate(matrices):
                left, right, infos[i] = _decomposed(a, values[i], "A")
                if jobz:
                    lefts[i][...], rights[i][...] = left, right.conj().T

        call.enqueue(run, [call.workspace(work, lwork, size(m, n) * batchSize, dtype)])

    return {"gesvdj": gesvdj, "gesvdj_bufferSize": gesvdj_bufferSize, "gesvdjBatched": gesvdjBatched,
            "gesvdjBatched_bufferSize": gesvdjBatched_bufferSize}


def _geev(call: Call, params: int, jobs: tuple[int, int], n: int, types: tuple[int, ...]) -> np.dtype:
    _is(call, params, "params")
    own, values, left, right, compute = types
    dtype = _type(call, own)
    call.check(jobs[0] == 0, "left vectors are not supported")
    call.one_of(jobs[1], 0, 1)
    call.check(own == compute == left == right, f"types {types} do not belong together")
    call.check(_type(call, values) == np.result_type(dtype, np.complex64), f"values of type {values}")
    return dtype


def xgeev_bufferSize(handle: int, params: int, jobvl: int, jobvr: int, n: int, dataTypeA: int, A: int, lda: int,
                     dataTypeW: int, W: int, dataTypeVL: int, VL: int, ldvl: int, dataTypeVR: int, VR: int, ldvr: int,
                     computeType: int) -> tuple[int, int]:
    call = Call("cusolver", "xgeev_bufferSize", handle, (
        params, jobvl, jobvr, n, dataTypeA, A, lda, dataTypeW, W, dataTypeVL, VL, ldvl, dataTypeVR, VR, ldvr,
        computeType))
    _geev(call, params, (jobvl, jobvr), n, (dataTypeA, dataTypeW, dataTypeVL, dataTypeVR, computeType))
    return 24 * n + 17, 4 * n + 3


def xgeev(handle: int, params: int, jobvl: int, jobvr: int, n: int, dataTypeA: int, A: int, lda: int, dataTypeW: int,
          W: int, dataTypeVL: int, VL: int, ldvl: int, dataTypeVR: int, VR: int, ldvr: int, computeType: int,
          bufferOnDevice: int, workspaceInBytesOnDevice: int, bufferOnHost: int, workspaceInBytesOnHost: int,
          info: int) -> None:
    call = Call("cusolver", "xgeev", handle, (
        params, jobvl, jobvr, n, dataTypeA, A, lda, dataTypeW, W, dataTypeVL, VL, ldvl, dataTypeVR, VR, ldvr,
        computeType, bufferOnDevice, workspaceInBytesOnDevice, bufferOnHost, workspaceInBytesOnHost, info))
    dtype = _geev(call, params, (jobvl, jobvr), n, (dataTypeA, dataTypeW, dataTypeVL, dataTypeVR, computeType))
    a, w = call.matrix(A, n, n, lda, dtype), call.memory(W, n, np.result_type(dtype, np.complex64))
    vectors, infos = call.matrix(VR, n, n * jobvr, ldvr, dtype), call.memory(info, 1, _INT)
    call.check(workspaceInBytesOnHost >= 4 * n + 3 and bufferOnHost, "no workspace on the host")

    def run() -> None:
        if not np.isfinite(a).all():
            raise RuntimeError("the iteration for eigenvalues of NaN does not end")
        if dtype.kind == "c":
            w[...], _, right, infos[0] = _lapack("geev", a)(np.array(a), compute_vl=0)
        else:
            re, im, _, right, infos[0] = _lapack("geev", a)(np.array(a), compute_vl=0)
            w[...] = re + 1j * im
        if jobvr:
            vectors[...] = right
        spoil(a)

    call.enqueue(run, [call.workspace(bufferOnDevice, workspaceInBytesOnDevice, 24 * n + 17, _BYTE)])


for _letter in DTYPES:
    for _made in (_potrf, _getrf, _geqrf, _syevj, _gesvd, _gesvdj):
        globals().update({_letter + _name: _function for _name, _function in _made(_letter).items()})
