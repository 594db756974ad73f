# SPDX-License-Identifier: Apache-2.0
"""The operation set: one record for each operation, and `OPERATIONS`, which maps names to records.

Every record of the families' modules is an attribute of this package under the name that it has there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from olympus_core.program import OperationRecord

from .host import HostFunction

if TYPE_CHECKING:
    from .binary import *
    from .collective import *
    from .contract import *
    from .control import *
    from .cumulative import *
    from .dynamic import *
    from .fourier import *
    from .host import *
    from .indexing import *
    from .linear_algebra import *
    from .random import *
    from .reduce import *
    from .select import *
    from .sources import *
    from .special_functions import *
    from .structure import *
    from .unary import *

_FAMILIES = (
    "binary", "collective", "contract", "control", "cumulative", "dynamic", "fourier", "host", "indexing",
    "linear_algebra", "random", "reduce", "select", "sources", "special_functions", "structure", "unary",
)


def _records(family: str) -> dict[str, OperationRecord]:
    found = vars(import_module(f"{__name__}.{family}"))
    return {name: found[name] for name in sorted(found) if isinstance(found[name], OperationRecord)}


_found = {name: record for family in _FAMILIES for name, record in _records(family).items()}
globals().update(_found)
OPERATIONS: dict[str, OperationRecord] = {record.name: record for record in _found.values()}

__all__ = ["OPERATIONS", "HostFunction", *_found]
