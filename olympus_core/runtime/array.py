# SPDX-License-Identifier: Apache-2.0
"""Arrays: a type, a sharding, and one buffer for each of this process's shards."""

from __future__ import annotations

import operator
from itertools import repeat
from typing import Any, TypeVar

import numpy as np

from olympus_core import recording
from olympus_core.config import config
from olympus_core.dtypes import cast, uncarried_array
from olympus_core.errors import (
    ArgumentError,
    DeletedError,
    ExportError,
    NotAddressableError,
    ScalarConversionError,
    described,
)
from olympus_core.location import user_location
from olympus_core.placement import Index, Layout, Sharding, SingleDeviceSharding
from olympus_core.placement.mesh import refuse_closed
from olympus_core.plugin import Buffer, Device
from olympus_core.program import ArrayType

from .sealing import is_sealed, sealed
from .signature import Signature

Self = TypeVar("Self", bound="Array")


class SharedBuffers(list[Buffer]):
    """Buffers that another array or NumPy uses, too: they are dropped, but never deleted nor reused."""

    __slots__ = ()


class _Gone:
    """Replaces one buffer of an array that was deleted or donated; threads that still read it get the error."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Called for whatever is read of it that a buffer would have."""
        if name.startswith("__"):  # what Python and its tools ask of any object
            return object.__getattribute__(self, name)
        raise DeletedError("given to a call", "another thread had deleted or donated it")


_GONE: Any = _Gone()
_gone: dict[int, SharedBuffers] = {}  # by the number of buffers


def _gone_buffers(count: int) -> SharedBuffers:
    """Replaces the buffers of an array that was deleted or donated."""
    found = _gone.get(count)
    if found is None:
        found = _gone[count] = SharedBuffers([_GONE] * count)
    return found


class Shard:
    """One device's part of an array.

    Attributes:
        device: Where it is.
        index: Its slices of the whole array.
        replica_id: Counts the devices that hold the same part.
        data: The part as an array on its device; None where the device belongs to another process.
    """

    __slots__ = ("_array", "_at")  # all else is looked up when it is asked for: often of one of many

    def __init__(self, array: Array, at: int) -> None:
        self._array, self._at = array, at

    @property
    def device(self) -> Device:
        """Where it is."""
        return self._array._signature.parts()[self._at][0]

    @property
    def index(self) -> Index:
        """Its slices of the whole array."""
        return self._array._signature.parts()[self._at][1]

    @property
    def replica_id(self) -> int:
        """Counts the devices that hold the same part."""
        return self._array._signature.parts()[self._at][2]

    @property
    def data(self) -> Any:
        """The part as an array on its device; None where the device belongs to another process."""
        local = self._array._signature.sharding.local_positions
        if self._at not in local:
            return None
        return self._array._from_buffer(self._array._share()[local.index(self._at)])

    def __repr__(self) -> str:
        depth = self._array.ndim if self._at in self._array._signature.sharding.local_positions else 0
        data = "[" * depth + "..." + "]" * depth if depth else self.data
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, data={data})"


class Array:
    """An immutable array on the devices of one or more processes.

    Made by olympus's functions, never by the class itself. A language derives from it to add operators.
    """

    __slots__ = ("__weakref__", "_buffers", "_committed_at", "_deleted_by", "_signature", "_value")
    _signature: Signature
    _buffers: list[Buffer]
    _value: np.ndarray | None
    _deleted_by: str | None
    _committed_at: str

    @classmethod
    def _make(cls: type[Self], signature: Signature, buffers: list[Buffer]) -> Self:
        self = object.__new__(cls)
        self._signature, self._buffers = signature, buffers
        self._value = self._deleted_by = None
        self._committed_at = ""
        return self

    def _from_buffer(self: Self, buffer: Buffer) -> Self:
        sharding = SingleDeviceSharding.of(buffer.device)
        if self.sharding.memory_kind != sharding.memory_kind:
            sharding = sharding.with_memory_kind(self.sharding.memory_kind)
        type_ = ArrayType(buffer.shape, self._signature.type.dtype)
        signature = Signature(type_, sharding, True, self._signature.weak)
        return type(self)._make(signature, SharedBuffers([buffer]))

    def _share(self) -> SharedBuffers:
        """The buffers, for another array to hold as well."""
        self._check_alive()
        buffers = self._buffers
        if type(buffers) is not SharedBuffers:
            buffers = self._buffers = SharedBuffers(buffers)
        self._check_alive()  # who ended the array without having seen them shared has said so before
        return buffers

    def _is_shared(self) -> bool:
        """Whether something else may look at the memory: another array, or NumPy by way of `_fetch`."""
        return type(self._buffers) is SharedBuffers or self._value is not None

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self._signature.type.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self._signature.type.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._signature.type.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._signature.type.size

    @property
    def nbytes(self) -> int:
        """Bytes of all elements together, each counted once."""
        return self._signature.type.nbytes

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._signature.type.dtype.itemsize

    @property
    def weak_type(self) -> bool:
        """Whether the element type gives way in promotion, as a Python number's does."""
        return self._signature.weak

    @property
    def sharding(self) -> Sharding:
        """Where its parts are."""
        return self._signature.sharding

    @property
    def committed(self) -> bool:
        """Whether the user chose where it is."""
        return self._signature.committed

    def devices(self) -> set[Device]:
        """The devices that hold a part, of all processes."""
        return set(self.sharding.devices)

    @property
    def device(self) -> Any:
        """The device, for an array on one; else the sharding."""
        devices = self.sharding.devices
        return devices[0] if len(devices) == 1 else self.sharding

    @property
    def is_fully_addressable(self) -> bool:
        """Whether all its parts are in this process."""
        return self.sharding.is_fully_addressable

    @property
    def is_fully_replicated(self) -> bool:
        """Whether every device holds the whole."""
        return self.sharding.is_fully_replicated

    @property
    def addressable_shards(self) -> list[Shard]:
        """The parts in this process; never communicates."""
        self._check_alive()
        return list(map(Shard, repeat(self), self._signature.sharding.local_positions))

    @property
    def global_shards(self) -> list[Shard]:
        """All parts; `data` is None for those of other processes."""
        self._check_alive()
        return list(map(Shard, repeat(self), range(len(self._signature.parts()))))

    def addressable_data(self: Self, index: int) -> Self:
        """The `index`-th of this process's parts, as an array on its device."""
        self._check_alive()
        share = self._share()
        try:
            return self._from_buffer(share[operator.index(index)])
        except (TypeError, IndexError):
            raise ArgumentError("addressable_data", "there is no such part", described(index),
                                f"an integer below {len(share)}: which of this process's parts") from None

    def block_until_ready(self: Self) -> Self:
        """Waits until the content is there; raises the error of what was to make it.

        Returns:
            The array itself.
        """
        if self._deleted_by is not None:
            self._check_alive()
        for buffer in self._buffers:
            buffer.block_until_ready()
        return self

    def is_ready(self) -> bool:
        """Whether the content is there."""
        self._check_alive()
        return all(buffer.is_ready() for buffer in self._buffers)

    def copy_to_host_async(self) -> None:
        """Begins to fetch the value, where that is possible, so that reading it later waits less."""
        if self._value is None and self._is_at_hand():
            self._fetch()

    def delete(self) -> None:
        """Gives the memory back now, unless another array has it too; using the array then raises `DeletedError`."""
        self._release("delete()")

    def is_deleted(self) -> bool:
        """Whether the memory was given back."""
        return self._deleted_by is not None

    def _release(self, reason: str, delete: bool = True) -> None:
        """Ends the array: its buffers are deleted, unless another array has them too, or let go."""
        buffers = self._lend(reason)
        if delete and buffers is not None and type(buffers) is not SharedBuffers:
            for buffer in buffers:
                buffer.delete()

    def _lend(self, reason: str) -> list[Buffer] | None:
        """Ends the array and gives its buffers, which nobody comes by any more; None where it was ended before.

        Who has read them before goes on reading them: buffers see to it that their memory stays for as long. Threads
        that read or share the buffers at the same time rely on the order of what is done here.
        """
        if self._deleted_by is not None:
            return None
        self._deleted_by = reason
        self._signature = self._signature.of_deleted()
        gone = _gone_buffers(len(self._buffers))
        buffers, self._buffers = self._buffers, gone
        self._value = None
        return buffers

    def _take_back(self, buffers: list[Buffer]) -> None:
        """Takes lent buffers back, after a failure that left them as they were."""
        known = self._signature
        self._signature = Signature(known.type, known.sharding, known.committed, known.weak)
        self._buffers, self._deleted_by = buffers, None

    def _check_alive(self) -> None:
        if self._deleted_by is not None:
            raise DeletedError(str(self._signature.type), self._deleted_by)

    def _is_at_hand(self) -> bool:
        """Whether this process holds every element."""
        if not self._buffers:
            return False
        if self.sharding.is_fully_addressable or self.sharding.is_fully_replicated:
            return True
        layout = self.sharding.layout(self.ndim)
        if layout.unreduced:  # other processes have terms of the sum
            return False
        boxes = layout.boxes(self.shape)[list(self.sharding.local_positions)]
        covered = {tuple(map(tuple, box)) for box in boxes}
        return sum(int(np.prod([b - a for a, b in box])) for box in covered) == self.size

    def _check_readable(self) -> None:
        if not self._is_at_hand():
            refuse_closed(self.sharding.devices)  # nobody can be asked for the rest any more
            raise NotAddressableError()
        if config.transfer_guard or config.transfer_guard_device_to_host:
            from .transfers import to_host  # not before somebody guards them

            to_host(self._signature.type, self._buffers)

    def _corners(self, kept: int) -> np.ndarray:
        """What a summary shows of the value, with its ellipses, read from the shards without gathering the rest.

        Args:
            kept: How many elements are shown at each end of a dimension; of long ones there is one more here.
        """
        layout = self.sharding.layout(self.ndim)
        if self._value is not None or layout.unreduced:
            return self._fetch()
        self._check_readable()
        picks = [np.r_[: kept + 1, n - kept : n] if n > 2 * kept + 1 else np.arange(n) for n in self.shape]
        value = np.empty([len(pick) for pick in picks], self._signature.type.carried().dtype)
        boxes = layout.boxes(self.shape).tolist()
        # One buffer for each part: replicas hold the same.
        places = zip(self.sharding.local_positions, self._buffers, strict=True)
        parts = {tuple(map(tuple, boxes[position])): buffer for position, buffer in places}
        for box, buffer in parts.items():
            inside = [np.flatnonzero((low <= p) & (p < high)) for p, (low, high) in zip(picks, box, strict=True)]
            if all(map(len, inside)):
                there = [p[i] - low for p, i, (low, _) in zip(picks, inside, box, strict=True)]
                value[np.ix_(*inside)] = buffer.to_host()[np.ix_(*there)]
        own = self._signature.type.dtype
        return value if value.dtype.kind == own.kind else uncarried_array(value, own)

    def _fetch(self) -> np.ndarray:
        """The whole value as a locked NumPy array, for the runtime itself: users get it from `__array__`."""
        self._check_alive()
        value = self._value
        if value is not None:
            return value
        self._check_readable()
        to = recording.recorder
        if to is None:
            return self._fetched()
        return recording.timed(to, "transfer", "to the host", user_location(2), self._fetched, bytes=self.nbytes)

    def _fetched(self) -> np.ndarray:
        value: np.ndarray
        if self.sharding.is_fully_replicated:
            value = self._buffers[0].to_host()
        elif (layout := self.sharding.layout(self.ndim)).unreduced:
            value = self._summed(layout)
        else:
            value = np.empty(self.shape, self._signature.type.carried().dtype)
            indices = layout.indices(self.shape)
            for position, buffer in zip(self.sharding.local_positions, self._buffers, strict=True):
                value[indices[position]] = buffer.to_host()
            value.flags.writeable = False
        if value.dtype.kind != (own := self._signature.type.dtype).kind:
            value = uncarried_array(value, own)  # buffers hold carriers of keys and of the narrowest numbers
        self._value = value
        if self._deleted_by is not None:
            self._value = None  # deleted meanwhile: it keeps no memory
        return value

    def _summed(self, layout: Layout) -> np.ndarray:
        """The sum of the terms that the devices of this process, which has all of them, hold."""
        value = np.zeros(self.shape, self._signature.type.carried().dtype)
        indices, parts, terms = layout.indices(self.shape), layout.coordinates().tolist(), layout.terms().tolist()
        seen: set[Any] = set()
        for position, buffer in zip(self.sharding.local_positions, self._buffers, strict=True):
            term = (*parts[position], terms[position])
            if term not in seen:
                seen.add(term)
                value[indices[position]] += buffer.to_host()
        value.flags.writeable = False
        return value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        value = self._fetch()
        if not is_sealed(value):
            value = self._value = sealed(value)
        value = value if dtype is None or copy is False else cast(value, np.dtype(dtype))
        # NumPy itself words the refusal of a copy that is needed; before NumPy 2 it has no `copy=None`.
        made = np.asarray(value, dtype) if copy is None else np.array(value, dtype, copy=copy)
        return made.view() if made is value else made  # nobody gives others another shape

    def item(self, *args: int) -> Any:
        """The element as a Python number."""
        return self._fetch().item(*args)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._fetch().tolist()

    def _scalar(self) -> Any:
        if self.size != 1:
            raise ScalarConversionError(self.shape)
        return self._fetch().reshape(()).item()

    def __bool__(self) -> bool:
        return bool(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        if self.ndim:
            raise ScalarConversionError(self.shape)
        return self._fetch().item().__index__()

    def __len__(self) -> int:
        if not self.shape:
            raise ScalarConversionError(self.shape)
        return self.shape[0]

    def __dlpack__(
        self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None, copy: bool | None = None,
    ) -> Any:
        self._check_alive()
        if len(self._buffers) != 1 or not self.sharding.is_fully_addressable or len(self.sharding.devices) != 1:
            raise ExportError(str(self._signature.type), len(self.sharding.devices))
        if self._signature.type.carried() is not self._signature.type:
            raise ExportError(str(self._signature.type), 1)
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        options = {name: value for name, value in given.items() if value is not None}
        return self._share()[0].__dlpack__(**options)  # type: ignore[attr-defined]  # declared as a capability

    def __dlpack_device__(self) -> tuple[int, int]:
        self._check_alive()
        return self._buffers[0].__dlpack_device__()  # type: ignore[attr-defined]  # as above

    def _summary(self) -> str:
        return f"Array(shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        if self._deleted_by is not None:
            return f"Array(shape={self.shape}, dtype={self.dtype.name}, deleted)"
        if not self._buffers:
            return self._summary()
        if not self._is_at_hand():
            return f"Array(shape={self.shape}, dtype={self.dtype.name}, sharding={self.sharding!r})"
        hidden = "" if self.size else f"shape={self.shape}, "
        kind = f"{hidden}dtype={self.dtype.name}" + (", weak_type=True)" if self.weak_type else ")")
        shown, threshold = self._shown(1000)
        text = np.array2string(shown, prefix="Array(", suffix=",", separator=", ", threshold=threshold)
        last_line = len(text) - text.rfind("\n") - 1 + (0 if "\n" in text else len("Array("))
        fits = last_line + len(f", {kind}") <= np.get_printoptions()["linewidth"]
        return f"Array({text}, {kind}" if fits else f"Array({text},\n      {kind}"

    def __str__(self) -> str:
        self._check_alive()
        if not self._buffers:
            return self._summary()
        shown, threshold = self._shown(np.get_printoptions()["threshold"])
        with np.printoptions(threshold=threshold):
            return str(shown)

    def _shown(self, threshold: int) -> tuple[np.ndarray, int]:
        """What is printed of the value, and of how many elements on NumPy is to summarise it."""
        if self.size <= threshold:
            return self._fetch(), threshold
        return self._corners(np.get_printoptions()["edgeitems"]), 0

    def __format__(self, spec: str) -> str:
        self._check_alive()
        if not self._buffers:
            return self._summary()
        value = self._fetch()
        return format(value.item(), spec) if value.ndim == 0 else format(value, spec)
