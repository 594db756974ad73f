"""Compiled execution: plans of fused kernels, linked, hung on one native call."""

from .maker import CpuMaker
from .opening import open_maker

__all__ = ["CpuMaker", "open_maker"]
