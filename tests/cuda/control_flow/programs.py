# SPDX-License-Identifier: Apache-2.0
"""Programs with loops and branches; ``python -m tests.cuda.control_flow.programs`` compares the platforms' results.

With the first platform of ``OLYMPUS_PLATFORMS`` and with the CPU, four times each: at the second call with the same
addresses a group is captured. It prints how many works of which kind the first has made.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax

_RANDOM = np.random.default_rng(0)
X = _RANDOM.standard_normal((17, 32)).astype(np.float32)
W = (_RANDOM.standard_normal((32, 32)) / 6).astype(np.float32)
_BRANCHES: tuple[Callable[[Any], Any], ...] = (lambda x: x + 1, lambda x: x * 2, lambda x: jnp.sort(x))


def _recurrent(x: Any, w: Any) -> Any:
    return lax.scan(lambda c, e: (jnp.tanh(c @ w + e), c), jnp.zeros(32), x)


def _loss(w: Any, x: Any) -> Any:
    rows = jnp.broadcast_to(x[:, None], (17, 4, 32))
    return lax.scan(lambda c, e: (jnp.tanh(c @ w + e), c.sum()), jnp.zeros((4, 32)), rows)[1].sum()


def _with_branches(x: Any) -> Any:
    def turn(c: Any, e: Any) -> Any:
        return lax.cond(e[0] > 0, lambda c: jnp.sin(c) + e, lambda c: c * e, c), c

    return lax.scan(turn, x[0], x)[0].sum()


SCANS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "sums": (lambda x: lax.scan(lambda c, e: (c + e, c * 2), jnp.zeros(32), x), (X,)),
    "in reverse": (lambda x: lax.scan(lambda c, e: (c + e, c * 2), jnp.zeros(32), x, reverse=True), (X,)),
    "an even number of turns": (lambda x: lax.scan(lambda c, e: (c + e, c * 2), jnp.zeros(32), x[1:]), (X,)),
    "slices that are not aligned": (lambda x: lax.scan(
        lambda c, e: (c * 0.5 + e.sum(), c), jnp.float32(0), x[:, :7]), (X,)),
    "halves": (lambda x: lax.scan(lambda c, e: (c + e, c), jnp.zeros(31, jnp.float16), x[:, :31].astype("float16")),
               (X,)),
    "booleans": (lambda x: lax.scan(lambda c, e: (c ^ (e > 0), c), jnp.zeros(32, bool), x), (X,)),
    "carries that change places": (lambda x: lax.scan(
        lambda c, e: ((c[1], c[0] + e), (c[0], e)), (jnp.zeros(32), jnp.ones(32)), x), (X,)),
    "a carry that stays": (lambda x: lax.scan(
        lambda c, e: ((c[0], c[1] + e), c[1]), (x[0], jnp.ones(32)), x), (X,)),
    "no turn": (lambda x: lax.scan(lambda c, e: (c + e, c), x[0], x[:0]), (X,)),
    "empty slices": (lambda x: lax.scan(lambda c, e: (c + 1, e), jnp.float32(1), x[:, :0]), (X,)),
    "a count": (lambda x: lax.fori_loop(0, 10, lambda i, c: c * 0.9 + i, x), (X,)),
    "a graph of some turns": (lambda x: lax.fori_loop(0, 301, lambda i, c: c * 0.99 + i * 0.001, x[0]), (X,)),
    "another of an even number": (lambda x: lax.fori_loop(0, 302, lambda i, c: jnp.sort(c * 0.99 + 1), x[0]), (X,)),
    "rows written in place": (lambda x: lax.fori_loop(0, 16, lambda i, c: c.at[i].set(c[i] * 2 + c[i + 1]), x), (X,)),
    "products": (_recurrent, (X, W)),
    "products of vectors, sorted": (lambda x: lax.scan(lambda c, e: (jnp.sort(c + e), c), jnp.zeros(32), x), (X,)),
    "a derivative": (olympus.grad(_loss), (W, X)),
    "a loop in a loop": (lambda x: lax.scan(
        lambda c, e: (lax.fori_loop(0, 3, lambda i, d: d * 0.5 + e, c), c), jnp.zeros(32), x), (X,)),
    "constants": (lambda x: lax.scan(
        lambda c, e: (c + e * W[0] + np.arange(32, dtype=np.float32), c), jnp.zeros(32), x), (X,)),
    "matrices by a library": (lambda w: lax.scan(
        lambda c, e: (jnp.linalg.cholesky(c @ c.T + jnp.eye(32)) * 0.5, c[0]), w, None, length=5), (W,)),
}
CONDITIONALS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "a count of turns": (lambda x: lax.while_loop(
        lambda s: s[0] < 100, lambda s: (s[0] + 1, s[1] * 1.01), (0, x[0, 0])), (X,)),
    "a condition on numbers": (lambda x: lax.while_loop(lambda s: jnp.abs(s).max() > 1e-3, lambda s: s * 0.9, x), (X,)),
    "no turn": (lambda x: lax.while_loop(lambda s: jnp.abs(s).max() > 1e9, lambda s: s * 0.9, x), (X,)),
    "products": (lambda x, w: lax.while_loop(
        lambda s: s[1] < 5, lambda s: (jnp.tanh(s[0] @ w), s[1] + 1), (x, 0)), (X, W)),
    "a condition that is carried": (lambda x: lax.while_loop(
        lambda s: s[1], lambda s: (s[0] * 0.5, (s[0] * 0.5).sum() > 1), (jnp.abs(x), True)), (X,)),
    "carries that change places": (lambda x: lax.while_loop(
        lambda s: s[2] < 7, lambda s: (s[1], s[0] + 1, s[2] + 1), (x, x * 2, 0)), (X,)),
    "a loop in a loop": (lambda x: lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, lax.while_loop(
        lambda t: t[0] < 3, lambda t: (t[0] + 1, t[1] * 0.9 + s[0]), (0, s[1]))[1]), (0, x)), (X,)),
    "a scan in a loop": (lambda x: lax.while_loop(lambda s: s[0] < 4, lambda s: (
        s[0] + 1, lax.scan(lambda c, e: (c + e, c), s[1], x)[0]), (0, x[0])), (X,)),
    "a loop in a scan": (lambda x: lax.scan(lambda c, e: (
        lax.while_loop(lambda t: t.sum() < 3, lambda t: t + 1, c + e), c), x[0], x), (X,)),
    "the first branch": (lambda x: lax.cond(x[0, 0] < 1e9, _BRANCHES[0], _BRANCHES[1], x), (X,)),
    "the second branch": (lambda x: lax.cond(x[0, 0] > 1e9, _BRANCHES[0], _BRANCHES[1], x), (X,)),
    "branches that compute nothing": (lambda x: lax.cond(
        x[0, 0] < 1e9, lambda x: (x + 1, x), lambda x: (x, x), x), (X,)),
    "a branch in a loop": (lambda x: lax.while_loop(lambda s: s[0] < 6, lambda s: (
        s[0] + 1, lax.cond(s[0] % 2 == 0, lambda y: y + 1, lambda y: y * 0.5, s[1])), (0, x)), (X,)),
    "rows written in place": (lambda x: lax.while_loop(
        lambda s: s[0] < 6, lambda s: (s[0] + 1, s[1].at[s[0]].set(s[0])), (0, x)), (X,)),
    "rows that end by themselves": (olympus.vmap(lambda x: lax.while_loop(
        lambda s: s.sum() < 10, lambda s: s + 1, x)), (X,)),
    "a bound that is data": (lambda x, n: lax.fori_loop(0, n, lambda i, c: c * 0.9 + i, x), (X, np.int32(13))),
    "a derivative": (olympus.grad(_with_branches), (X,)),
}
for _i in (-1, 0, 1, 2, 5):
    CONDITIONALS[f"branch {_i}"] = lambda x, i: lax.switch(i, list(_BRANCHES), x), (X, np.int32(_i))


def main(names: list[str]) -> None:
    """Compares, and prints the kinds of works."""
    from olympus_cuda.compiled.kernel_generator import CudaKernelGenerator
    from olympus_cuda.control_flow import scans

    scans.MOST_CAPTURED = 500  # what is longer is quick enough, too
    made: Counter[str] = Counter()
    own = CudaKernelGenerator.made_step

    def noting(self: Any, operation: Any) -> Any:
        found = own(self, operation)
        if operation.name in ("scan", "while", "cond"):
            made[f"{operation.name} {type(found).__name__}"] += 1
        return found

    CudaKernelGenerator.made_step = noting  # type: ignore[method-assign]
    programs = {**{f"scan: {k}": v for k, v in SCANS.items()}, **{f"while: {k}": v for k, v in CONDITIONALS.items()}}
    for name, (function, arguments) in programs.items():
        if names and not any(part in name for part in names):
            continue
        program = olympus.jit(function)
        found = [olympus.tree.map(np.asarray, program(*arguments)) for _ in range(4)]
        with olympus.default_device(olympus.devices("cpu")[0]):
            expected = olympus.tree.map(np.asarray, olympus.jit(function)(*arguments))
        for result in found:
            for one, other in zip(olympus.tree.leaves(result), olympus.tree.leaves(expected), strict=True):
                tolerance = 2e-3 if one.dtype == np.float16 else 2e-5
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance, err_msg=name)
    print(dict(sorted(made.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
