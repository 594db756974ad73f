"""Partitioning: from one global program to the program of each device, with explicit collectives."""

from .explain import CollectiveUse, format_collectives
from .explicit import explicit_layout, is_explicit, program_layouts, result_layouts, same_layout, type_text
from .partitioner import Partitioned, partition, reshard_program
from .placed import Placed
from .reshard import ReshardPlan, ReshardStep, plan_reshard
from .transfer import Box, TransferPlan, TransferStep, plan_transfer

__all__ = [
    "Box", "CollectiveUse", "Partitioned", "Placed", "ReshardPlan", "ReshardStep", "TransferPlan", "TransferStep",
    "explicit_layout", "format_collectives", "is_explicit", "partition", "plan_reshard", "plan_transfer",
    "program_layouts", "reshard_program", "result_layouts", "same_layout", "type_text",
]
