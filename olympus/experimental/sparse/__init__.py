# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays: elements and their places, products, transformations.

BCOO holds coordinates, BCSR rows, both with batch dimensions in front and dense ones behind; COO, CSR and CSC are
matrices. All are trees of their parts, so that jit, grad, vmap and loops take them.
"""

from olympus_core.deferred import exported as _exported

from . import mapped as _mapped
from .base import CuSparseEfficiencyWarning as CuSparseEfficiencyWarning
from .base import JAXSparse as JAXSparse
from .base import SparseEfficiencyError as SparseEfficiencyError
from .base import SparseEfficiencyWarning as SparseEfficiencyWarning
from .bcoo import *
from .bcsr import *
from .creation import *
from .derivatives import *
from .layout import *
from .matrices import *
from .products import *
from .structure import *
from .transform import *
from .windows import *

__getattr__, __dir__ = _exported(__name__, ("linalg",))
