# SPDX-License-Identifier: Apache-2.0
"""What the namespace says of itself to programs of the array API standard."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes as core
from olympus_core.errors import ArgumentError, described

from ..config import config
from ..devices import devices
from ..tracing import scalar_dtype
from ..typing import DeviceLike
from .dtypes import isdtype

__all__: list[str] = []

_MOST_DIMENSIONS = 64  # as NumPy, through which arrays reach the host
_STANDARD = (core.bool_, *core.SIGNED, *core.UNSIGNED, core.float32, core.float64, *core.COMPLEXES)


class NamespaceInfo:
    """Devices, element types and capabilities, as the array API standard asks for them.

    References:
        Python array API standard, 2025.12, Inspection.
    """

    def capabilities(self) -> dict[str, Any]:
        """What programs may do: masks as indices and shapes that follow from values work outside of traces alone."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MOST_DIMENSIONS}

    def default_device(self) -> Any:
        """The device on which arrays are made."""
        chosen = config.olympus_default_device
        return devices()[0] if chosen is None or isinstance(chosen, str) else chosen

    def devices(self) -> tuple[Any, ...]:
        """All devices, of all processes."""
        return tuple(devices())

    def default_dtypes(self, *, device: DeviceLike | None = None) -> dict[str, np.dtype]:
        """The element types of Python's numbers and of indices.

        Args:
            device: A device; they are the same on all of them.

        Returns:
            The type for each kind.
        """
        integers = scalar_dtype(int)
        return {"real floating": scalar_dtype(float), "complex floating": scalar_dtype(complex), "integral": integers,
                "indexing": integers}

    def dtypes(self, *, device: DeviceLike | None = None, kind: Any = None) -> dict[str, np.dtype]:
        """The element types of the standard that arrays can have now: without 64 bits where these are not enabled.

        Args:
            device: A device; they are the same on all of them.
            kind: A kind, or a tuple of kinds, as for `olympus.numpy.isdtype`; all for None.

        Returns:
            The types by their names.

        Raises:
            ArgumentError: If a kind is none of the standard.
        """
        wide = config.olympus_enable_x64
        known = {t.name: t for t in _STANDARD if wide or core.real_part(t).itemsize < 8}
        for one in kind if isinstance(kind, tuple) else (kind,):
            if one is not None and one not in _KINDS:
                raise ArgumentError("dtypes", "the kind is not known", described(one), ", ".join(_KINDS))
        return {name: t for name, t in known.items() if kind is None or isdtype(t, kind)}


_KINDS = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")
