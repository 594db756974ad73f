"""What a vendor's compiler is given: element types, precision of products, and what it cannot do."""

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
    """Which element types programs may have, and what else the text depends on.

    Args:
        name: Who has the policy, as messages name it.
        dtypes: The element types that are let through.
        alternatives: What to use instead, by refused element type.
        precision: How exactly float32 products are computed where hardware multiplies narrower numbers.
        keeps_nan: Whether the compiler's maximum and minimum of what is no number are none, as StableHLO has it.
        wide_integers: Whether 64-bit integers can be multiplied as matrices, and reduced between devices.

    Example:
        >>> TypePolicy().precision
        'highest'
    """

    name: str = "this platform"
    dtypes: frozenset[np.dtype] = frozenset(dtypes.ALL)
    alternatives: Mapping[np.dtype, np.dtype] = field(default_factory=dict)
    precision: Precision = "highest"
    keeps_nan: bool = False
    wide_integers: bool = True

    def check(self, dtype: np.dtype, where: str) -> None:
        """Refuses an element type that is not let through.

        Args:
            dtype: The element type of a value.
            where: What makes the value, for the message.

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
    """The policy of TPUs: no 64-bit floats, which their compiler would take and compute slowly and less exactly.

    Args:
        precision: How exactly float32 products are computed out of bfloat16 ones.

    Example:
        >>> dtypes.float64 in tpu_policy().dtypes
        False
    """
    known = frozenset(dtypes.ALL) - set(_DOUBLE)
    return TypePolicy("a TPU", known, _DOUBLE, precision, keeps_nan=True, wide_integers=False)
