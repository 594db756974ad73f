# SPDX-License-Identifier: Apache-2.0
"""Policies for compilers: element types, precision of products, and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError

Precision = Literal["default", "high", "highest"]


@dataclass(frozen=True, slots=True)
class TypePolicy:
    """The element types that programs may have, and the properties of a compiler on which the text depends.

    Args:
        name: The name of its platform in messages.
        dtypes: The permitted element types.
        alternatives: For refused element types what to use instead.
        precision: The precision of float32 products where hardware multiplies narrower types.
        keeps_nan: Whether the compiler's maximum and minimum propagate NaN, as StableHLO requires.
        wide_integers: Whether matrix products and cross-device reductions of 64-bit integers are supported.
        knows_chlo: Whether the compiler takes the dialect CHLO.
        for_export: Whether the module is for others than our platforms, which have their own ways: decompositions are
            written as calls of LAPACK by the names of JAX's CPU libraries, incomplete gamma, zeta and Bessel functions
            as loops and formulas in float64.

    Example:
        >>> TypePolicy().precision
        'highest'
    """

    name: str = "a compiler of StableHLO"
    dtypes: frozenset[np.dtype] = frozenset(dtypes.ALL)
    alternatives: Mapping[np.dtype, np.dtype] = field(default_factory=dict)
    precision: Precision = "highest"
    keeps_nan: bool = False
    wide_integers: bool = True
    knows_chlo: bool = False
    for_export: bool = False

    def check(self, dtype: np.dtype, where: str) -> None:
        """Refuses an element type that is not permitted.

        Args:
            dtype: The element type of a value.
            where: The source of the value, for the message.

        Raises:
            NotSupportedError: With the alternative.
        """
        if dtype not in self.dtypes:
            other = self.alternatives.get(dtype)
            fix = other.name if other is not None else f"one of {', '.join(sorted(map(str, self.dtypes)))}"
            raise NotSupportedError(
                f"{dtype.name} ({where})", f"{self.name} has no such element type.", f"Use {fix}."
            )


_DOUBLE: Mapping[np.dtype, np.dtype] = {dtypes.float64: dtypes.float32, dtypes.complex128: dtypes.complex64}


def tpu_policy(precision: Precision = "highest") -> TypePolicy:
    """The policy of TPUs: no 64-bit floats, which their compiler accepts but computes slowly and less accurately.

    Args:
        precision: The precision of float32 products, which are computed by bfloat16 ones.

    Example:
        >>> dtypes.float64 in tpu_policy().dtypes
        False
    """
    known = frozenset(dtypes.ALL) - set(_DOUBLE)
    return TypePolicy("a TPU", known, _DOUBLE, precision, keeps_nan=True, wide_integers=False, knows_chlo=True)
