# SPDX-License-Identifier: Apache-2.0
"""Buffers: one device's piece of an array."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from olympus_core.placement import Device


@runtime_checkable
class Buffer(Protocol):
    """A typed block of one device's memory. Its content never changes after it is made.

    It may have an attribute `is_spoiled`, which is False where an execution that it was donated to has failed and left
    it as it was; a donated buffer without it then counts as lost.
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""

    @property
    def device(self) -> Device:
        """Where it lives."""

    def to_host(self) -> np.ndarray:
        """The content as a NumPy array that the caller must not write to; waits until it is ready.

        The array keeps its content when the buffer is deleted.
        """

    def copy_to(self, device: Device) -> Buffer:
        """A copy on another device of the same client, ready or not; it and this buffer can be deleted apart."""

    def is_ready(self) -> bool:
        """Whether the content is there; never waits."""

    def block_until_ready(self) -> None:
        """Waits for the content; raises the error of the execution that was to make it."""

    def delete(self) -> None:
        """Ends the buffer and gives its memory back, at once where nobody reads it, else when the last reader is done.

        Any thread may call it, at any time, again too. What has begun with the buffer ends well, with its whole
        content: executions that take or make it, copies of it, reading it, what the host or a consumer got of it.
        What comes later gets an error, `olympus_core.errors.DeletedError` by preference, and never other content.
        A donated buffer has ended in the same way when `Executable.execute` begins to write over it.
        """
