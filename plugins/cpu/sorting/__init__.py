# SPDX-License-Identifier: Apache-2.0
"""Sorts of short lines by native code; those of long ones are NumPy's (`../fallback/sorting.py`)."""

from .routines import routine_of

__all__ = ["routine_of"]
