# SPDX-License-Identifier: Apache-2.0
"""Compiled programs, ahead of time or loaded into a client's devices."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import PjrtArgumentError, PjrtClosedError, PjrtError
from .buffer import DTYPES, DeviceBuffer
from .client_handle import ClientHandle
from .devices import release
from .library import Library, addressof
from .structs import fields_of
from .values import NamedValue, integers_at, pointers_at, read_values, text_at


@dataclass(frozen=True, slots=True)
class OptimizedProgram:
    """The optimized program of the compiler.

    Args:
        format: ``"hlo"``, ``"hlo_with_config"`` or ``"mlir"``.
        code: Its bytes.
    """

    format: str
    code: bytes


class Executable:
    """A compiled program; destroyed with this object, or by `close`.

    Args:
        library: The library.
        pointer: The executable.
        loaded: Destroys it, if it belongs to a loaded executable.
    """

    def __init__(self, library: Library, pointer: int, loaded: _Loaded | None = None) -> None:
        self.library, self._loaded = library, loaded
        self._pointer: int | None = pointer

    @property
    def pointer(self) -> int:
        """The library's executable."""
        if self._pointer is None:
            raise PjrtClosedError("executable")
        return self._pointer

    def _number(self, function: str, field: str) -> int:
        return int(getattr(self.library.call(function, executable=self.pointer), field))

    @property
    def name(self) -> str:
        """The program's name."""
        return self.library.text("Executable_Name", "executable_name", executable=self.pointer)

    @property
    def replicas(self) -> int:
        """Number of replicas."""
        return self._number("Executable_NumReplicas", "num_replicas")

    @property
    def partitions(self) -> int:
        """Number of partitions of each replica."""
        return self._number("Executable_NumPartitions", "num_partitions")

    @property
    def outputs(self) -> int:
        """Number of outputs on each device."""
        return self._number("Executable_NumOutputs", "num_outputs")

    @property
    def code_bytes(self) -> int:
        """Size of the machine code."""
        return self._number("Executable_SizeOfGeneratedCodeInBytes", "size_in_bytes")

    @property
    def fingerprint(self) -> str:
        """Equal for equal programs, as hexadecimal digits."""
        struct = self.library.call("Executable_Fingerprint", executable=self.pointer)
        return ctypes.string_at(struct.executable_fingerprint, struct.executable_fingerprint_size).hex()

    def output_types(self) -> list[tuple[tuple[int, ...], np.dtype]]:
        """Shape and element type of each output on one device."""
        types = self.library.call("Executable_OutputElementTypes", executable=self.pointer)
        numbers = integers_at(types.output_types, types.num_output_types, ctypes.c_int)
        struct = self.library.call("Executable_OutputDimensions", executable=self.pointer)
        ranks = integers_at(struct.dim_sizes, struct.num_outputs, ctypes.c_size_t)
        sizes = integers_at(struct.dims, sum(ranks))
        found, start = [], 0
        for number, rank in zip(numbers, ranks, strict=True):
            found.append((sizes[start : start + rank], DTYPES[number]))
            start += rank
        return found

    def memory(self) -> dict[str, int]:
        """The program's memory on a device, in bytes by name."""
        name = "Executable_GetCompiledMemoryStats"
        struct = self.library.call(name, executable=self.pointer)
        return {field: int(getattr(struct, field)) for field in fields_of(name)[3:]}

    def cost(self) -> dict[str, NamedValue]:
        """The compiler's estimates by name, such as ``flops`` and ``bytes accessed``."""
        struct = self.library.call("Executable_GetCostAnalysis", executable=self.pointer)
        return read_values(struct.properties, struct.num_properties)

    def estimates(self) -> dict[str, float]:
        """The estimates ``flops``, ``bytes`` and ``seconds``, as far as the library has them."""
        try:
            found = self.cost()
        except PjrtError:  # not every library estimates
            return {}
        names = (("flops", "flops"), ("bytes", "bytes accessed"), ("seconds", "optimal_seconds"))
        values = [(ours, found.get(theirs)) for ours, theirs in names]
        return {ours: float(v) for ours, v in values if isinstance(v, (int, float)) and v > 0}

    def optimized(self) -> OptimizedProgram:
        """The optimized program of the compiler."""
        program = self.library.new("Program")
        self.library.call("Executable_OptimizedProgram", executable=self.pointer, program=program)  # the size only
        code = ctypes.create_string_buffer(max(program.code_size, 1))
        size = program.code_size
        program.code = addressof(code)
        self.library.call("Executable_OptimizedProgram", executable=self.pointer, program=program)
        return OptimizedProgram(text_at(program.format, program.format_size), code.raw[:size])

    def serialize(self) -> bytes:
        """Serializes it, for the same release of the library."""
        struct = self.library.call("Executable_Serialize", executable=self.pointer)
        data = ctypes.string_at(struct.serialized_bytes, struct.serialized_bytes_size)
        release(struct.serialized_executable_deleter, struct.serialized_executable)
        return data

    def close(self) -> None:
        """Destroys it."""
        pointer, self._pointer = self._pointer, None
        loaded, self._loaded = self._loaded, None
        if loaded is None:
            self.library.destroy("Executable_Destroy", pointer)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            self.close()


class _Loaded:
    """A loaded executable and its description; destroyed together, since some libraries share state between them.

    Args:
        owner: Keeps the client alive.
        loaded: The loaded executable.
        described: Its description.
    """

    __slots__ = ("_described", "_loaded", "_owner")

    def __init__(self, owner: ClientHandle, loaded: int, described: int) -> None:
        self._owner, self._loaded, self._described = owner, loaded, described
        owner.adopt(self)

    def __del__(self) -> None:
        self._owner.library.destroy("Executable_Destroy", self._described)
        self._owner.release(self, "LoadedExecutable_Destroy", self._loaded)


class _Frame:
    """The argument structs of a call of an executable: reused, by one call at a time."""

    __slots__ = ("address", "call", "events", "inputs", "kept", "options", "outputs", "refused")

    def __init__(self, library: Library, executable: int, devices: int, inputs: int, outputs: int) -> None:
        word = ctypes.c_size_t
        self.inputs = (word * max(devices * inputs, 1))()
        self.outputs = (word * max(devices * outputs, 1))()
        self.events = (word * devices)()
        self.options = library.new("ExecuteOptions")
        self.refused: Any = None
        rows = (word * devices)(*[addressof(self.inputs) + 8 * inputs * d for d in range(devices)])
        columns = (word * devices)(*[addressof(self.outputs) + 8 * outputs * d for d in range(devices)])
        self.kept = rows, columns
        self.call = library.new(
            "LoadedExecutable_Execute", executable=executable, options=addressof(self.options),
            argument_lists=addressof(rows), num_devices=devices, num_args=inputs, output_lists=addressof(columns),
            device_complete_events=addressof(self.events),
        )
        self.address = addressof(self.call)


class LoadedExecutable:
    """A program on some devices of a client; destroyed with this object.

    Args:
        owner: Keeps the client alive.
        pointer: The loaded executable.
        inputs: Number of the program's inputs on each device, where known.
    """

    def __init__(self, owner: ClientHandle, pointer: int, inputs: int | None = None) -> None:
        self._owner, self._library = owner, owner.library
        self._pointer: int | None = pointer
        found = self._library.call("LoadedExecutable_GetExecutable", loaded_executable=pointer).executable
        self._loaded: _Loaded | None = _Loaded(owner, pointer, found)
        self.program = Executable(self._library, found, self._loaded)
        self._outputs = self.program.outputs
        struct = self._library.call("LoadedExecutable_AddressableDevices", executable=pointer)
        self.device_pointers = pointers_at(struct.addressable_devices, struct.num_addressable_devices)
        self._devices = len(self.device_pointers)
        self._inputs = inputs
        self._frames: deque[_Frame] = deque()
        self._execute = self._library.functions["LoadedExecutable_Execute"]
        self._library.executables.add(self)

    def forget_in_child(self, refuse: Callable[[int], int | None]) -> None:
        """In a forked child: replaces the execution by a function that raises."""
        self._execute = refuse

    def execute(
        self, inputs: Sequence[Sequence[DeviceBuffer]], keep: Sequence[int] = ()
    ) -> list[list[DeviceBuffer]]:
        """Starts the program on all its devices.

        Args:
            inputs: For each input one buffer for each device, in the order of the assignment.
            keep: Indices of donated inputs whose buffers must not be reused.

        Returns:
            The same for each output; reading an output raises the error of its execution.
        """
        devices, number = self._devices, len(inputs)
        if self._inputs is None:
            self._inputs = number
        if number != self._inputs or (inputs and {*map(len, inputs)} != {devices}):
            raise PjrtArgumentError(
                "LoadedExecutable_Execute", 3,
                f"{number} inputs on {[len(column) for column in inputs]} devices, and not {self._inputs} on {devices}",
            )
        if devices == 1:
            pointers = [column[0].pointer for column in inputs]
        else:
            pointers = [column[d].pointer for d in range(devices) for column in inputs]
        owner = self._owner
        outputs = self._launch(pointers, keep)
        count = self._outputs
        if devices == 1:
            return [[DeviceBuffer(owner, outputs[i])] for i in range(count)]
        return [[DeviceBuffer(owner, outputs[d * count + i]) for d in range(devices)] for i in range(count)]

    def _launch(self, pointers: list[int | None], keep: Sequence[int]) -> list[int]:
        held, pointer = self._loaded, self._pointer  # kept until the call is over
        if held is None or pointer is None:
            raise PjrtClosedError("executable")
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = _Frame(self._library, pointer, self._devices, self._inputs or 0, self._outputs)
        try:
            if pointers:
                frame.inputs[:] = pointers  # type: ignore[assignment]  # None is refused
        except TypeError:
            raise PjrtClosedError("buffer") from None
        if keep:
            frame.refused = (ctypes.c_int64 * len(keep))(*keep)
            frame.options.non_donatable_input_indices = addressof(frame.refused)
            frame.options.num_non_donatable_input_indices = len(keep)
        elif frame.refused is not None:
            frame.refused = frame.options.non_donatable_input_indices = None
            frame.options.num_non_donatable_input_indices = 0
        failure = self._execute(frame.address)
        if failure:
            self._again(frame, failure)
        outputs, events = frame.outputs[:], frame.events[:]
        self._frames.append(frame)
        self._owner.under_way(events)
        return outputs

    def _again(self, frame: _Frame, failure: int) -> None:
        """After an error: adapts the structs' sizes and calls again if these are the cause, else raises it."""
        library = self._library
        for _ in range(4):
            error = library.error("LoadedExecutable_Execute", failure)
            if not library.agree(error, [frame.call, frame.options]):
                raise error
            failure = self._execute(frame.address) or 0
            if not failure:
                return
        raise library.error("LoadedExecutable_Execute", failure)

    def close(self) -> None:
        """Drops it: it is destroyed with `program`; executions in flight are not affected."""
        self._pointer = self._loaded = None
        self._frames.clear()
