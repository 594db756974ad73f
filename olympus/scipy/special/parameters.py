# SPDX-License-Identifier: Apache-2.0
"""What the parameters of special functions are, for their docstrings."""

from __future__ import annotations

import functools

from ..documentation import documented

PARAMETERS = {
    "a": "The first shape, positive.", "b": "The second shape, positive.", "x": "An array or number.",
    "y": "An array or number.", "p": "Numbers that are not negative.", "q": "Numbers that are not negative.",
    "lmbda": "The exponent.", "n": "The order, a whole number that is not negative.", "z": "An array or number.",
    "m": "The number of factors, or the degree.", "d": "The dimension, a Python integer.",
    "N": "Of how many.", "k": "How many are taken.", "repetition": "Whether one may be taken several times.",
    "exact": "Must be False: results are floats.", "c": "The parameter below the line.", "h": "The distance.",
    "series_order": "Not used: the result is exact to the type's precision without it.",
    "axis": "The dimensions that are summed over; all for None.", "v": "The highest order, a Python integer.",
    "n_iter": "How many terms the recurrence begins beyond the highest order, a Python integer.",
    "theta": "The polar angle.", "phi": "The azimuth.", "diff_n": "Not used.",
    "n_max": "The highest degree among `n`, a Python integer; the greatest of `n` for None.",
}
function = functools.partial(documented, "olympus.scipy.special", PARAMETERS)
