"""The terms in which olympus knows values and programs, for libraries that look into them."""

from olympus_core.deferred import listed

from .tracing.shaped import AbstractValue, ShapedArray
from .tracing.staging import Tracer
from .tracing.trace import Trace
from .transforms.jaxpr import eval_jaxpr

__all__ = ["AbstractValue", "ShapedArray", "Trace", "Tracer", "eval_jaxpr"]
__dir__ = listed(__all__)
