# SPDX-License-Identifier: Apache-2.0
"""Exchange of memory with other libraries, where it is declared."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Buffer

from ...checks import require, require_equal, require_same_bits
from ...context import Context
from ...errors import Skipped
from ...requirement import Case, requirement
from .buffers import SHAPES, any_bits

_HOST = 1  # DLPack's number for memory that the processor reads
_CARRIED = (dtypes.bool_, *dtypes.INTEGERS, dtypes.float16, dtypes.float32, dtypes.float64, *dtypes.COMPLEXES)


def _read(buffer: Buffer) -> np.ndarray:
    """The buffer's content by DLPack; skips the check where NumPy cannot reach the memory."""
    kind = buffer.__dlpack_device__()  # type: ignore[attr-defined]  # declared as a capability
    require(isinstance(kind, tuple) and len(kind) == 2, observed=f"__dlpack_device__ gave {kind!r}",
            required="a kind of memory and a number")
    if int(kind[0]) != _HOST:
        raise Skipped(f"NumPy cannot read memory of DLPack's kind {int(kind[0])}")
    return np.from_dlpack(buffer)  # type: ignore[arg-type]  # as above


@requirement(
    "dlpack/same_bits",
    "Where DLPack is declared, what a consumer gets from a buffer MUST have its shape, element type and bits.",
    why="Arrays are handed to other libraries without a copy.",
    profile="minimal",
    cases=[Case(str(d), {"dtype": d}, needs=("dlpack", f"dtype:{d}")) for d in _CARRIED],
)
def same_bits(context: Context, dtype: np.dtype) -> None:
    """NumPy is the consumer."""
    for device in context.devices:
        for shape in SHAPES:
            value = any_bits(context, shape, dtype)
            require_same_bits(_read(context.put(value, device)), value, f"{dtype}{list(shape)} by DLPack")


@requirement(
    "dlpack/outlives",
    "What a consumer got by DLPack MUST keep its content when the buffer is deleted and new ones are made.",
    why="The consumer does not know of the buffer.",
    profile="minimal",
    cases=[Case(needs=("dlpack",))],
)
def outlives(context: Context) -> None:
    """Sizes from an element to more than a page."""
    for size in (1, 100, 100_000):
        value = context.random.integers(0, 100, size).astype(np.int32)
        buffer = context.put(value)
        array = _read(buffer)
        buffer.delete()
        del buffer
        others = [context.put(np.full(size, -1, np.int32)) for _ in range(8)]
        require_same_bits(array, value, "what was read by DLPack, after the buffer is deleted")
        for other in others:
            other.delete()


@requirement(
    "dlpack/content_stays",
    "A buffer's content MUST NOT change through what a consumer got by DLPack without asking for a copy: what the "
    "consumer can write to is not the buffer's.",
    why="A buffer never changes; other arrays may share it.",
    profile="minimal",
    cases=[Case(needs=("dlpack",))],
)
def content_stays(context: Context) -> None:
    """Writes where NumPy allows it."""
    value = np.arange(1000, dtype=np.float32)
    buffer = context.put(value)
    array = _read(buffer)
    require_equal(array.shape, (1000,), "the shape by DLPack")
    if array.flags.writeable:
        array[...] = -1
    require_same_bits(buffer.to_host(), value, "the buffer after its consumer wrote")
