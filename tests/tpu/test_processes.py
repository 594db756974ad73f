# SPDX-License-Identifier: Apache-2.0
"""What libtpu is told in a job of several processes; nothing here has run on TPUs.

The expected values are those of public examples: four processes on a machine of four chips, two on one, a v4-16 of
two machines with four processes each.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olympus_core.plugin import PlatformSettings
from olympus_tpu import environment
from olympus_tpu.errors import TpuJobError
from olympus_tpu.platform import TpuPlatform
from olympus_tpu.processes import machine_named, meet, slice_named, variables
from olympus_tpu.slices import slice_of, slices

from ..conformance.broken.jobs import Hub, ThreadRendezvous
from ..pjrt.libraries import cpu_library

CASES = [
    # Slice, machines of the processes, index; chips of each, processes along the sides, port, visible chips.
    ("v5e:2x2", ["localhost"] * 4, 2, "1,1,1", "2,2,1", "8478", "2"),
    ("v4-8", ["localhost"] * 4, 3, "1,1,1", "2,2,1", "8479", "3"),
    ("v4-8", ["localhost"] * 2, 1, "1,2,1", "2,1,1", "8477", "2,3"),
    ("v4-16", ["10.130.0.31"] * 4 + ["10.130.0.30"] * 4, 4, "1,1,1", "2,2,2", "8476", "0"),
    ("v4-16", ["a", "b"], 1, "2,2,1", "1,1,2", "8476", None),
    ("v5litepod-16", ["a", "b", "c", "d"], 3, "2,2,1", "2,2,1", "8476", None),
    ("v5litepod-16", ["a"], 0, "2,2,1", "1,1,1", "8476", None),  # one machine of a slice, alone
    ("v5litepod-8", ["a"] * 8, 7, "1,1,1", "2,4,1", "8483", "7"),
    ("v5litepod-8", ["a"] * 2, 0, "1,4,1", "2,1,1", "8476", "0,1,2,3"),
    ("v5litepod-8", ["a", "b"], 0, "2,2,1", "1,2,1", "8476", None),  # machines of four chips
    ("v5e-1", ["a"], 0, "1,1,1", "1,1,1", "8476", None),
]


@pytest.mark.parametrize(("name", "machines", "index", "chips", "bounds", "port", "visible"), CASES)
def test_variables(
    name: str, machines: list[str], index: int, chips: str, bounds: str, port: str, visible: str | None
) -> None:
    found = variables(slice_of(name), machines, index)
    assert found["TPU_CHIPS_PER_PROCESS_BOUNDS"] == chips and found["TPU_PROCESS_BOUNDS"] == bounds
    assert found["TPU_PROCESS_PORT"] == port and found["CLOUD_TPU_TASK_ID"] == str(index)
    assert found.get("TPU_VISIBLE_CHIPS") == visible
    assert found["TPU_PROCESS_ADDRESSES"].split(",")[index] == f"{machines[index]}:{port}"


def test_addresses_of_two_machines() -> None:
    found = variables(slice_of("v4-16"), ["10.130.0.31"] * 4 + ["10.130.0.30"] * 4, 5)
    assert found["TPU_PROCESS_ADDRESSES"] == (
        "10.130.0.31:8476,10.130.0.31:8477,10.130.0.31:8478,10.130.0.31:8479,"
        "10.130.0.30:8476,10.130.0.30:8477,10.130.0.30:8478,10.130.0.30:8479")


@given(st.sampled_from(list(slices())), st.sampled_from([1, 2, 4, 8]), st.data())
def test_every_chip_is_somebody_s(where, each: int, data: st.DataObject) -> None:
    """Processes times their chips are the slice's, and a machine's processes see each of its chips once."""
    machines = [f"m{i}" for i in range(where.processes) for _ in range(each)]
    if each > math.prod(where.chips_per_process):
        with pytest.raises(TpuJobError, match="do not share"):
            variables(where, machines, 0)
        return
    machine = data.draw(st.integers(0, where.processes - 1)) * each
    found = [variables(where, machines, machine + i) for i in range(each)]
    for one in found:
        chips, processes = ([int(n) for n in one[name].split(",")]
                            for name in ("TPU_CHIPS_PER_PROCESS_BOUNDS", "TPU_PROCESS_BOUNDS"))
        assert math.prod(chips) * each == math.prod(where.chips_per_process)
        assert [a * b for a, b in zip(chips, processes, strict=True)] == [*where.shape, 1][:3]
        assert math.prod(processes) == len(machines) == len(set(one["TPU_PROCESS_ADDRESSES"].split(",")))
    if each > 1:
        seen = sorted(int(chip) for one in found for chip in one["TPU_VISIBLE_CHIPS"].split(","))
        assert seen == list(range(math.prod(where.chips_per_process)))


@pytest.mark.parametrize(("name", "machines", "words"), [
    ("v5e-16", ["a", "b"], "it has 4 machines"),
    ("v5e-4", ["a"] * 3, "3 do not share 4 chips"),
    ("v4-16", ["a", "b", "a", "b"], "in turn"),
    ("v4-16", ["a", "a", "b"], "equally many"),
])
def test_jobs_that_do_not_fit(name: str, machines: list[str], words: str) -> None:
    with pytest.raises(TpuJobError, match=words):
        variables(slice_of(name), machines, 0)


@pytest.mark.parametrize(("environ", "name", "machine"), [
    ({"TPU_ACCELERATOR_TYPE": "v5litepod-16", "TPU_WORKER_ID": "1", "TPU_WORKER_HOSTNAMES": "a, b"}, "v5e:4x4", "b"),
    ({"TPU_ACCELERATOR_TYPE": "v4-64", "TPU_TOPOLOGY": "2x2x8"}, "v4:2x2x8", None),
    ({"TPU_ACCELERATOR_TYPE": "another", "TPU_WORKER_ID": "7", "TPU_WORKER_HOSTNAMES": "a"}, None, None),
    ({}, None, None),
])
def test_what_the_machine_says(environ: Mapping[str, str], name: str | None, machine: str | None) -> None:
    found = slice_named(environ)
    assert (found and found.topology) == name
    assert machine_named(environ) == (machine or os.uname().nodename)


class Alone(ThreadRendezvous):
    """One process of two, and what the other says."""

    def __init__(self, other: str) -> None:
        super().__init__(Hub(2), 0)
        self.other = other

    def exchange(self, label: str, value: bytes, *_: object, **__: object) -> list[bytes]:
        return [value, self.other.encode()] if "machines" in label else [value, value]


def test_processes_meet() -> None:
    here = {"TPU_ACCELERATOR_TYPE": "v4-16", "TPU_WORKER_ID": "0", "TPU_WORKER_HOSTNAMES": "a,b"}
    assert meet(Alone("b"), here) == variables(slice_of("v4-16"), ["a", "b"], 0)
    unnamed = {k: v for k, v in here.items() if k != "TPU_ACCELERATOR_TYPE"}
    assert meet(Alone("b"), unnamed) == {}  # libtpu knows
    with pytest.raises(TpuJobError, match="several share a machine"):
        meet(Alone("a"), unnamed)


def test_opening_tells_libtpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the CPU library in libtpu's place: what is in the environment when it is opened, the user's own first."""
    monkeypatch.setattr(os, "environ", {
        **os.environ, "TPU_ACCELERATOR_TYPE": "v4-16", "TPU_WORKER_ID": "0", "TPU_WORKER_HOSTNAMES": "a,b",
        "TPU_PROCESS_PORT": "9000"})
    monkeypatch.setattr(environment, "library", cpu_library)
    client = TpuPlatform().open(PlatformSettings(process_count=2, device_count=1, rendezvous=Alone("b")))
    client.close()
    assert os.environ["TPU_PROCESS_ADDRESSES"] == "a:8476,b:8476" and os.environ["TPU_PROCESS_PORT"] == "9000"
    assert os.environ["TPU_PROCESS_BOUNDS"] == "1,1,2" and "TPU_VISIBLE_CHIPS" not in os.environ
