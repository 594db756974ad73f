# SPDX-License-Identifier: Apache-2.0
"""Functions under SciPy's names: special functions, distributions, linear algebra, signals and the rest.

Each module is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

__all__ = [
    "cluster", "fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial",
    "special", "stats",
]

if TYPE_CHECKING:
    from . import cluster as cluster
    from . import fft as fft
    from . import integrate as integrate
    from . import interpolate as interpolate
    from . import linalg as linalg
    from . import ndimage as ndimage
    from . import optimize as optimize
    from . import signal as signal
    from . import sparse as sparse
    from . import spatial as spatial
    from . import special as special
    from . import stats as stats
else:
    __getattr__, __dir__ = deferred(__name__, {module: module for module in __all__})
