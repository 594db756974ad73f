# SPDX-License-Identifier: Apache-2.0
"""The strict layer: operations nearly as they are, control flow, collectives.

Functions here neither promote element types nor broadcast, Python numbers excepted; `olympus.numpy` has those that do.
"""

import typing as _typing

from olympus_core.deferred import exported as _exported

from ..dimension_numbers import *
from ..transforms.constraint import with_sharding_constraint as with_sharding_constraint
from .associative import *
from .contract import *
from .control import *
from .elementwise import *
from .indexing import *
from .reductions import *
from .slicing import *
from .structure import *
from .types import *

if _typing.TYPE_CHECKING:
    from . import linalg as linalg
    from .bit_generators import *
    from .bits import *
    from .exchange import *
    from .folds import *
    from .fourier import *
    from .implicit import *
    from .joining import *
    from .parallel import *
    from .precision import *
    from .ragged import *
    from .special_functions import *
    from .staging import *
    from .windows import *
else:
    _of_modules, __dir__ = _exported(__name__, modules=("linalg",), rarer=(
        "bit_generators", "bits", "exchange", "folds", "fourier", "implicit", "joining", "parallel", "precision",
        "ragged", "special_functions", "staging", "windows"))

    def __getattr__(name):
        if name.endswith("_p") and name[0] != "_":
            from .primitives import BY_NAME  # for libraries that look into programs

            if name in BY_NAME:
                return BY_NAME[name]
        return _of_modules(name)
