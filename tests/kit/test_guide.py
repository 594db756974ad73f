# SPDX-License-Identifier: Apache-2.0
"""`docs/writing-a-platform.md`, done as it says: every file written, every command run."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from olympus.cli import main

from .packages import ROOT, SEAM, install, run_in
from .test_examples import olympus_names

GUIDE = ROOT / "docs/writing-a-platform.md"
LIMIT = 150  # lines of the author's own until profile single

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

FUSED = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.nn import sigmoid

def mean(x):
    return (sigmoid(x) + 1).sum(axis=1) / x.shape[1]

print(*np.asarray(olympus.jit(mean)(np.zeros((2, 8), np.float32))))
"""


@dataclass(frozen=True)
class Block:
    """A block of code of the page."""

    language: str
    title: str  # a file's path, or a remark
    text: str


def steps() -> Iterator[tuple[str, list[Block]]]:
    """The page's sections, each with its blocks."""
    for section in re.split(r"^## ", GUIDE.read_text(), flags=re.MULTILINE)[1:]:
        blocks = [Block(*match.groups()) for match in re.finditer(
            r"^```(\w+)[ ]?(.*?)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)]
        yield section.partition("\n")[0], blocks


STEPS = dict(steps())
NAMES = [name for name, blocks in STEPS.items() if blocks]


@dataclass(frozen=True)
class Folders:
    """Where the guide's reader works, and where the package is installed.

    As `pip install -e` has it, what is written in one is there in the other at once.
    """

    work: Path
    site: Path

    def write(self, path: str, text: str) -> None:
        for root in (self.work, self.site):
            if path.startswith("olympus_acme/") or root is self.work:
                (root / path).write_text(text)

    def apply(self, path: str, changes: str) -> None:
        """A diff's hunks, each at the only place where it fits."""
        text = (self.work / path).read_text()
        for hunk in re.split(r"^@@\n", changes, flags=re.MULTILINE):
            lines = hunk.splitlines(keepends=True)
            assert all(line[0] in " +-" for line in lines), hunk
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            assert text.count(before) == 1, hunk
            text = text.replace(before, after)
        self.write(path, text)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The package of step 1, installed."""
    folder = tmp_path_factory.mktemp("guide")
    work, site = folder / "olympus-acme", folder / "site"
    assert main(["new-plugin", "acme", "--path", str(work)]) == 0
    install(site, work)
    return Folders(work, site)


def run_command(command: str, folders: Folders) -> None:
    words = shlex.split(command, comments=True)
    if words[0] in ("cd", "pip") or words[:2] == ["olympus", "new-plugin"]:
        return  # the fixture has done it
    assert words[0] in ("olympus-conformance", "olympus", "python"), command
    module = {"olympus-conformance": ["olympus_conformance"], "olympus": ["olympus"]}.get(words[0], [])
    arguments = [w for w in words[1:] if w != "-m"]
    if words[0] == "olympus-conformance" and "--quick" not in words:
        arguments.append("--quick")
    finished = run_in(folders.site, [*module, *arguments], cwd=folders.work)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    if words[0] == "olympus-conformance":
        assert finished.stdout.rstrip().splitlines()[-1].startswith(("PASS: profile", "INCOMPLETE: no failure"))


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
        run_command(command, folders)
    if name.startswith("Step 2"):
        check_size(folders)
    if name.startswith(("Step 2", "The second way")):
        check_programs(folders)
    if name.startswith("The second way"):
        check_kernels(folders)


def check_size(folders: Folders) -> None:
    """From nothing to `single`: all lines of the package's code, blank ones and comments too."""
    files = sorted((folders.work / "olympus_acme").glob("*.py"))
    assert 50 < sum(len(path.read_text().splitlines()) for path in files) <= LIMIT


def check_programs(folders: Folders) -> None:
    """What the page says works: control flow, gradients, vmap, sharded arrays."""
    (folders.work / "users_program.py").write_text(PROGRAM)
    finished = run_in(folders.site, ["users_program"], cwd=folders.work, env={"OLYMPUS_PLATFORMS": "acme"})
    assert finished.returncode == 0, finished.stderr
    device, *numbers = finished.stdout.split()
    assert device == "ACME_0"
    assert [float(n) for n in numbers] == pytest.approx([np.sin(np.arange(8)).sum(), 6.0, 4.0, 28.0], rel=1e-5)


def check_kernels(folders: Folders) -> None:
    """Programs are kernels, after the platform's own pass and the toolkit's."""
    (folders.work / "fused_program.py").write_text(FUSED)
    dump = folders.work / "dump"
    finished = run_in(folders.site, ["fused_program"], cwd=folders.work, env={
        "OLYMPUS_PLATFORMS": "acme", "OLYMPUS_DUMP_TO": str(dump)})
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == ["1.5", "1.5"]
    names = sorted(path.name.split(".", 1)[1] for path in dump.iterdir() if path.name.startswith("mean"))
    assert names == ["01-logistic-by-exp.program.txt", "02-lower.program.txt", "program.txt"]
    assert "not compiled" not in finished.stderr


def test_the_page_has_all_steps() -> None:
    assert [name[:6] for name in STEPS if name.startswith("Step")] == [f"Step {i}" for i in range(1, 7)]
    profiles = re.findall(r"--profile (\w+)", "".join(b.text for blocks in STEPS.values() for b in blocks))
    assert set(profiles) == {"minimal", "single", "multi", "full"}


def test_it_uses_public_names_only(tmp_path: Path) -> None:
    found = 0
    for blocks in STEPS.values():
        for block in (b for b in blocks if b.language == "python"):
            (tmp_path / "block.py").write_text(block.text)
            for module, imported in olympus_names(tmp_path / "block.py"):
                found += 1
                room = imported if module == "olympus_core" else module.removeprefix("olympus_core.").partition(".")[0]
                assert room in SEAM
                assert not imported.startswith("_")
    assert found > 10
