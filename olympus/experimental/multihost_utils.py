# SPDX-License-Identifier: Apache-2.0
"""Host values and global arrays between processes; on every platform."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import (
    ArgumentError,
    ProcessFailureError,
    ProcessLostError,
    ReceivedError,
    ShardsError,
    TreeError,
    ValuesDifferError,
)
from olympus_core.errors.cluster import spell
from olympus_core.placement import Device, Mesh, NamedSharding, PartitionSpec
from olympus_core.runtime import get_world, hosts, reshard
from olympus_core.runtime.placing import each_has_its_own

from .. import tree
from ..array import Array, is_concrete
from ..assembly import make_array_from_callback, make_array_from_process_local_data
from ..devices import devices_given
from ..distributed import preempted
from ..numpy import asarray
from ..tracing import aval_of, host_value
from ..transforms.calls import place
from ..transforms.constraint import named, says_where
from ..transforms.prefix import spread
from ..trees.wire import ArrayFacts, decoded, encoded

__all__ = [
    "ProcessFailureError", "assert_equal", "broadcast_one_to_all", "global_array_to_host_local_array",
    "global_array_to_host_local_array_impl", "host_local_array_to_global_array",
    "host_local_array_to_global_array_impl", "live_devices", "process_allgather", "reached_preemption_sync_point",
    "scatter", "sync_global_devices",
]
__dir__ = listed(__all__)


def process_allgather(in_tree: Any, tiled: bool = False) -> Any:
    """The whole value of global arrays; of host values and local arrays, every process's, stacked.

    Args:
        in_tree: An array or a nested container of them.
        tiled: For host values and local arrays: join along the first dimension instead of stacking.

    Returns:
        NumPy arrays, the same in every process.

    Raises:
        DivergenceError: When processes call it with different shapes.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.process_allgather(np.arange(3))
        array([[0, 1, 2]], dtype=int32)
    """
    def one(value: Any) -> np.ndarray:
        if is_concrete(value) and _is_global(value):
            return np.asarray(reshard(value, NamedSharding(_mesh_of_all(value), PartitionSpec())))
        host = host_value(np.asarray(value), aval_of(value).dtype)
        gathered = hosts.gather_hosts(host)
        return np.concatenate([np.atleast_1d(g) for g in gathered]) if tiled else np.stack(gathered)

    return tree.map(one, in_tree)


def _is_global(value: Array) -> bool:
    """Whether an array is one array of all processes; else each process has its own."""
    world = get_world()
    if world.process_count == 1:  # over several devices of the only process as over those of several
        return len(value.sharding.devices) > 1
    if len({device.process_index for device in value.sharding.devices}) > 1:
        return True
    devices = world.devices(value.sharding.devices[0].platform)
    return not each_has_its_own(value, devices, "process_allgather")


def _mesh_of_all(value: Array) -> Mesh:
    """The array's devices; one device of each process where some processes own none of them."""
    mesh, world = value.sharding.layout(value.ndim).mesh, get_world()
    if len({device.process_index for device in mesh.flat_devices}) == world.process_count:
        return mesh
    devices = world.devices(mesh.flat_devices[0].platform)
    return Mesh([next(d for d in devices if d.process_index == i) for i in range(world.process_count)], "processes")


def broadcast_one_to_all(in_tree: Any, is_source: bool | None = None) -> Any:
    """One process's host values, in every process.

    Args:
        in_tree: Values of the same shapes in all processes; the source's content counts.
        is_source: Whether this process is the source; process 0 is when left out.

    Returns:
        NumPy arrays.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.broadcast_one_to_all({"step": 3})
        {'step': array(3, dtype=int32)}
    """
    world = get_world()
    source = 0
    if is_source is not None:
        flags = hosts.gather_hosts(np.array([bool(is_source)]), "broadcast_one_to_all")
        sources = [i for i, flag in enumerate(flags) if flag[0]]
        if len(sources) != 1:
            raise ArgumentError("broadcast_one_to_all", "exactly one process must be the source", sources,
                                f"one of 0 to {world.process_count - 1}")
        source = sources[0]
    return tree.map(lambda v: hosts.broadcast_host(host_value(np.asarray(v), aval_of(v).dtype), source), in_tree)


def scatter(in_tree: Any, shardings: Any, *, source: int = 0, shape_dtypes: Any = None) -> Any:
    """Sends one process's host values to a sharding; no other process ever holds more than its part.

    Args:
        in_tree: The whole values in the source process; anything in the others.
        shardings: A sharding, or a container of shardings with the structure of the values.
        source: Index of the process that has the values.
        shape_dtypes: The values' shapes and element types (objects with `shape` and `dtype`), where the other
            processes do not know them; they are sent when left out. Tuples, lists, dicts with texts or integers
            as keys, and None are sent with them; of other containers every process has to give some of its own.

    Returns:
        Arrays over all processes.

    Raises:
        ArgumentError: The source is no process of the job; or it has containers that cannot be sent, and not all
            processes have the same ones.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> print(multihost_utils.scatter(np.arange(8), olympus.NamedSharding(mesh, olympus.P("x"))))
        [0 1 2 3 4 5 6 7]
    """
    world = get_world()
    if source not in range(world.process_count):
        raise ArgumentError("multihost_utils.scatter", "the source must be a process of the job", source,
                            f"one of 0 to {world.process_count - 1}")
    if shape_dtypes is None:
        shape_dtypes = _broadcast_types(in_tree, source)
    described, structure = tree.flatten(shape_dtypes)
    values = tree.leaves(in_tree) if world.process_index == source else [None] * len(described)
    entries = spread("scatter", "shardings", shardings, shape_dtypes, says_where, "a sharding")
    wanted = [named(entry, "scatter") for entry in entries]
    results = [_scatter_one(v, t, s, source) for v, t, s in zip(values, described, wanted, strict=True)]
    return tree.unflatten(structure, results)


def _broadcast_types(in_tree: Any, source: int) -> Any:
    """The source's shapes and element types, in containers of its structure."""
    world = get_world()
    what = f"the types of a scatter from process {source}"
    try:
        leaves, structure = tree.flatten(in_tree)
    except TreeError:
        if world.process_index == source:
            raise
        leaves, structure = [], tree.structure(0)  # others may give anything
    own = [ArrayFacts(a.shape, a.dtype) for a in map(aval_of, leaves)] if world.process_index == source else []
    if world.connection is None:
        return structure.unflatten(own)
    answers = world.connection.exchange("types of a scatter", encoded(structure, own))
    said = [decoded(answer, process, what) for process, answer in enumerate(answers)]
    given = said[source]
    # Every process knows what all have, so all decide alike. Containers of a user's classes come from nobody else.
    if given.outline is not None:
        structure = given.outline
    elif len({each.digest for each in said}) > 1:
        others = [process for process, each in enumerate(said) if each.digest != given.digest]
        raise ArgumentError(
            "multihost_utils.scatter", "containers other than tuples, lists, dicts and None are not sent",
            f"process {source} has such ones, process {spell(others)} something else",
            f"in every process a tree of process {source}'s structure",
            "Give shape_dtypes in every process, or values of the same structure, which count only in the source.",
        )
    if structure.num_leaves != len(given.leaves):
        raise ReceivedError(what, source, f"it has {len(given.leaves)} leaves", f"{structure.num_leaves} leaves")
    return structure.unflatten(given.leaves)


def _scatter_one(value: Any, described: Any, sharding: Any, source: int) -> Array:
    world = get_world()
    shape, dtype = tuple(described.shape), np.dtype(described.dtype)
    indices = sharding.layout(len(shape)).indices(shape)
    local = sharding.shard_shape(shape)
    boxes: list[list[tuple[slice, ...]]] = [[] for _ in range(world.process_count)]
    for device, index in zip(sharding.devices, indices, strict=True):
        if index not in boxes[device.process_index]:
            boxes[device.process_index].append(index)
    shapes = [[local] * len(b) for b in boxes]
    host = None if value is None else host_value(np.asarray(value), dtype)
    pieces = hosts.scatter_host(host, source, boxes, shapes, dtype)
    own = {repr(box): piece for box, piece in zip(boxes[world.process_index], pieces, strict=True)}
    return make_array_from_callback(shape, sharding, lambda index: own[repr(index)], dtype)


def reached_preemption_sync_point(step_id: int) -> bool:
    """Whether the job has been asked to end, and all processes end at this step: `distributed.preempted(step_id)`.

    Args:
        step_id: The number of the step, the same in all processes and never smaller than the one before.

    Returns:
        True from the same step on in all processes, so that all of them save the same step.

    Example:
        >>> import olympus
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.reached_preemption_sync_point(7)
        False
        >>> olympus.distributed.shutdown()
    """
    return preempted(step_id)


def sync_global_devices(name: str) -> None:
    """Waits until every process has come here with the same name.

    Args:
        name: The meeting's name.

    Raises:
        DivergenceError: When processes come with different names.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.sync_global_devices("before reading the file")
    """
    hosts.meet(name)


def assert_equal(in_tree: Any, fail_message: str = "") -> None:
    """Raises in every process unless all have the same host values; compares digests, so memory does not grow.

    Args:
        in_tree: The values.
        fail_message: Text of the error.

    Raises:
        ValuesDifferError: When they differ; it is an `AssertionError`.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.assert_equal({"seed": 7}, "the seeds differ")
    """
    digest = hashlib.blake2b(digest_size=16)
    for path, leaf in tree.leaves_with_path(in_tree):
        host = np.asarray(leaf)
        digest.update(f"{tree.keystr(path)}{host.shape}{host.dtype}".encode())
        digest.update(host.tobytes())
    different = hosts.differing_processes(digest.digest(), "assert_equal")
    if different:
        raise ValuesDifferError(fail_message, different)


def host_local_array_to_global_array(local_inputs: Any, global_mesh: Mesh, pspecs: Any) -> Any:
    """Joins every process's host arrays to global arrays.

    Args:
        local_inputs: This process's part, or a nested container of parts.
        global_mesh: The devices.
        pspecs: A `PartitionSpec`, or a container of them with the structure of the inputs.

    Returns:
        The global arrays.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> multihost_utils.host_local_array_to_global_array(np.arange(8), mesh, olympus.P("x")).shape
        (8,)
    """
    leaves, structure = tree.flatten(local_inputs)
    specs = _specs("host_local_array_to_global_array", pspecs, local_inputs)
    return tree.unflatten(structure, [
        make_array_from_process_local_data(_sharding(global_mesh, s), np.asarray(v))
        for v, s in zip(leaves, specs, strict=True)
    ])


def host_local_array_to_global_array_impl(arr: Any, *, global_mesh: Mesh, pspec: PartitionSpec) -> Array:
    """One array of `host_local_array_to_global_array`.

    Args:
        arr: This process's part.
        global_mesh: The devices.
        pspec: How the parts make up the array.

    Returns:
        The global array.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.host_local_array_to_global_array_impl(
        ...     np.arange(8), global_mesh=olympus.make_mesh((8,), ("x",)), pspec=olympus.P("x")).shape
        (8,)
    """
    found: Array = host_local_array_to_global_array(arr, global_mesh, pspec)
    return found


def global_array_to_host_local_array_impl(arr: Any, *, global_mesh: Mesh, pspec: PartitionSpec) -> Array:
    """One array of `global_array_to_host_local_array`.

    Args:
        arr: A global array.
        global_mesh: The devices.
        pspec: How the parts are cut out.

    Returns:
        This process's part.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import multihost_utils
        >>> multihost_utils.global_array_to_host_local_array_impl(
        ...     jnp.arange(8), global_mesh=olympus.make_mesh((8,), ("x",)), pspec=olympus.P("x")).shape
        (8,)
    """
    found: Array = global_array_to_host_local_array(arr, global_mesh, pspec)
    return found


@contextmanager
def live_devices(devices: Sequence[Device]) -> Iterator[list[Device]]:
    """The devices whose processes are there, for a block that all of these processes run.

    The processes meet where the block begins and where it ends.

    Args:
        devices: Devices of processes of the job.

    Yields:
        The devices.

    Raises:
        ProcessFailureError: When a process is lost meanwhile; the job is over then, as everywhere else.

    Example:
        >>> import olympus
        >>> from olympus.experimental import multihost_utils
        >>> with multihost_utils.live_devices(olympus.devices()) as alive:
        ...     len(alive)
        8
    """
    given = list(devices_given("live_devices", devices))
    try:
        sync_global_devices("live_devices: begin")
        yield given
        sync_global_devices("live_devices: end")
    except ProcessLostError as error:
        lost = [device for device in given if device.process_index == error.process]
        raise ProcessFailureError(lost, error.process) from error


def global_array_to_host_local_array(global_inputs: Any, global_mesh: Mesh, pspecs: Any) -> Any:
    """This process's part of global arrays, on its own devices.

    Args:
        global_inputs: Global arrays.
        global_mesh: The devices.
        pspecs: A `PartitionSpec`, or a container of them: how the parts are cut out.

    Returns:
        Local arrays: the inverse of `host_local_array_to_global_array`.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.experimental import multihost_utils
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> x = multihost_utils.host_local_array_to_global_array(np.arange(8), mesh, olympus.P("x"))
        >>> multihost_utils.global_array_to_host_local_array(x, mesh, olympus.P("x")).shape
        (8,)
    """
    leaves, structure = tree.flatten(global_inputs)
    specs = _specs("global_array_to_host_local_array", pspecs, global_inputs)
    return tree.unflatten(structure, [
        _local_part(place(v, _sharding(global_mesh, s))) for v, s in zip(leaves, specs, strict=True)
    ])


def _local_part(value: Array) -> Any:
    shards = value.addressable_shards
    starts = [sorted({s.index[d].start or 0 for s in shards}) for d in range(value.ndim)]
    local = value.sharding.shard_shape(value.shape)
    corners = {tuple(s.index[d].start or 0 for d in range(value.ndim)) for s in shards}
    if len(corners) != math.prod(map(len, starts)):
        raise ShardsError("This process's parts do not make up one block of the array.",
                          given=f"parts that begin at {sorted(corners)}", expected="a full grid of parts")
    whole = np.empty([len(starts[d]) * local[d] for d in range(value.ndim)], value.dtype)
    for shard in shards:
        corner = [starts[d].index(shard.index[d].start or 0) * local[d] for d in range(value.ndim)]
        whole[tuple(slice(c, c + n) for c, n in zip(corner, local, strict=True))] = np.asarray(shard.data)
    return asarray(whole)


def _sharding(mesh: Mesh, spec: PartitionSpec) -> NamedSharding:
    return _made_once(mesh, spec, spec.partitions) if isinstance(mesh, Mesh) else NamedSharding(mesh, spec)


@lru_cache(maxsize=16)
def _made_once(mesh: Mesh, spec: PartitionSpec, _entries: tuple[Any, ...]) -> NamedSharding:
    """The same object for the same words: what it works out of itself is then known from one batch to the next."""
    return NamedSharding(mesh, spec)


def _specs(function: str, pspecs: Any, values: Any) -> list[PartitionSpec]:
    found = spread(function, "pspecs", pspecs, values, lambda s: s is None or isinstance(s, PartitionSpec),
                   "a PartitionSpec, or None,")
    return [PartitionSpec() if spec is None else spec for spec in found]
