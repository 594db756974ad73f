"""Functions whose derivative the user says."""

from olympus_core.deferred import listed

from .transforms.derivatives import closure_convert, custom_gradient, custom_jvp, custom_vjp
from .transforms.derivatives.linear_calls import linear_call
from .transforms.derivatives.symbolic_zeros import (
    CustomVJPPrimal,
    SymbolicZero,
    custom_vjp_primal_tree_values,
    zero_from_primal,
)

__all__ = [
    "CustomVJPPrimal", "SymbolicZero", "closure_convert", "custom_gradient", "custom_jvp", "custom_vjp",
    "custom_vjp_primal_tree_values", "linear_call", "zero_from_primal",
]
__dir__ = listed(__all__)
