# SPDX-License-Identifier: Apache-2.0
"""Results have the same bits for every width of vectors, on every processor, with any number of threads and processes.

All digests are compared with those in `digests.json`, whichever processor runs the tests. `python -m
tests.reproducibility.test_digests` writes that file anew, after a change that is meant to change bits.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from olympus_cpu.codegen.target import Target
from olympus_cpu.machine.description import has_level
from tests.reproducibility.digests import library
from tests.support.processes import Finished, free_port, run_processes

_FILE = Path(__file__).with_name("digests.json")
_LEVEL, _WIDTH = "OLYMPUS_CPU_LEVEL", "OLYMPUS_CPU_VECTOR_BITS"
_DEADLINE = 300.0
# Decompositions are LAPACK's: without the option in an order of this machine.
_LIBRARY = ("cholesky", "solve", "eigh", "qr", "svd", "triangular solve", "inverse", "determinant", "expm", "lstsq",
            "eigenvalues", "matrix power")

# Without the option these have an order of their own where there is AMX (`tests/cpu/contractions/test_amx.py`).
_OF_BFLOATS = re.compile("(product|convolution) .*bfloat16").fullmatch


def configuration(threads: int, devices: int = 1, reproducible: bool = True, **variables: str) -> dict[str, str]:
    """The variables of a process."""
    return {"OLYMPUS_NUM_THREADS": str(threads), "OLYMPUS_NUM_CPU_DEVICES": str(devices),
            "OLYMPUS_REPRODUCIBLE": str(int(reproducible)), **variables}


def _levels() -> dict[str, dict[str, str]]:
    """Plain code, AVX2, vectors of 512 bits, and AVX-512 where there is one; on others than x86-64 two widths."""
    if not Target.host().is_x86 or not has_level("x86-64-v3"):
        return {"128 bits": configuration(1, **{_WIDTH: "128"}),
                "512 bits": configuration(3, 4, **{_WIDTH: "512"}),
                "the processor, 8 threads": configuration(8, 8)}
    found = {
        "AVX2, 1 thread": configuration(1, **{_LEVEL: "x86-64-v3"}),
        "AVX2, 8 threads": configuration(8, 8, **{_LEVEL: "x86-64-v3"}),
        "512 bits, 3 threads": configuration(3, 4, **{_LEVEL: "x86-64-v3", _WIDTH: "512"}),
        "plain code, 5 threads": configuration(5, 2, **{_LEVEL: "x86-64"}),
    }
    if has_level("x86-64-v4"):
        found["AVX-512, 2 threads"] = configuration(2, **{_LEVEL: "x86-64-v4"})
    return found


def run(kind: str, variables: Mapping[str, str], *arguments: Any, count: int = 1) -> list[dict[str, str]]:
    """The digests that each process finds."""
    command = [sys.executable, "-m", "tests.reproducibility.digests", kind]
    ends: list[Finished] = run_processes(command, count, *arguments, deadline=_DEADLINE, env=variables)
    for end in ends:
        assert end.returncode == 0, end.stderr[-3000:]
    return [json.loads(end.stdout)["digests"] for end in ends]


def expected(kind: str, on_arm: bool = not Target.host().is_x86) -> dict[str, str]:
    """The digests in the file; those of decompositions only where LAPACK is the library that made them."""
    stored: dict[str, Any] = json.loads(_FILE.read_text())
    is_same = stored["library"] == library() and not on_arm
    return {name: value for name, value in stored[kind].items() if is_same or not name.startswith(_LIBRARY)}


def check(found: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Compares digests with those in the file."""
    assert not {name for name in wanted if found.get(name) != wanted[name]}


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("level", _levels())
def test_bits_do_not_depend_on_processor_vectors_threads_and_devices(level: str) -> None:
    (found,) = run("alone", _levels()[level])
    assert len(found) >= 300
    check(found, expected("alone"))


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(find_spec("unicorn") is None, reason="the emulator is for Linux on x86-64")
@pytest.mark.parametrize(
    ("processor", "bits", "step"), [("neoverse", 128, 1), ("neoverse-v1", 256, 2), ("a64fx", 512, 2)])
def test_bits_are_those_of_arm_processors(processor: str, bits: int, step: int) -> None:
    (found,) = run(f"alone/{step}@{processor}", configuration(1, **{_WIDTH: str(bits)}))
    names = list(json.loads(_FILE.read_text())["alone"])[::step]
    wanted = expected("alone", on_arm=True)
    assert len(found) >= 290 // step
    check(found, {name: wanted[name] for name in names if name in wanted})


@pytest.mark.slow
@pytest.mark.processes
def test_without_the_option_too_where_there_are_fused_multiply_adds() -> None:
    (found,) = run("alone/5", configuration(2, reproducible=False))
    wanted = {name: value for name, value in expected("alone").items() if name in found}
    assert len(wanted) >= 60
    check(found, {name: value for name, value in wanted.items() if not (
        name.startswith(_LIBRARY) or (Target.host().has_amx_bfloats and _OF_BFLOATS(name)))})


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("devices", [1, 2, 4, 8])
def test_bits_of_sharded_programs(devices: int) -> None:
    (found,) = run("sharded", configuration(devices, devices))
    check(found, expected(f"sharded {devices}"))


@pytest.mark.slow
@pytest.mark.processes
def test_bits_do_not_depend_on_processes() -> None:
    port = free_port()
    every = run("sharded", configuration(2, 2), lambda i: i, 4, port, count=4)
    assert all(found == every[0] for found in every)
    check(every[0], expected("sharded 8"))


def main() -> None:
    """Writes the file."""
    kinds = {"alone": next(iter(_levels().values())), **{f"sharded {n}": configuration(1, n) for n in (1, 2, 4, 8)}}
    stored = {kind: run(kind.split()[0], variables)[0] for kind, variables in kinds.items()}
    _FILE.write_text(json.dumps({"library": library(), **stored}, indent=1) + "\n")


if __name__ == "__main__":
    main()
