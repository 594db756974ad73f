# SPDX-License-Identifier: Apache-2.0
"""Which GPUs are devices, and what they are called."""

from __future__ import annotations

import os
from typing import Any

import pytest

from olympus_core.errors import ForkedDevicesError
from olympus_core.plugin import PlatformSettings
from olympus_cuda.devices import chosen, described, first_id
from olympus_cuda.errors import NoSuchGpuError
from olympus_cuda.gpu import Gpu

from ..conftest import RunWithGpus


@pytest.mark.parametrize(("settings", "expected"), [
    (PlatformSettings(), [0, 1, 2]),
    (PlatformSettings(local_device_ids=(2, 0)), [2, 0]),
    (PlatformSettings(device_count=2), [0, 1]),
    (PlatformSettings(device_count=6), [0, 0, 1, 1, 2, 2]),
    (PlatformSettings(device_count=4, local_device_ids=(1,)), [1, 1, 1, 1]),
])
def test_choice(settings: PlatformSettings, expected: list[int]) -> None:
    assert chosen(3, settings) == expected


def test_a_gpu_that_is_not_there() -> None:
    with pytest.raises(NoSuchGpuError, match="no GPU 3") as caught:
        chosen(3, PlatformSettings(local_device_ids=(0, 3)))
    assert isinstance(caught.value, ValueError) and (caught.value.ordinal, caught.value.count) == (3, 3)


class _Rendezvous:
    def exchange(self, label: str, value: bytes, *_: Any) -> list[bytes]:
        return [b"2", value, b"1"]


@pytest.mark.parametrize(("process", "expected"), [(0, 0), (1, 2), (2, 5)])
def test_ids_follow_each_other_over_processes_with_different_counts(process: int, expected: int) -> None:
    settings = PlatformSettings(process_index=process, process_count=3, rendezvous=_Rendezvous())  # type: ignore[arg-type]
    assert first_id(settings, 3) == expected


def test_texts(gpu: Gpu) -> None:
    found = described(gpu, [0, 1], 4)
    assert [d.id for d in found] == [4, 5]
    assert [d.text for d in found] == ["cuda:4", "cuda:5"]
    assert [d.representation for d in found] == ["CudaDevice(id=4)", "CudaDevice(id=5)"]
    assert found[1].kind == "Stand-in GPU" and found[1].attributes["compute_capability"] == "9.0"
    assert found[1].attributes["local_hardware_id"] == 1


def test_virtual_devices_of_one_gpu(run_with_gpus: RunWithGpus) -> None:
    printed = run_with_gpus("""
        import olympus
        print(olympus.devices(), olympus.devices("gpu")[1], olympus.devices()[2].local_hardware_id)
        """, OLYMPUS_NUM_CUDA_DEVICES="3")
    assert printed == "[CudaDevice(id=0), CudaDevice(id=1), CudaDevice(id=2)] cuda:1 0\n"


def test_a_forked_child_is_told_what_its_driver_does_not_say(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver's own words are `initialization error`."""
    monkeypatch.setattr(Gpu, "_opened_by", os.getpid() + 1)
    with pytest.raises(ForkedDevicesError, match="spawn") as caught, gpu.translated():
        raise gpu.errors[0](700)
    assert caught.value.parent == os.getpid() + 1
