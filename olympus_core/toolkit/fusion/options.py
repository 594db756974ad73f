# SPDX-License-Identifier: Apache-2.0
"""The numbers that decide what is fused and how loops are cut; neutral, a platform gives its own."""

from __future__ import annotations

from olympus_core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FusionOptions:
    """What a platform likes its kernels to be.

    Args:
        lane_tile: Neighbouring elements that one outer iteration treats where rows are summed over leading dimensions.
        lane_block: Elements that lanes add up before a sum is begun anew.
        serial_block: The same for serial loops.
        reduction_block: Elements of one partial result where a reduction is cut in two; large ones are.
        parallelism: Independent iterations that are enough.
        stream_rows: Rows that are summed at once where all columns go side by side.
        stream_columns: Columns from which on they do.
        stream_tile: Columns that one outer iteration treats then.
        longest_column: Rows above this are not gone through several times in one kernel, column by column.
        transpose_tile: Elements along each side of a tile where elements change their order.
        largest_local: Bytes of scratch memory of a kernel's iteration.
        largest_body: Operations of one kernel's member.
        largest_kernel: Operations of all members together.
        most_parameters: Buffers of one kernel.
        most_pieces: Operands of a concatenation that is fused.
        short_row: Rows below this are treated many at a time.
        recompute_limit: From this cost on a value with several uses gets memory and is not recomputed.
        updates_in_place: Whether the caller runs the parts of kernels that update some of their output
            (`KernelStep.updating`, `KernelStep.filling`); then windows written into large arrays are updates, too.
        long_copy: Elements from which on filling an output is a kernel of its own, which threads divide.
        least_updated: Elements of arrays from which on writing a window into one is an update.
        sections: Most sections that index-set splitting may make of an iteration space; 0 where every element rather
            chooses among its sources.
        section_block: Elements of one outermost iteration of a kernel in sections.
    """

    lane_tile: int = 64
    lane_block: int = 4096
    serial_block: int = 64
    reduction_block: int = 1 << 15
    parallelism: int = 16
    stream_rows: int = 8
    stream_columns: int = 128
    stream_tile: int = 1024
    longest_column: int = 128
    transpose_tile: int = 64
    largest_local: int = 1 << 18
    largest_body: int = 100
    largest_kernel: int = 160
    most_parameters: int = 64
    most_pieces: int = 8
    short_row: int = 16
    recompute_limit: float = 8.0
    updates_in_place: bool = False
    long_copy: int = 1 << 16
    least_updated: int = 1 << 8
    sections: int = 0
    section_block: int = 1 << 15
