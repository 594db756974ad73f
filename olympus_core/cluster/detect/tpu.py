# SPDX-License-Identifier: Apache-2.0
"""Cloud TPU: the variables that its machines set, or what their metadata server says; one slice or several."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from olympus_core.network.ports import first_port

from . import metadata
from .detection import Detection, Finding, integer, show

_HOSTS, _WORKER, _TYPE, _TOPOLOGY = "TPU_WORKER_HOSTNAMES", "TPU_WORKER_ID", "TPU_ACCELERATOR_TYPE", "TPU_TOPOLOGY"
_ADDRESSES, _TASK = "TPU_PROCESS_ADDRESSES", "CLOUD_TPU_TASK_ID"
_SLICES, _SLICE, _COORDINATOR = "MEGASCALE_NUM_SLICES", "MEGASCALE_SLICE_ID", "MEGASCALE_COORDINATOR_ADDRESS"
_SHOWN = (_WORKER, _HOSTS, _TASK, _ADDRESSES, _TYPE, _TOPOLOGY, _SLICES, _SLICE, _COORDINATOR)
# What the machine's attribute `tpu-env` calls these.
_ENTRIES = {"WORKER_ID": _WORKER, "ACCELERATOR_TYPE": _TYPE, "TOPOLOGY": _TOPOLOGY}


@dataclass(frozen=True, slots=True)
class TpuVm:
    """What a process knows of the slices it belongs to.

    Args:
        machines: For each process of its slice the name or address of its machine.
        index: Its index among them.
        accelerator: The slice's type, such as ``v5litepod-16``.
        topology: Its chips along the sides, such as ``4x4``.
        slices: Number of slices.
        slice_index: This one's index among them.
        coordinator: Where process 0 of all slices is, where several have to be told.
    """

    machines: tuple[str, ...] = ()
    index: int | None = None
    accelerator: str | None = None
    topology: str | None = None
    slices: int = 1
    slice_index: int | None = None
    coordinator: str | None = None


def find(environ: Mapping[str, str], *, asked: bool = False) -> Finding:
    """The processes of all slices and this one's index among them.

    The metadata server is asked where the variables do not name the machines and either the machine has TPUs, or this
    method is the one that the user named.

    Args:
        environ: The environment variables.
        asked: Whether the user named this method.
    """
    values, source = dict(environ), ""
    if not environ.get(_HOSTS) and not environ.get(_ADDRESSES) and _may_ask(environ, asked):
        values, source = {**from_metadata(metadata.attributes(environ) or {}), **values}, " by the metadata server"
    here = described(values)
    given = show(values, *_SHOWN)
    if here.index is None and not here.machines:
        return Finding(None, f"no {_WORKER} and {_HOSTS}{', nor' + source if source else ''}")
    if here.index is None or not here.machines:
        absent = _WORKER if here.index is None else _HOSTS
        return Finding(None, f"{given} but no {absent}", True)
    if here.index >= len(here.machines):
        return Finding(None, f"{given}: {len(here.machines)} machines have no number {here.index}", True)
    host, first, count = here.machines[0], 0, len(here.machines)
    if here.slices > 1:
        if here.slice_index is None or not here.coordinator:
            return Finding(None, f"{given} but no {_SLICE} or {_COORDINATOR}", True)
        # Its port is the vendor's own service.
        host, first = _host(here.coordinator), here.slice_index * count
    machine = here.machines[here.index]
    local = here.machines[: here.index].count(machine) if len(set(here.machines)) < count else None
    return Finding(
        Detection("tpu", f"{host}:{first_port()}", first + here.index, here.slices * count, local), given + source
    )


def find_asked(environ: Mapping[str, str]) -> Finding:
    """The same for who named this method."""
    return find(environ, asked=True)


def described(values: Mapping[str, str]) -> TpuVm:
    """What variables say.

    Args:
        values: Variables by name. Several processes of a machine each have an address in ``TPU_PROCESS_ADDRESSES`` and
            a number in ``CLOUD_TPU_TASK_ID``; with one process a machine the machines' own names and numbers hold.
    """
    addresses = _listed(values.get(_ADDRESSES, ""))
    if len(addresses) > 1 and integer(values, _TASK) is not None:
        machines, index = tuple(map(_host, addresses)), integer(values, _TASK)
    else:
        machines, index = _listed(values.get(_HOSTS, "")), integer(values, _WORKER)
        if not machines:  # "local" is what a machine alone has
            machines = tuple("localhost" if a == "local" else _host(a) for a in addresses)
            index = integer(values, _TASK) if index is None else index
    slices = integer(values, _SLICES) or 1
    return TpuVm(
        machines, index, values.get(_TYPE) or None, values.get(_TOPOLOGY) or None, slices,
        integer(values, _SLICE) if slices > 1 else 0, values.get(_COORDINATOR) or None,
    )


def from_metadata(attributes: Mapping[str, str]) -> dict[str, str]:
    """A machine's attributes as the variables that mean the same.

    Args:
        attributes: Of them ``tpu-env`` is a text of lines ``NAME: 'value'``, ``worker-network-endpoints`` one of
            ``name:port:address`` for each machine.

    Example:
        >>> from_metadata({"agent-worker-number": "1", "worker-network-endpoints": "a:b:10.0.0.2,a:b:10.0.0.3"})
        {'TPU_WORKER_ID': '1', 'TPU_WORKER_HOSTNAMES': '10.0.0.2,10.0.0.3'}
    """
    lines = re.findall(r"^\s*(\w+):\s*'(.*)'\s*$", attributes.get("tpu-env", ""), re.M)
    found = {_ENTRIES.get(name, name): value for name, value in lines}
    names = {"agent-worker-number": _WORKER, "accelerator-type": _TYPE}
    found.update((variable, attributes[name]) for name, variable in names.items() if attributes.get(name))
    endpoints = [parts[2] for e in _listed(attributes.get("worker-network-endpoints", ""))
                 if len(parts := e.split(":")) > 2]
    if endpoints:
        found[_HOSTS] = ",".join(endpoints)
    return {name: found[name] for name in _SHOWN if found.get(name)}


def _may_ask(environ: Mapping[str, str], asked: bool) -> bool:
    """Whether the metadata server is asked; the variable forbids it, for libtpu, too."""
    if environ.get("TPU_SKIP_MDS_QUERY", "").lower() not in ("", "0", "false"):
        return False
    return asked or metadata.has_accelerator()


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _host(address: str) -> str:
    return address.partition(":")[0]
