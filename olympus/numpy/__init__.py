# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions on arrays of olympus; usually imported as ``jnp``."""

import typing as _typing

from numpy.exceptions import ComplexWarning as _ComplexWarning

from olympus_core.deferred import exported as _exported

from ..array import Array as _Array
from . import methods as _methods  # fills the operators and methods of arrays
from .arithmetic import *
from .comparison import *
from .constants import *
from .creation import *
from .diagonals import *
from .dtypes import *
from .dtypes import bool_ as _bool
from .elementwise import *
from .indexing import *
from .joining import *
from .linear import *
from .methods import __array_namespace_info__ as __array_namespace_info__
from .ranges import *
from .reductions import *
from .searching import *
from .shapes import *
from .sorting import *
from .tiling import *

ndarray = _Array
ComplexWarning = _ComplexWarning
bool = _bool  # here, since a module of functions needs Python's own
__array_api_version__ = "2025.12"

if _typing.TYPE_CHECKING:
    from . import fft as fft
    from . import linalg as linalg
    from .bit_functions import *
    from .calculus import *
    from .einstein_summation import *
    from .files import *
    from .functional import *
    from .histograms import *
    from .index_helpers import *
    from .padding import *
    from .polynomial_roots import *
    from .polynomials import *
    from .printing import *
    from .set_algebra import *
    from .sets import *
    from .statistics import *
    from .universal import *
    from .vectorizing import *
    from .windows import *
else:
    # The rarer ones. A module with a function of its own name cannot be here: importing it would hide the function.
    __getattr__, __dir__ = _exported(__name__, modules=("fft", "linalg"), rarer=(
        "bit_functions", "calculus", "einstein_summation", "files", "functional", "histograms", "index_helpers",
        "padding", "polynomial_roots", "polynomials", "printing", "set_algebra", "sets", "statistics", "universal",
        "vectorizing", "windows"))
