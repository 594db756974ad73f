# SPDX-License-Identifier: Apache-2.0
"""Generators of random numbers that a library defines, and those that are here."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from ..lax.bit_generators import encrypted
from ..lax.primitives import BY_NAME
from ..numpy.joining import concatenate
from ..numpy.shapes import ravel, reshape
from ..operands import function_of, shape_argument, shape_of
from ..random.generators import GENERATORS, Generator, defined
from ..random.keys import key, registered
from ..tracing import aval_of
from ..typing import Array, ArrayLike

__all__ = [
    "define_prng_impl", "random_seed", "rbg_prng_impl", "seed_with_impl", "threefry2x32_p", "threefry_2x32",
    "threefry_prng_impl", "unsafe_rbg_prng_impl",
]
__dir__ = listed(__all__)

threefry2x32_p = BY_NAME["threefry2x32_p"]
threefry_prng_impl, rbg_prng_impl, unsafe_rbg_prng_impl = (generator.name for generator in GENERATORS)
_tags = {generator.tag for generator in GENERATORS}


def define_prng_impl(
    *, key_shape: Sequence[int], seed: Callable[[Any], Any], split: Callable[[Any, tuple[int, ...]], Any],
    random_bits: Callable[[Any, int, tuple[int, ...]], Any], fold_in: Callable[[Any, Any], Any],
    name: str = "<unnamed>", tag: str = "?",
) -> Generator:
    """A generator of random numbers, for ``random.key(seed, impl=...)``: all functions of keys then ask it.

    The functions are traced. A key is given to them as uint32 numbers of shape `key_shape`. Of gamma numbers and what
    is made of these, each element has a Threefry key that is made of the key's words.

    Args:
        key_shape: The shape of a key's words, of which there may be four at most.
        seed: Gives the words for an integer.
        split: Gives, for a key and a shape, the words of as many keys: numbers of shape ``(*shape, *key_shape)``.
        random_bits: Gives, for a key, a width in bits and a shape, random unsigned integers of that width.
        fold_in: Gives, for a key and a uint32 number, the words of another key.
        name: What the generator is called.
        tag: What stands in the name of the keys' element type.

    Returns:
        The generator.

    Raises:
        ArgumentError: If an argument is not what it has to be; when keys are used, if a function gives something else.
        NotSupportedError: If keys have more than four words.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend import random
        >>> def bits(key, width, shape):
        ...     return jnp.full(shape, key[0], f"uint{width}")
        >>> impl = random.define_prng_impl(
        ...     key_shape=(1,), seed=lambda s: jnp.full(1, s, "uint32"), random_bits=bits, tag="same",
        ...     split=lambda key, shape: jnp.tile(key, (*shape, 1)), fold_in=lambda key, n: key + n)
        >>> key = olympus.random.fold_in(olympus.random.key(3, impl=impl), 4)
        >>> key.dtype, olympus.random.bits(key, (2,))
        (key<same>, Array([7, 7], dtype=uint32))
    """
    function = "define_prng_impl"
    shape = shape_argument(function, key_shape)
    for word, given in (("seed", seed), ("split", split), ("random_bits", random_bits), ("fold_in", fold_in)):
        function_of(function, given, word)
    if math.prod(shape) > 4:
        raise NotSupportedError(f"{function} with keys of {math.prod(shape)} words",
                                "a key is an element of an array, and no platform carries one of more than 128 bits",
                                "Derive the other words from four of them where bits are made.")
    own = next(t for t in itertools.chain([tag], (f"{tag}{i}" for i in itertools.count(2))) if t not in _tags)
    _tags.add(own)
    dtype = np.dtype([(f"key<{own}>", np.uint32, (2 if math.prod(shape) <= 2 else 4,))])
    return registered(defined(shape, seed, split, random_bits, fold_in, name, dtype))


def seed_with_impl(impl: Any, seed: ArrayLike) -> Array:
    """A key of a generator.

    Args:
        impl: The generator.
        seed: An integer.

    Returns:
        The key.

    Example:
        >>> from olympus.extend import random
        >>> random.seed_with_impl(random.rbg_prng_impl, 3).dtype
        key<rbg>
    """
    return key(seed, impl=impl)


def random_seed(seeds: ArrayLike, impl: Any) -> Array:
    """Keys of a generator, one for each seed.

    Args:
        seeds: Integers.
        impl: The generator.

    Returns:
        The keys, of the shape of the seeds.

    Example:
        >>> import numpy as np
        >>> from olympus.extend import random
        >>> random.random_seed(np.arange(3), random.threefry_prng_impl).shape
        (3,)
    """
    from ..transforms.batching import vmap

    if not shape_of(seeds):
        return key(seeds, impl=impl)
    found: Array = reshape(vmap(lambda seed: key(seed, impl=impl))(ravel(seeds)), shape_of(seeds))
    return found


def threefry_2x32(keypair: Sequence[ArrayLike], count: ArrayLike) -> Array:
    """Threefry-2x32 of an array of counters: its first half has the upper words, its second half the lower ones.

    Args:
        keypair: The two words of the key, uint32.
        count: The counters, uint32.

    Returns:
        Random bits in the shape of the counters.

    Raises:
        ArgumentError: If the words or the counters are not uint32 numbers.

    Example:
        >>> import numpy as np
        >>> from olympus.extend import random
        >>> random.threefry_2x32(np.uint32([0, 0]), np.zeros(2, np.uint32))
        Array([1797259609, 2579123966], dtype=uint32)
    """
    first, second = keypair
    for given in (first, second, count):
        if aval_of(given).dtype != dtypes.uint32:
            raise ArgumentError("threefry_2x32", "the words are not uint32 numbers", described(given), "uint32 numbers")
    flat = ravel(count)
    size = shape_of(flat)[0]
    even = concatenate([flat, np.zeros(size % 2, np.uint32)])
    half = shape_of(even)[0] // 2
    return reshape(concatenate(encrypted([first, second], [even[:half], even[half:]]))[:size], shape_of(count))
