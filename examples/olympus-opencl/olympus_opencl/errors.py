"""Errors of OpenCL, and how PyOpenCL's become olympus's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyopencl as cl

from olympus_core.errors import NativeCodeError, OutOfMemoryError, PlatformError

_MEMORY = {cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE, cl.status_code.OUT_OF_HOST_MEMORY,
           cl.status_code.INVALID_BUFFER_SIZE}
# What drivers answer when a device has gone: the first by the standard, the others by habit.
_LOST = {cl.status_code.DEVICE_NOT_AVAILABLE, cl.status_code.OUT_OF_RESOURCES, cl.status_code.INVALID_COMMAND_QUEUE,
         -36, -9999}


class NoDeviceError(PlatformError, LookupError):
    """No OpenCL driver has a device for this process.

    Args:
        given: What was found.
    """

    def __init__(self, given: str) -> None:
        super().__init__("There is no OpenCL device for this process.", given=given,
                         fix="See what `clinfo` lists; OCL_ICD_VENDORS names the folder of drivers' registrations.")


class OpenClError(PlatformError):
    """The OpenCL driver reports an error.

    Args:
        what: What was done.
        status: The name or number of the error.
    """

    def __init__(self, what: str, status: str) -> None:
        self.what, self.status = what, status
        super().__init__(f"The OpenCL driver could not do {what}.", given=status)


class DeviceLostError(OpenClError):
    """A device cannot be used any more: what it was doing failed.

    Args:
        device: The device.
        what: What was done.
        status: The name or number of the error.
    """

    def __init__(self, device: str, what: str, status: str) -> None:
        self.device, self.what, self.status = device, what, status
        PlatformError.__init__(
            self, f"{device} is lost to this process: {what} failed.", given=status,
            fix="Start the process again; the system's log tells of errors of the device itself.")


class DeviceTimeoutError(PlatformError, TimeoutError):
    """A device has not ended its work in time; the wait can be repeated.

    Args:
        device: The device.
        seconds: How long it was waited for.
    """

    def __init__(self, device: str, seconds: float) -> None:
        self.device, self.seconds = device, seconds
        super().__init__(f"{device} has not ended its work within {seconds:g} s.",
                         fix="Where a program only takes long, raise OLYMPUS_LATE_TIMEOUT.")


class OpenClCompileError(NativeCodeError):
    """The driver's compiler rejects generated code: a fault of the code generator.

    Args:
        log: What the compiler says.
        text: The text.
    """

    def __init__(self, log: str, text: str) -> None:
        super().__init__(f"the OpenCL compiler says {log}", text)


def status_name(code: int) -> str:
    """The name of a status.

    Example:
        >>> status_name(-5)
        'OUT_OF_RESOURCES'
    """
    return str(cl.status_code.to_string(code, "status %d")) if code > -1000 else f"status {code}"


def error_of(code: int, device: str, what: str, asked: int = 0, held: int = 0) -> PlatformError:
    """The error of a status."""
    if code in _MEMORY:
        return OutOfMemoryError(asked, held)
    return DeviceLostError(device, what, status_name(code)) if code in _LOST else OpenClError(what, status_name(code))


@contextmanager
def translated(device: str, what: str, asked: int = 0, held: int = 0) -> Iterator[None]:
    """A block whose errors of the driver become the platform's."""
    try:
        yield
    except cl.Error as error:
        code = getattr(error, "code", 0)
        raise error_of(code if isinstance(code, int) else 0, device, what, asked, held) from error
