# SPDX-License-Identifier: Apache-2.0
"""Linear algebra: norms, products, decompositions, equations. Matrices stand in the last two dimensions."""

from olympus_core.deferred import exported as _exported

from .decompositions import *
from .equations import *
from .norms import *

__getattr__, __dir__ = _exported(__name__)
