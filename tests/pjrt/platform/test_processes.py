# SPDX-License-Identifier: Apache-2.0
"""Programs over several processes, each of which opens the library by itself: pieces, and collectives between them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.processes import ROOT, clean_environment, free_port, run_processes

from ..libraries import cpu_library

pytestmark = [pytest.mark.slow, pytest.mark.processes]

_START = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P
index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index)
"""


def variables() -> dict[str, str]:
    return {"OLYMPUS_PLATFORMS": "pjrt", "OLYMPUS_PJRT_LIBRARY": cpu_library(), "TF_CPP_MIN_LOG_LEVEL": "2",
            "OLYMPUS_NUM_PJRT_DEVICES": "2"}


def test_the_toy_in_four_processes(tmp_path: Path) -> None:
    toy = (ROOT / "examples" / "toy.py").read_text()
    assert "'localhost:10000'" in toy
    (tmp_path / "toy.py").write_text(toy.replace("'localhost:10000'", f"'localhost:{free_port()}'"))
    done = subprocess.run(
        [sys.executable, "-m", "olympus", "launch", "-n", "4", str(tmp_path / "toy.py"), "{i}", "{n}"],
        env=clean_environment(variables()), cwd=ROOT, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    wanted = float(np.sin(np.arange(32)).sum())
    found = [float(line.split(": ")[1]) for line in done.stdout.splitlines() if "got result" in line]
    assert len(found) == 4 and len(set(found)) == 1 and abs(found[0] - wanted) < 1e-4
    assert "device TFRT_CPU_393217 has local data [[28 29 30 31]]" in done.stdout


_WHERE = _START + """
mesh = olympus.make_mesh((count, 2), ("process", "device"))
assert [d.process_index for d in mesh.devices[:, 0]] == list(range(count))
x = olympus.device_put(np.arange(8.0 * count, dtype=np.float32).reshape(2 * count, 4),
                       NamedSharding(mesh, P(("process", "device"))))

def of(body):
    spec = P(("process", "device"))
    compiled = olympus.jit(olympus.shard_map(body, mesh=mesh, in_specs=spec, out_specs=spec)).lower(x).compile()
    text = compiled.executable_text()
    return np.stack([np.asarray(s.data)[0] for s in compiled(x).addressable_shards]), text

def total(axes):
    return lambda part: olympus.lax.psum(jnp.sin(part), axes) + olympus.lax.axis_index("process") * 10

rows = np.sin(np.arange(8.0 * count, dtype=np.float32).reshape(count, 2, 4))
found, text = of(total(("device",)))
np.testing.assert_allclose(found, np.tile(rows[index].sum(0) + 10 * index, (2, 1)), rtol=1e-5)
assert text.startswith("module @") and "stablehlo.all_reduce" in text  # whole, and the library's own collective
assert "replica_groups = dense<[[0, 1]]>" in text and "num_replicas = 2" in text
found, text = of(total(("process",)))
np.testing.assert_allclose(found, rows.sum(0) + 10 * index, rtol=1e-5)
assert "stablehlo.all_reduce" not in text and text.count("module @") == 2 and "all_reduce {" in text

def both(part):
    inner = olympus.lax.psum(part, "device")
    return olympus.lax.psum(inner * 2, "process") - inner

found, text = of(both)
rows = np.arange(8.0 * count).reshape(count, 2, 4)
np.testing.assert_allclose(found, np.tile(rows.sum((0, 1)) * 2 - rows[index].sum(0), (2, 1)))
print("done")
"""


def test_what_stays_in_the_library_and_what_does_not() -> None:
    for end in run_processes(_WHERE, 2, lambda index: index, 2, free_port(), deadline=120, env=variables()):
        assert end.returncode == 0 and end.stdout == "done\n", end.stdout + end.stderr


_KILLED = _START + """
import os, signal
mesh = olympus.make_mesh((2 * count,), ("i",))
x = olympus.device_put(np.ones(4 * count, np.float32), NamedSharding(mesh, P("i")))
step = olympus.jit(lambda x: x + jnp.sum(x))
x = step(x).block_until_ready()
if index == 1:
    os.kill(os.getpid(), signal.SIGKILL)
try:
    for _ in range(1000):
        x = step(x)
    np.asarray(x.addressable_shards[0].data)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_survivors_of_a_killed_process_are_told() -> None:
    first, second = run_processes(_KILLED, 2, lambda index: index, 2, free_port(), deadline=100, env=variables())
    assert second.returncode == -9
    assert not first.timed_out and "ProcessLostError" in first.stdout and "Process 1" in first.stdout, first.stderr


def test_conformance_of_several_processes(tmp_path: Path) -> None:
    from .test_conformance import require_pass

    require_pass(tmp_path, 2, "multi", "--only", "programs/*2 processes*", "communicators/*2 processes*",
                 "collectives/all_reduce_same_bits[2*", "collectives/special_values[2*", "lifecycle/*2 processes*")
