# SPDX-License-Identifier: Apache-2.0
"""Linear algebra under SciPy's names: decompositions, equations, functions of matrices, matrices of a structure.

Arguments that say how SciPy should use memory or check operands (`overwrite_a`, `check_finite`, ...) are accepted.
Lists of numbers count as arrays.
"""

from olympus_core.deferred import exported as _exported

from .decompositions import *
from .equations import *
from .functions import *
from .structured import *

__getattr__, __dir__ = _exported(__name__)
