"""Names and checkpoints for the way back of derivatives; see `olympus.checkpoint`."""

from .debug import print_saved_residuals
from .transforms.derivatives import checkpoint, checkpoint_name, checkpoint_policies

remat = checkpoint

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "print_saved_residuals", "remat"]
