# SPDX-License-Identifier: Apache-2.0
"""The programs whose results must have the same bits everywhere: some of every family of operations.

Data come from a linear congruential generator of integers and exact divisions, so that they are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import olympus
import olympus.numpy as jnp
import olympus.scipy.linalg as linalg
import olympus.scipy.special as special
from olympus import lax, nn, random

Arrays = tuple[Any, ...]


class Program(NamedTuple):
    """A function with its operands.

    Args:
        name: The family, and what it is in it.
        function: What is jitted.
        operands: Its operands.
    """

    name: str
    function: Callable[..., Any]
    operands: Arrays


def data(*shape: int, dtype: str = "float32", low: float = -2.0, high: float = 2.0, seed: int = 1) -> np.ndarray:
    """Numbers between two bounds; of complex types both parts; of integers up to 100."""
    count = int(np.prod(shape))
    kind = np.dtype(jnp.dtype(dtype))
    if kind.kind == "c":
        part = "float32" if kind.itemsize == 8 else "float64"
        real, imag = (data(*shape, dtype=part, low=low, high=high, seed=s) for s in (seed, seed + 50))
        return np.asarray(real + 1j * imag, kind)
    word = np.arange(1 + 1000 * seed, 1 + 1000 * seed + count, dtype=np.uint64)
    for _ in range(2):
        word = word * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        word ^= word >> np.uint64(33)
    unit = (word >> np.uint64(11)).astype(np.float64) / 2.0**53
    if kind.kind in "iu":
        return np.asarray(unit * 100, kind).reshape(shape)
    return (low + (high - low) * unit).astype(kind).reshape(shape)


# Functions that are made of others of the table: once is enough.
_ONCE = {"sinc", "softplus", "logit", "ndtri", "i1e", "acosh", "acos", "polynomial", "logistic"}


def _elementwise() -> list[Program]:
    x, y = data(999), data(999, seed=2)
    wide_x, wide_y = data(999, dtype="float64"), data(999, dtype="float64", seed=2)
    found = []
    every = {
        "exp": jnp.exp, "expm1": jnp.expm1, "tanh": jnp.tanh, "sinh": jnp.sinh, "cosh": jnp.cosh, "sin": jnp.sin,
        "cos": jnp.cos, "tan": jnp.tan, "atan": jnp.arctan, "asinh": jnp.arcsinh, "cbrt": jnp.cbrt,
        "logistic": nn.sigmoid, "erf": special.erf, "erfc": special.erfc, "gelu": nn.gelu, "softplus": nn.softplus,
        "log of abs": lambda v: jnp.log(jnp.abs(v)), "log1p": lambda v: jnp.log1p(jnp.abs(v)),
        "rsqrt": lambda v: lax.rsqrt(jnp.abs(v)), "asin": lambda v: jnp.arcsin(v / 2), "sinc": jnp.sinc,
        "acos": lambda v: jnp.arccos(v / 2), "atanh": lambda v: jnp.arctanh(v / 2), "logit": lambda v: special.logit(
            jnp.abs(v) / 2), "lgamma": special.gammaln, "digamma": special.digamma, "erf_inv": lambda v: special.erfinv(
            v / 2), "i0e": special.i0e, "i1e": special.i1e, "acosh": lambda v: jnp.arccosh(1 + jnp.abs(v)),
        "ndtri": lambda v: special.ndtri(jnp.abs(v) / 2), "far sines": lambda v: jnp.sin(v * 1e6),
        "polynomial": lambda v: ((v * 1.1 + 0.3) * v - 0.7) * v + 0.1,
    }
    for name, function in every.items():
        found.append(Program(f"elementwise {name} float32", function, (x,)))
        if name not in _ONCE:
            found.append(Program(f"elementwise {name} float64", function, (wide_x,)))
    both = {
        "pow": lambda a, b: jnp.abs(a) ** b, "atan2": jnp.arctan2, "hypot": jnp.hypot, "fmod": jnp.fmod,
        "logaddexp": jnp.logaddexp, "div": lambda a, b: a / b, "multiply-add": lambda a, b: a * b + a - b * 0.1,
    }
    for name, function in both.items():
        found += [Program(f"elementwise {name} float32", function, (x, y)),
                  Program(f"elementwise {name} float64", function, (wide_x, wide_y))]
    for dtype in ("bfloat16", "float16"):
        narrow = data(999, dtype=dtype)
        found += [Program(f"elementwise {name} {dtype}", every[name], (narrow,))
                  for name in ("exp", "gelu", "sin")]
    z = data(333, dtype="complex64")
    parts = {"exp": jnp.exp, "log": jnp.log, "sqrt": jnp.sqrt, "tanh": jnp.tanh, "abs": jnp.abs, "sin": jnp.sin,
             "square": lambda v: v * v + v, "div": lambda v: v / (v + 1), "angle": jnp.angle}
    found += [Program(f"elementwise {name} complex64", function, (z,)) for name, function in parts.items()]
    return [*found, Program("elementwise betainc float32", special.betainc, (abs(x), abs(y) + 0.1, abs(x) / 2)),
            Program("elementwise gammainc float32", special.gammainc, (abs(x) + 0.1, abs(y))),
            Program("elementwise zeta float32", special.zeta, (abs(x) + 1.5, abs(y) + 0.5))]


def _reductions() -> list[Program]:
    found = []
    shapes: list[tuple[tuple[int, ...], Any]] = [
        ((7,), None), ((1000,), None), ((100003,), None), ((300000,), None), ((64, 1000), 1), ((1000, 64), 0),
        ((3, 40001), 1), ((40001, 3), 0), ((17, 33, 65), (0, 2)), ((17, 33, 65), 1), ((256, 256), (0, 1)),
        ((5, 7), 1), ((2, 70000), 1), ((12, 11, 10, 9), (1, 3)), ((513, 129), 0), ((300, 4096), 1),
    ]
    for shape, axis in shapes:
        dtypes = ("float32", "float64") if len(shape) < 3 else ("float32",)
        for dtype in dtypes:
            found.append(Program(f"sum {shape} over {axis} {dtype}", lambda v, a=axis: jnp.sum(v, a),
                                   (data(*shape, dtype=dtype),)))
    for dtype in ("bfloat16", "float16", "complex64", "complex128"):
        for shape, axis in (((3000,), None), ((40, 333), 1), ((333, 40), 0)):
            found.append(Program(f"sum {shape} over {axis} {dtype}", lambda v, a=axis: jnp.sum(v, a),
                                   (data(*shape, dtype=dtype),)))
    some = {
        "prod": lambda v, a: jnp.prod(1 + v / 100, a), "mean": jnp.mean, "var": jnp.var, "std": jnp.std, "max": jnp.max,
        "logsumexp": special.logsumexp, "norm": lambda v, a: jnp.linalg.norm(v, axis=a), "argmax": jnp.argmax,
        "sum of exp": lambda v, a: jnp.sum(jnp.exp(v), a), "dot": lambda v, a: jnp.sum(v * v, a),
        "median": jnp.median, "average": lambda v, a: jnp.average(v, a, weights=jnp.abs(v)),
    }
    for name, function in some.items():
        for shape, axis in (((5001,), 0), ((40, 333), 1), ((333, 40), 0)):
            found.append(Program(f"{name} {shape} over {axis}", lambda v, f=function, a=axis: f(v, a),
                                   (data(*shape),)))
    for name, function in {"softmax": nn.softmax, "log_softmax": nn.log_softmax, "standardize": nn.standardize}.items():
        found += [Program(f"{name} {shape}", function, (data(*shape),)) for shape in ((13, 1000), (128, 17))]
    for name, function in {"cumsum": jnp.cumsum, "cumprod": lambda v, a: jnp.cumprod(1 + v / 50, a)}.items():
        for shape, axis in (((5001,), 0), ((40, 333), 1), ((333, 40), 0)):
            found.append(Program(f"{name} {shape} over {axis}", lambda v, f=function, a=axis: f(v, a),
                                   (data(*shape),)))
    return [*found, Program("cumsum of many", jnp.cumsum, (data(200000),)),
            Program("cumlogsumexp", lax.cumlogsumexp, (data(333, 40),))]


def _products() -> list[Program]:
    found = []
    sizes = ((3, 5, 7), (64, 64, 64), (100, 1000, 10), (1, 333, 77), (33, 700, 129), (256, 128, 300), (5, 40000, 3),
             (40, 9000, 50), (17, 2049, 1))
    for m, k, n in sizes:
        for dtype in ("float32", "float64"):
            found.append(Program(f"product {m} {k} {n} {dtype}", jnp.matmul,
                                   (data(m, k, dtype=dtype), data(k, n, dtype=dtype, seed=3))))
    for m, k, n in ((33, 700, 129), (5, 6000, 3)):
        for dtype in ("bfloat16", "float16", "complex64", "complex128", "int32", "int8", "float8_e4m3fn"):
            found.append(Program(f"product {m} {k} {n} {dtype}", jnp.matmul,
                                   (data(m, k, dtype=dtype), data(k, n, dtype=dtype, seed=3))))
    x, y = data(4, 3, 50, 20), data(4, 3, 20, 30, seed=4)
    a, b = data(300, 20), data(300, 30, seed=4)
    found += [
        Program("product in batches", jnp.matmul, (x, y)),
        Program("product in batches complex64", jnp.matmul, (data(6, 20, 30, dtype="complex64"),
                                                               data(6, 30, 10, dtype="complex64", seed=2))),
        Program("product transposed", lambda a, b: a.T @ b, (a, b)),
        Program("product transposed complex64", lambda a, b: a.T @ b.conj(), (data(300, 20, dtype="complex64"),
                                                                                data(300, 30, dtype="complex64"))),
        Program("product with a vector complex64", jnp.matmul, (data(70, 300, dtype="complex64"),
                                                                  data(300, dtype="complex64"))),
        Program("einsum", lambda x, y: jnp.einsum("abij,abjk->aik", x, y), (x, y)),
        Program("tensordot", lambda x: jnp.tensordot(x, x, ((0, 2), (0, 2))), (x,)),
        Program("tall transposed product", lambda v: v.T @ v, (data(60000, 8),)),
        Program("outer", jnp.outer, (data(50), data(70))), Program("kron", jnp.kron, (data(9, 9), data(7, 7))),
        Program("vdot", jnp.vdot, (data(70001), data(70001, seed=2))),
        Program("attention", lambda q, k, v: nn.dot_product_attention(q, k, v), (
            data(2, 50, 4, 16), data(2, 50, 4, 16, seed=2), data(2, 50, 4, 16, seed=3))),
        Program("mlp", lambda v, a, b: nn.relu(v @ a) @ b, (data(64, 100), data(100, 200, seed=2),
                                                               data(200, 10, seed=3))),
    ]
    for stride, dtype in ((1, "float32"), (2, "float32"), (1, "float64"), (1, "bfloat16")):
        found.append(Program(f"convolution stride {stride} {dtype}", lambda v, w, s=stride: lax.conv_general_dilated(
            v, w, (s, s), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
            (data(2, 14, 14, 16, dtype=dtype), data(3, 3, 16, 24, dtype=dtype, seed=2))))
    found += [
        Program("convolution transposed", lambda v, w: lax.conv_transpose(
            v, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), (data(2, 7, 7, 8), data(3, 3, 8, 8))),
        Program("convolution of one dimension", jnp.convolve, (data(1000), data(31, seed=2))),
        Program("convolution depthwise", lambda v, w: lax.conv_general_dilated(
            v, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=8),
            (data(2, 9, 9, 8), data(3, 3, 1, 8, seed=2))),
        Program("pooling", lambda v: lax.reduce_window(v, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "VALID"), (
            data(2, 9, 9, 8),)),
    ]
    return found


def _moves() -> list[Program]:
    index = data(5000, dtype="int32", seed=5)
    x, values = data(100), data(5000, seed=6)
    rows = data(5000, 16, seed=6)
    return [
        Program("sort", jnp.sort, (values,)), Program("argsort", jnp.argsort, (values,)),
        Program("sort rows", lambda v: jnp.sort(v, 0), (data(99, 40),)),
        Program("top_k", lambda v: lax.top_k(v, 20), (data(30, 500),)),
        Program("unique", lambda v: jnp.unique(v, size=100), (index,)),
        Program("scatter-add", lambda x, i, v: x.at[i].add(v), (x, index, values)),
        Program("scatter-multiply", lambda x, i, v: x.at[i].multiply(1 + v / 100), (x, index, values)),
        Program("scatter-add of rows", lambda i, v: jnp.zeros((100, 16)).at[i].add(v), (index, rows)),
        Program("scatter-add bfloat16", lambda i, v: jnp.zeros(100, "bfloat16").at[i].add(v.astype("bfloat16")), (
            index, values)),
        Program("segment_sum", lambda v, i: olympus.ops.segment_sum(v, i, 100), (values, index)),
        Program("segment_sum of rows", lambda v, i: olympus.ops.segment_sum(v, i, 100), (rows, index)),
        Program("bincount", lambda i, v: jnp.bincount(i, v, length=100), (index, values)),
        Program("histogram", lambda v: jnp.histogram(v, 20)[0], (values,)),
        Program("take gradient", olympus.grad(lambda x, i: jnp.sum(jnp.take(x, i) ** 3)), (x, index)),
        Program("interp", jnp.interp, (data(999), np.linspace(-2, 2, 50, dtype=np.float32), data(50, seed=3))),
        Program("percentile", lambda v: jnp.percentile(v, jnp.array([10.0, 33.0])), (values,)),
    ]


def _transforms() -> list[Program]:
    found = []
    for n in (8, 100, 127, 1000, 4096):
        found += [Program(f"fft {n} complex64", jnp.fft.fft, (data(5, n, dtype="complex64"),)),
                  Program(f"rfft {n} float64", jnp.fft.rfft, (data(5, n, dtype="float64"),))]
    return [*found, Program("fft2", jnp.fft.fft2, (data(3, 32, 48, dtype="complex64"),)),
            Program("irfft", lambda v: jnp.fft.irfft(v), (data(5, 129, dtype="complex64"),))]


def _linear_algebra() -> list[Program]:
    found = []
    for n, shape in ((4, (20, 4, 4)), (12, (12, 12)), (150, (150, 150))):
        for dtype in ("float32", "float64"):
            x = data(*shape, dtype=dtype)
            positive = x @ np.swapaxes(x, -1, -2) * 0 + np.eye(n, dtype=dtype) * 4 * n + (
                x + np.swapaxes(x, -1, -2)).astype(dtype)
            found += [
                Program(f"cholesky {shape} {dtype}", jnp.linalg.cholesky, (positive,)),
                Program(f"solve {shape} {dtype}", jnp.linalg.solve, (positive, x)),
                Program(f"eigh {shape} {dtype}", jnp.linalg.eigh, (positive,)),
                Program(f"qr {shape} {dtype}", jnp.linalg.qr, (x,)),
                Program(f"svd {shape} {dtype}", jnp.linalg.svd, (x,)),
                Program(f"triangular solve {shape} {dtype}", lambda a, b: lax.linalg.triangular_solve(
                    a, b, left_side=True, lower=True), (positive, x)),
            ]
    x = data(30, 30)
    return [
        *found, Program("inverse", jnp.linalg.inv, (x,)), Program("determinant", jnp.linalg.det, (x,)),
        Program("expm", linalg.expm, (x / 10,)), Program("lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], (
            data(50, 9), data(50))),
        Program("eigenvalues", jnp.linalg.eigvals, (x,)),
        Program("solve complex64", jnp.linalg.solve, (data(20, 20, dtype="complex64"), data(20, 3, dtype="complex64"))),
        Program("matrix power", lambda v: jnp.linalg.matrix_power(v / 9, 7), (x,)),
    ]


def loss(parameters: Any, x: Any, y: Any) -> Any:
    for weight, bias in parameters[:-1]:
        x = jnp.tanh(x @ weight + bias)
    weight, bias = parameters[-1]
    return -jnp.mean(jnp.sum(nn.log_softmax(x @ weight + bias) * y, -1))


def _lstm(x: Any, w: Any) -> Any:
    def turn(state: Any, row: Any) -> Any:
        h, c = state
        i, f, g, o = jnp.split(jnp.concatenate([row, h], -1) @ w, 4, -1)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    start = jnp.zeros((x.shape[1], 16))
    return lax.scan(turn, (start, start), x)[1]


def layer_norm(x: Any, g: Any, b: Any) -> Any:
    centred = x - jnp.mean(x, -1, keepdims=True)
    return centred * lax.rsqrt(jnp.mean(centred * centred, -1, keepdims=True) + 1e-5) * g + b


def _models() -> list[Program]:
    sizes = (20, 50, 30, 10)
    parameters = [(data(a, b, seed=i) / 4, data(b, seed=9)) for i, (a, b) in enumerate(zip(sizes, sizes[1:]))]
    x, y = data(64, 20), np.eye(10, dtype="float32")[data(64, dtype="int32") % 10]
    image, filters = data(4, 12, 12, 3), data(3, 3, 3, 8, seed=2)
    key = random.key(7)

    def convolved(w: Any, v: Any) -> Any:
        v = nn.relu(lax.conv_general_dilated(v, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        return jnp.mean(v ** 2)

    found = [
        Program("gradient of an mlp", olympus.grad(loss), (parameters, x, y)),
        Program("hessian times vector", lambda p, x, y: olympus.jvp(olympus.grad(
            lambda q: loss(q, x, y)), (p,), (p,))[1], (parameters, x, y)),
        Program("gradient of a convolution", olympus.grad(convolved), (filters, image)),
        Program("gradients of examples", olympus.vmap(olympus.grad(loss), (None, 0, 0)), (
            parameters, x[:, None], y[:, None])),
        Program("lstm", _lstm, (data(20, 8, 10), data(26, 64, seed=3) / 4)),
        Program("gradient of an lstm", olympus.grad(lambda w, x: jnp.sum(_lstm(x, w) ** 2)), (
            data(26, 64, seed=3) / 4, data(20, 8, 10))),
        Program("layer norm", layer_norm, (data(33, 200), data(200), data(200, seed=2))),
        Program("gradient of layer norm", olympus.grad(lambda x, g, b: jnp.sum(layer_norm(x, g, b) ** 3), (
            0, 1, 2)), (data(33, 200), data(200), data(200, seed=2))),
        Program("scan of sums", lambda v: lax.scan(lambda c, r: (c * 0.9 + jnp.sum(r), c), 0.0, v), (data(50, 70),)),
        Program("associative scan", lambda v: lax.associative_scan(lambda a, b: a * b + a, v), (data(301) / 3,)),
        Program("while", lambda v: lax.while_loop(lambda s: jnp.max(s) < 100, lambda s: s * 1.1 + jnp.sum(s) / 99, v),
                  (abs(data(99)) + 0.1,)),
        Program("newton", lambda v: lax.fori_loop(0, 6, lambda _, s: s - (s * s - v) / (2 * s), v), (
            abs(data(500)) + 0.1,)),
        Program("matrix in a loop", lambda v: lax.fori_loop(0, 5, lambda _, s: jnp.tanh(s @ v), v), (data(40, 40),)),
        Program("heat", lambda v: lax.fori_loop(0, 9, lambda _, s: s + 0.1 * (
            jnp.roll(s, 1, 0) + jnp.roll(s, -1, 0) + jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1) - 4 * s), v), (
            data(65, 65),)),
        Program("n bodies", lambda v: jnp.sum((v[:, None] - v) / (jnp.sum(
            (v[:, None] - v) ** 2, -1, keepdims=True) + 0.1) ** 1.5, 1), (data(100, 3),)),
        Program("distances", lambda a, b: jnp.sqrt(jnp.sum((a[:, None] - b) ** 2, -1)), (data(40, 16), data(70, 16))),
    ]
    every: dict[str, Callable[[Any], Any]] = {
        "bits": lambda k: random.bits(k, (999,)), "uniform": lambda k: random.uniform(k, (999,)),
        "normal": lambda k: random.normal(k, (999,)),
        "exponential": lambda k: random.exponential(k, (999,)), "laplace": lambda k: random.laplace(k, (999,)),
        "permutation": lambda k: random.permutation(k, 300), "categorical": lambda k: random.categorical(
            k, jnp.linspace(0, 1, 9), shape=(99,)), "truncated": lambda k: random.truncated_normal(k, -1, 2, (999,)),
        "normal float64": lambda k: random.normal(k, (999,), "float64"), "walk": lambda k: jnp.exp(jnp.cumsum(
            random.normal(k, (99, 20)), 1) * 0.1), "dropout": lambda k: random.bernoulli(k, 0.3, (999,)),
    }
    return [*found, *(Program(f"random {name}", function, (key,)) for name, function in every.items())]


def programs() -> list[Program]:
    """All programs of one device; 64-bit types must be enabled."""
    return [*_elementwise(), *_reductions(), *_products(), *_moves(), *_transforms(), *_linear_algebra(), *_models()]
