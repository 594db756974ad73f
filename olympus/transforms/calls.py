"""The hot path: a compiled call takes leaves, hands buffers to the executable, wraps what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.placement import Layout, sharding_of
from olympus_core.plugin import Buffer
from olympus_core.runtime import LoadedProgram, Signature, get_world, put_host, reshard

from ..array import Array, is_concrete
from ..tracing import Aval, host_value

Convert = Callable[[Any], list[Buffer]]
_KEPT_SCALARS = 512


class CompiledCall:
    """A function, compiled for arguments of certain types in certain places.

    Args:
        loaded: The compiled program.
        converts: For each leaf how to get its buffers; None where the array's own serve.
        captured: Buffers of the arrays that the function uses from outside.
        outputs: Signatures of the results.
        rebuild: Makes the function's result of the flat list of arrays.
        donated: Indices of the leaves whose memory may be reused.
    """

    __slots__ = ("_captured", "_converts", "_donated", "_execute", "_outputs", "_rebuild", "loaded")

    def __init__(
        self, loaded: LoadedProgram, converts: Sequence[Convert | None], captured: Sequence[list[Buffer]],
        outputs: Sequence[Signature], rebuild: Callable[[list[Any]], Any] | None, donated: Sequence[int],
    ) -> None:
        self.loaded = loaded
        self._execute = loaded.execute
        self._converts = tuple(converts) if any(c is not None for c in converts) else None
        self._captured = list(captured)
        self._outputs = tuple(outputs)
        self._rebuild = rebuild
        self._donated = tuple(donated)

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """Runs it on the flat arguments."""
        if self._converts is None:
            inputs = [leaf._buffers for leaf in leaves]
        else:
            inputs = [
                leaf._buffers if convert is None else convert(leaf)
                for leaf, convert in zip(leaves, self._converts)  # noqa: B905  (lengths agree by construction)
            ]
        for leaf in leaves:
            if type(leaf) is Array and leaf._deleted_by is not None:
                leaf._check_alive()
        if self._captured:
            inputs += self._captured
        results = self._execute(inputs)
        if self._donated:
            for index in self._donated:
                if type(leaves[index]) is Array:
                    leaves[index]._release("it was donated to a jitted function", delete=False)
        make = Array._make
        if self._rebuild is None:
            return make(self._outputs[0], results[0])
        return self._rebuild([make(s, buffers) for s, buffers in zip(self._outputs, results)])  # noqa: B905


def converter(leaf: Any, aval: Aval, layout: Layout) -> Convert | None:
    """How the buffers of a leaf of this kind are had in a layout; None where the array's own serve.

    Args:
        leaf: A leaf of the kind.
        aval: What tracing knows of it.
        layout: Where the program needs it.
    """
    sharding = sharding_of(layout)
    if is_concrete(leaf):
        if leaf.sharding.layout(leaf.ndim).mesh.flat_devices == layout.mesh.flat_devices and (
            leaf.sharding.is_equivalent_to(sharding, leaf.ndim)
        ):
            return None
        return lambda array: place(array, sharding)._buffers
    dtype, devices = aval.dtype, layout.mesh.local_devices
    client = get_world().client(layout.mesh.flat_devices[0])
    if aval.shape or not layout.is_replicated:
        return lambda value: put_host(Array, host_value(value, dtype), sharding, True)._buffers
    kept: dict[Any, list[Buffer]] = {}

    def scalar(value: Any) -> list[Buffer]:
        if isinstance(value, np.ndarray):
            value = value.item()  # an array cannot be a key
        found = kept.get(value)
        if found is None:
            host = host_value(value, dtype)
            found = [client.buffer_from_host(host, device) for device in devices]
            if value and len(kept) < _KEPT_SCALARS:  # 0.0 and -0.0 are equal keys
                kept[value] = found
        return found

    return scalar


def place(array: Array, sharding: Any, committed: bool = True) -> Array:
    """An array in another sharding.

    An array that lies whole in this process and goes to devices of several processes, this one's among them, is
    each process's own copy of the value, as a host array would be; any other is one array that moves.
    """
    if (
        array.is_fully_addressable and not sharding.is_fully_addressable and sharding.local_positions
    ):
        return put_host(Array, np.asarray(array), sharding, committed, array.weak_type)
    return reshard(array, sharding, committed)
