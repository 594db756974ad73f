# SPDX-License-Identifier: Apache-2.0
"""Affine expressions as text."""

from __future__ import annotations

from collections.abc import Callable

from ..loops import Affine, Index


def affine_text(affine: Affine, name: Callable[[Index], str]) -> str:
    """An affine expression of loop indices.

    Args:
        affine: The expression.
        name: Gives the name of an index.

    Example:
        >>> i = Index("i")
        >>> affine_text(Affine.of(i, -3).shifted(2), repr)
        '-3 * i + 2'
    """
    text = ""
    for index, stride in affine.terms:
        term = name(index) if abs(stride) == 1 else f"{abs(stride)} * {name(index)}"
        text += (f" - {term}" if stride < 0 else f" + {term}") if text else (f"-{term}" if stride < 0 else term)
    if affine.constant or not text:
        number = affine.constant
        text += (f" - {-number}" if number < 0 else f" + {number}") if text else str(number)
    return text
