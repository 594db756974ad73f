# SPDX-License-Identifier: Apache-2.0
"""What every program of the documents has devices do, and what the TPU's compiler makes of it.

Programs mostly run operation by operation, not under one `jit`: what is compiled are the device programs that the core
makes while the program runs on CPU devices. Each stands in the first program of a job that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

SHOWS = "it looks at devices, meshes, shardings or types, and computes nothing"
MOVES = "it puts, assembles or draws arrays, and computes nothing"
DEFINES = "it defines what later programs call"
STARTS = "it joins or leaves the job"
EARLIER = "all it computes, an earlier program of its notebook has had compiled"
REFUSED = "what it asks for raises its error before anything is compiled"

NOTHING: Mapping[str, str] = {
    **dict.fromkeys((
        "000/gpu_example", "000/demo", "000/job", "000/mesh", "001/cell_01", "001/cell_02", "001/cell_04",
        "001/cell_06", "001/cell_10", "001/cell_12", "001/platforms_variable", "001/platforms_flag", "002/demo",
        "002/mesh", "003/devices", "003/before_initialize", "003/after_initialize", "003/readable",
        "003/one_device_each", "003/properties", "003/positional_sharding", "003/named_sharding", "003/count",
        "003/local_shape",
    ), SHOWS),
    **dict.fromkeys((
        "000/subset", "000/process_local_data", "001/cell_05", "001/cell_07", "001/cell_13", "001/device_put",
        "003/other_device", "003/positional_square", "003/positional_reshaped", "003/draw_global", "003/pencils",
        "003/draw_pencils", "003/pencils_transposed", "003/draw_transposed", "003/global_shards", "003/callback",
        "003/scatter_mpi", "003/scatter_checked", "003/scatter_pencils",
    ), MOVES),
    **dict.fromkeys(("001/cell_19", "003/imports"), DEFINES),
    **dict.fromkeys(("003/initialize", "003/shutdown", "004/initialize"), STARTS),
    **dict.fromkeys(("000/gather", "000/subset_arrays", "003/positional_device_put"), EARLIER),
    **dict.fromkeys(("000/print_z", "001/several_devices", "002/print_z", "003/print_global"), REFUSED),
}

GATHERED = "small pieces are gathered by adding up arrays that are zero elsewhere"
MERGED = "reductions that are ready together become one"
SUMMED = "its module has a sum to which the source alone gives anything: libtpu takes no broadcast"


@dataclass(frozen=True)
class Row:
    """A program that has devices compute.

    Attributes:
        announced: How often each collective stands in its device programs, of all together.
        compiled: The same after the compiler.
        why: What the compiler does, where these are not the same.
    """

    announced: Mapping[str, int]
    compiled: Mapping[str, int]
    why: str = ""


def _counts(text: str) -> dict[str, int]:
    return {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", text)}


def _row(announced: str, compiled: str | None = None, why: str = "") -> Row:
    return Row(_counts(announced), _counts(announced if compiled is None else compiled), why)


COMPUTES: Mapping[str, Row] = {
    "000/toy": _row("1 all_reduce"),
    "000/visualize": _row(""),
    "000/matmul": _row("1 all_reduce"),
    "000/replicate": _row("1 all_gather"),
    "000/subset_sum": _row("1 all_reduce"),
    "000/stages": _row(""),
    "000/microbatches": _row(""),
    "000/sgd": _row("3 all_reduce", "1 all_reduce", MERGED),
    "000/single_device_arrays": _row("2 all_gather", "1 all_gather, 1 all_reduce", GATHERED),
    "001/cell_03": _row(""),
    "001/cell_08": _row(""),
    "001/cell_09": _row("1 all_reduce"),
    "001/cell_11": _row(""),
    "001/cell_14": _row(""),
    "001/cell_15": _row(""),
    "001/cell_16": _row(""),
    "001/cell_17": _row(""),
    "001/cell_18": _row("1 all_reduce"),
    "001/cell_20": _row(""),
    "001/cell_21": _row("1 all_reduce"),
    "001/cell_22": _row("1 all_reduce"),
    "001/cell_23": _row("1 all_reduce"),
    "001/default_placement": _row(""),
    "001/placement_rules": _row(""),
    "002/toy": _row("1 all_reduce"),
    "002/visualize": _row(""),
    "002/matmul": _row("1 all_reduce"),
    "002/replicate": _row("1 all_gather"),
    "003/simulated": _row("1 all_reduce"),
    "003/default_placement": _row(""),
    "003/kinds": _row("4 all_gather, 1 all_reduce, 1 all_to_all", "3 all_gather, 2 all_reduce, 1 all_to_all", GATHERED),
    "003/positional_example": _row(""),
    "003/local_ones": _row(""),
    "003/positional_from_parts": _row(""),
    "003/from_single_device_arrays": _row("2 all_gather"),
    "003/host_local_to_global": _row(""),
    "003/gather": _row("1 all_gather", "1 all_reduce", GATHERED),
    "003/pencil_data": _row(""),
    "003/missing_collectives": _row("1 broadcast, 1 all_to_all", "1 all_reduce, 1 all_to_all", SUMMED),
    "004/pmap": _row("1 all_reduce"),
    "004/axes": _row("3 all_reduce, 5 all_gather, 4 all_to_all, 1 permute",
                     "8 all_reduce, 4 all_to_all, 1 permute", GATHERED),
    "004/xmap": _row("2 all_reduce, 4 all_gather"),
    "004/leading_sizes": _row("1 all_reduce"),
    "004/differently_shaped": _row("4 all_reduce"),
    "004/last_batch": _row("1 all_reduce, 2 all_gather", "3 all_reduce", GATHERED),
}
