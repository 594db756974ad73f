# SPDX-License-Identifier: Apache-2.0
"""Functions of neural networks: activations, softmax, attention, and initial values of parameters."""

import typing as _typing

from olympus_core.deferred import exported as _exported

from ..numpy.elementwise import tanh as tanh
from .activations import *
from .attention import *

if _typing.TYPE_CHECKING:
    from . import initializers as initializers
    from .scaled import *
else:
    __getattr__, __dir__ = _exported(__name__, modules=("initializers",), rarer=("scaled",))
