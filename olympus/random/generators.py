# SPDX-License-Identifier: Apache-2.0
"""The generators: how each makes new keys of a key, and bits of a key; keys are words here.

Threefry-2x32 is the one that programs get: its bits are promised. The other two have keys of four words, and their bits
come from Philox-4x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.config import config
from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.bit_generators import along_last, encrypted, joined
from ..numpy.joining import concatenate
from ..numpy.shapes import reshape
from ..operands import shape_of
from ..tracing import aval_of, bind

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator of random bits.

    Attributes:
        name: Its name.
        dtype: The element type of its keys.
        split: From the words of one key those of as many as a shape has.
        fold_in: From the words of a key and a number those of another one.
        bits: From the words of a key, a shape and a type of unsigned integers, random ones.
        shape: The shape in which a library's generator has a key's words; one dimension of all words for None.
        seeded: From an integer the words of a key; for None those of the seed are copied.
    """

    name: str
    dtype: np.dtype
    split: Callable[[Any, Shape], Any]
    fold_in: Callable[[Any, Any], Any]
    bits: Callable[[Any, Shape, np.dtype], Any]
    shape: Shape | None = None
    seeded: Callable[[Any], Any] | None = None

    @property
    def tag(self) -> str:
        """The name in the element type: ``fry`` of ``key<fry>``."""
        return dtypes.name_of(self.dtype)[4:-1]

    @property
    def words(self) -> int:
        """How many words a key has."""
        return self.dtype.itemsize // 4

    @property
    def key_shape(self) -> Shape:
        """The shape of a key's words, as users see them."""
        return (self.words,) if self.shape is None else self.shape

    def shown(self, words: Any) -> Any:
        """Words along the last dimension as users see them."""
        if self.shape is None:
            return words
        own = lax.slice_in_dim(words, 0, math.prod(self.shape), axis=-1)
        return reshape(own, (*shape_of(words)[:-1], *self.shape))

    def stored(self, words: Any) -> Any:
        """Words as users see them along the last dimension, with zeros where keys have more."""
        if self.shape is None:
            return words
        rest = shape_of(words)[:len(shape_of(words)) - len(self.shape)]
        flat = reshape(words, (*rest, math.prod(self.shape)))
        missing = self.words - math.prod(self.shape)
        return concatenate([flat, np.zeros((*rest, missing), np.uint32)], axis=-1) if missing else flat


def defined(
    shape: Shape, seed: Callable[..., Any], split: Callable[..., Any], random_bits: Callable[..., Any],
    fold_in: Callable[..., Any], name: str, dtype: np.dtype,
) -> Generator:
    """A library's generator, whose functions take and give words in the shape that it has them."""
    def split_stored(words: Any, of: Shape) -> Any:
        return made.stored(_words_of("split", split(made.shown(words), of), (*of, *shape)))

    def folded(words: Any, number: Any) -> Any:
        return made.stored(_words_of("fold_in", fold_in(made.shown(words), number), shape))

    def bits(words: Any, of: Shape, dtype: np.dtype) -> Any:
        return _words_of("random_bits", random_bits(made.shown(words), dtypes.bits_of(dtype), of), of, dtype)

    def seeded(number: Any) -> Any:
        return made.stored(_words_of("seed", seed(number), shape))

    made = Generator(name, dtype, split_stored, folded, bits, shape, seeded)
    return made


def _words_of(function: str, given: Any, shape: Shape, dtype: np.dtype = dtypes.uint32) -> Any:
    """What a library's function gives, which has to be of this kind."""
    aval = aval_of(given)
    if aval.shape != shape or aval.dtype != dtype:
        raise ArgumentError("define_prng_impl", f"`{function}` gives something else", repr(aval),
                            f"{dtype.name}{list(shape)}")
    return given


def keys_of(words: Any, dtype: np.dtype) -> Any:
    """Keys of the words along the last dimension."""
    single = [lax.index_in_dim(words, i, -1, keepdims=False) for i in range(dtype.itemsize // 4)]
    wide = [joined(low, high) for low, high in zip(single[::2], single[1::2], strict=True)]
    if len(wide) > 1:
        parts = [bind(ops.bitcast_convert, one, dtype=dtypes.float64, weak=False) for one in wide]
        wide = [bind(ops.complex, *parts, weak=False)]
    return bind(ops.bitcast_convert, wide[0], dtype=dtype, weak=False)


def _pair(words: Any) -> list[Any]:
    return [lax.index_in_dim(words, i, keepdims=False) for i in range(2)]


def _sequences() -> Any:
    return import_module("olympus.random.sequences")  # few programs want them


def _threefry_split(words: Any, shape: Shape) -> Any:
    if not config.threefry_partitionable:
        return _sequences().keys_in(_pair(words), shape)
    numbers = reshape(lax.iota("uint32", math.prod(shape)), shape)
    return along_last(encrypted(_pair(words), [np.zeros((), np.uint32), numbers]))


def _threefry_fold_in(words: Any, number: Any) -> Any:
    return along_last(encrypted(_pair(words), [np.zeros((), np.uint32), number]))


def _threefry_bits(words: Any, shape: Shape, dtype: np.dtype) -> Any:
    if not config.threefry_partitionable:
        return _sequences().bits_in(_pair(words), shape, dtype)
    return bind(ops.random_bits, words, shape=shape, global_shape=shape, dtype=dtype, weak=False)


def _of_halves(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """What Threefry makes of each half of a key of four words."""
    return lambda words, of: concatenate([function(words[:2], of), function(words[2:], of)], axis=-1)


def _philox_bits(words: Any, shape: Shape, dtype: np.dtype) -> Any:
    return lax.rng_bit_generator(words, shape, dtype, lax.RandomAlgorithm.RNG_PHILOX)[1]


def _hashed_split(words: Any, shape: Shape) -> Any:
    rows = _philox_bits(words, (10 * math.prod(shape), 4), dtypes.uint32)
    return reshape(rows[::10], (*shape, 4))


def _hashed_fold_in(words: Any, number: Any) -> Any:
    zero = lax.full_like(number, 0)
    state = along_last([zero, number, zero, number])
    return lax.bitwise_xor(words, _philox_bits(state, (10, 4), dtypes.uint32)[9])


THREEFRY = Generator("threefry2x32", dtypes.key_fry, _threefry_split, _threefry_fold_in, _threefry_bits)
GENERATORS = (
    THREEFRY,
    Generator("rbg", dtypes.key_rbg, _of_halves(_threefry_split), _of_halves(_threefry_fold_in), _philox_bits),
    Generator("unsafe_rbg", dtypes.key_urbg, _hashed_split, _hashed_fold_in, _philox_bits),
)
