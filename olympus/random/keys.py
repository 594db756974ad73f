# SPDX-License-Identifier: Apache-2.0
"""Keys of random numbers: arrays of an element type of their own, from which others are made without hidden state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.errors import ArgumentError, described
from olympus_core.location import warn_user

from .. import lax
from ..lax.bit_generators import along_last, encrypted, halves
from ..numpy.arithmetic import add
from ..numpy.creation import asarray
from ..numpy.joining import concatenate, stack
from ..operands import cast, dtype_of, integers, key_words, shape_of
from ..tracing import aval_of, scalar_dtype
from ..tracing.aval import KeyDtype, shown_dtype
from ..transforms.jit import api
from ..transforms.key_uses import used
from ..typing import Array, ArrayLike
from .generators import GENERATORS, Generator, keys_of

__all__ = ["PRNGKey", "clone", "fold_in", "key", "key_data", "key_dtype", "key_impl", "split", "wrap_key_data"]

KeyLike: TypeAlias = ArrayLike  # an array of keys, or of the words of them
_BY_NAME = {name: generator for generator in GENERATORS for name in (generator.name, generator.tag)}
_WORDS = {(generator.words,) for generator in GENERATORS}
_BY_DTYPE = {generator.dtype: generator for generator in GENERATORS}


def _generator(function: str, impl: Any, dtype: Any = None) -> Generator:
    """The generator that arguments ask for."""
    if dtype is not None:
        if impl is not None:
            raise ArgumentError(function, "both impl and dtype are given", (impl, dtype), "one of them")
        impl = dtype
    if impl is None:
        return _BY_NAME[config.default_prng_impl]
    if isinstance(impl, Generator):
        return impl
    if isinstance(impl, (KeyDtype, np.dtype)):
        found = _BY_DTYPE.get(np.dtype(impl))
    else:
        found = _BY_NAME.get(impl) if isinstance(impl, str) else None
    if found is None:
        raise ArgumentError(function, "the generator is not known", described(impl),
                            ", ".join(repr(generator.name) for generator in GENERATORS))
    return found


def registered(generator: Generator) -> Generator:
    """A library's generator, which is found by its keys from now on."""
    return _BY_DTYPE.setdefault(generator.dtype, generator)


def _is_typed(keys: Any) -> bool:
    return dtypes.is_key(aval_of(keys).dtype)


def generator_of(keys: Any) -> Generator:
    """The generator that keys are for; of words, the configured one if it has as many, else the first that has."""
    aval = aval_of(keys)
    found = _BY_DTYPE.get(aval.dtype)
    if found is None:
        known = (_BY_NAME[config.default_prng_impl], *GENERATORS)
        found = next(generator for generator in known if generator.words == aval.shape[-1])
    return found


def _data(keys: Any) -> Any:
    """The words of keys of either kind."""
    return key_words(keys) if _is_typed(keys) else keys


def _like(keys: Any, words: Any) -> Any:
    """Words as keys of the kind of others."""
    return keys_of(words, aval_of(keys).dtype) if _is_typed(keys) else words


class LegacyKeyWarning(UserWarning):
    """A key is given as an array of its words, where `olympus_legacy_prng_key` asks for a warning."""


def _tell_of_words(function: str) -> None:
    error = ArgumentError(function, "the key is an array of its words, a legacy uint32 key array", "an array of uint32",
                          "a key", "Make it with olympus.random.key(seed), or of words by wrap_key_data.")
    if config.legacy_prng_key == "error":
        raise error
    warn_user(LegacyKeyWarning(str(error)))


def given_key(function: str, key: Any, single: bool = True, is_drawn: bool = True) -> Any:
    """The key, of either kind; refuses what is none."""
    try:
        aval = aval_of(key)
    except ArgumentError:
        aval = None
    typed = aval is not None and dtypes.is_key(aval.dtype)
    if aval is None or not typed and (aval.dtype != dtypes.uint32 or aval.shape[-1:] not in _WORDS):
        raise ArgumentError(function, "the first argument is not a key", described(key), "a key",
                            "Make one with olympus.random.key(seed).")
    if is_drawn and not typed and config.legacy_prng_key != "allow":
        _tell_of_words(function)
    shape = aval.shape if typed else aval.shape[:-1]
    if single and shape:
        raise ArgumentError(function, "several keys are given where one is needed", f"keys of shape {shape}",
                            "one key", "Index them, or map over them with olympus.vmap.")
    return key


def random_bits(key: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Random bits of a key of either kind."""
    return generator_of(key).bits(_data(used(key)), shape, dtype)


def threefry_words(key: Any) -> tuple[Any, Any]:
    """Two words that stand for a key where every element gets one of its own."""
    data = _data(used(key))
    found = [lax.index_in_dim(data, i, keepdims=False) for i in range(generator_of(key).words)]
    first, second = found if len(found) == 2 else encrypted(found[:2], found[2:])
    return first, second


def _words_of_seed(seed: Any) -> Any:
    if dtype_of(seed).itemsize == 8:
        low, high = halves(seed if dtype_of(seed) == dtypes.uint64 else lax.bitcast_convert_type(seed, dtypes.uint64))
        return along_last([high, low])
    low = lax.bitcast_convert_type(seed, "uint32") if dtype_of(seed) == dtypes.int32 else cast(seed, dtypes.uint32)
    return stack([np.zeros((), np.uint32), low])


@api(static=("count",))
def _seeded(seed: ArrayLike, count: int) -> Any:
    data = seed if shape_of(seed) else _words_of_seed(seed)
    return concatenate([data] * (count // 2))


@api(static=("dtype",))
def _seeded_key(seed: ArrayLike, dtype: np.dtype) -> Any:
    seeded = _BY_DTYPE[dtype].seeded
    words = _seeded(seed, count=dtype.itemsize // 4) if seeded is None else seeded(seed)
    return keys_of(words, dtype)


def _checked_seed(seed: Any) -> Any:
    """A seed as an integer, or where it is known as two words; those of seeds of 32 bits begin with zero."""
    if config.random_seed_offset:
        seed = _shifted(seed, config.random_seed_offset)
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, np.timedelta64):
        number = int(seed)
        if not -(2**63) <= number < 2**64:
            raise ArgumentError("random.key", "the seed has more than 64 bits", number, "a number of at most 64 bits")
        is_narrow = -(2**31) <= number < 2**32 and (number >= 0 or scalar_dtype(int).itemsize == 4)
        high = 0 if is_narrow else (number >> 32) & 0xFFFFFFFF
        return np.array([high, number & 0xFFFFFFFF], np.uint32)
    if shape_of(seed) or not dtypes.is_integer(dtype_of(seed)):
        raise ArgumentError("random.key", "the seed is not an integer", repr(aval_of(seed)), "one integer")
    return seed


def _shifted(seed: Any, offset: int) -> Any:
    """A seed, `olympus_random_seed_offset` further; seeds of 32 bits count in 32 bits."""
    if isinstance(seed, int):
        is_narrow = -(2**31) <= seed < 2**32 and scalar_dtype(int).itemsize == 4
        return (seed + offset) % 2**(32 if is_narrow else 64) if -(2**63) <= seed < 2**64 else seed
    kind = dtype_of(seed)
    if shape_of(seed) or not dtypes.is_integer(kind):
        return seed  # which is refused
    return add(seed, np.asarray(offset % 2**dtypes.bits_of(kind)).astype(kind))


def key(seed: ArrayLike, *, impl: str | None = None, dtype: Any = None) -> Array:
    """A key of random numbers.

    Args:
        seed: An integer; equal seeds give equal keys.
        impl: The generator: ``"threefry2x32"``, whose numbers are the same everywhere and for ever, or ``"rbg"`` or
            ``"unsafe_rbg"``, which are faster on some accelerators; the option `olympus_default_prng_impl` for None.
        dtype: The key's element type, in place of the generator.

    Returns:
        The key, an array of no dimensions.

    Raises:
        ArgumentError: If the seed is not one integer, or the generator is not known.

    Example:
        >>> import olympus
        >>> olympus.random.key(42)
        Array((), dtype=key<fry>) overlaying:
        [ 0 42]
    """
    generator, checked = _generator("random.key", impl, dtype), _checked_seed(seed)
    if generator.seeded is not None and isinstance(checked, np.ndarray):  # a library's function takes the integer
        checked = np.asarray(int(checked[0]) << 32 | int(checked[1]), np.uint64).astype(scalar_dtype(int))
    return _seeded_key(checked, dtype=generator.dtype)


def PRNGKey(seed: ArrayLike, *, impl: str | None = None) -> Array:
    """A key of random numbers as a plain array of its words.

    Args:
        seed: An integer; equal seeds give equal keys.
        impl: The generator, as of `key`.

    Returns:
        The words: two, or four of the generators other than ``"threefry2x32"``. A key as of `key` while the option
        ``olympus_enable_custom_prng`` is on.

    Example:
        >>> import olympus
        >>> olympus.random.PRNGKey(42)
        Array([ 0, 42], dtype=uint32)
    """
    if config.enable_custom_prng:
        return key(seed, impl=impl)
    generator = _generator("random.PRNGKey", impl)
    if generator.shape is not None:
        raise ArgumentError("random.PRNGKey", "keys of a library's generator have a type of their own", generator.name,
                            "the name of a generator", "Make the key with random.key(seed, impl=...).")
    return _seeded(_checked_seed(seed), count=generator.words)


@api(static=("shape",))
def split_keys(key: ArrayLike, shape: tuple[int, ...]) -> Any:
    """As many new keys as `shape` has elements, of the kind of the key."""
    return _like(key, generator_of(key).split(_data(used(key)), shape))


def split(key: KeyLike, num: int | Sequence[int] = 2) -> Array:
    """New keys from one, each independent of the others; the old one is not to be used any more.

    Args:
        key: A key.
        num: How many, or the shape of the array of keys.

    Returns:
        An array of keys of the same kind.

    Example:
        >>> import olympus
        >>> a, b = olympus.random.split(olympus.random.key(0))
        >>> a
        Array((), dtype=key<fry>) overlaying:
        [1797259609 2579123966]
    """
    found: Array = split_keys(given_key("split", key), shape=integers("split", num, "the number of keys"))
    return found


@api
def _folded(key: ArrayLike, number: ArrayLike) -> Any:
    number = lax.bitcast_convert_type(number, "uint32") if dtype_of(number) == dtypes.int32 else cast(
        number, dtypes.uint32)
    return _like(key, generator_of(key).fold_in(_data(key), number))


def fold_in(key: KeyLike, data: ArrayLike) -> Array:
    """A new key from a key and a number, such as the number of a step or of a process.

    Args:
        key: A key.
        data: An integer.

    Returns:
        A key of the same kind.

    Example:
        >>> import olympus
        >>> olympus.random.fold_in(olympus.random.PRNGKey(0), 5).shape
        (2,)
    """
    if isinstance(data, (int, np.integer)) and not isinstance(data, np.timedelta64):
        data = np.asarray(int(data) & 0xFFFFFFFF, np.uint32)
    if shape_of(data) or not dtypes.is_integer(dtype_of(data)):
        raise ArgumentError("fold_in", "the number is not one integer", repr(aval_of(data)), "an integer")
    found: Array = _folded(given_key("fold_in", key), data)
    return found


@api
def _words(keys: ArrayLike) -> Any:
    return generator_of(keys).shown(_data(keys)) if _is_typed(keys) else keys


def key_data(keys: KeyLike) -> Array:
    """The words of keys, as an array.

    Args:
        keys: A key, or an array of them.

    Returns:
        An array whose last dimension has the words.

    Example:
        >>> import olympus
        >>> olympus.random.key_data(olympus.random.key(7))
        Array([0, 7], dtype=uint32)
    """
    found: Array = _words(given_key("key_data", keys, single=False))
    return found


@api(static=("dtype",))
def _wrapped(data: ArrayLike, dtype: np.dtype) -> Any:
    return keys_of(_BY_DTYPE[dtype].stored(data), dtype)


def wrap_key_data(key_bits_array: ArrayLike, *, impl: str | None = None, dtype: Any = None) -> Array:
    """Keys of their words.

    Args:
        key_bits_array: An array of uint32 whose last dimension has the words.
        impl: The generator, as of `key`.
        dtype: The keys' element type, in place of the generator.

    Returns:
        The keys.

    Raises:
        ArgumentError: If the array does not consist of words of that generator's keys.

    Example:
        >>> import olympus
        >>> olympus.random.wrap_key_data(olympus.random.PRNGKey(7))
        Array((), dtype=key<fry>) overlaying:
        [0 7]
    """
    generator = _generator("random.wrap_key_data", impl, dtype)
    aval = aval_of(key_bits_array)
    own = generator.key_shape
    if aval.dtype != dtypes.uint32 or aval.shape[max(0, len(aval.shape) - len(own)):] != own:
        raise ArgumentError("random.wrap_key_data", f"the array has not the words of keys of {generator.name}",
                            repr(aval), f"uint32 numbers, {list(own)} in the last dimensions")
    found: Array = _wrapped(asarray(key_bits_array), dtype=generator.dtype)
    return found


def key_impl(keys: KeyLike) -> Any:
    """The name of the generator that keys are for; of a library's generator what `define_prng_impl` gave.

    Args:
        keys: A key, or an array of them.

    Returns:
        The name.

    Example:
        >>> import olympus
        >>> olympus.random.key_impl(olympus.random.key(0))
        'threefry2x32'
    """
    found = generator_of(given_key("key_impl", keys, single=False))
    return found.name if found.seeded is None else found


def key_dtype(impl_spec: str | None = None) -> Any:
    """The element type of a generator's keys.

    Args:
        impl_spec: The generator, as of `key`.

    Returns:
        The element type.

    Example:
        >>> import olympus
        >>> olympus.random.key_dtype("rbg")
        key<rbg>
    """
    return shown_dtype(_generator("random.key_dtype", impl_spec).dtype)


def clone(key: KeyLike) -> Array:
    """The same key, for use a second time on purpose: `olympus.debug_key_reuse` takes it for a new one.

    Args:
        key: A key.

    Returns:
        The key.

    Example:
        >>> import olympus
        >>> olympus.random.key_data(olympus.random.clone(olympus.random.key(7)))
        Array([0, 7], dtype=uint32)
    """
    found: Array = given_key("clone", key, single=False, is_drawn=False)
    return _cloned(found) if config.debug_key_reuse else found


@api
def _cloned(keys: ArrayLike) -> Any:
    return _like(keys, _data(keys))
