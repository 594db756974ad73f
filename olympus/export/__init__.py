"""Functions as programs without Python: exported, stored, read and called elsewhere."""

from olympus_core.deferred import listed

from .exported import DisabledSafetyCheck, Exported, deserialize
from .functions import default_export_platform, export
from .trees import register_namedtuple_serialization, register_pytree_node_serialization

__all__ = [
    "DisabledSafetyCheck", "Exported", "default_export_platform", "deserialize", "export",
    "register_namedtuple_serialization", "register_pytree_node_serialization",
]
__dir__ = listed(__all__)
