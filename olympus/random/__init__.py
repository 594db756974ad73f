# SPDX-License-Identifier: Apache-2.0
"""Random numbers from keys: a function of the key, the shape and the type alone, alike on every platform and sharding.

The bits come from the counter-based generator Threefry-2x32: an element's bits depend on the key and its index.
"""

import typing as _typing

from olympus_core.deferred import exported as _exported

from .distributions import *
from .keys import *
from .sampling import *

if _typing.TYPE_CHECKING:
    from .counts import *
    from .gammas import *
    from .transformed import *
    from .vectors import *
else:
    __getattr__, __dir__ = _exported(__name__, rarer=("counts", "gammas", "transformed", "vectors"))
