# SPDX-License-Identifier: Apache-2.0
"""The CUDA platform: probing and opening."""

from __future__ import annotations

import ctypes
import importlib.util
from typing import TYPE_CHECKING

from olympus_core.plugin import API_VERSION, PlatformSettings, Probe

from .nvidia import DRIVER

if TYPE_CHECKING:
    from .client import CudaClient


class CudaPlatform:
    """The GPUs that the driver shows to this process."""

    name = "cuda"
    aliases: tuple[str, ...] = ("gpu",)
    priority = 100
    api_version = API_VERSION

    def probe(self) -> Probe:
        """Whether a driver, CuPy and a GPU are present; loads only the driver."""
        try:
            driver = ctypes.CDLL(DRIVER)
        except OSError:
            return Probe(False, f"there is no NVIDIA driver ({DRIVER} is not found): install the driver of the GPU")
        if importlib.util.find_spec("cupy") is None:
            return Probe(False, "CuPy is not installed: pip install 'olympus-runtime[cuda]'")
        count = ctypes.c_int(0)
        code = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
        if code:
            return Probe(False, f"the NVIDIA driver does not start ({_name(driver, code)}): see what `nvidia-smi` says")
        if count.value < 1:
            return Probe(False, "the NVIDIA driver shows this process no GPU: see `nvidia-smi`, CUDA_VISIBLE_DEVICES")
        return Probe(True, f"{count.value} NVIDIA GPU{'s' if count.value > 1 else ''}")

    def open(self, settings: PlatformSettings) -> CudaClient:
        """Opens the GPUs; imports CuPy."""
        from .client import CudaClient

        return CudaClient(settings)


def _name(driver: ctypes.CDLL, code: int) -> str:
    """The driver's name of an error."""
    text = ctypes.c_char_p()
    if driver.cuGetErrorName(code, ctypes.byref(text)) or text.value is None:
        return f"error {code}"
    return text.value.decode()
