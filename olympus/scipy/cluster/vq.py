# SPDX-License-Identifier: Apache-2.0
"""Vector quantization: the nearest of given vectors."""

from __future__ import annotations

from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...numpy.promotion import promote_inexact
from ...operands import shape_of
from ...transforms.jit import api
from ...typing import Array, ArrayLike

__all__ = ["vq"]
__dir__ = listed(__all__)


def vq(obs: ArrayLike, code_book: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """For each observation the nearest vector of a code book.

    Args:
        obs: The observations, (m, n), or m numbers.
        code_book: The vectors, (k, n), or k numbers.
        check_finite: Not used: a program cannot stop at a number.

    Returns:
        The index of the nearest vector for each observation, the first of equal ones, and its distance.

    Raises:
        ArgumentError: For arrays of other shapes.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.cluster.vq import vq
        >>> vq(jnp.array([[0.0, 1.0]]), jnp.array([[4.0, 4.0], [0.0, 0.0]]))
        (Array([1], dtype=int32), Array([1.], dtype=float32))

    References:
        SciPy, scipy.cluster.vq.vq.
    """
    given, known = shape_of(obs), shape_of(code_book)
    if len(given) != len(known) or len(given) not in (1, 2) or given[1:] != known[1:] or not known[0]:
        raise ArgumentError("vq", "observations and code book do not fit", f"shapes {given} and {known}",
                            "(m, n) and (k, n), or (m,) and (k,), k at least 1")
    return _nearest(obs, code_book)


@api
def _nearest(obs: ArrayLike, code_book: ArrayLike) -> Any:
    x, y = jnp.asarray(obs), jnp.asarray(code_book)
    if x.ndim == 1:
        x, y = x[:, None], y[:, None]
    (x, y), _ = promote_inexact("vq", x[:, None], y[None])
    distance = jnp.sqrt(jnp.sum(jnp.abs(x - y) ** 2, axis=-1))
    return jnp.argmin(distance, axis=-1), jnp.min(distance, axis=-1)
