# SPDX-License-Identifier: Apache-2.0
"""Options of the fusion planner for GPUs: block and tile sizes for thousands of threads."""

from __future__ import annotations

from olympus_core.toolkit.fusion import FusionOptions

# Columns are not summed row by row: neighbouring threads take neighbouring columns. Long sums are not split into
# blocks: the threads of a block divide them.
OPTIONS = FusionOptions(
    lane_tile=1 << 30, lane_block=1 << 30, serial_block=256, reduction_block=1 << 14, parallelism=128,
    stream_columns=1 << 62, short_row=16, updates_in_place=True,
)
