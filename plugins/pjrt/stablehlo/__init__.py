"""StableHLO: the text of a device program, as compilers behind PJRT take it."""

from . import collectives, contractions, control, elementwise, indexing, randomness, reductions, special, structure
from .module import emit, emit_program
from .policy import Precision, TypePolicy, tpu_policy
from .table import EMISSIONS

__all__ = ["EMISSIONS", "Precision", "TypePolicy", "emit", "emit_program", "tpu_policy"]

# The modules fill the table as they are imported.
_FAMILIES = (collectives, contractions, control, elementwise, indexing, randomness, reductions, special, structure)
