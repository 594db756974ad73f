# SPDX-License-Identifier: Apache-2.0
"""All operations compile for TPUs, without one: a third of them for three generations. libtpu has its own process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.pjrt.libraries import tpu_library

ENVIRONMENT = {
    "TPU_SKIP_MDS_QUERY": "1", "ALLOW_MULTIPLE_LIBTPU_LOAD": "1", "TPU_ACCELERATOR_TYPE": "v5litepod-4",
    "TPU_WORKER_HOSTNAMES": "localhost", "TPU_LOG_DIR": "disabled",
}


@pytest.mark.parametrize(("topology", "every"), [("v5e:2x2", 1), ("v4:2x2x1", 3), ("v6e:2x2", 3)])
def test_operations_compile(topology: str, every: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.pjrt.stablehlo.ahead", tpu_library(), topology, str(every)],
        env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, timeout=300, check=False,
    )
    assert done.stdout.split("\n")[:-1] == [
        "operations", "collectives float32", "collectives int64", "collectives complex64"
    ], done.stderr[-3000:]
