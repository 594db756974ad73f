# SPDX-License-Identifier: Apache-2.0
"""One case of the conformance catalogue for each operation, and programs that hold many of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from olympus_conformance.samples.catalogue import catalogue, dtypes_of, instances
from olympus_conformance.samples.instance import Instance
from olympus_core import dtypes
from olympus_pjrt.stablehlo import EMISSIONS

ELSEWHERE = frozenset({"host_callback"})  # refused
_PREFERRED = (dtypes.float32, dtypes.int32, dtypes.uint32, dtypes.complex64)
_DOUBLE = {dtypes.float64, dtypes.complex128}


def names() -> list[str]:
    """The operations that StableHLO has; the others run on the host (`../platform/test_references.py`)."""
    return [name for name in catalogue() if name not in ELSEWHERE and name in EMISSIONS]


def usual_dtype(name: str) -> np.dtype:
    """The element type that an operation is most used with."""
    taken = dtypes_of(name)
    return next((dtype for dtype in _PREFERRED if dtype in taken), taken[0])


def of_all_operations(most: int = 2, chosen: Iterable[str] | None = None) -> Iterator[Instance]:
    """The first forms of each operation, of every kind of element type that it takes; no 64-bit floats."""
    for name in names() if chosen is None else chosen:
        taken = dtypes_of(name)
        for dtype in (dtypes.float32, dtypes.int32, dtypes.bfloat16, dtypes.bool_, dtypes.complex64, dtypes.uint32):
            if dtype in taken:
                found = [x for x in instances(name, dtype) if not x.dtypes() & _DOUBLE]
                yield from found[:most]
