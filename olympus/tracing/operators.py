# SPDX-License-Identifier: Apache-2.0
"""What arrays and traced values have in common: NumPy's operators and methods.

The class is empty here; `olympus.numpy.methods` fills it when `olympus` is imported, since every method is one of
the functions of `olympus.numpy`.
"""

from __future__ import annotations


class ArrayOperators:
    """Base of `olympus.Array` and of traced values."""

    __slots__ = ()
    __array_priority__ = 100  # NumPy arrays on the left of an operator give way
