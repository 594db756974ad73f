# SPDX-License-Identifier: Apache-2.0
"""A GPU that the host's processor emulates, with the interface that the works of products use."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_cuda.codegen.module import Module
from olympus_cuda.products import selection
from olympus_cuda.products.work_steps import ProductWork

from ..emulation import EmulatedModule
from ..emulation.memory import Guarded


@dataclasses.dataclass(frozen=True)
class DeviceProperties:
    """The properties of a GPU that a work may ask for."""

    architecture: str = "sm_90"


class EmulatedGpu:
    """One GPU, and the store of its code; kernels run at once."""

    choices = None

    def __init__(self, architecture: str = "sm_90") -> None:
        self._properties = DeviceProperties(architecture)
        self.launches = 0
        self.bounds: list[tuple[int, int]] = []

    def properties(self, ordinal: int) -> DeviceProperties:
        """The GPU's properties."""
        return self._properties

    @contextlib.contextmanager
    def using(self, ordinal: int) -> Iterator[None]:
        """The GPU is the current one."""
        yield

    def use(self, ordinal: int) -> None:
        """The GPU is the current one from now on."""

    def functions(self, module: Module, ordinal: int, name: str) -> Callable[[str], Any]:
        """The kernels of a text, by name."""
        loaded = EmulatedModule(module.text)
        return lambda function: (loaded, function)

    def allow_shared(self, function: Any, nbytes: int, ordinal: int) -> None:
        """A kernel may have so much shared memory."""

    def launch(self, function: Any, grid: int, block: int, shared: int, stream: int, arguments: Sequence[int]) -> None:
        """Runs a kernel."""
        module, name = function
        self.launches += 1
        module.launch(name, grid, block, shared, arguments, self.bounds)


def made_step(operation: Operation) -> Any:
    """The work of an operation where cuSOLVER and cuBLAS are not installed, or None."""
    gpu: Any = SimpleNamespace(binding=lambda library: None)
    return selection.made_step(operation, gpu)


def operation_of(record: OperationRecord, arrays: Sequence[np.ndarray], **attributes: Any) -> Operation:
    """An operation on values of the arrays' types."""
    operands = tuple(Value(ArrayType(a.shape, a.dtype)) for a in arrays)
    types = record.type_rule([v.type for v in operands], attributes, ())
    return Operation(record, operands, attributes, (), tuple(map(Value, types)), None)


def some(shape: Sequence[int], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    """Elements of a type, small enough for narrow ones."""
    random = np.random.default_rng(seed)
    if dtypes.is_bool(dtype):
        return random.integers(0, 2, shape).astype(dtype)
    if dtypes.is_integer(dtype):
        return random.integers(-9 if np.issubdtype(dtype, np.signedinteger) else 0, 9, shape).astype(dtype)
    if dtypes.is_complex(dtype):
        return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)
    return random.normal(size=shape).astype(dtype)


def expected(operation: Operation, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What the operation's reference gives."""
    reference = operation.record.reference
    assert reference is not None
    return list(reference(arrays, operation.attributes))


def assert_near(given: np.ndarray, wanted: np.ndarray) -> None:
    """Equal up to the order of sums; exactly for whole numbers."""
    assert given.dtype == wanted.dtype and given.shape == wanted.shape
    if dtypes.is_integer(given.dtype):
        np.testing.assert_array_equal(given, wanted)
        return
    size = given.dtype.itemsize // (2 if dtypes.is_complex(given.dtype) else 1)
    tolerance = {8: 1e-12, 4: 1e-5, 2: 2e-2, 1: 0.3}[size]
    wide = np.complex128 if dtypes.is_complex(given.dtype) else np.float64
    np.testing.assert_allclose(given.astype(wide), wanted.astype(wide), rtol=tolerance, atol=tolerance)


def alone(work: ProductWork) -> list[ProductWork]:
    """A work for each of its variants, with no other to fall back to."""
    return [dataclasses.replace(work, variants=(variant,)) for variant in work.variants]


def run(
    work: ProductWork, arrays: Sequence[np.ndarray], gpu: EmulatedGpu | None = None, shift: int = 0
) -> list[np.ndarray]:
    """A work's results for some operands that begin `shift` bytes behind an aligned address.

    What it writes beside its results and its scratch is an error.
    """
    device = gpu or EmulatedGpu()
    inputs = [Guarded(np.concatenate([np.zeros(shift, np.uint8), np.ascontiguousarray(a).reshape(-1).view(np.uint8)]))
              for a in arrays]
    outputs = [Guarded(v.type.nbytes) for v in work.outputs]
    scratch = Guarded(work.scratch)
    device.bounds = [g.bound for g in (*inputs, *outputs, scratch)]
    handle: Any = device
    enqueue = work.prepare(handle, 0, handle)
    stream: Any = SimpleNamespace(ptr=0)
    addresses = [*(g.address + shift for g in inputs), *(g.address for g in outputs)]
    enqueue(stream, addresses, scratch.address if work.scratch else 0)
    for array, guarded in zip(arrays, inputs, strict=True):
        assert guarded.bytes[shift:].tobytes() == np.ascontiguousarray(array).tobytes(), "an operand was written over"
    return [g.read(v.type.dtype, v.type.shape) for g, v in zip(outputs, work.outputs, strict=True)]
