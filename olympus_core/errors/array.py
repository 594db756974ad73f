# SPDX-License-Identifier: Apache-2.0
"""Errors about arrays and their values."""

from __future__ import annotations

from collections.abc import Sequence

from .base import OlympusError


class ArrayError(OlympusError):
    """Base of the errors about arrays."""


class NotAddressableError(ArrayError, RuntimeError):
    """The whole value of an array was asked for, and part of it lies in other processes."""

    def __init__(self) -> None:
        # The documents print this text: it stands as it is, without the parts that other errors have.
        Exception.__init__(
            self,
            "Fetching value for `olympus.Array` that spans non-addressable (non process local) devices is not "
            "possible. You can use `olympus.experimental.multihost_utils.process_allgather` to print the global "
            "array or use `.addressable_shards` method of olympus.Array to inspect the addressable (process local) "
            "shards.",
        )


class DeletedError(ArrayError, RuntimeError):
    """An array was used after its memory was given back.

    Args:
        array: The array's type, in text.
        reason: What gave it back.
    """

    def __init__(self, array: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"Array {array} was used after {reason}.",
            fix="Keep a copy (olympus.numpy.copy) of what is used again, or do not donate it.",
        )


class TransferGuardError(ArrayError, RuntimeError):
    """A value was to go between host and devices, or between devices, and an option does not allow it.

    Args:
        direction: ``host-to-device``, ``device-to-device`` or ``device-to-host``.
        what: Its type, in text.
        where: Where it was to go.
        is_explicit: Whether it was asked for: by `device_put` or `device_get`.
        level: The guard's level.
    """

    def __init__(self, direction: str, what: str, where: str, is_explicit: bool, level: str) -> None:
        self.direction = direction
        option = f"transfer_guard_{direction.replace('-', '_')}"
        allowed = f"olympus.{option}('allow')"
        super().__init__(
            f"Disallowed {direction} transfer.", given=f"{what} to {where}, under the guard {level!r}",
            expected="values that are where they are needed" if is_explicit else
                     "values that are where they are needed, or were brought there by device_put or device_get",
            fix=f"Write {allowed} around it." if is_explicit else
                f"Write olympus.device_put or device_get where the transfer is wanted, or {allowed} around it.")


class LostAtForkError(ArrayError, RuntimeError):
    """A result was read in a forked child that its parent was still computing when it forked.

    Args:
        what: What was being computed.
    """

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} was still being computed when this process was forked: its result comes in the parent only.",
            fix="Call block_until_ready() before the fork, or start helpers with the 'spawn' method instead of fork.",
        )


class ExportError(ArrayError, BufferError):
    """An array was to be exported by DLPack that spans several devices, or whose elements it does not describe.

    Args:
        array: The array's type, in text.
        count: Its number of devices.
    """

    def __init__(self, array: str, count: int) -> None:
        self.count = count
        if count == 1:
            super().__init__("DLPack has no such elements.", given=array, expected="ordinary elements",
                             fix="Convert it with x.astype(...), or take its bits with x.view('uint8').")
            return
        super().__init__(
            "DLPack describes one device's memory.", given=f"{array} on {count} devices", expected="an array on one",
            fix="Export its addressable_shards[i].data one by one.",
        )


class DonationError(ArrayError, ValueError, RuntimeError):
    """An array was donated to a call that was given it twice.

    Args:
        function: The function.
        array: The array's type, in text.
        positions: Where it stands among the call's arrays.
    """

    def __init__(self, function: str, array: str, positions: Sequence[int]) -> None:
        self.function, self.positions = function, tuple(positions)
        super().__init__(
            f"{function}: a donated array is given twice in one call.",
            given=f"{array} as arrays {' and '.join(map(str, self.positions))} of the call",
            expected="memory that may be reused, which nobody else reads",
            fix="Give a copy (olympus.numpy.copy) in one of the places, or do not donate it.",
        )


class ImmutableError(ArrayError, TypeError):
    """Someone tried to change an array in place, or what stands for one.

    Args:
        what: What it is.
        field: What was to be set of it; nothing for an element.
    """

    def __init__(self, what: str = "array", field: str = "") -> None:
        super().__init__(
            f"An olympus {what} never changes; "
            + (f"its {field} cannot be set." if field else "item assignment is not possible."),
            fix=f"Make another one: y = x.update({field}=value)." if field else
            "Write y = x.at[index].set(value), which makes a new array.")


class ScalarConversionError(ArrayError, TypeError, ValueError):
    """A Python number was asked of an array that has more than one element.

    Args:
        shape: The array's shape.
    """

    def __init__(self, shape: Sequence[int]) -> None:
        self.shape = tuple(shape)
        super().__init__(
            "Only an array with exactly one element converts to a Python number.", given=f"shape {self.shape}",
            fix="Reduce or index it first.",
        )


class IndexConversionError(ArrayError, TypeError):
    """A Python integer was asked of an array that is not one.

    Args:
        array: The array's type, in text.
    """

    def __init__(self, array: str) -> None:
        super().__init__(
            "Only an array of integers and no dimensions serves as a Python integer.", given=array,
            expected="an integer array of no dimensions, such as int32[]",
            fix="Take one element of it, and convert floats with x.astype(int).",
        )


class KeyConversionError(ArrayError, TypeError):
    """Numbers were asked of keys of random numbers.

    Args:
        what: What was asked for.
        array: The keys' type, in text.
    """

    def __init__(self, what: str, array: str) -> None:
        super().__init__(f"Keys of random numbers do not convert to {what}.", given=array,
                         fix="Take the words that they consist of with random.key_data(keys).")


class LengthError(ArrayError, TypeError):
    """The length of an array of no dimensions was asked for.

    Args:
        array: The array's type, in text.
    """

    def __init__(self, array: str) -> None:
        super().__init__("An array of no dimensions has no length.", given=array, expected="an array with dimensions",
                         fix="Give it a dimension with x[None], or leave out what asks for its length.")


class ShardsError(ArrayError, ValueError):
    """The pieces given for an array do not make up the array that its sharding describes.

    Args:
        problem: What does not fit, a sentence.
        given: What was given.
        expected: What would fit.
    """

    def __init__(self, problem: str, given: object = None, expected: object = None) -> None:
        super().__init__(problem, given=given, expected=expected,
                         fix="Give one array for each of this process's devices in the sharding, each of the "
                             "shape sharding.shard_shape(shape).")


class NarrowedTypeWarning(UserWarning):
    """A 64-bit element type was asked for by name while 64 bits are not enabled.

    Args:
        function: Where it was asked for.
        dtype: The element type's name.
        narrow: The one that is taken.
    """

    def __init__(self, function: str, dtype: str, narrow: str) -> None:
        self.function, self.dtype, self.narrow = function, dtype, narrow
        super().__init__(
            f"{function}: element type {dtype} was asked for and {narrow} is taken: 64 bits are not enabled. "
            f"Write {narrow}, or enable them with OLYMPUS_ENABLE_X64=1 or "
            "olympus.config.update('olympus_enable_x64', True)."
        )


class IntegerOverflowWarning(RuntimeWarning):
    """Integers of a NumPy array do not fit the element type that they become; they wrap.

    Args:
        dtype: The NumPy array's element type.
        narrow: The one that it becomes.
        least: The least of its numbers.
        greatest: The greatest.
    """

    def __init__(self, dtype: str, narrow: str, least: int, greatest: int) -> None:
        self.dtype, self.narrow, self.least, self.greatest = dtype, narrow, least, greatest
        super().__init__(
            f"A NumPy array of {dtype} becomes {narrow}, and its numbers from {least} to {greatest} do not all fit: "
            "those wrap. Enable 64 bits with OLYMPUS_ENABLE_X64=1 or olympus.config.update('olympus_enable_x64', "
            "True), or give numbers that fit."
        )
