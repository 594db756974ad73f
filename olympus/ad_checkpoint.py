# SPDX-License-Identifier: Apache-2.0
"""Names and checkpoints for the backward pass of derivatives; see `olympus.checkpoint`."""

from olympus_core.deferred import listed

from .debug import print_saved_residuals
from .transforms.derivatives import checkpoint, checkpoint_name, checkpoint_policies
from .transforms.derivatives.policies import Offloadable, Recompute, Saveable
from .transforms.derivatives.residuals import saved_residuals

__all__ = [
    "Offloadable", "Recompute", "Saveable", "checkpoint", "checkpoint_name", "checkpoint_policies",
    "print_saved_residuals", "remat", "saved_residuals",
]
__dir__ = listed(__all__)

remat = checkpoint
