# SPDX-License-Identifier: Apache-2.0
"""Small values that functions of `lax` take as arguments."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..dimension_numbers import ScatterDimensionNumbers
    from ..typing import Array, ArrayLike

__all__ = ["Precision", "RoundingMethod"]


class Precision(enum.Enum):
    """How exactly a contraction of float32 numbers multiplies; olympus's platforms always give the highest.

    Example:
        >>> from olympus import lax
        >>> lax.Precision.HIGHEST
        <Precision.HIGHEST: 2>
    """

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    @classmethod
    def _missing_(cls, value: object) -> Precision | None:
        """Other words for the three, and None, which is the default."""
        words = {None: cls.DEFAULT, "default": cls.DEFAULT, "fastest": cls.DEFAULT, "bfloat16": cls.DEFAULT,
                 "high": cls.HIGH, "bfloat16_3x": cls.HIGH, "tensorfloat32": cls.HIGH,
                 "highest": cls.HIGHEST, "float32": cls.HIGHEST}
        return words.get(value) if isinstance(value, (str, type(None))) else None


class RoundingMethod(enum.IntEnum):
    """What `lax.round` does with numbers half-way between two integers.

    Example:
        >>> from olympus import lax
        >>> int(lax.RoundingMethod.TO_NEAREST_EVEN)
        1
    """

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


class Scatter(Protocol):
    """Signature of `olympus.lax.scatter`, `scatter_add`, ...: these functions are made from a table."""

    def __call__(
        self, operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike,
        dimension_numbers: ScatterDimensionNumbers, *, indices_are_sorted: bool = False, unique_indices: bool = False,
        mode: Any = None,
    ) -> Array: ...
