# SPDX-License-Identifier: Apache-2.0
"""Functions as programs without Python: exported, stored, read and called elsewhere."""

from olympus_core.deferred import listed

from .artefacts import VERSION as maximum_supported_calling_convention_version
from .exported import DisabledSafetyCheck, Exported
from .functions import default_export_platform, export
from .reading import deserialize
from .symbolic import SymbolicScope, is_symbolic_dim, symbolic_args_specs, symbolic_shape
from .trees import register_namedtuple_serialization, register_pytree_node_serialization

__all__ = [
    "DisabledSafetyCheck", "Exported", "SymbolicScope", "default_export_platform", "deserialize", "export",
    "is_symbolic_dim", "maximum_supported_calling_convention_version",
    "minimum_supported_calling_convention_version", "register_namedtuple_serialization",
    "register_pytree_node_serialization", "symbolic_args_specs", "symbolic_shape",
]
minimum_supported_calling_convention_version = 1
__dir__ = listed(__all__)
