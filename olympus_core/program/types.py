# SPDX-License-Identifier: Apache-2.0
"""The type of a value in a program: shape and element type, interned."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from olympus_core.dtypes import carrier, name_of
from olympus_core.errors.platform import OutOfMemoryError
from olympus_core.errors.program import ShapeError
from olympus_core.interning import Interned

MOST_DIMENSIONS = 64  # as many as NumPy's arrays have: the host's side of every array is one of these

_interned: Interned[ArrayType] = Interned()
_find = _interned.find
recent: deque[ArrayType] = deque(maxlen=1024)  # kept for those who ask for the same again, as loops of calls do


class SymbolicSize:
    """A size of a dimension that is not known yet; programs with such sizes are not run.

    It computes with integers, and raises an error where its value is needed.
    """

    __slots__ = ()

    def sliced(self, index: slice, size: Any) -> tuple[Any, Any, Any]:
        """First index, step and number of the elements that a slice has, where one of its numbers is symbolic."""
        raise NotImplementedError


def known_sizes(sizes: Iterable[Any]) -> list[int]:
    """The sizes that are integers."""
    return [n for n in sizes if not isinstance(n, SymbolicSize)]


class ArrayType:
    """Shape and element type of an array; equal types that are there at the same time are the same object.

    Args:
        shape: Sizes of the dimensions.
        dtype: Type of the elements.

    Raises:
        OutOfMemoryError: No memory can hold it.
        ShapeError: It has too many dimensions, or one of a negative size.
    """

    __slots__ = ("__weakref__", "_text", "dtype", "shape", "size")
    shape: tuple[int, ...]
    dtype: np.dtype
    size: int
    _text: str

    def __new__(cls, shape: Iterable[int], dtype: Any) -> ArrayType:
        """The type; the same object for the same shape and element type."""
        if type(shape) is tuple and isinstance(dtype, np.dtype):
            try:
                known = _find((shape, dtype))
            except TypeError:  # what cannot be hashed may be an integer all the same
                known = None
            if known is not None and (found := known()) is not None:
                return found
        key = (tuple(n if isinstance(n, SymbolicSize) else int(n) for n in shape), np.dtype(dtype))
        known = _find(key)
        if known is not None and (found := known()) is not None:
            return found
        self = object.__new__(cls)
        self.shape, self.dtype = key
        self.size = math.prod(self.shape)
        self._text = f"{name_of(self.dtype)}[{','.join(map(str, self.shape))}]"
        sizes = known_sizes(self.shape)
        if len(self.shape) > MOST_DIMENSIONS or min(sizes, default=0) < 0:
            raise ShapeError(self._text, self.shape, MOST_DIMENSIONS)
        # An empty array's other sizes count too: its strides, and the shapes on the way to it, have no other numbers.
        if math.prod([n or 1 for n in sizes]) * self.dtype.itemsize > sys.maxsize:
            raise OutOfMemoryError(self.nbytes, array=repr(self))
        found = _interned.add(key, self)
        recent.append(found)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayType, (self.shape, self.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements together."""
        return self.size * self.dtype.itemsize

    def with_shape(self, shape: Iterable[int]) -> ArrayType:
        """The same elements in another shape."""
        return ArrayType(shape, self.dtype)

    def with_dtype(self, dtype: Any) -> ArrayType:
        """The same shape with other elements."""
        return ArrayType(self.shape, dtype)

    def carried(self) -> ArrayType:
        """The type in which platforms get such an array: another one for keys of random numbers only."""
        dtype = carrier(self.dtype)
        return self if dtype is self.dtype else ArrayType(self.shape, dtype)

    def __repr__(self) -> str:
        return self._text
