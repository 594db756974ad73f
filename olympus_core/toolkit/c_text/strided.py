# SPDX-License-Identifier: Apache-2.0
"""Dimensions by sizes and strides, the last one fastest, and where an index over them lies, as text."""

from __future__ import annotations

import math
from collections.abc import Sequence


def strides_of(shape: Sequence[int]) -> list[int]:
    """Strides of a row-major array, in elements.

    Example:
        >>> strides_of((2, 3, 4))
        [12, 4, 1]
    """
    return [math.prod(shape[d + 1:]) for d in range(len(shape))]


def joined(parts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sizes and strides with adjacent dimensions merged, without those of size 1.

    Example:
        >>> joined([(2, 12), (1, 5), (3, 4), (4, 2)])
        [(6, 4), (4, 2)]
    """
    found: list[tuple[int, int]] = []
    for size, stride in parts:
        if size == 1:
            continue
        if found and found[-1][1] == size * stride:
            found[-1] = (found[-1][0] * size, stride)
        else:
            found.append((size, stride))
    return found


def split_index(name: str, parts: Sequence[tuple[int, int]]) -> str:
    """The offset of a linear index over dimensions, given by sizes and strides with the last fastest.

    Example:
        >>> split_index("i", [(6, 4), (4, 1)])
        '(i / 4) * 4 + (i % 4)'
    """
    terms, below = [], math.prod(size for size, _ in parts)
    whole = below
    for size, stride in parts:
        below //= size
        digit = name if below == 1 else f"{name} / {below}"
        if size != 1 and stride:
            digit = f"({digit})" if below * size == whole else f"({digit} % {size})"
            terms.append(digit if stride == 1 else f"{digit} * {stride}")
    return " + ".join(terms) or "0"
