# SPDX-License-Identifier: Apache-2.0
"""A forked child of a process with a PJRT library: told, where the library would wait for threads that it lacks."""

from __future__ import annotations

import pytest

from tests.support.processes import run_processes

from ..libraries import cpu_library

PROGRAM = """
import gc, os, sys
import numpy as np
import olympus, olympus.numpy as jnp
from olympus_core.errors import ForkedDevicesError

f, x = olympus.jit(lambda x: jnp.sum(x) + 1), jnp.arange(4.0)
assert f(x) == 7
parent = os.getpid()
child = os.fork()
if child == 0:
    said = []
    uses = lambda: f(x), lambda: np.asarray(x), lambda: jnp.ones(3), lambda: olympus.jit(jnp.sin)(x), lambda: x + 1
    for use in uses:
        try:
            use()
        except ForkedDevicesError as error:
            said.append(error.parent == parent and isinstance(error, RuntimeError) and "spawn" in str(error))
    # Platforms without such threads go on.
    with olympus.default_device("cpu"):
        said.append(float(olympus.jit(jnp.sum)(np.ones(3, np.float32))))
    del f, x
    gc.collect()
    print(said, flush=True)
    sys.exit(0)
_, status = os.waitpid(child, 0)
print(status, float(f(x)))
"""


@pytest.mark.processes
def test_a_forked_child_is_told() -> None:
    environment = {"OLYMPUS_PJRT_LIBRARY": cpu_library(), "OLYMPUS_PLATFORMS": "pjrt,cpu"}
    (end,) = run_processes(PROGRAM, 1, env=environment)
    assert end.returncode == 0 and not end.timed_out, end.stderr
    assert end.stdout.splitlines() == ["[True, True, True, True, True, 3.0]", "0 7.0"]
