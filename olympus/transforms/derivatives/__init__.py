# SPDX-License-Identifier: Apache-2.0
"""Derivatives: the functions that users call."""

from .. import rules as rules  # fills the table
from . import policies as checkpoint_policies
from .checkpointing import checkpoint, checkpoint_name
from .checkpointing import checkpoint as remat
from .closures import closure_convert, custom_gradient
from .custom_forward import custom_jvp
from .custom_reverse import custom_vjp
from .forward import jvp, linear_transpose, linearize
from .jacobians import hessian, jacfwd, jacrev
from .jacobians import jacrev as jacobian
from .reverse import grad, value_and_grad, vjp
from .two_passes import fwd_and_bwd

__all__ = [
    "checkpoint", "checkpoint_name", "checkpoint_policies", "closure_convert", "custom_gradient", "custom_jvp",
    "custom_vjp", "fwd_and_bwd", "grad", "hessian", "jacfwd", "jacobian", "jacrev", "jvp", "linear_transpose",
    "linearize", "remat", "value_and_grad", "vjp",
]
