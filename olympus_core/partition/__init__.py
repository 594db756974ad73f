# SPDX-License-Identifier: Apache-2.0
"""Partitioning: from one global program to the program of each device, with explicit collectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deferred import deferred
from .explicit import (
    constraint_layout,
    explicit_layout,
    is_explicit,
    program_layouts,
    result_layouts,
    same_layout,
    type_text,
)
from .value_sharding import ValueSharding, format_dims, without_trivial

if TYPE_CHECKING:
    from .explain import CollectiveUse, format_collectives
    from .partitioner import Partitioned, partition, reshard_program
    from .prepare import expanded
    from .reshard import ReshardPlan, ReshardStep, plan_reshard
    from .transfer import Box, TransferPlan, TransferStep, plan_transfer
else:
    # Needed when something is compiled or moved, not when olympus is imported: they would be a fifth of its time.
    __getattr__, __dir__ = deferred(__name__, {
        "CollectiveUse": "explain", "format_collectives": "explain",
        "Partitioned": "partitioner", "partition": "partitioner", "reshard_program": "partitioner",
        "expanded": "prepare",
        "ReshardPlan": "reshard", "ReshardStep": "reshard", "plan_reshard": "reshard",
        "Box": "transfer", "TransferPlan": "transfer", "TransferStep": "transfer", "plan_transfer": "transfer",
    })

__all__ = [
    "Box", "CollectiveUse", "Partitioned", "ReshardPlan", "ReshardStep", "TransferPlan", "TransferStep",
    "ValueSharding", "constraint_layout", "expanded", "explicit_layout", "format_collectives", "format_dims",
    "is_explicit", "partition", "plan_reshard", "plan_transfer", "program_layouts", "reshard_program", "result_layouts",
    "same_layout", "type_text", "without_trivial",
]
