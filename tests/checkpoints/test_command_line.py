# SPDX-License-Identifier: Apache-2.0
"""`olympus checkpoint`: what it prints of whole, damaged and unfinished checkpoints, and what differs between two."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import checkpoints
from olympus.checkpoints import folders
from olympus.cli import main

from .support import need_tensorstore

need_tensorstore()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    mesh = olympus.make_mesh((8,), ("x",))
    sharded = olympus.NamedSharding(mesh, olympus.P("x"))
    w = np.arange(16, dtype=np.float32)
    for step, change in ((1, 0.0), (2, 0.5)):
        checkpoints.save(tmp_path, {
            "w": olympus.device_put(w + change, sharded), "same": jnp.ones(3), "n": [step, "text", None],
            "ints": np.array([-2**63, 5]) if step == 1 else np.array([2**63 - 1, 5]),
            "nan": np.array([np.nan, 1.0]) if step == 1 else np.array([np.nan, np.nan]),
            **({"old": jnp.zeros((2, 2))} if step == 1 else {"key": olympus.random.key(0)}),
        }, step)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str]]:
    """The exit code, and the lines with single spaces."""
    code = main(["checkpoint", *map(str, arguments)])
    out = capsys.readouterr()
    return code, [re.sub(r"\s+", " ", line).strip() for line in (out.out + out.err).splitlines() if line.strip()]


def has(lines: list[str], *beginnings: str) -> None:
    for beginning in beginnings:
        assert any(line.startswith(beginning) for line in lines), f"no {beginning!r} in {lines}"


def test_the_steps_of_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = run(capsys, "list", folder)
    assert code == 0 and [line.split()[0] for line in lines] == ["step", "─" * len(lines[1]), "1", "2"]
    assert re.fullmatch(r"1 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00 5 124 B 1 whole", lines[2])
    assert run(capsys, "list", "--verify", folder)[1][3].endswith("whole, verified")


def test_damaged_and_unfinished_ones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chunk = folder / "step-00000001/tree/w/c.3"
    data = bytearray(chunk.read_bytes())
    data[0] ^= 1
    chunk.write_bytes(data)
    (folder / "step-00000002/olympus.json").write_text("{}")
    _, lock, _ = folders.new_temporary(folder, 3)
    code, lines = run(capsys, "list", folder)
    assert code == 1 and lines[2].endswith("whole")  # what is not read is not seen
    assert "damaged: it is no manifest of a checkpoint" in lines[3]
    assert lines[4] == "3 being written"
    lock.release()
    code, lines = run(capsys, "list", "--verify", folder)
    assert code == 1
    assert lines[2].endswith("damaged: ['w'], tree/w/c.3: its content does not have its checksum")
    assert lines[4].startswith("3 left behind by a save that was cut off")
    chunk.unlink()
    assert "tree/w/c.3: No such file" in run(capsys, "list", folder)[1][2]


def test_what_a_step_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = run(capsys, "show", folder)
    assert code == 0 and lines[0] == str(folder / "step-00000002")
    assert re.fullmatch(r"step 2, saved \S+ by 1 process with olympus \S+: 5 arrays, 116 B", lines[1])
    has(lines, "['w'] float32[16] PartitionSpec('x',) over (x: 8) 8 of [2] 64 B", "['key'] uint32[2], random keys one",
        "['n'][0] int 2", "['n'][1] str 'text'", "['n'][2] None", "['same'] float32[3] one device 1 12 B")
    assert run(capsys, "show", folder / "step-00000001")[1][0] == str(folder / "step-00000001")
    assert run(capsys, "show", "--step", 1, folder)[1][0] == str(folder / "step-00000001")


def test_what_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = run(capsys, "diff", folder)
    assert code == 1
    has(lines, "['w'] float32[16] float32[16] content", "['old'] float32[2,2] structure", "['n'][0] 1 2 content",
        "['key'] uint32[2] random keys structure")
    assert not any("same" in line or "text" in line for line in lines)
    code, lines = run(capsys, "diff", "--values", folder, "--steps", 1, 2)
    has(lines, "['w'] float32[16] float32[16] content: 16 of 16 elements, by 0.5 at most",
        "['nan'] float64[2] of NumPy float64[2] of NumPy content: 1 of 2 elements, by inf at most",
        "['ints'] int64[2] of NumPy int64[2] of NumPy content: 1 of 2 elements, by 1.84467e+19 at most")
    code, lines = run(capsys, "diff", folder / "step-00000001", folder / "step-00000001")
    assert (code, lines[-1]) == (0, "nothing differs")


def test_other_chunks_are_compared_by_their_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = folder / "one", folder / "two"
    w = np.arange(16, dtype=np.float32)
    eight = olympus.NamedSharding(olympus.make_mesh((8,), ("x",)), olympus.P("x"))
    checkpoints.save(one, {"w": olympus.device_put(w, eight)})
    checkpoints.save(two, {"w": jnp.asarray(w)})
    code, lines = run(capsys, "diff", one, two)
    assert code == 1 and lines[-1].endswith("chunks: compare the content with --values")
    assert run(capsys, "diff", "--values", one, two) == (0, lines[:2] + ["nothing differs"])


def test_containers_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoints.save(tmp_path, {"a": [], "b": (1,), "c": None}, 1)
    checkpoints.save(tmp_path, {"a": {}, "b": [1], "c": 0}, 2)
    code, lines = run(capsys, "diff", tmp_path)
    has(lines, "['a'] a list a dict structure", "['b'] a tuple a list structure", "['c'] None 0 structure")
    assert code == 1 and len(lines) == 7


@pytest.mark.parametrize(("arguments", "words"), [
    (["list", "{}/none"], "There is no checkpoint"), (["show", "{}", "--step", "9"], "no step 9"),
    (["diff", "{}/step-00000001", "{}/none"], "There is no checkpoint"), (["diff", "{}", "{}", "{}"], "more than two"),
    (["diff", "{}/step-00000001"], "two steps are needed"),
])
def test_what_is_not_there_is_told(
    arguments: list[str], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = run(capsys, *(argument.format(folder) for argument in arguments))
    assert code == 1 and lines[0].startswith("olympus checkpoint: ") and words in " ".join(lines)


def test_no_device_is_opened(folder: Path) -> None:
    program = """
import sys
from olympus.cli import main
from olympus_core.runtime import opened_world
codes = [main(["checkpoint", *words, sys.argv[1]]) for words in (["list", "--verify"], ["show"], ["diff", "--values"])]
assert opened_world() is None and codes == [0, 0, 1], codes
"""
    done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
