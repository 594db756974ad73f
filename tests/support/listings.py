# SPDX-License-Identifier: Apache-2.0
"""What the documents print, where more than one room's tests hold it against what is printed here."""

from __future__ import annotations

# Documents 000 and 002, "TPU Example" and "Setting up multiple JAX processes": `jax.devices()`, to the letter.
SLICE_OF_16 = (
    "[TpuDevice(id=0, process_index=0, coords=(0,0,0), core_on_chip=0), "
    "TpuDevice(id=1, process_index=0, coords=(1,0,0), core_on_chip=0), "
    "TpuDevice(id=4, process_index=0, coords=(0,1,0), core_on_chip=0), "
    "TpuDevice(id=5, process_index=0, coords=(1,1,0), core_on_chip=0), "
    "TpuDevice(id=2, process_index=1, coords=(2,0,0), core_on_chip=0), "
    "TpuDevice(id=3, process_index=1, coords=(3,0,0), core_on_chip=0), "
    "TpuDevice(id=6, process_index=1, coords=(2,1,0), core_on_chip=0), "
    "TpuDevice(id=7, process_index=1, coords=(3,1,0), core_on_chip=0), "
    "TpuDevice(id=8, process_index=2, coords=(0,2,0), core_on_chip=0), "
    "TpuDevice(id=9, process_index=2, coords=(1,2,0), core_on_chip=0), "
    "TpuDevice(id=12, process_index=2, coords=(0,3,0), core_on_chip=0), "
    "TpuDevice(id=13, process_index=2, coords=(1,3,0), core_on_chip=0), "
    "TpuDevice(id=10, process_index=3, coords=(2,2,0), core_on_chip=0), "
    "TpuDevice(id=11, process_index=3, coords=(3,2,0), core_on_chip=0), "
    "TpuDevice(id=14, process_index=3, coords=(2,3,0), core_on_chip=0), "
    "TpuDevice(id=15, process_index=3, coords=(3,3,0), core_on_chip=0)]"
)
