# SPDX-License-Identifier: Apache-2.0
"""Arrays from and to files and memory in NumPy's formats; objects are never pickled."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from contextlib import nullcontext
from typing import IO, Any

import ml_dtypes
import numpy as np

from olympus_core.errors import ArgumentError, described

from ..operands import element_type
from ..typing import Array, ArrayLike, DTypeLike
from .creation import asarray

__all__ = ["frombuffer", "fromfile", "fromiter", "fromstring", "load", "save", "savez"]

# NumPy's format writes element types that NumPy does not know as raw bytes: one of two or one byte may be meant.
_RAW = {"V2": np.dtype(ml_dtypes.bfloat16)}


def _opened(file: Any, mode: str, suffix: str = "") -> Any:
    """A context that gives a file object: that which was given, or one for a path."""
    if hasattr(file, "read") or hasattr(file, "write"):
        return nullcontext(file)
    path = os.fspath(file)
    return open(path if not suffix or path.endswith(suffix) else path + suffix, mode)


def _refuse_pickle(function: str, host: np.ndarray) -> np.ndarray:
    if host.dtype.hasobject:
        raise ArgumentError(function, "objects of Python are not written", str(host.dtype), "an array of numbers")
    return host


def save(file: Any, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """Writes an array to a file in NumPy's format.

    Args:
        file: A path, to which ``.npy`` is added where it is missing, or a file open for writing bytes.
        arr: An array.
        allow_pickle: Not used: objects are never pickled.

    Example:
        >>> import io, olympus.numpy as jnp
        >>> file = io.BytesIO()
        >>> jnp.save(file, jnp.arange(3))
        >>> _ = file.seek(0)
        >>> jnp.load(file)
        Array([0, 1, 2], dtype=int32)

    References:
        numpy.lib.format, version 1.0 to 3.0.
    """
    host = _refuse_pickle("save", np.asarray(arr))
    with _opened(file, "wb", ".npy") as stream:
        np.lib.format.write_array(stream, host, allow_pickle=False)


def savez(file: Any, *args: ArrayLike, allow_pickle: bool = True, **kwds: ArrayLike) -> None:
    """Writes several arrays to one file in NumPy's format, uncompressed.

    Args:
        file: A path, to which ``.npz`` is added where it is missing, or a file open for writing bytes.
        *args: Arrays, which are called ``arr_0``, ``arr_1``, and so on.
        allow_pickle: Not used: objects are never pickled.
        **kwds: Arrays by name.

    Raises:
        ArgumentError: If two arrays have one name.

    Example:
        >>> import io, olympus.numpy as jnp
        >>> file = io.BytesIO()
        >>> jnp.savez(file, x=jnp.arange(2))
        >>> _ = file.seek(0)
        >>> jnp.load(file)["x"].tolist()
        [0, 1]
    """
    members = {f"arr_{i}": value for i, value in enumerate(args)}
    both = members.keys() & kwds.keys()
    if both:
        raise ArgumentError("savez", "a name stands for two arrays", ", ".join(sorted(both)), "other names")
    members.update(kwds)
    with _opened(file, "wb", ".npz") as stream, zipfile.ZipFile(stream, "w", allowZip64=True) as archive:
        for name, value in members.items():
            host = _refuse_pickle("savez", np.asarray(value))
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, host, allow_pickle=False)


def load(file: IO[bytes] | str | os.PathLike[Any], *args: Any, **kwargs: Any) -> Any:
    """Reads what `save` or `savez` wrote; files with pickled objects are refused.

    Args:
        file: A path, or a file open for reading bytes, at the beginning of the array.
        *args: Not used: NumPy's further arguments.
        **kwargs: Likewise.

    Returns:
        The array; for a file of several, a dictionary of arrays by name.

    Raises:
        ArgumentError: If it is no such file, or would have to be unpickled.

    Example:
        >>> import io, olympus.numpy as jnp
        >>> file = io.BytesIO()
        >>> jnp.save(file, jnp.ones(2, jnp.bfloat16))
        >>> _ = file.seek(0)
        >>> jnp.load(file)
        Array([1, 1], dtype=bfloat16)
    """
    with _opened(file, "rb") as stream:
        begin = stream.read(4)
        stream.seek(-len(begin), os.SEEK_CUR)
        if begin[:2] != b"PK":
            return _read(stream)
        with zipfile.ZipFile(stream) as archive:
            found = {}
            for name in archive.namelist():
                with archive.open(name) as member:
                    found[name.removesuffix(".npy")] = _read(member)
            return found


def _read(stream: Any) -> Array:
    try:
        host = np.lib.format.read_array(stream, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise ArgumentError("load", f"the file is not read ({error})", described(stream),
                            "a file that save wrote, without pickled objects") from error
    raw = _RAW.get(host.dtype.str[1:])
    return asarray(host if raw is None else host.view(raw))


def frombuffer(buffer: Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0) -> Array:
    """An array of the bytes of a buffer.

    Args:
        buffer: Bytes, or anything with a buffer.
        dtype: The element type.
        count: How many elements; all for -1.
        offset: The byte at which they begin.

    Returns:
        An array of one dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.frombuffer(bytes([1, 2]), "uint8").tolist()
        [1, 2]
    """
    own = element_type("frombuffer", dtype)
    try:
        return asarray(np.frombuffer(buffer, own, count, offset))
    except (ValueError, TypeError) as error:
        raise ArgumentError("frombuffer", f"the buffer is not read ({error})", described(buffer),
                            f"whole elements of {own.name}") from error


def fromfile(*args: Any, **kwargs: Any) -> Array:
    """An array of the numbers in a file; takes what `numpy.fromfile` takes.

    Args:
        *args: The file, the element type, and so on.
        **kwargs: Likewise.

    Returns:
        An array of one dimension.

    Example:
        >>> import os, tempfile, numpy as np, olympus.numpy as jnp
        >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
        >>> np.arange(3, dtype="int32").tofile(path)
        >>> jnp.fromfile(path, "int32").tolist()
        [0, 1, 2]
    """
    return asarray(np.fromfile(*args, **kwargs))


def fromiter(iterable: Iterable[Any], dtype: DTypeLike, count: int = -1) -> Array:
    """An array of the numbers that an iterator gives.

    Args:
        iterable: Numbers.
        dtype: The element type.
        count: How many to take; all for -1.

    Returns:
        An array of one dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fromiter((n * n for n in range(3)), int).tolist()
        [0, 1, 4]
    """
    return asarray(np.fromiter(iterable, element_type("fromiter", dtype), count))


def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> Array:
    """An array of the numbers in a text.

    Args:
        string: The text.
        dtype: The element type.
        count: How many; all for -1.
        sep: What stands between them.

    Returns:
        An array of one dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fromstring("1 2 3", int, sep=" ").tolist()
        [1, 2, 3]
    """
    return asarray(np.fromstring(string, element_type("fromstring", dtype), count, sep=sep))
