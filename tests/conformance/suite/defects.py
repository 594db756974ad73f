"""Platforms that are each wrong in one way, made of the toolkit's: what every requirement is shown to find."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Device, DeviceDescription, Probe
from olympus_core.program import DeviceProgram, operations_of
from olympus_core.toolkit import table_platform
from olympus_core.toolkit.platform import TableBuffer, TableClient, TablePlatform

from .late import late

Run = Callable[[Sequence[Sequence[Any]]], list[list[Any]]]


def broken(
    *, platform: dict[str, Any] | None = None, client: dict[str, Any] | None = None,
    buffer: dict[str, Any] | None = None, execute: Callable[..., Any] | None = None,
    executable: dict[str, Any] | None = None, declared: dict[str, Any] | None = None,
) -> TablePlatform:
    """A platform of NumPy with some methods in the place of the right ones.

    Args:
        platform: Attributes of the platform.
        client: Methods of its client; `TableClient` has the right ones.
        buffer: Methods of its buffers.
        execute: What runs a program: takes the client, the right run, the device program and the inputs.
        executable: Methods of its executables.
        declared: Capabilities that it claims.
    """
    own_buffer = type("Buffer", (_Buffer,), dict(buffer or {}))

    class Client(TableClient):
        _buffer = own_buffer

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.capabilities = replace(self.capabilities, **(declared or {}))
            self.kept: list[Any] = []

        def _wrap(self, array: Any, device: Device) -> TableBuffer:
            made: TableBuffer = own_buffer(array, device, self._platform.table.to_host)
            return made

        def compile(self, program: DeviceProgram, links: Any) -> Any:
            made = super().compile(program, links)
            run = made.execute
            if execute is not None:
                made.execute = lambda inputs: execute(self, run, program, inputs)
            for name, method in (executable or {}).items():
                setattr(made, name, method)
            return made

    for name, method in (client or {}).items():
        setattr(Client, name, method)

    class Platform(TablePlatform):
        def open(self, settings: Any) -> Any:
            return Client(self, settings)

    made: TablePlatform = table_platform("broken", np)
    made.__class__ = Platform
    for name, value in (platform or {}).items():
        setattr(made, name, value)
    return made


class _Buffer(TableBuffer):
    __slots__ = ("__dict__",)

    def copy_to(self, device: Device) -> Any:
        return type(self)(self.array, device, self._read)


# What is wrong with clients and devices.

def _describing(change: Callable[[list[DeviceDescription]], list[DeviceDescription]]) -> TablePlatform:
    right = TableClient.describe_devices
    return broken(client={"describe_devices": lambda self: change(list(right(self)))})


_opened = itertools.count()
_all_alike: list[Any] = []  # what a client that shares too much shares
_end = threading.Event()


def _numbered(descriptions: list[DeviceDescription]) -> list[DeviceDescription]:
    return descriptions if next(_opened) % 2 else descriptions[::-1]


def _bind_first(self: Any, devices: Sequence[Device]) -> None:
    _all_alike.extend(devices)


def _put_on_first(self: Any, value: np.ndarray, device: Device) -> Any:
    return self._wrap(np.array(value, order="C"), _all_alike[device.local_index])


def _leave_thread(self: Any) -> None:
    threading.Thread(target=_end.wait, daemon=True).start()


def _zero_everything(self: Any) -> None:
    for array in _all_alike:
        array[...] = 0


def _put_shared(self: Any, value: np.ndarray, device: Device) -> Any:
    _all_alike.append(np.array(value, order="C"))
    return self._wrap(_all_alike[-1], device)


# What is wrong with buffers.

def _putting(change: Callable[[np.ndarray], np.ndarray]) -> TablePlatform:
    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        made = TableClient.buffer_from_host(self, value, device)  # refuses what it must
        made.array = change(value)
        return made

    return broken(client={"buffer_from_host": put})


def _delete_and_clear(self: Any) -> None:
    if self.array is not None and self.array.flags.writeable:
        self.array[...] = 0
    self.array = None


def _delete_another(self: Any) -> None:
    last = _all_alike[-1]
    if last.flags.writeable:
        last[...] = 0


def _copy_with(change: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
    return {"copy_to": lambda self, device: type(self)(change(self.array), device, self._read)}


def _copy_leaking(self: Any, device: Device) -> Any:
    _all_alike.append(self.array.copy())
    return type(self)(_all_alike[-1], device, self._read)


def _put_leaking(self: Any, value: np.ndarray, device: Device) -> Any:
    self.kept.append(np.array(value, order="C"))
    return self._wrap(self.kept[-1], device)


def _copy_of_copy(self: Any, device: Device) -> Any:
    made = type(self)(self.array if not vars(self) else np.zeros_like(self.array), device, self._read)
    made.is_copy = True
    return made


def _exchanging(change: Callable[[np.ndarray], np.ndarray], **more: Any) -> TablePlatform:
    methods = {"__dlpack__": lambda self, **options: change(self.array).__dlpack__(**options),
               "__dlpack_device__": lambda self: (1, 0), **more}
    return broken(buffer=methods, declared={"dlpack": True})


def _itself(array: np.ndarray) -> np.ndarray:
    return array


def _as_complex(array: np.ndarray) -> np.ndarray:
    return np.asarray(np.conj(array)) if dtypes.is_complex(array.dtype) else array


# What is wrong with executions.

def _spoil(column: list[Any]) -> None:
    """Another number in the place of the last one."""
    buffer = column[-1]
    array = np.array(buffer.array)
    if array.size:
        flat = array.reshape(-1)
        flat[-1] = ~flat[-1] if dtypes.is_bool(array.dtype) else flat[-1] + array.dtype.type(1)
    buffer.array = array


def _wrong(*names: str, name: str = "", where: Callable[[DeviceProgram], bool] = lambda program: True) -> TablePlatform:
    """Wrong in the last output of programs with some operations, or of some name."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
        columns = run(inputs)
        inside = {o.name for o in operations_of(program.program)}
        if (set(names) <= inside) and program.program.name.startswith(name) and where(program):
            for column in columns[:1]:
                _spoil(column)
        return columns

    return broken(execute=execute)


def _caching(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    client.__dict__.setdefault("cached", {})
    return client.cached.setdefault(run, None) or client.cached.update({run: run(inputs)}) or client.cached[run]


def _in_place(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    columns = run(inputs)
    for column in inputs:
        for buffer in column:
            if buffer.array.ndim:
                buffer.array[..., :1] = 0
    return columns


def _reuse_donated(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    columns = run(inputs)
    for i in program.donated:
        for buffer in inputs[i]:
            if buffer.array.flags.writeable:
                buffer.array[...] = -5
    return columns


def _noisy(per_run: bool) -> Callable[..., Any]:
    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
        columns = run(inputs)
        number = next(_opened)
        for column in columns:
            for i, buffer in enumerate(column):
                if buffer.array.dtype == np.float32:
                    buffer.array = buffer.array * np.float32(1 + 1e-6 * (number if per_run else i))
        return columns

    return execute


def _swallowing(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    try:
        return run(inputs)
    except Exception:  # noqa: BLE001
        return [[client._wrap(np.zeros(t.shape, t.dtype), d) for d in program.local_devices]
                for t in program.program.output_types]


def _breaking(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    if client.kept:
        raise RuntimeError("an earlier execution failed")
    try:
        return run(inputs)
    except Exception:
        client.kept.append(True)
        raise


def _counting(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    client.kept.append(len(_all_alike))
    return run(inputs)


def _close_idle_only(self: Any) -> None:
    if self.kept and not _all_alike:  # once: whoever closes the others is not to be disturbed
        _all_alike.append(None)
        raise RuntimeError("executions are under way")


def _leaking(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    client.kept.append([np.array(b.array) for column in inputs for b in column])
    columns = run(inputs)
    client.kept.append([np.array(b.array) for column in columns for b in column])
    return columns


def _main_thread_only(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("the device's context belongs to another thread")
    return run(inputs)


def _compile_main_thread_only(self: Any, program: DeviceProgram, links: Any) -> Any:
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("the compiler belongs to another thread")
    return TableClient.compile(self, program, links)


def _put_main_thread_only(self: Any, value: np.ndarray, device: Device) -> Any:
    if threading.current_thread() is not threading.main_thread():
        value = np.zeros_like(value)
    return self._wrap(np.array(value, order="C"), device)


def _reordered(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    if len(program.devices) < 2:
        return run(inputs)
    order = sorted(range(len(program.devices)), key=lambda i: program.devices[i].id)
    columns = run([[column[i] for i in order] for column in inputs])
    return columns


def _twice_is_once(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    seen: set[int] = set()
    given = []
    for column in inputs:
        given.append([client._wrap(np.zeros_like(b.array), b.device) if id(b) in seen else b for b in column])
        seen |= {id(b) for b in column}
    return run(given)


def _without_repeats(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    columns = run(inputs)
    return [columns[program.program.outputs.index(v)] for v in dict.fromkeys(program.program.outputs)]


def _knowing_everything(self: Any, program: DeviceProgram, links: Any) -> Any:
    from olympus_core.errors import NotSupportedError

    try:
        return TableClient.compile(self, program, links)
    except NotSupportedError:
        raise KeyError("conformance_unknown") from None


def _callbacks_once(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
    """What the first device gives, for all."""
    columns = run([[column[0]] * len(column) for column in inputs])
    return columns


Make = Callable[[], TablePlatform]

# For every requirement, in words and as a platform, something that it finds.
DEFECTS: dict[str, tuple[str, Make]] = {
    "platform/name": ("a name with a capital letter", lambda: broken(platform={"name": "Broken"})),
    "platform/api_version": ("made for another major version", lambda: broken(platform={"api_version": (99, 0)})),
    "platform/priority": ("a priority in words", lambda: broken(platform={"priority": "high"})),
    "platform/probe": ("says that it is unavailable",
                       lambda: broken(platform={"probe": lambda: Probe(False, "nothing here")})),
    "platform/probe_is_quick": (
        "starts its driver in the probe", lambda: broken(
            platform={"probe": lambda: (time.sleep(1.05), Probe(True, "here"))[1]})),
    "devices/at_least_one": ("opens without devices", lambda: _describing(lambda found: [])),
    "devices/ids": ("all ids are 0", lambda: _describing(lambda found: [replace(d, id=0) for d in found])),
    "devices/texts": ("all texts are alike", lambda: _describing(lambda found: [replace(d, text="X") for d in found])),
    "devices/plain_data": ("a lock among the attributes", lambda: _describing(
        lambda found: [replace(d, attributes={"lock": threading.Lock()}) for d in found])),
    "devices/stable": ("another order each time", lambda: _describing(_numbered)),
    "devices/count_setting": ("one device more than asked for", lambda: _describing(
        lambda found: [*found, replace(found[-1], id=len(found), text="MORE", representation="More()")])),
    "devices/bound_devices": ("the devices of the first client are used by all", lambda: broken(
        client={"bind_devices": _bind_first, "buffer_from_host": _put_on_first})),
    "client/capabilities": ("declares an operation that does not exist",
                            lambda: broken(declared={"operations": frozenset({"add", "frobnicate"})})),
    "client/memory_stats": ("a figure as text",
                            lambda: broken(client={"memory_stats": lambda self, device: {"bytes_in_use": "12"}})),
    "client/synchronize": ("nothing ever becomes ready", lambda: broken(buffer={"is_ready": lambda self: False})),
    "client/two_at_once": ("closing one client clears the memory of all", lambda: broken(
        client={"buffer_from_host": _put_shared, "close": _zero_everything})),
    "client/close_returns": ("a thread stays after each close", lambda: broken(client={"close": _leave_thread})),
    "buffers/round_trip": ("negative zero becomes zero", lambda: _putting(
        lambda x: np.where(x == 0, x.dtype.type(0), x))),
    "buffers/layouts": ("takes the elements in the order of memory",
                        lambda: _putting(lambda x: np.array(x.ravel(order="K")).reshape(x.shape))),
    "buffers/host_may_change": ("takes the host's memory as it is", lambda: _putting(np.ascontiguousarray)),
    "buffers/to_host_is_safe": ("hands out its memory, open to writing",
                                lambda: broken(buffer={"to_host": lambda self: self.array})),
    "buffers/host_outlives": ("clears memory when it is deleted", lambda: broken(buffer={"delete": _delete_and_clear})),
    "buffers/metadata": ("shapes are lists", lambda: broken(
        buffer={"shape": property(lambda self: list(self.array.shape))})),
    "buffers/delete_leaves_others": ("delete clears what was made last", lambda: broken(
        client={"buffer_from_host": _put_shared}, buffer={"delete": _delete_another})),
    "buffers/deleted_is_unreadable": ("delete does nothing", lambda: broken(buffer={"delete": lambda self: None})),
    "memory/buffers_returned": ("keeps every buffer's memory", lambda: broken(
        client={"buffer_from_host": _put_leaking})),
    "memory/copies_returned": ("keeps every copy's memory", lambda: broken(buffer={"copy_to": _copy_leaking})),
    "copies/same_bits": ("the last element is lost in copies", lambda: broken(buffer=_copy_with(
        lambda x: np.concatenate([x.reshape(-1)[:-1], x.reshape(-1)[:1]]).reshape(x.shape) if x.size else x))),
    "copies/independent": ("copies share memory that delete clears",
                           lambda: broken(buffer={"delete": _delete_and_clear})),
    "copies/around": ("a copy of a copy is empty", lambda: broken(buffer={"copy_to": _copy_of_copy})),
    "dlpack/same_bits": ("complex numbers come out conjugated", lambda: _exchanging(_as_complex)),
    "dlpack/outlives": ("delete clears what was handed out", lambda: _exchanging(_itself, delete=_delete_and_clear)),
    "dlpack/content_stays": ("hands out its memory, open to writing", lambda: _exchanging(_itself)),
    "execution/one_device": ("a wrong element on the last device", lambda: _wrong(
        name="arithmetic", where=lambda p: p.devices[0].local_index == 2)),
    "execution/devices": ("results in the order of the devices' ids", lambda: broken(execute=_reordered)),
    "execution/repeated": ("hands out the first execution's results again", lambda: broken(execute=_caching)),
    "execution/forms": ("an output that stands twice is given once", lambda: broken(execute=_without_repeats)),
    "execution/inputs_unchanged": ("computes in the memory of its inputs", lambda: broken(execute=_in_place)),
    "execution/outputs_live_alone": ("outputs share memory that delete clears",
                                     lambda: broken(buffer={"delete": _delete_and_clear})),
    "execution/one_buffer_twice": ("takes a buffer for one input only", lambda: broken(execute=_twice_is_once)),
    "execution/described": ("no text", lambda: broken(executable={"text": lambda: ""})),
    "execution/devices_agree": ("each device rounds in its own way", lambda: broken(execute=_noisy(False))),
    "execution/same_bits_again": ("each execution rounds in its own way", lambda: broken(execute=_noisy(True))),
    "execution/large": ("a wrong element at the end of a large array", lambda: _wrong(name="large")),
    "control/cond": ("a wrong element behind branches", lambda: _wrong("cond")),
    "control/while": ("a wrong element behind a loop", lambda: _wrong(name="loop")),
    "control/while_many_turns": ("a wrong count behind a loop", lambda: _wrong(name="count")),
    "control/scan": ("a wrong element behind a scan", lambda: _wrong("scan")),
    "control/call": ("a wrong element behind calls", lambda: _wrong(name="calls")),
    "control/nested": ("a wrong element behind nested regions", lambda: _wrong(name="nested")),
    "control/collectives_inside": ("a wrong element behind a loop that reduces", lambda: _wrong("scan", "all_reduce")),
    "control/groups_part_ways": ("a wrong element behind branches that reduce", lambda: _wrong("cond", "all_reduce")),
    **{f"local_collectives/{name}": ("a wrong element on the last device", lambda name=name: _wrong(name))
       for name in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute", "broadcast", "axis_index")},
    "donation/results": ("a wrong element where an input is donated", lambda: _wrong(where=lambda p: bool(p.donated))),
    "donation/others_unchanged": ("writes over donated memory that others share",
                                  lambda: broken(execute=_reuse_donated)),
    "donation/handed_back": ("writes over donated memory that is an output", lambda: broken(execute=_reuse_donated)),
    "donation/steps": ("a wrong element where an input is donated", lambda: _wrong(where=lambda p: bool(p.donated))),
    "asynchrony/order": ("does not wait for inputs that are still to come", lambda: broken(execute=late("stale"))),
    "asynchrony/host_may_change": ("reads the host's array when it executes", lambda: broken(
        client={"buffer_from_host": lambda self, value, device: self._wrap(np.asarray(value), device)},
        execute=late(""))),
    "asynchrony/readiness": ("is never ready", lambda: broken(execute=late("never ready"))),
    "asynchrony/asking_does_not_wait": ("is_ready waits", lambda: broken(execute=late("asking waits"))),
    "asynchrony/delete_inputs": ("reads its inputs after they are deleted", lambda: broken(execute=late(""))),
    "asynchrony/many_under_way": ("a wrong element in small programs", lambda: _wrong(name="small")),
    "asynchrony/close_under_way": ("close fails where something was executed", lambda: broken(
        client={"close": _close_idle_only}, execute=_counting)),
    "callbacks/results": ("calls with the first device's values only", lambda: broken(execute=_callbacks_once)),
    "callbacks/order": ("leaves out callbacks whose results nobody uses", lambda: broken(
        execute=lambda client, run, program, inputs: [[client._wrap(np.zeros(4, np.float32), program.devices[0])]])),
    "errors/raised": ("zeros instead of an error", lambda: broken(execute=_swallowing)),
    "errors/spread": ("zeros instead of an error", lambda: broken(execute=_swallowing)),
    "errors/leave_others": ("nothing runs after an error", lambda: broken(execute=_breaking)),
    "errors/unknown_operation": ("a KeyError for an unknown operation",
                                 lambda: broken(client={"compile": _knowing_everything})),
    "threads/buffers": ("memory of another thread is empty", lambda: broken(
        client={"buffer_from_host": _put_main_thread_only})),
    "threads/execute": ("executes in the first thread only", lambda: broken(execute=_main_thread_only)),
    "threads/compile": ("compiles in the first thread only", lambda: broken(
        client={"compile": _compile_main_thread_only})),
    "memory/executions_returned": ("keeps every output's memory", lambda: broken(execute=_leaking)),
    "memory/failures_returned": ("keeps the memory of failed executions", lambda: broken(execute=_leaking)),
    "random/programs": ("a wrong element in programs with a product", lambda: _wrong("mul")),
}


def forget() -> None:
    """Ends what defects have left behind."""
    _end.set()
    _end.clear()
    _all_alike.clear()
