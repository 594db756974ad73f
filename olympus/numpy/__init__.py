"""NumPy's functions on arrays of olympus; usually imported as ``jnp``."""

import typing as _typing

from olympus_core.deferred import exported as _exported

from ..array import Array as _Array
from . import methods as _methods  # fills the operators and methods of arrays
from .arithmetic import *
from .comparison import *
from .constants import *
from .creation import *
from .diagonals import *
from .dtypes import *
from .einsum import *
from .elementwise import *
from .indexing import *
from .joining import *
from .linear import *
from .ranges import *
from .reductions import *
from .searching import *
from .shapes import *
from .sorting import *
from .tiling import *

ndarray = _Array

if _typing.TYPE_CHECKING:
    from . import linalg as linalg
    from .calculus import *
    from .sets import *
    from .statistics import *
    from .vectorizing import *
else:
    __getattr__, __dir__ = _exported(__name__, modules=("linalg",),
                                         rarer=("calculus", "sets", "statistics", "vectorizing"))
