# SPDX-License-Identifier: Apache-2.0
"""What one process's device calls for the devices of all."""

from __future__ import annotations

import pytest

from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.processes


def test_one_process_calls_for_all() -> None:
    program = """
import sys
import numpy as np, olympus
from olympus.sharding import NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
mesh = olympus.make_mesh((4,), ("x",))
x = olympus.device_put(np.zeros(4, np.float32), NamedSharding(mesh, P("x")))
calls = []
def draw(x):
    calls.append(x)
    return np.full(2, 10 * index + len(calls), np.float32)
f = olympus.jit(lambda x: olympus.pure_callback(draw, olympus.ShapeDtypeStruct((2,), "float32"), x))
for turn in (1, 2):
    print([np.asarray(shard.data).tolist() for shard in f(x).addressable_shards], len(calls))
whole = NamedSharding(mesh, P())
olympus.make_array_from_callback((4,), whole, lambda i: np.arange(4.0, dtype=np.float32)[i])
olympus.make_array_from_callback((4,), NamedSharding(mesh, P("x")), lambda i: np.full(1, index, np.float32))
try:
    olympus.make_array_from_callback((4,), whole, lambda i: np.full(4, index, np.float32))
except olympus.errors.DivergenceError as error:
    print("diverged", "content" in str(error))
"""
    ends = run_processes(program, 2, lambda i: i, 2, free_port(), deadline=45.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(ends):
        assert end.stdout.splitlines()[:2] == [
            f"[[1.0, 1.0], [1.0, 1.0]] {0 if index else 1}", f"[[2.0, 2.0], [2.0, 2.0]] {0 if index else 2}"], end
    assert any("diverged True" in end.stdout for end in ends)  # whoever comes last sees it
