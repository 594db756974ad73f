# SPDX-License-Identifier: Apache-2.0
"""`docs/writing-a-platform.md`, done as it says: every file written, every command run."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from olympus.cli import main

from .guides import Folders, check_imports, steps
from .packages import ROOT

GUIDE = ROOT / "docs/writing-a-platform.md"
LIMIT = 150  # lines of the author's own until profile single
STEPS = dict(steps(GUIDE))
NAMES = [name for name, blocks in STEPS.items() if blocks]

pytestmark = pytest.mark.slow

PROGRAM = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding, PartitionSpec as P

mesh = olympus.make_mesh((2,), ("x",))
x = olympus.device_put(np.arange(8, dtype=np.float32), NamedSharding(mesh, P("x")))
step = lambda w, row: (w + row, w * row)
print(olympus.devices()[0], jnp.sum(jnp.sin(x)), olympus.grad(lambda x: jnp.sum(x * x))(x)[3],
      olympus.vmap(lambda v: v @ v)(jnp.ones((3, 4)))[0], lax.scan(step, jnp.float32(0), x)[0])
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The package of step 1, installed."""
    folder = tmp_path_factory.mktemp("guide")
    assert main(["new-plugin", "acme", "--path", str(folder / "olympus-acme")]) == 0
    return Folders.of(folder / "olympus-acme")


@pytest.mark.parametrize("name", NAMES)
def test_step(name: str, folders: Folders) -> None:
    """In the page's order: each step goes on from the one before."""
    commands = []
    for block in STEPS[name]:
        if block.language == "sh":
            commands += [] if block.title == "by hand" else block.text.splitlines()
        elif block.language == "diff":
            folders.apply(block.title, block.text)
        elif block.title == "waivers.toml" and sys.version_info < (3, 11):
            commands = []  # this Python reads no TOML
        else:
            assert block.title, f"a block of {name} has no file"
            folders.write(block.title, block.text)
    for command in commands:
        folders.run(command)
    if name.startswith("Step 2"):
        check_size(folders)
        check_programs(folders)


def check_size(folders: Folders) -> None:
    """From nothing to `single`: all lines of the package's code, blank ones and comments too."""
    files = sorted((folders.work / "olympus_acme").glob("*.py"))
    assert 50 < sum(len(path.read_text().splitlines()) for path in files) <= LIMIT


def check_programs(folders: Folders) -> None:
    """What the page says works: control flow, gradients, vmap, sharded arrays."""
    (folders.work / "users_program.py").write_text(PROGRAM)
    device, *numbers = folders.python(["users_program"], {"OLYMPUS_PLATFORMS": "acme"}).split()
    assert device == "ACME_0"
    assert [float(n) for n in numbers] == pytest.approx([np.sin(np.arange(8)).sum(), 6.0, 4.0, 28.0], rel=1e-5)


def test_the_page_has_all_steps() -> None:
    assert [name[:6] for name in STEPS if name.startswith("Step")] == [f"Step {i}" for i in range(1, 7)]
    profiles = re.findall(r"--profile (\w+)", "".join(b.text for blocks in STEPS.values() for b in blocks))
    assert set(profiles) == {"minimal", "single", "multi", "full"}


def test_it_uses_public_names_only(tmp_path: Path) -> None:
    check_imports(GUIDE, tmp_path)
