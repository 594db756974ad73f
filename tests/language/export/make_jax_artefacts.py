# SPDX-License-Identifier: Apache-2.0
"""Makes the artefacts of JAX that the tests read, with its results: ``python make_jax_artefacts.py``, with JAX 0.10.

`flatbuffers` must be there. Each ``NAME.jax`` is what ``jax.export.Exported.serialize`` gives; ``NAME.npz`` holds flat
arguments and results.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

FOLDER = Path(__file__).parent / "jax_artefacts"
_RANDOM = np.random.default_rng(0)


def _f(*shape: int) -> np.ndarray:
    return _RANDOM.standard_normal(shape).astype(np.float32)


def _pool(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID")


def _indexing(a: Any, i: Any) -> Any:
    return {"taken": a[i], "clipped": jnp.take(a, i, axis=1, mode="clip"),
            "filled": jnp.take(a, i, axis=0, mode="fill"),
            "added": a.at[i].add(2.0), "set": a.at[i].set(3.0), "least": a.at[i, 0].min(-1.0), "most": a.at[1].max(0.5),
            "times": a.at[i].multiply(2.0), "along": jnp.take_along_axis(a, i[:, None] % 3, 1),
            "batched": jax.vmap(lambda row, j: row[j])(a, i % 3)}


def _kinds(x: Any) -> Any:
    return (x.astype("bfloat16"), x.astype("int8"), x > 0, x.astype("complex64"), lax.bitcast_convert_type(x, "uint32"),
            lax.reduce_precision(x, 5, 10), jnp.array([True, False, True]), jnp.array([True] * 9), jnp.arange(10),
            jnp.pad(x, 2), lax.pad(x, 1.0, [(-1, 2, 1)]), x[::-1], jnp.concatenate([x, x]),
            lax.dynamic_slice(x, (1,), (2,)), lax.dynamic_update_slice(x, x[:2], (1,)), x.astype("float8_e4m3fn"),
            jnp.clip(x, -1, 1), jnp.zeros((2, 3)), jnp.array([[1, 2], [3, 4]], "uint8"), x.astype("float16"))


def _mathematics(x: Any, y: Any) -> Any:
    unary = (jnp.abs, jnp.cbrt, jnp.ceil, jnp.cos, jnp.exp, jnp.expm1, jnp.floor, jnp.isfinite, jnp.sign, jnp.round,
             jax.nn.sigmoid, jnp.sin, jnp.tan, jnp.tanh, jax.scipy.special.erf, lax.lgamma, jnp.sinh, jnp.arctan,
             lambda v: jnp.sqrt(abs(v)), lambda v: jnp.log(abs(v)), lambda v: jnp.log1p(abs(v)),
             lambda v: lax.rsqrt(abs(v)), lambda v: jnp.arccos(v / 9), lambda v: lax.erf_inv(v / 9),
             lambda v: lax.round(v * 2, lax.RoundingMethod.AWAY_FROM_ZERO))
    binary = (jnp.add, jnp.subtract, jnp.multiply, jnp.divide, jnp.maximum, jnp.minimum, jnp.arctan2, lax.rem,
              lambda v, w: abs(v) ** w, jnp.less, jnp.equal, jnp.greater_equal)
    return [f(x) for f in unary] + [f(x, y) for f in binary]


def _integers(x: Any, y: Any) -> Any:
    return (x + y, x * y, x // y, x % y, x & y, x | y, x ^ y, ~x, x << 2, x >> 1, lax.shift_right_logical(x, y % 4),
            lax.population_count(x), lax.clz(x), x < y, jnp.sum(x), jnp.max(x), jnp.any(x > 3), jnp.all(x > -9),
            jnp.prod(y), jnp.bitwise_xor.reduce(x), (x > 0) + (y > 0))


def _control(a: Any, n: Any) -> Any:
    return (lax.fori_loop(0, n, lambda i, c: c * 1.5 + i, a), lax.cond(n > 2, lambda x: x + 1, lambda x: x * 2, a),
            lax.switch(n, [lambda x: x, lambda x: x + 2, lambda x: x * 3], a),
            lax.scan(lambda c, x: (c + x, c * x), a[0], a), lax.while_loop(lambda c: c[0] < n, lambda c: (
                c[0] + 1, c[1] + a[c[0] % 3]), (0, jnp.float32(0))), jax.jit(lambda x: x * 3)(jax.jit(jnp.sin)(a)))


def _algebra(a: Any, b: Any) -> Any:
    positive = a @ a.T + jnp.eye(4)
    values = jnp.linalg.eigvalsh(positive)
    q, r = jnp.linalg.qr(a)
    u, s, v = jnp.linalg.svd(a, full_matrices=False)
    # Signs of vectors are anybody's choice.
    return (jnp.linalg.cholesky(positive), jnp.linalg.cholesky(-positive), values, abs(jnp.linalg.eigh(positive)[1]),
            jnp.linalg.solve(a, b), jax.scipy.linalg.lu(a), q @ r, (u * s) @ v, s, jnp.linalg.det(a),
            jnp.linalg.inv(a), jax.scipy.linalg.solve_triangular(a, b, lower=True, trans=1))


def _decompositions(a: Any) -> Any:
    """Those that are calls of LAPACK, by what does not depend on signs."""
    solver, square = lax.linalg, a[:, :3]
    whole, taus = solver.hessenberg(square)
    found = [lax.linalg.qr(a, pivoting=True, full_matrices=False), (whole, taus), solver.tridiagonal(square),
             solver.tridiagonal(square + 0j, lower=False), solver.svd(a, compute_uv=False), solver.schur(
                 square, compute_schur_vectors=False), solver.tridiagonal_solve(
                     square[..., 0], square[..., 1] + 5.0, square[..., 2], square)]
    values, left, right = solver.eig(square)
    form, vectors = solver.schur(square)
    alone = solver.eig(square + 0j, compute_left_eigenvectors=False, compute_right_eigenvectors=False)
    return (found, jnp.abs(values), jnp.abs(left), jnp.abs(right), alone, vectors @ form @ vectors.swapaxes(-1, -2),
            [solver.ormqr(whole, taus, square, left=left, transpose=not left) for left in (True, False)])


def _special(a: Any, x: Any) -> Any:
    """Functions that are loops."""
    return (lax.igamma(a, x), lax.igammac(a, x), lax.igamma_grad_a(a, x), lax.random_gamma_grad(a, x), lax.betainc(
        a, x, x / 9), lax.zeta(a + 1, x), lax.polygamma(jnp.floor(a), x), lax.bessel_i0e(x), lax.bessel_i1e(x))


def _sorting(a: Any, b: Any) -> Any:
    return (jnp.sort(a), jnp.argsort(b), lax.sort((b, a), num_keys=2), lax.sort((a, b), num_keys=2), lax.top_k(a, 2),
            jnp.argmax(a), jnp.argmin(b), jnp.sort(b > 2), jnp.sort(a)[::-1], jnp.sort(a.reshape(2, 3), 0),
            jnp.sort(a + 1j * b), jnp.cumsum(a), jnp.cumprod(a), lax.cummax(a), lax.cumlogsumexp(a), jnp.unique(
                b, size=4), jnp.median(a), jnp.searchsorted(jnp.sort(a), a))


def _transformer(weights: Any, x: Any) -> Any:
    qkv, out, up, down = weights
    normal = (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    q, k, v = (p.reshape(6, 2, 4).swapaxes(0, 1) for p in jnp.split(normal @ qkv, 3, -1))
    scores = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), q @ k.swapaxes(-1, -2), -1e9)
    x = x + (jax.nn.softmax(scores) @ v).swapaxes(0, 1).reshape(6, 8) @ out
    return x + jax.nn.gelu(x @ up) @ down


def _random(key: Any) -> Any:
    state = jnp.concatenate([key, key])
    return (jax.random.normal(jax.random.wrap_key_data(key), (5,)), jax.random.permutation(
        jax.random.wrap_key_data(key), 7), lax.rng_bit_generator(state, (3,), algorithm=lax.RandomAlgorithm.RNG_PHILOX))


def _one_device() -> Any:
    """A function whose shardings are said, on a mesh of one device: as an argument's, a result's, and within."""
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    split = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    return jax.jit(lambda a: (lax.with_sharding_constraint(a * 2, split) + 1, jnp.sort(a)), in_shardings=split,
                   out_shardings=(split, None))


CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "mathematics": (_mathematics, (_f(6), _f(6))),
    "integers": (_integers, (np.array([5, -7, 3, 100], np.int32), np.array([3, 2, -5, 7], np.int32))),
    "kinds": (_kinds, (_f(4),)),
    "indexing": (_indexing, (_f(5, 3), np.array([0, 4, 7, -1, 4], np.int32))),
    "control": (_control, (_f(3), np.int32(4))),
    "algebra": (_algebra, (_f(4, 4), _f(4))),
    "sorting": (_sorting, (np.array([2, np.nan, -0.0, 0.0, np.inf, -1], np.float32), np.array(
        [3, 1, 3, 2, 1, 3], np.int32))),
    "random": (_random, (np.array([7, 9], np.uint32),)),
    "convolution": (lambda x, k: (
        lax.conv_general_dilated(x, k, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        lax.conv_transpose(x, k, (2, 2), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))),
        (_f(2, 7, 6, 3), _f(3, 3, 3, 4))),
    "windows": (lambda x: (_pool(x), jax.grad(lambda y: (_pool(y) ** 2).sum())(x), lax.reduce_window(
        x, 0.0, lax.add, (1, 3, 1), (1, 2, 1), "SAME")), (_f(2, 6, 6),)),
    "fourier": (lambda x: (jnp.fft.fft(x), jnp.fft.irfft(jnp.fft.rfft(x)), jnp.fft.ifft2(x.reshape(2, 4))), (_f(8),)),
    "transformer": (_transformer, ((_f(8, 24), _f(8, 8), _f(8, 16), _f(16, 8)), _f(6, 8))),
    "derivative": (lambda x, n: {"value": (jnp.sin(x) * n).sum(), "count": n + 1}, (_f(3), np.int32(3))),
    "everywhere": (lambda x: lax.platform_dependent(x, cpu=lambda y: y * 2, default=lambda y: y * 3), (_f(3),)),
    "wide": (lambda x, n: (jnp.exp(x), n * 3, x.astype("float32"), jnp.arange(3)), (
        np.array([0.5, 2.0]), np.array([1 << 40, -5]))),
    "decompositions": (_decompositions, (_f(2, 4, 3),)),
    "one_device": (_one_device(), (_f(5),)),
    "special": (_special, (np.array([0.3, 1, 2.5, 8], np.float32), np.array([0.1, 2, 1.5, 7], np.float32))),
}
# Of LAPACK, what JAX does not promise to keep.
CHECKS = [export.DisabledSafetyCheck.custom_call(f"lapack_{letter}{routine}_ffi") for letter in "sc" for routine in (
    "geqp3", "ormqr", "gees", "gehrd", "sytrd", "hetrd", "gtsv")]


def main() -> None:
    """Makes all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, (function, arguments) in CASES.items():
        jitted = function if hasattr(function, "lower") else jax.jit(function)
        with jax.enable_x64(True) if name == "wide" else contextlib.nullcontext():
            platforms = ["cpu", "tpu"] if name == "everywhere" else ["cpu"]
            made = export.export(jitted, platforms=platforms, disabled_checks=CHECKS)(*arguments)
            results = jax.tree.leaves(jitted(*arguments))
            (FOLDER / f"{name}.jax").write_bytes(made.serialize(vjp_order=2 if name == "derivative" else 0))
            # What NumPy's files do not hold is stored as float32.
            plain = [np.asarray(x, np.float32 if str(x.dtype) in ("bfloat16", "float8_e4m3fn") else None)
                     for x in results]
            np.savez_compressed(FOLDER / f"{name}.npz", **{f"in{i}": x for i, x in enumerate(
                jax.tree.leaves(arguments))}, **{f"out{i}": x for i, x in enumerate(plain)})


if __name__ == "__main__":
    main()
