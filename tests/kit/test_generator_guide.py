# SPDX-License-Identifier: Apache-2.0
"""`docs/writing-a-generator.md`, done as it says: every file written, every command run, what they print compared."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from olympus.cli import main

from . import test_guide
from .guides import Folders, check_imports, check_shown, steps
from .packages import ROOT, run_in

GUIDE = ROOT / "docs/writing-a-generator.md"
STEPS = dict(steps(GUIDE))
NAMES = [name for name in STEPS if name.startswith("Step")]
FIRST = " of the first guide"  # ends the title of what is done to that guide's package

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="there is no C compiler"),
]

FUSED = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.nn import sigmoid

def mean(x):
    return (sigmoid(x) + 1).sum(axis=1) / x.shape[1]

print(*np.asarray(olympus.jit(mean)(np.zeros((2, 8), np.float32))))
"""


def package(folder: Path) -> Folders:
    """What `olympus new-plugin acme --generator` writes, installed."""
    assert main(["new-plugin", "acme", "--generator", "--path", str(folder / "olympus-acme")]) == 0
    return Folders.of(folder / "olympus-acme")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The package of step 1."""
    return package(tmp_path_factory.mktemp("generator"))


@pytest.mark.parametrize("name", NAMES)
def test_step(name: str, folders: Folders) -> None:
    """In the page's order: each step goes on from the one before."""
    printed: str | None = None
    for block in STEPS[name]:
        if block.language == "sh":
            lines = [] if block.title == "by hand" else block.text.splitlines()
            printed = "".join([folders.run(line) for line in lines]) if lines else None
        elif block.language == "text" and block.title:
            (file,) = folders.work.glob(block.title)
            assert file.read_text() == block.text
        elif block.language == "text":
            if printed is not None:
                check_shown(block.text, printed)
        elif block.language == "diff" and not block.title.endswith(FIRST):
            folders.apply(block.title, block.text)
        elif block.language == "python":
            folders.write(block.title, block.text)


def test_programs_are_kernels(folders: Folders) -> None:
    """After the platform's own pass and the toolkit's; control flow, gradients and sharded arrays work."""
    (folders.work / "fused_program.py").write_text(FUSED)
    dump = folders.work / "fused"
    finished = run_in(folders.site, ["fused_program"], cwd=folders.work, env={
        "OLYMPUS_PLATFORMS": "acme", "OLYMPUS_DUMP_TO": str(dump)})
    assert finished.stdout.split() == ["1.5", "1.5"] and not finished.stderr
    names = sorted(path.name.split(".", 1)[1] for path in dump.iterdir() if path.name.startswith("mean"))
    assert names == ["01-logistic-by-exp.program.txt", "02-lower.program.txt", "c", "kernels.txt", "program.txt"]
    test_guide.check_programs(folders)


@pytest.mark.parametrize(("right", "wrong", "test"), [
    ('"max": "x > y || x != x ? x : y"', '"max": "fmax(x, y)"', "operations/special[max,float32]"),
    ('"rint(x)"', '"round(x)"', "operations/special[round,float32]"),
])
def test_what_the_page_says_is_caught(folders: Folders, right: str, wrong: str, test: str) -> None:
    functions = (folders.work / "olympus_acme/functions.py").read_text()
    assert functions.count(right) == 1
    folders.write("olympus_acme/functions.py", functions.replace(right, wrong))
    try:
        finished = run_in(folders.site, ["olympus_conformance", "run", "--platform", "acme", "--profile", "single",
                                         "--only", test], cwd=folders.work)
    finally:
        folders.write("olympus_acme/functions.py", functions)
    assert finished.returncode == 1 and "1 fail" in finished.stdout, finished.stdout


def test_a_table_platform_takes_the_generator(tmp_path: Path) -> None:
    """What step 1 says of a package made with the first guide: here as it is after that guide's step 2."""
    folders = package(tmp_path)
    (of_table,) = [blocks for name, blocks in test_guide.STEPS.items() if name.startswith("Step 2")]
    for block in of_table:
        if block.language == "python":
            folders.write(block.title, block.text)
    blocks = STEPS[NAMES[0]]
    (change,) = [block for block in blocks if block.title.endswith(FIRST)]
    folders.apply(change.title.removesuffix(FIRST), change.text)
    for block in blocks:
        if block.title == "first.py":
            folders.write(block.title, block.text)
    (command,) = [block.text.strip() for block in blocks if "first.py" in block.text and block.language == "sh"]
    assert folders.run(command) == "[8. 8.]\n"
    assert list((folders.work / "dump").glob("excess-*.kernels.txt"))
    folders.run("olympus-conformance run --platform acme --profile minimal --quick")


def test_the_page_has_four_steps() -> None:
    assert [name[:6] for name in NAMES] == [f"Step {i}" for i in range(1, 5)]


def test_it_uses_public_names_only(tmp_path: Path) -> None:
    check_imports(GUIDE, tmp_path)
