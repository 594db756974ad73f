# SPDX-License-Identifier: Apache-2.0
"""Control flow, calls, random numbers, Fourier transforms, linear algebra, calls of LAPACK."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ... import lax
from ...lax import linalg
from ...tracing import aval_of, bind, bind_all
from .elementwise import filled
from .module import Step, Translation

# Calls that mean nothing where there is one device.
_OF_ONE_DEVICE = ("Sharding", "annotate_device_placement", "xla.sdy.FuncResultSharding", "SPMDFullToShardShape",
                  "SPMDShardToFullShape")
_FFT = ("FFT", "IFFT", "RFFT", "IRFFT")
_ADJOINT, _TRANSPOSED = 3, 2
_BACKEND = "mhlo.backend_config"


def _while(step: Step) -> Any:
    condition, body = step.regions
    return lax.while_loop(lambda values: condition(*values)[0], lambda values: tuple(body(*values)),
                          tuple(step.arrays()))


def _case(step: Step) -> Any:
    index, = step.arrays(1)
    last = np.array(len(step.regions) - 1, np.int32)
    # The last branch is that of all numbers outside.
    outside = lax.bitwise_or(lax.lt(index, np.array(0, np.int32)), lax.gt(index, last))
    return lax.switch(lax.select(outside, last, index), [_branch(region) for region in step.regions])


def _branch(region: Callable[..., list[Any]]) -> Callable[[], tuple[Any, ...]]:
    return lambda: tuple(region())


def _if(step: Step) -> Any:
    on_true, on_false = step.regions
    return lax.cond(step.arrays(1)[0], _branch(on_true), _branch(on_false))


def _rng_bit_generator(step: Step) -> Any:
    kind = step.types[1] if len(step.types) == 2 else None
    if kind is None:
        raise step.refused("it gives no state and bits")
    algorithm = lax.RandomAlgorithm(step.integer("rng_algorithm"))
    return list(lax.rng_bit_generator(step.arrays(1)[0], kind.shape, kind.dtype, algorithm))


def _fft(step: Step) -> Any:
    kind = step.integer("fft_type")
    if not 0 <= kind < len(_FFT):
        raise step.refused("its kind is none")
    return lax.fft(step.arrays(1)[0], _FFT[kind], step.integers("fft_length"))


def _cholesky(step: Step) -> Any:
    a, = step.arrays(1)
    return _factor(a, step.flag("lower"))


def _factor(a: Any, is_lower: bool) -> Any:
    """The triangular factor; of the adjoint where the upper triangle counts."""
    if is_lower:
        return linalg.cholesky(a, symmetrize_input=False)
    return _adjoint(linalg.cholesky(_adjoint(a), symmetrize_input=False))


def _adjoint(a: Any) -> Any:
    count = aval_of(a).ndim
    turned = lax.transpose(a, (*range(count - 2), count - 1, count - 2))
    return lax.conj(turned) if dtypes.is_complex(aval_of(a).dtype) else turned


def _triangular_solve(step: Step) -> Any:
    a, b = step.arrays(2)
    turned = step.integer("transpose_a")
    return linalg.triangular_solve(
        a, b, left_side=step.flag("left_side"), lower=step.flag("lower"), transpose_a=turned in (_TRANSPOSED, _ADJOINT),
        conjugate_a=turned == _ADJOINT, unit_diagonal=step.flag("unit_diagonal"))


def _custom_call(step: Step) -> Any:
    target = step.properties.get("call_target_name")
    routine = target if isinstance(target, str) else ""
    if routine in _OF_ONE_DEVICE:
        return step.arrays(1)[0]
    kind, name = (routine[7:8], routine[8:].removesuffix("_ffi")) if routine.startswith("lapack_") else ("", "")
    if kind in "cz":
        name = {"heevd": "syevd", "hetrd": "sytrd", "ungqr": "orgqr", "unmqr": "ormqr"}.get(name, name)
    known = _LAPACK.get(name) if kind and kind in "sdcz" else None
    if known is None or not routine.endswith("_ffi"):
        raise step.refused(f"it calls {target!r}")
    return known(step)


def _option(step: Step, name: str) -> Any:
    """An attribute of a call of LAPACK."""
    given = step.further.get(_BACKEND)
    config = given if isinstance(given, dict) else step.properties.get("backend_config")
    return config.get(name) if isinstance(config, dict) else None


def _letter(step: Step, name: str) -> str:
    found = _option(step, name)
    if type(found) is not int or not 0 <= found < 128:
        raise step.refused(f"its attribute {name} is no letter")
    return chr(found)


def _flag(step: Step, name: str) -> bool:
    found = _option(step, name)
    if type(found) is not bool:
        raise step.refused(f"its attribute {name} is no truth value")
    return found


def _info(step: Step, *results: Any) -> Any:
    """What LAPACK says of each matrix: 0, or 1 where a result has no number."""
    kind = step.types[-1]
    found = filled(0, kind.shape, np.dtype(bool))
    for x in results:
        axes = tuple(range(len(kind.shape), aval_of(x).ndim))
        found = lax.bitwise_or(found, lax.reduce(lax.ne(x, x), np.array(False), lax.bitwise_or, axes))
    return lax.convert_element_type(found, kind.dtype)


def _potrf(step: Step) -> Any:
    a, = step.arrays(1)
    is_lower = _letter(step, "uplo") == "L"
    factor, shape = _factor(a, is_lower), aval_of(a).shape
    row, column = (lax.broadcasted_iota(np.int32, shape, len(shape) - d) for d in (2, 1))
    # The other triangle stays what it was.
    inside = lax.ge(row, column) if is_lower else lax.le(row, column)
    return lax.select(inside, factor, a), _info(step, factor)


def _getrf(step: Step) -> Any:
    factors, pivots, _ = linalg.lu(step.arrays(1)[0])
    kind = step.types[-1]
    one = filled(1, aval_of(pivots).shape, np.dtype("int32"))
    return factors, lax.add(pivots, one), filled(0, kind.shape, kind.dtype)


def _geqrf(step: Step) -> Any:
    return list(bind_all(ops.geqrf, step.arrays(1), {}))


def _orgqr(step: Step) -> Any:
    return linalg.householder_product(*step.arrays(2))


def _trsm(step: Step) -> Any:
    a, b = step.arrays(2)
    turned = _letter(step, "trans_x")
    return linalg.triangular_solve(
        a, b, left_side=_letter(step, "side") == "L", lower=_letter(step, "uplo") == "L", transpose_a=turned in "TC",
        conjugate_a=turned == "C", unit_diagonal=_letter(step, "diag") == "U")


def _syevd(step: Step) -> Any:
    a, = step.arrays(1)
    if _letter(step, "mode") != "V":
        values = bind(ops.eigh, a, lower=_letter(step, "uplo") == "L", vectors=False)
        return a, values, _info(step, values)
    vectors, values = linalg.eigh(a, lower=_letter(step, "uplo") == "L", symmetrize_input=False)
    return vectors, values, _info(step, values)


def _gesdd(step: Step) -> Any:
    a, = step.arrays(1)
    mode = _letter(step, "mode")
    if mode == "N":
        s = linalg.svd(a, compute_uv=False)
        return a, s, *_untouched(step, 2, 4), _info(step, s)
    if mode not in "AS":
        raise step.refused("it is not known which singular vectors it computes")
    u, s, v = linalg.svd(a, full_matrices=mode == "A")
    return a, s, u, v, _info(step, s)


def _untouched(step: Step, first: int, end: int) -> list[Any]:
    """Results that a routine was told to leave alone: what they hold means nothing."""
    return [filled(0, kind.shape, kind.dtype) for kind in step.types[first:end]]


def _geqp3(step: Step) -> Any:
    return list(bind_all(ops.geqp3, step.arrays(2), {}))


def _ormqr(step: Step) -> Any:
    return bind(ops.ormqr, *step.arrays(3), left=_flag(step, "left"), transpose=_flag(step, "transpose"))


def _geev(step: Step) -> Any:
    a, = step.arrays(1)
    wanted = [_letter(step, f"compute_{side}") == "V" for side in ("left", "right")]
    values, *vectors = bind_all(ops.eig, [a], {"left": wanted[0], "right": wanted[1]})
    numbers = [values] if dtypes.is_complex(aval_of(a).dtype) else [lax.real(values), lax.imag(values)]
    first = len(numbers)
    if len(step.types) != first + 3:
        raise step.refused("it has other results than are known")
    found = [vectors.pop(0) if made else _untouched(step, first + i, first + i + 1)[0] for i, made in enumerate(wanted)]
    return *numbers, *found, _info(step, lax.real(values))


def _gees(step: Step) -> Any:
    a, = step.arrays(1)
    if _letter(step, "sort") != "N":
        raise step.refused("it sorts the eigenvalues")
    wanted, last = _letter(step, "mode") == "V", len(step.types) - 2
    form, *vectors = bind_all(ops.schur, [a], {"vectors": wanted})
    return form, *(vectors or _untouched(step, 1, 2)), *_untouched(step, 2, last + 1), _info(step, form)


def _gehrd(step: Step) -> Any:
    a, = step.arrays(1)
    if (_option(step, "low"), _option(step, "high")) != (1, aval_of(a).shape[-1]):
        raise step.refused("it reduces a part of the matrix")
    form, taus = bind_all(ops.hessenberg, [a], {})
    return form, taus, _info(step)


def _sytrd(step: Step) -> Any:
    found = bind_all(ops.tridiagonal, step.arrays(1), {"lower": _letter(step, "uplo") == "L"})
    return *found, _info(step)


def _gtsv(step: Step) -> Any:
    *diagonals, b = step.arrays(4)
    found = bind(ops.tridiagonal_solve, *diagonals, b)
    return *diagonals, found, _info(step, found)


_LAPACK: Mapping[str, Translation] = {
    "potrf": _potrf, "getrf": _getrf, "geqrf": _geqrf, "orgqr": _orgqr, "trsm": _trsm, "syevd": _syevd,
    "gesdd": _gesdd, "geqp3": _geqp3, "ormqr": _ormqr, "geev": _geev, "gees": _gees, "gehrd": _gehrd, "sytrd": _sytrd,
    "gtsv": _gtsv}

CONTROL: Mapping[str, Translation] = {
    "call": lambda step: step.module.call(step.properties.get("callee"), step.operands),
    "case": _case, "cholesky": _cholesky, "custom_call": _custom_call, "fft": _fft, "if": _if,
    "rng_bit_generator": _rng_bit_generator, "triangular_solve": _triangular_solve, "while": _while}

__all__ = ["CONTROL"]
