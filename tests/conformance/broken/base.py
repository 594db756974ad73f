# SPDX-License-Identifier: Apache-2.0
"""What broken platforms are made of: the toolkit's platform of NumPy, with something in the place of a right part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Buffer, Communicator, Device, Group, Links, Pending, PlatformSettings
from olympus_core.program import DeviceGroups, DeviceProgram, Operation, Program, operations_of
from olympus_core.toolkit import table_platform
from olympus_core.toolkit.platform import TableBuffer, TableClient, TablePlatform

Run = Callable[[Sequence[Sequence[Any]]], list[list[Any]]]
Execute = Callable[[Any, Run, DeviceProgram, Sequence[Sequence[Any]]], list[list[Any]]]
Wrap = Callable[..., Any]


def build(
    *, platform: dict[str, Any] | None = None, client: dict[str, Any] | None = None,
    buffer: dict[str, Any] | None = None, execute: Execute | None = None, executable: dict[str, Any] | None = None,
    declared: dict[str, Any] | None = None, communicator: Wrap | None = None, links: Wrap | None = None,
    table: Any = np,
) -> TablePlatform:
    """A platform with some methods in the place of the right ones.

    Args:
        platform: Attributes of the platform.
        client: Methods of its client; `TableClient` has the right ones.
        buffer: Methods of its buffers.
        execute: What runs a program: takes the client, the right run, the device program and the inputs.
        executable: Methods of its executables.
        declared: Capabilities that it claims.
        communicator: Takes the right communicator and the client, gives the one that is used.
        links: Takes the right links and the client, gives what programs are compiled with.
        table: The operations.
    """
    own_buffer = type("Buffer", (_Buffer,), dict(buffer or {}))

    class Client(TableClient):
        def __init__(self, owner: TablePlatform, settings: PlatformSettings) -> None:
            super().__init__(owner, settings)
            self.capabilities = replace(self.capabilities, **(declared or {}))
            self.settings, self.platform = settings, owner
            self.kept: list[Any] = []  # whatever a defect wants to remember

        def _wrap(self, array: Any, device: Device) -> TableBuffer:
            made: TableBuffer = own_buffer(array, device, self._platform.table.to_host)
            return made

        def open_communicator(self, group: Group, rendezvous: Any) -> Communicator:
            made = super().open_communicator(group, rendezvous)
            return made if communicator is None else communicator(made, self)

        def compile(self, program: DeviceProgram, given: Links) -> Any:
            made = super().compile(program, given if links is None else links(given, self))
            if execute is not None:
                made = made.within(lambda run: lambda inputs: execute(self, run, program, inputs))
            for name, method in (executable or {}).items():
                setattr(made, name, method)
            return made

    for name, method in (client or {}).items():
        setattr(Client, name, method)

    class Platform(TablePlatform):
        memory: list[Any]  # what lives longer than a client

        def open(self, settings: PlatformSettings) -> Any:
            return Client(self, settings)

    made = table_platform("broken", table)
    made.__class__ = Platform
    for name, value in {"memory": [], **(platform or {})}.items():
        setattr(made, name, value)
    return made


class _Buffer(TableBuffer):
    __slots__ = ("__dict__",)

    def copy_to(self, device: Device) -> Any:
        return type(self)(self.array, device, self._read)


class Wrapped:
    """A communicator that hands everything on to a right one; a defect is a method in the place of one of these.

    Args:
        inner: The right one.
        client: Whose it is.
    """

    def __init__(self, inner: Communicator, client: Any = None) -> None:
        self.group, self.inner, self.client = inner.group, inner, client
        self.devices = [inner.group.devices[p] for p in inner.group.local_positions]

    def changed(self, pending: Pending, what: str) -> Pending:
        """What becomes of each communication that gives buffers."""
        return pending

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Any) -> Pending:
        return self.changed(self.inner.all_reduce(inputs, reduction), "all_reduce")

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        return self.changed(self.inner.all_gather(inputs, dimension), "all_gather")

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Any) -> Pending:
        return self.changed(self.inner.reduce_scatter(inputs, dimension, reduction), "reduce_scatter")

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        return self.changed(self.inner.all_to_all(inputs, split_dimension, concat_dimension), "all_to_all")

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        return self.changed(self.inner.permute(inputs, pairs), "permute")

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        return self.changed(self.inner.broadcast(inputs, source), "broadcast")

    def exchange(self, sends: Any, receives: Any) -> Pending:
        return self.changed(self.inner.exchange(sends, receives), "exchange")

    def barrier(self) -> Pending:
        return self.changed(self.inner.barrier(), "barrier")

    def abort(self, reason: str) -> None:
        self.inner.abort(reason)

    def close(self) -> None:
        self.inner.close()


class After:
    """A communication under way whose results are changed, once.

    Args:
        inner: The right one.
        change: Takes the right results and gives the wrong ones.
    """

    def __init__(self, inner: Pending, change: Callable[[list[Any]], list[Any]] = lambda results: results) -> None:
        self.inner, self._change = inner, change
        self._results: list[Any] | None = None

    def is_done(self) -> bool:
        return self.inner.is_done()

    def result(self, deadline: float) -> list[Any]:
        if self._results is None:
            self._results = self._change(self.inner.result(deadline))
        return self._results


class WrappedLinks:
    """Links that hand everything on; see `Wrapped`."""

    def __init__(self, inner: Links, client: Any) -> None:
        self.inner, self.client = inner, client

    def communicator(self, devices: tuple[Device, ...]) -> Communicator:
        return self.inner.communicator(devices)

    def wait(self, pending: Pending, label: str) -> list[Buffer]:
        return self.inner.wait(pending, label)


def arrays(change: Callable[[int, np.ndarray], np.ndarray]) -> Callable[[list[Any]], list[Any]]:
    """A change of buffers, out of one of arrays, which gets the place among the results too."""

    def changed(buffers: list[Any]) -> list[Any]:
        for i, buffer in enumerate(buffers):
            buffer.array = np.asarray(change(i, buffer.array))
        return buffers

    return changed


def off_by_one(array: np.ndarray) -> np.ndarray:
    """Another number in the place of the last one."""
    array = np.array(array)
    if array.size:
        flat = array.reshape(-1)
        flat[-1] = ~flat[-1] if dtypes.is_bool(array.dtype) else flat[-1] + array.dtype.type(1)
    return array


def wrong_after(
    *names: str, name: str = "", where: Callable[[DeviceProgram], bool] = lambda program: True
) -> TablePlatform:
    """Wrong in the last element of the first output on the last device of programs with some operations, or a name."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
        columns = run(inputs)
        inside = {o.name for o in operations_of(program.program)}
        if set(names) <= inside and program.program.name.startswith(name) and where(program):
            for column in columns[:1]:
                column[-1].array = off_by_one(column[-1].array)
        return columns

    return build(execute=execute)


Change = Callable[[Operation, int], dict[str, Any]]


def miscompiling(name: str, change: Change) -> TablePlatform:
    """A platform that takes operations of a name for others.

    Args:
        name: The operation's.
        change: Takes an operation and how deep inside regions it stands; gives the fields to replace.
    """

    def rewritten(program: Program, depth: int) -> Program:
        operations = []
        for operation in program.operations:
            operation = replace(operation, regions=tuple(rewritten(r, depth + 1) for r in operation.regions))
            operations.append(replace(operation, **change(operation, depth)) if operation.name == name else operation)
        return replace(program, operations=tuple(operations))

    def compile(self: Any, program: DeviceProgram, links: Links) -> Any:
        return TableClient.compile(self, replace(program, program=rewritten(program.program, 0)), links)

    return build(client={"compile": compile})


def with_attributes(operation: Operation, **attributes: Any) -> dict[str, Any]:
    """An operation's fields with some attributes changed."""
    return {"attributes": {**operation.attributes, **attributes}}


def turned_round(operation: Operation) -> dict[str, Any]:
    """A collective's fields with the members of its groups in the opposite order."""
    return with_attributes(operation, group=DeviceGroups(tuple(g[::-1] for g in operation.attributes["group"].groups)))
