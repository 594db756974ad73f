"""Derivatives: the functions that users call."""

from .. import rules as rules  # fills the table
from . import policies as checkpoint_policies
from .checkpointing import checkpoint, checkpoint_name
from .checkpointing import checkpoint as remat
from .custom_forward import custom_jvp
from .custom_reverse import custom_vjp
from .forward import jvp, linear_transpose, linearize
from .jacobians import hessian, jacfwd, jacrev
from .reverse import grad, value_and_grad, vjp

__all__ = [
    "checkpoint", "checkpoint_name", "checkpoint_policies", "custom_jvp", "custom_vjp", "grad", "hessian", "jacfwd",
    "jacrev", "jvp", "linear_transpose", "linearize", "remat", "value_and_grad", "vjp",
]
