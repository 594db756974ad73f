# SPDX-License-Identifier: Apache-2.0
"""LAPACK's and BLAS' names, and calls that ask for sizes."""

from __future__ import annotations

import ctypes

import numpy as np

from ..native.lapack import address

ARGUMENTS = 16  # of a call; ARGUMENTS in batches.c

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}


def letter(dtype: np.dtype) -> str:
    """How LAPACK's names begin for an element type."""
    return _LETTERS[dtype.name]


def call(name: str, *arguments: np.ndarray) -> None:
    """Calls such a function once, for the sizes of workspaces."""
    pointers = [x.ctypes.data for x in arguments]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers))(address(name))(*pointers)
