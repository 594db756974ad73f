"""Keys of random numbers: two 32-bit words each, from which others are made without any hidden state."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError

from .. import lax
from ..numpy.creation import asarray
from ..numpy.indexing import getitem
from ..numpy.joining import stack
from ..numpy.shapes import reshape
from ..operands import broadcast, cast, dtype_of, integers, shape_of
from ..tracing import aval_of, bind_all
from ..transforms.jit import api
from ..tree import GetAttrKey, register_pytree_with_keys
from ..typing import Array, ArrayLike

KeyT = TypeVar("KeyT")  # a key, or the words of one

__all__ = ["PRNGKey", "PRNGKeyArray", "clone", "fold_in", "key", "key_data", "key_impl", "split", "wrap_key_data"]


class KeyDtype:
    """The element type of arrays of keys."""

    __slots__ = ()
    name = "key<fry>"
    itemsize = 8

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyDtype)

    def __hash__(self) -> int:
        return hash(KeyDtype)


class PRNGKeyArray:
    """An array of keys; made by `olympus.random.key` and `olympus.random.split`.

    Example:
        >>> import olympus
        >>> olympus.random.key(0)
        Array((), dtype=key<fry>) overlaying:
        [0 0]
    """

    __slots__ = ("_data",)
    dtype = KeyDtype()

    def __init__(self, data: Any) -> None:
        self._data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return tuple(self._data.shape[:-1])

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of keys."""
        return math.prod(self.shape)

    @property
    def sharding(self) -> Any:
        """Where the keys' words are."""
        return self._data.sharding

    def devices(self) -> Any:
        """The devices that hold a part."""
        return self._data.devices()

    def block_until_ready(self) -> PRNGKeyArray:
        """Waits until the content is there."""
        self._data.block_until_ready()
        return self

    def reshape(self, *shape: Any) -> PRNGKeyArray:
        """The same keys in another shape."""
        sizes = integers("reshape", shape[0] if len(shape) == 1 else shape, "the shape")
        return PRNGKeyArray(reshape(self._data, (*sizes, 2)))

    def ravel(self) -> PRNGKeyArray:
        """All keys in one dimension."""
        return self.reshape(-1)

    flatten = ravel

    def __getitem__(self, index: Any) -> PRNGKeyArray:
        items = index if isinstance(index, tuple) else (index,)
        if Ellipsis not in [i for i in items if i is Ellipsis]:
            items = (*items, Ellipsis)
        return PRNGKeyArray(getitem(self._data, (*items, slice(None))))

    def __len__(self) -> int:
        return len(self._whole())

    def __iter__(self) -> Iterator[PRNGKeyArray]:
        return (PRNGKeyArray(row) for row in self._whole())

    def _whole(self) -> Any:
        if not self.shape:
            raise ArgumentError("iteration", "a single key has no parts", repr(self), "an array of keys")
        return self._data

    def __repr__(self) -> str:
        if not hasattr(self._data, "aval"):
            return f"PRNGKeyArray({self._data!r})"
        return f"Array({self.shape}, dtype={self.dtype}) overlaying:\n{self._data}"


KeyLike: TypeAlias = PRNGKeyArray | ArrayLike  # a key, or the words of one

register_pytree_with_keys(
    PRNGKeyArray, lambda key: ([(GetAttrKey("_data"), key._data)], None), lambda data, words: PRNGKeyArray(*words),
    lambda key: ((key._data,), None),
)


@api
def _seeded(seed: ArrayLike) -> Any:
    low = lax.bitcast_convert_type(seed, "uint32") if dtype_of(seed) == dtypes.int32 else cast(seed, dtypes.uint32)
    return stack([np.zeros((), np.uint32), low])


def _words_of(seed: Any) -> Any:
    """The two words of a seed; those of 32-bit seeds begin with zero."""
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, np.timedelta64):
        number = int(seed)
        if not -(2**63) <= number < 2**64:
            raise ArgumentError("random.key", "the seed has more than 64 bits", number, "a number of at most 64 bits")
        high = 0 if -(2**31) <= number < 2**32 else (number >> 32) & 0xFFFFFFFF
        return asarray(np.array([high, number & 0xFFFFFFFF], np.uint32))
    if shape_of(seed) or not dtypes.is_integer(dtype_of(seed)):
        raise ArgumentError("random.key", "the seed is not an integer", repr(aval_of(seed)), "one integer")
    return _seeded(seed)


def _check_impl(impl: Any) -> None:
    if impl not in (None, "threefry2x32", "fry"):
        raise ArgumentError("random.key", "the generator is not known", repr(impl), "'threefry2x32'")


def key(seed: ArrayLike, *, impl: str | None = None) -> PRNGKeyArray:
    """A key of random numbers.

    Args:
        seed: An integer; equal seeds give equal keys.
        impl: The generator: ``"threefry2x32"``, the only one.

    Returns:
        The key.

    Example:
        >>> import olympus
        >>> olympus.random.key(42)
        Array((), dtype=key<fry>) overlaying:
        [ 0 42]
    """
    _check_impl(impl)
    return PRNGKeyArray(_words_of(seed))


def PRNGKey(seed: ArrayLike, *, impl: str | None = None) -> Array:
    """A key of random numbers as a plain array of two words.

    Args:
        seed: An integer; equal seeds give equal keys.
        impl: The generator: ``"threefry2x32"``, the only one.

    Returns:
        The words.

    Example:
        >>> import olympus
        >>> olympus.random.PRNGKey(42)
        Array([ 0, 42], dtype=uint32)
    """
    _check_impl(impl)
    return _words_of(seed)


def words(function: str, key: Any, single: bool = True) -> Any:
    """The words of a key of either kind; refuses what is none."""
    data = key._data if isinstance(key, PRNGKeyArray) else key
    try:
        aval = aval_of(data)
    except ArgumentError:
        aval = None
    if aval is None or aval.dtype != dtypes.uint32 or aval.shape[-1:] != (2,):
        raise ArgumentError(function, "the first argument is not a key", repr(key)[:200], "a key",
                            "Make one with olympus.random.key(seed).")
    if single and aval.shape != (2,):
        raise ArgumentError(function, "several keys are given where one is needed", f"keys of shape {aval.shape[:-1]}",
                            "one key", "Index them, or loop over them.")
    return data


def threefry_words(data: Any) -> tuple[Any, Any]:
    """The two words of one key, as scalars."""
    first, second = (lax.index_in_dim(data, i, keepdims=False) for i in range(2))
    return first, second


def _like(key: Any, data: Any) -> Any:
    return PRNGKeyArray(data) if isinstance(key, PRNGKeyArray) else data


@api(static=("shape",))
def split_words(data: ArrayLike, shape: tuple[int, ...]) -> Any:
    """The data of as many new keys as `shape` has elements: uint32[*shape, 2]."""
    counts = reshape(lax.iota("uint32", math.prod(shape)), shape)
    first, second = (broadcast(word, shape) for word in threefry_words(data))
    zeros = lax.full_like(counts, 0)
    return stack(bind_all(ops.threefry2x32, [first, second, zeros, counts], weak=False), axis=-1)


def split(key: KeyT, num: int | Sequence[int] = 2) -> KeyT:
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
    return _like(key, split_words(words("split", key), shape=integers("split", num, "the number of keys")))


@api
def _folded(data: ArrayLike, number: ArrayLike) -> Any:
    number = lax.bitcast_convert_type(number, "uint32") if dtype_of(number) == dtypes.int32 else cast(
        number, dtypes.uint32)
    first, second = threefry_words(data)
    zero = np.zeros((), np.uint32)
    return stack(bind_all(ops.threefry2x32, [first, second, zero, number], weak=False))


def fold_in(key: KeyT, data: ArrayLike) -> KeyT:
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
    return _like(key, _folded(words("fold_in", key), data))


def key_data(keys: Any) -> Array:
    """The words of keys, as an array.

    Args:
        keys: A key, or an array of them.

    Returns:
        An array whose last dimension has the two words.

    Example:
        >>> import olympus
        >>> olympus.random.key_data(olympus.random.key(7))
        Array([0, 7], dtype=uint32)
    """
    return words("key_data", keys, single=False)


def wrap_key_data(key_bits_array: ArrayLike, *, impl: str | None = None) -> PRNGKeyArray:
    """Keys of their words.

    Args:
        key_bits_array: An array of uint32 whose last dimension has two words.
        impl: The generator: ``"threefry2x32"``, the only one.

    Returns:
        The keys.

    Example:
        >>> import olympus
        >>> olympus.random.wrap_key_data(olympus.random.PRNGKey(7))
        Array((), dtype=key<fry>) overlaying:
        [0 7]
    """
    _check_impl(impl)
    return PRNGKeyArray(asarray(words("wrap_key_data", key_bits_array, single=False)))


def key_impl(keys: Any) -> str:
    """The name of the generator that keys are for.

    Args:
        keys: A key, or an array of them.

    Returns:
        The name.

    Example:
        >>> import olympus
        >>> olympus.random.key_impl(olympus.random.key(0))
        'fry'
    """
    words("key_impl", keys, single=False)
    return "fry"


def clone(key: KeyT) -> KeyT:
    """The same key, for use a second time on purpose.

    Args:
        key: A key.

    Returns:
        The key.

    Example:
        >>> import olympus
        >>> olympus.random.key_data(olympus.random.clone(olympus.random.key(7)))
        Array([0, 7], dtype=uint32)
    """
    words("clone", key, single=False)
    return key
