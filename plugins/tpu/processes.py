# SPDX-License-Identifier: Apache-2.0
"""The configuration of libtpu in a job of several processes: the chips and addresses of each process."""

from __future__ import annotations

import math
import socket
from collections.abc import Mapping, Sequence

from olympus_core.plugin import Rendezvous

from .errors import TpuJobError, TpuSliceError
from .slices import Slice, slice_of

# The port of the first process of each machine; the others have consecutive ones.
PORT = 8476


def variables(where: Slice, machines: Sequence[str], index: int) -> dict[str, str]:
    """The variables that configure libtpu in one process of a job.

    Args:
        where: The slice on which the job runs.
        machines: For each process its machine's name or address; machines in the slice's order, and a machine's
            processes one after the other. A single machine of a larger slice is taken for a slice of its own.
        index: This process's index.

    Returns:
        Variables by name.

    Raises:
        TpuJobError: The processes cannot share the slice's chips out evenly.

    Example:
        >>> from olympus_tpu.slices import slice_of
        >>> variables(slice_of("v5e:4x4"), ["a", "b", "c", "d"], 1)["TPU_PROCESS_BOUNDS"]
        '2,2,1'
        >>> variables(slice_of("v5e:2x2"), ["a"] * 4, 1)["TPU_PROCESS_ADDRESSES"]
        'a:8476,a:8477,a:8478,a:8479'
    """
    names = list(dict.fromkeys(machines))
    each = len(machines) // len(names)
    if [name for name in names for _ in range(each)] != list(machines):
        raise TpuJobError(where.name, where.processes, machines, "the machines do not have equally many, in turn")
    # Some slices can be had on machines of eight chips and of four.
    kinds = [where.chips_per_process, (min(2, where.shape[0]), min(2, where.shape[1]), 1)]
    here = next((chips for chips in kinds if math.prod(chips) * len(names) == where.chips), kinds[0])
    is_whole = math.prod(here) * len(names) == where.chips
    if not is_whole and len(names) > 1:
        raise TpuJobError(where.name, where.processes, machines, f"it has {where.processes} machines")
    whole = (*where.shape, 1)[:3] if is_whole else here
    own = _divided(here, each)
    if own is None:
        raise TpuJobError(where.name, where.processes, machines, f"{each} do not share {math.prod(here)} chips evenly")
    local, count = list(machines[:index]).count(machines[index]), math.prod(own)
    found = {
        "TPU_CHIPS_PER_PROCESS_BOUNDS": _bounds(own),
        "TPU_PROCESS_BOUNDS": _bounds([n // m for n, m in zip(whole, own, strict=True)]),
        "TPU_PROCESS_ADDRESSES": ",".join(f"{name}:{PORT + i}" for name in names for i in range(each)),
        "TPU_PROCESS_PORT": str(PORT + local),
        "CLOUD_TPU_TASK_ID": str(index),
    }
    if each > 1:
        found["TPU_VISIBLE_CHIPS"] = ",".join(str(local * count + i) for i in range(count))
    return found


def slice_named(environ: Mapping[str, str]) -> Slice | None:
    """The slice that a machine's variables name; None for none or an unknown one.

    Example:
        >>> slice_named({"TPU_ACCELERATOR_TYPE": "v5litepod-16", "TPU_TOPOLOGY": "4x4"}).chips
        16
    """
    try:
        found = slice_of(environ.get("TPU_ACCELERATOR_TYPE", ""))
        sides = environ.get("TPU_TOPOLOGY", "")
        return slice_of(f"{found.generation.name}:{sides}") if sides else found
    except TpuSliceError:
        return None


def machine_named(environ: Mapping[str, str]) -> str:
    """The name of this machine for the other processes: from its variables, or its host name."""
    names = [name.strip() for name in environ.get("TPU_WORKER_HOSTNAMES", "").split(",")]
    number = environ.get("TPU_WORKER_ID", "").strip()
    known = names[int(number)] if number.isdigit() and int(number) < len(names) else ""
    return known or socket.gethostname()


def meet(rendezvous: Rendezvous, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables for this process, after all processes have exchanged their machines.

    Empty where each machine has one process and the slice is not named: libtpu then queries the machine's service.
    """
    told = rendezvous.exchange("machines of platform tpu", machine_named(environ).encode())
    machines = [name.decode() for name in told]
    where = slice_named(environ)
    if where is not None:
        return variables(where, machines, rendezvous.process_index)
    if len(set(machines)) < len(machines):
        given = environ.get("TPU_ACCELERATOR_TYPE") or "(TPU_ACCELERATOR_TYPE is not set)"
        raise TpuJobError(given, len(set(machines)), machines, "several share a machine, and no known slice is named")
    return {}


def _divided(chips: Sequence[int], parts: int) -> list[int] | None:
    """A machine's chips divided among its processes: the first dimension as far as possible, then the next."""
    found = []
    for side in chips:
        divisor = math.gcd(side, parts)
        found.append(side // divisor)
        parts //= divisor
    return found if parts == 1 else None


def _bounds(sides: Sequence[int]) -> str:
    return ",".join(map(str, sides))
