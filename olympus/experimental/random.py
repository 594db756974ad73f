# SPDX-License-Identifier: Apache-2.0
"""A generator of random numbers with a state, as NumPy's generators have one, in terms of keys."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .. import random
from ..lax import convert_element_type
from ..numpy import zeros
from ..operands import integers, shape_of
from ..ref import new_ref
from ..tracing import is_evaluating
from ..tracing.values import aval_of
from ..tree_util import register_dataclass
from ..typing import Array, ArrayLike, DTypeLike

__all__ = ["StatefulPRNG", "stateful_rng"]
__dir__ = listed(__all__)

Size = int | Sequence[int] | None


def _shape(function: str, size: Size, *others: Any) -> tuple[int, ...]:
    if size is None:
        return np.broadcast_shapes(*map(shape_of, others))
    return integers(function, size, "the size")


@register_dataclass
@dataclass(frozen=True, slots=True)
class StatefulPRNG:
    """A generator whose methods draw other numbers at each call; `stateful_rng` makes it.

    Its state is a reference, so it can be used in jitted functions and be an argument of them, and cannot be a result.

    Example:
        >>> from olympus.experimental import random
        >>> rng = random.stateful_rng(0)
        >>> rng.key()
        Array((), dtype=key<fry>) overlaying:
        [1797259609 2579123966]
        >>> rng.key()
        Array((), dtype=key<fry>) overlaying:
        [ 928981903 3453687069]
    """

    _base_key: Any
    _counter: Any

    def key(self, shape: int | Sequence[int] = ()) -> Array:
        """A new key, independent of all before.

        Args:
            shape: The shape of the array of keys; one key when left out.

        Raises:
            ArgumentError: For a generator that was split and not mapped over.
        """
        if shape_of(self._base_key):
            raise ArgumentError("StatefulPRNG.key", "the generator was split", repr(aval_of(self._base_key)),
                                "one generator", "Map over it with olympus.vmap.")
        key = random.fold_in(self._base_key, self._counter[...])
        self._counter[...] += 1
        sizes = _shape("StatefulPRNG.key", shape)
        return random.split(key, sizes) if sizes else key

    def random(self, size: Size = None, dtype: DTypeLike = float) -> Array:
        """Floats from 0 to 1, 1 excluded.

        Args:
            size: The shape of the array; one number when left out.
            dtype: The element type.
        """
        return random.uniform(self.key(), _shape("random", size), dtype)

    def uniform(
        self, low: ArrayLike = 0, high: ArrayLike = 1, size: Size = None, *, dtype: DTypeLike = float
    ) -> Array:
        """Floats from `low` to `high`, the latter excluded.

        Args:
            low: The least number.
            high: The end.
            size: The shape; that of `low` and `high` together when left out.
            dtype: The element type.
        """
        return random.uniform(self.key(), _shape("uniform", size, low, high), dtype, low, high)

    def normal(
        self, loc: ArrayLike = 0, scale: ArrayLike = 1, size: Size = None, *, dtype: DTypeLike = float
    ) -> Array:
        """Normally distributed numbers.

        Args:
            loc: The mean.
            scale: The standard deviation.
            size: The shape; that of `loc` and `scale` together when left out.
            dtype: The element type.
        """
        drawn = random.normal(self.key(), _shape("normal", size, loc, scale), dtype)
        return convert_element_type(loc + scale * drawn, drawn.dtype)

    def integers(
        self, low: ArrayLike, high: ArrayLike | None = None, size: Size = None, *, dtype: DTypeLike = int
    ) -> Array:
        """Integers from `low` to `high`, the latter excluded; from 0 to `low` where only one is given.

        Args:
            low: The least number.
            high: The end.
            size: The shape; that of `low` and `high` together when left out.
            dtype: The element type.
        """
        first, end = (0, low) if high is None else (low, high)
        return random.randint(self.key(), _shape("integers", size, first, end), first, end, dtype)

    def split(self, num: int | Sequence[int]) -> StatefulPRNG:
        """Independent generators in one, to be mapped over with `olympus.vmap`.

        Args:
            num: How many, or their shape.
        """
        return StatefulPRNG(self.key(num), new_ref(zeros(num, dtype=int)))

    def spawn(self, n_children: int) -> list[StatefulPRNG]:
        """Independent generators.

        Args:
            n_children: How many.
        """
        return [StatefulPRNG(key, new_ref(0)) for key in self.key(n_children)]


def stateful_rng(seed: ArrayLike | None = None, *, impl: Any = None) -> StatefulPRNG:
    """A generator of random numbers with a state.

    Args:
        seed: An integer, or a key; the machine's own random numbers when left out.
        impl: The generator of the key, as of `olympus.random.key`.

    Returns:
        The generator.

    Raises:
        ArgumentError: Without a seed while a function is traced, whose program would have the same numbers each time.

    Example:
        >>> from olympus.experimental import random
        >>> rng = random.stateful_rng(42)
        >>> rng.integers(0, 10, 2).shape, rng.normal().shape
        ((2,), ())
    """
    if seed is None:
        if not is_evaluating():
            raise ArgumentError("stateful_rng", "a seed is needed where a function is traced", described(seed),
                                "an integer")
        seed = secrets.randbits(63)
    key = random.key(seed, impl=impl)
    return StatefulPRNG(key, new_ref(0))
