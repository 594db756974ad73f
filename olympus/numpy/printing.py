# SPDX-License-Identifier: Apache-2.0
"""Arrays as text: NumPy's options and functions."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ..typing import ArrayLike

__all__ = ["array_repr", "array_str", "get_printoptions", "printoptions", "set_printoptions"]


def array_repr(
    arr: ArrayLike, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """An array as `repr` shows it.

    Args:
        arr: An array.
        max_line_width: The most characters of a line.
        precision: The most digits behind the point.
        suppress_small: Whether numbers near zero are shown as zero.

    Returns:
        The text, as NumPy writes it.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.array_repr(jnp.arange(2))
        'array([0, 1], dtype=int32)'
    """
    return np.array_repr(np.asarray(arr), max_line_width, precision, suppress_small)


def array_str(
    a: ArrayLike, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """An array as `str` shows it.

    Args:
        a: An array.
        max_line_width: The most characters of a line.
        precision: The most digits behind the point.
        suppress_small: Whether numbers near zero are shown as zero.

    Returns:
        The text, as NumPy writes it.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.array_str(jnp.arange(2))
        '[0 1]'
    """
    return np.array_str(np.asarray(a), max_line_width, precision, suppress_small)


def get_printoptions() -> dict[str, Any]:
    """The options by which arrays are shown; NumPy's own, which arrays of olympus follow.

    Returns:
        The options by name.

    Example:
        >>> import olympus.numpy as jnp
        >>> "precision" in jnp.get_printoptions()
        True
    """
    return dict(np.get_printoptions())


def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[Any]:
    """Options by which arrays are shown inside of a ``with`` block; takes what `numpy.printoptions` takes.

    Args:
        *args: As for `numpy.printoptions`.
        **kwargs: Likewise.

    Returns:
        The context.

    Example:
        >>> import olympus.numpy as jnp
        >>> with jnp.printoptions(precision=2):
        ...     print(jnp.array([1.23456]))
        [1.23]
    """
    return np.printoptions(*args, **kwargs)


def set_printoptions(*args: Any, **kwargs: Any) -> None:
    """Sets options by which arrays are shown; takes what `numpy.set_printoptions` takes.

    Args:
        *args: As for `numpy.set_printoptions`.
        **kwargs: Likewise.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.set_printoptions(precision=8)
    """
    np.set_printoptions(*args, **kwargs)
