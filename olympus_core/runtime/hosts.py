# SPDX-License-Identifier: Apache-2.0
"""Host values between processes: gather, broadcast, scatter, barrier, comparison."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import numpy as np

from olympus_core.errors import ShardsError
from olympus_core.plugin import Device, Transfer

from .launches import Span, digest_of
from .world import World, get_world


def _members(world: World) -> tuple[Device, ...]:
    """One device of each process, to stand for it."""
    first: dict[int, Device] = {}
    for device in world.devices():
        first.setdefault(device.process_index, device)
    return tuple(first[p] for p in sorted(first))


def _enter(world: World, name: str, facts: str) -> Span | None:
    members = _members(world)
    span = world.links[members[0].platform].span(members)
    if span is not None:
        span.enter(name, digest_of(f"{name} {facts}"))
    return span


def gather_hosts(value: np.ndarray, name: str = "process_allgather") -> list[np.ndarray]:
    """Every process's value, in the order of the processes; all have the same shape and element type.

    Args:
        value: This process's value.
        name: What is done, for people.

    Raises:
        DivergenceError: When shapes or element types differ.
    """
    world = get_world()
    if _enter(world, f"{name} of {value.dtype.name}{list(value.shape)}", "") is None:
        return [np.asarray(value)]
    members = _members(world)
    own = next(d for d in members if d.is_addressable)
    links = world.links[own.platform]
    buffer = world.client(own).buffer_from_host(value[None], own)
    (whole,) = links.wait(links.communicator(members).all_gather([buffer], 0), name)
    return list(whole.to_host())


def broadcast_host(value: np.ndarray, source: int, name: str = "broadcast_one_to_all") -> np.ndarray:
    """One process's value, in every process; all give one of the same shape and element type.

    Args:
        value: The value; its content counts only in the source.
        source: Index of the process.
        name: What is done, for people.
    """
    world = get_world()
    if _enter(world, f"{name} of {value.dtype.name}{list(value.shape)} from process {source}", "") is None:
        return np.asarray(value)
    members = _members(world)
    own = next(d for d in members if d.is_addressable)
    links = world.links[own.platform]
    buffer = world.client(own).buffer_from_host(value, own)
    (received,) = links.wait(links.communicator(members).broadcast([buffer], source), name)
    return received.to_host()


def scatter_host(
    value: np.ndarray | None, source: int, boxes: Sequence[Sequence[tuple[slice, ...]]],
    shapes: Sequence[Sequence[tuple[int, ...]]], dtype: np.dtype, name: str = "scatter",
) -> list[np.ndarray]:
    """Sends each process its pieces of one process's value; no other process ever holds more than its pieces.

    Args:
        value: The whole value; needed in the source only.
        source: Index of the process that has it.
        boxes: For each process the slices of its pieces.
        shapes: For each process the shapes of its pieces.
        dtype: Type of the elements.
        name: What is done, for people.

    Returns:
        This process's pieces.
    """
    world = get_world()
    own_index = world.process_index
    if own_index == source and value is None:
        raise ShardsError("The source of a scatter must give the whole value.", given="None", expected="an array")
    if _enter(world, f"{name} from process {source}", f"{boxes}{dtype}") is None:
        return [np.asarray(value)[box] for box in boxes[0]]
    members = _members(world)
    own = members[own_index]
    links, client = world.links[own.platform], world.client(own)
    sends: list[Transfer] = []
    receives: list[Transfer] = []
    if own_index == source:
        for process, theirs in enumerate(boxes):
            for box, shape in zip(theirs, shapes[process], strict=True):
                if process != source:
                    piece = client.buffer_from_host(np.asarray(value)[box], own)
                    sends.append(Transfer(source, process, piece, shape, dtype))
    else:
        receives = [Transfer(source, own_index, None, shape, dtype) for shape in shapes[own_index]]
    received = links.wait(links.communicator(members).exchange(sends, receives), name)
    if own_index == source:
        return [np.asarray(value)[box] for box in boxes[source]]
    return [buffer.to_host() for buffer in received]


def meet(name: str) -> None:
    """Waits until every process has come here with the same name.

    Args:
        name: The meeting's name.

    Raises:
        DivergenceError: When processes come with different names, or launch something else.
        CollectiveTimeoutError: When processes do not come.
    """
    world = get_world()
    span = _enter(world, f"sync_global_devices({name!r})", "")
    if span is not None and world.connection is not None:
        world.connection.exchange(f"sync_global_devices({name!r}) #{span.sequence}", b"", span.processes)
        span.launch[1] = monotonic()


def differing_processes(digest: bytes, name: str) -> list[int]:
    """Compares a digest in all processes.

    Args:
        digest: This process's, such as 16 bytes.
        name: What is compared, for people.

    Returns:
        The processes whose digest differs from process 0's.
    """
    world = get_world()
    span = _enter(world, name, "")
    if span is None or world.connection is None:
        return []
    answers = world.connection.exchange(f"{name} #{span.sequence}", digest, span.processes)
    span.launch[1] = monotonic()
    return [p for p, answer in zip(span.processes, answers, strict=True) if answer != answers[0]]
