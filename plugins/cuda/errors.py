# SPDX-License-Identifier: Apache-2.0
"""Errors of NVIDIA's libraries, with their codes and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from olympus_core.errors.platform import NativeCodeError, PlatformError


class NvrtcNotFoundError(PlatformError, ImportError):
    """NVRTC, NVIDIA's run-time compiler, is not installed.

    Args:
        searched: The places that were searched.
    """

    def __init__(self, searched: Sequence[str]) -> None:
        self.searched = tuple(searched)
        super().__init__(
            "NVIDIA's run-time compiler NVRTC is not installed; it compiles kernels for GPUs.",
            given=f"no library in {', '.join(self.searched)}",
            fix="Run pip install 'olympus-runtime[cuda]', or install the CUDA toolkit.",
        )


class NvrtcError(PlatformError):
    """NVRTC failed for another reason than the text that it was given.

    Args:
        function: The function that failed.
        status: The name of its status.
        log: The compiler's log, if any.
    """

    def __init__(self, function: str, status: str, log: str = "") -> None:
        self.function, self.status, self.log = function, status, log
        super().__init__(f"{function} of NVIDIA's run-time compiler failed.", given=f"{status}\n{log}".rstrip())


class CudaCompileError(NativeCodeError):
    """NVRTC rejects generated code: a fault of the code generator.

    Args:
        name: The text's name.
        architecture: The target architecture.
        log: The compiler's log, with lines of the text.
        text: The text.
    """

    def __init__(self, name: str, architecture: str, log: str, text: str) -> None:
        self.name, self.architecture, self.log = name, architecture, log
        super().__init__(f"NVRTC refuses {name} for {architecture}: {log}", text)


class CublasLtNotFoundError(PlatformError, ImportError):
    """cuBLASLt, NVIDIA's library of matrix products, is not installed.

    Args:
        searched: The places that were searched.
    """

    def __init__(self, searched: Sequence[str]) -> None:
        self.searched = tuple(searched)
        super().__init__(
            "NVIDIA's library cuBLASLt is not installed; it multiplies matrices on GPUs.",
            given=f"no library in {', '.join(self.searched)}",
            fix="Run pip install 'olympus-runtime[cuda]', or install the CUDA toolkit; OLYMPUS_CUBLASLT_LIBRARY names "
            "another build of it.",
        )


class CublasLtError(PlatformError):
    """A function of cuBLASLt failed.

    Args:
        function: The function.
        status: The name of its status.
    """

    def __init__(self, function: str, status: str) -> None:
        self.function, self.status = function, status
        super().__init__(f"{function} of cuBLASLt failed.", given=status)


class CublasLtUnsupportedError(CublasLtError):
    """cuBLASLt does not support a product of these types and layouts on this GPU."""


class CudaLibraryError(PlatformError):
    """A function of cuSOLVER or cuBLAS failed.

    Args:
        function: The function.
        status: The name of its status.
    """

    def __init__(self, function: str, status: str) -> None:
        self.function, self.status = function, status
        super().__init__(f"{function} of NVIDIA's libraries of linear algebra failed.", given=status)


class CudaCallError(PlatformError):
    """The driver or the GPU reports an error; work in flight may be lost.

    Args:
        status: The name of the error.
    """

    def __init__(self, status: str) -> None:
        self.status = status
        super().__init__(
            "The NVIDIA driver reports an error.", given=status,
            fix="Errors of a kernel show at a later call; CUDA_LAUNCH_BLOCKING=1 shows them where they happen.",
        )


class CudaMemoryError(CudaCallError, MemoryError):
    """The driver is out of memory, which may be pinned memory of the host."""


class GpuLostError(CudaCallError):
    """A GPU cannot be used by this process any more: a kernel or a copy has failed, or the GPU itself.

    Args:
        status: The driver's name of the error.
        ordinal: The GPU.
        given: For each device on it the last programs and transfers that it was given, the latest first.
    """

    def __init__(self, status: str, ordinal: int, given: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
        self.status, self.ordinal = status, ordinal
        self.given = {device: tuple(works) for device, works in given.items()}
        told = "".join(f"\n    {device} was given last: {'; '.join(works)}" for device, works in self.given.items())
        PlatformError.__init__(
            self, f"GPU {ordinal} is lost to this process: what it was doing failed, and it does nothing more.",
            given=status + told,
            fix="Start the process again. CUDA_LAUNCH_BLOCKING=1 shows which program it is, compute-sanitizer shows the"
            " kernel and the address; `nvidia-smi -q` and the system's log (Xid) tell of errors of the GPU itself.",
        )


class GpuTimeoutError(PlatformError, TimeoutError):
    """A wait for a GPU has timed out: the GPU has made no progress for too long.

    The wait can be repeated: the work is still in flight.

    Args:
        device: The device.
        what: What was waited for.
        seconds: How long it was waited for.
        wait_timeout: How long there was no progress.
        given: The last programs and transfers that the device was given, the latest first.
    """

    def __init__(
        self, device: str, what: str, seconds: float, wait_timeout: float, given: Sequence[str] = ()
    ) -> None:
        self.device, self.what, self.seconds, self.wait_timeout = device, what, seconds, wait_timeout
        self.given = tuple(given)
        super().__init__(
            f"{device} has not ended {what} within {seconds:.1f} s.",
            given=f"nothing has ended there for {wait_timeout:g} s" + (
                f"; it was given last: {'; '.join(self.given)}" if self.given else ""),
            fix="Look at what the program does there, and at `nvidia-smi`; where it only takes long, raise "
            "OLYMPUS_LATE_TIMEOUT. Waiting again goes on with the same wait.",
        )


class NcclNotFoundError(PlatformError, ImportError):
    """NCCL, NVIDIA's library of communication between GPUs, is not installed.

    Args:
        searched: The places that were searched.
    """

    def __init__(self, searched: Sequence[str]) -> None:
        self.searched = tuple(searched)
        super().__init__(
            "NVIDIA's library NCCL is not installed; it carries data between GPUs.",
            given=f"no library in {', '.join(self.searched)}",
            fix="Run pip install 'olympus-runtime[cuda]'; OLYMPUS_NCCL_LIBRARY names another build of it.",
        )


class NcclError(PlatformError, ConnectionError):
    """A function of NCCL or a communication failed.

    Args:
        function: The function.
        status: The name of its status.
        detail: The library's further text, if any.
    """

    def __init__(self, function: str, status: str, detail: str = "") -> None:
        self.function, self.status, self.detail = function, status, detail
        super().__init__(
            f"{function} of NCCL failed.", given=f"{status} {detail}".rstrip(),
            fix="NCCL_DEBUG=WARN in the environment lets the library tell more.",
        )


class NcclOpeningError(PlatformError, TimeoutError):
    """The ranks of a communicator were not connected in time.

    Args:
        devices: The devices, as text.
        seconds: How long they were waited for.
    """

    def __init__(self, devices: Sequence[str], seconds: float) -> None:
        self.devices, self.seconds = tuple(devices), seconds
        super().__init__(
            f"NCCL has not connected {', '.join(devices)} within {seconds:g} s.",
            fix="NCCL_DEBUG=INFO shows how it tries; NCCL_SOCKET_IFNAME names the network interface to use.",
        )


class CarriedByHostWarning(UserWarning):
    """Data between GPUs goes through the memory of the host, which is slow.

    Args:
        reason: Why NCCL is not used.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"Data between GPUs is carried through the host's memory, which is slow: {reason}.")


class CarriedByCopiesWarning(UserWarning):
    """Collectives of programs among GPUs of one process are done on one of them by copies, which is slow.

    Args:
        reason: Why NCCL is not used.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"Collectives among GPUs of this process are done on one of them, which is slow: {reason}.")


class NoSuchGpuError(PlatformError, ValueError):
    """The settings name a GPU that this process does not see.

    Args:
        ordinal: The GPU's ordinal.
        count: Number of GPUs that the process sees.
    """

    def __init__(self, ordinal: int, count: int) -> None:
        self.ordinal, self.count = ordinal, count
        super().__init__(
            f"There is no GPU {ordinal} for this process.", given=f"local_device_ids names GPU {ordinal}",
            expected=f"numbers below {count}, the GPUs that the driver shows this process",
            fix="Name others, or let CUDA_VISIBLE_DEVICES show more.",
        )
