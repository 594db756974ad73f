"""Batching rules: for each operation what it does to all indices of a mapped dimension at once."""

from __future__ import annotations

from olympus_core.errors import NotSupportedError
from olympus_core.program import OperationRecord

from .collective import COLLECTIVE
from .contract import CONTRACTION
from .control import CONTROL
from .elementwise import ELEMENTWISE
from .host import HOST
from .indexing import INDEXING
from .random import RANDOM
from .reduce import REDUCTION
from .structure import STRUCTURE
from .table import Rule

RULES: dict[str, Rule] = {
    **ELEMENTWISE, **STRUCTURE, **INDEXING, **REDUCTION, **CONTRACTION, **RANDOM, **CONTROL, **COLLECTIVE, **HOST,
}


def rule_of(record: OperationRecord) -> Rule:
    """The rule of an operation.

    Raises:
        NotSupportedError: For an operation without one.
    """
    found = RULES.get(record.name)
    if found is None:
        raise NotSupportedError(f"Operation {record.name} under vmap", "it has no batching rule",
                                "Call the function for one index after another with olympus.lax.map.")
    return found
