# SPDX-License-Identifier: Apache-2.0
"""Special functions: gamma and beta functions, error functions, entropies, integrals, Bessel functions, harmonics,
Legendre and hypergeometric functions.
"""

from __future__ import annotations

import typing as _typing

from olympus_core.deferred import exported as _exported

from .bessel import *
from .entropy import *
from .faddeeva import *
from .gamma import *
from .harmonics import *
from .hypergeometric import *
from .integrals import *
from .legendre import *
from .normal import *

if not _typing.TYPE_CHECKING:
    __getattr__, __dir__ = _exported(__name__)
