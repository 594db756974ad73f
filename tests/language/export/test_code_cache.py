# SPDX-License-Identifier: Apache-2.0
"""The cache of compiled code by the names of olympus.experimental.compilation_cache, and what is worth keeping."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys, olympus, olympus.numpy as jnp
from olympus.experimental.compilation_cache import compilation_cache
if "late" in sys.argv: olympus.devices()
compilation_cache.set_cache_dir(sys.argv[1])
assert olympus.config.olympus_compilation_cache_dir == sys.argv[1]
assert compilation_cache.is_persistent_cache_enabled()
olympus.jit(lambda x: jnp.sin(x) * 2)(jnp.zeros(3)).block_until_ready()
compilation_cache.reset_cache()
"""


def kept(folder: Path, *arguments: str, **options: str) -> int:
    run = subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM, str(folder), *arguments], capture_output=True,
                         text=True, env={**os.environ, "OLYMPUS_ENABLE_COMPILATION_CACHE": "1", **options})
    assert run.returncode == 0, run.stderr
    return len(list(folder.iterdir())) if folder.exists() else 0


@pytest.mark.parametrize("when", ["early", "late"])
def test_the_folder_may_be_chosen_before_and_after_the_devices_are_open(tmp_path: Path, when: str) -> None:
    assert kept(tmp_path / "kept", when)


def test_what_is_small_or_quick_to_compile_is_not_kept(tmp_path: Path) -> None:
    assert not kept(tmp_path / "kept", OLYMPUS_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="1GiB")
    assert not kept(tmp_path / "kept", OLYMPUS_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="3600")
    assert kept(tmp_path / "kept", OLYMPUS_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1")
