# SPDX-License-Identifier: Apache-2.0
"""The names of slices, by hand and against libtpu."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from olympus_tpu import environment
from olympus_tpu.errors import TpuSliceError
from olympus_tpu.slices import slice_of, slices

from .libtpu import needed

# Name, libtpu's name, chips, devices, processes: as the vendor's tables have them.
ROWS = """
v4-8        v4:2x2x1     4    4    1
v4-16       v4:2x2x2     8    8    2
v4-32       v4:2x2x4     16   16   4
v4-64       v4:2x4x4     32   32   8
v4-128      v4:4x4x4     64   64   16
v4-256      v4:4x4x8     128  128  32
v4-512      v4:4x8x8     256  256  64
v4-1024     v4:8x8x8     512  512  128
v4-2048     v4:8x8x16    1024 1024 256
v4-4096     v4:8x16x16   2048 2048 512
v5e-1       v5e:1x1      1    1    1
v5e-4       v5e:2x2      4    4    1
v5e-8       v5e:2x4      8    8    1
v5e-16      v5e:4x4      16   16   4
v5e-32      v5e:4x8      32   32   8
v5e-64      v5e:8x8      64   64   16
v5e-128     v5e:8x16     128  128  32
v5e-256     v5e:16x16    256  256  64
v5p-8       v5p:2x2x1    4    4    1
v5p-16      v5p:2x2x2    8    8    2
v5p-32      v5p:2x2x4    16   16   4
v5p-64      v5p:2x4x4    32   32   8
v5p-128     v5p:4x4x4    64   64   16
v5p-256     v5p:4x4x8    128  128  32
v5p-512     v5p:4x8x8    256  256  64
v5p-1024    v5p:8x8x8    512  512  128
v5p-2048    v5p:8x8x16   1024 1024 256
v5p-4096    v5p:8x16x16  2048 2048 512
v6e-1       v6e:1x1      1    1    1
v6e-4       v6e:2x2      4    4    1
v6e-8       v6e:2x4      8    8    1
v6e-16      v6e:4x4      16   16   4
v6e-32      v6e:4x8      32   32   8
v6e-64      v6e:8x8      64   64   16
v6e-128     v6e:8x16     128  128  32
v6e-256     v6e:16x16    256  256  64
tpu7x-8     tpu7x:2x2x1  4    8    1
tpu7x-16    tpu7x:2x2x2  8    16   2
tpu7x-32    tpu7x:2x2x4  16   32   4
tpu7x-64    tpu7x:2x4x4  32   64   8
tpu7x-128   tpu7x:4x4x4  64   128  16
tpu7x-256   tpu7x:4x4x8  128  256  32
tpu7x-512   tpu7x:4x8x8  256  512  64
tpu7x-1024  tpu7x:8x8x8  512  1024 128
tpu7x-2048  tpu7x:8x8x16 1024 2048 256
tpu7x-4096  tpu7x:8x16x16 2048 4096 512
"""
TABLE = [tuple(row.split()) for row in ROWS.split("\n") if row]


@pytest.mark.parametrize(("name", "topology", "chips", "devices", "processes"), TABLE, ids=[row[0] for row in TABLE])
def test_a_row(name: str, topology: str, chips: str, devices: str, processes: str) -> None:
    for spelled in (name, topology, name.upper()):
        found = slice_of(spelled)
        assert (found.topology, found.chips, found.devices, found.processes) == (
            topology, int(chips), int(devices), int(processes))


def test_the_rows_are_the_table() -> None:
    assert [s.name for s in slices()] == [row[0] for row in TABLE]


@pytest.mark.parametrize(("name", "topology"), [
    ("v5litepod-16", "v5e:4x4"), ("v5lite-8", "v5e:2x4"), ("v7x-8", "tpu7x:2x2x1"), (" V5E:4X4 ", "v5e:4x4"),
    ("v5e:4x2", "v5e:4x2"), ("v4:4x2x2", "v4:4x2x2"),
])
def test_other_spellings(name: str, topology: str) -> None:
    assert slice_of(name).topology == topology


@pytest.mark.parametrize(("name", "nearest"), [
    ("v5litpod-16", "v5litepod-16"), ("v5e-17", "v5e-1"), ("v5e:4x5", "v5e:4x8"), ("v5e:4x4x4", "v5e:4x4"),
    ("v9-banana-stand", None), ("", None), ("v4:0x0x0", None), ("v5e:3x3", None), ("v5e:1024x1024", None),
])
def test_names_that_nobody_has(name: str, nearest: str | None) -> None:
    with pytest.raises(TpuSliceError) as caught:
        slice_of(name)
    if nearest is not None:
        assert caught.value.nearest == nearest
    assert caught.value.known


PROGRAM = """
import json, sys
from olympus_pjrt.bridge import Topology, load
from olympus_tpu.slices import slices
library = load(sys.argv[1])
found = {}
for one in slices():
    options = {**(one.generation.options or {}), "chips_per_host_bounds": one.chips_per_process}
    with Topology(library, one.topology, options) as topology:
        devices = topology.devices()
    found[one.name] = [len(devices), len({d.process_index for d in devices}), len({tuple(d.attributes["coords"])
                       for d in devices})]
print(json.dumps(found))
"""


def test_libtpu_agrees_with_each_row() -> None:
    needed()
    done = subprocess.run([sys.executable, "-c", PROGRAM, environment.library()], capture_output=True, text=True,
                          timeout=200, env=environment.without_hardware())
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {name: [int(devices), int(processes), int(chips)] for name, _, chips, devices, processes in TABLE}
