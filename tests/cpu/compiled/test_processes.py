# SPDX-License-Identifier: Apache-2.0
"""Compiled code in processes of its own: threads, the folder of compiled code, dumps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ...support.processes import Finished, run_processes

# Says how many object codes came from the folder and how many were generated, and a digest of all results.
PROGRAM = """
import hashlib, sys, warnings
import numpy as np
from olympus_cpu.native import linker

loaded = {True: 0, False: 0}
plain = linker._load

def counted(*arguments):
    library = plain(*arguments)
    loaded[library.from_cache] += 1
    return library

linker._load = counted
import olympus
import olympus.numpy as jnp

olympus.config.update("olympus_num_cpu_devices", 3)
source = np.random.default_rng(0)
x = source.standard_normal(SIZE).astype("f4")
rows = source.standard_normal((700, 300)).astype("f4")
digest = hashlib.sha256()
functions = [
    (lambda x: (jnp.sin(x) * 2 + x).sum(), x), (lambda x: jnp.cumsum(jnp.exp(-x * x)), x),
    (lambda r: jnp.exp(r - r.max(1, keepdims=True)).sum(1), rows), (lambda r: (r.sum(0), r.T @ r), rows),
    (lambda r: jnp.transpose(r)[:, ::-1] + 1, rows),
]
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for function, argument in functions[:COUNT]:
        for result in olympus.tree.leaves(olympus.jit(function)(argument)):
            digest.update(np.asarray(result).tobytes())
print(digest.hexdigest(), loaded[True], loaded[False], [w.category.__name__ for w in said])
"""


def finished(runs: list[Finished]) -> list[list[str]]:
    """The words that processes printed."""
    for run in runs:
        assert run.returncode == 0, run.stderr
    return [run.stdout.split(maxsplit=3) for run in runs]


def program(size: int = 1000, count: int = 2) -> str:
    return PROGRAM.replace("SIZE", str(size)).replace("COUNT", str(count))


def run(cache: Path, processes: int = 1, **env: str) -> list[list[str]]:
    settings = {"OLYMPUS_COMPILATION_CACHE_DIR": str(cache), **env}
    return finished(run_processes(program(), processes, deadline=60.0, env=settings))


def objects(cache: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in cache.iterdir() if path.suffix == ".object"}


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    text = program(300_000, 5)
    digests = set()
    for threads in ("1", "2", "5"):
        ((digest, *_),) = finished(run_processes(text, 1, deadline=60.0, env={"OLYMPUS_NUM_THREADS": threads}))
        digests.add(digest)
    assert len(digests) == 1


def test_a_second_process_finds_the_code(tmp_path: Path) -> None:
    ((first, _, made, said),) = run(tmp_path)
    assert int(made) >= 2
    assert said.strip() == "[]"
    before = objects(tmp_path)
    assert len(before) >= 2
    ((second, found, made_again, said),) = run(tmp_path)
    assert (second, made_again, said.strip()) == (first, "0", "[]")
    assert int(found) >= 2
    assert objects(tmp_path) == before


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "short": lambda b: b[:40], "one bit": lambda b: b[:-1] + bytes([b[-1] ^ 1]), "strange": lambda b: b"x" * 9000,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_rewritten_with_one_warning(tmp_path: Path, damage: str) -> None:
    ((first, *_),) = run(tmp_path)
    before = objects(tmp_path)
    for name, content in before.items():
        (tmp_path / name).write_bytes(DAMAGES[damage](content))
    ((second, found, made, said),) = run(tmp_path)
    assert (second, found) == (first, "0")
    assert int(made) >= 2
    assert said.strip() == "['CompilationCacheWarning']"
    assert objects(tmp_path).keys() == before.keys()
    ((third, _, made, said),) = run(tmp_path)
    assert (third, made, said.strip()) == (first, "0", "[]")


def test_many_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    runs = run(tmp_path, 4)
    assert len({digest for digest, *_ in runs}) == 1
    assert {said.strip() for *_, said in runs} == {"[]"}
    assert not list(tmp_path.glob("*.part"))
    ((digest, _, made, _),) = run(tmp_path)
    assert (digest, made) == (runs[0][0], "0")


def test_no_folder_where_none_is_wanted(tmp_path: Path) -> None:
    ((_, found, made, _),) = run(tmp_path / "none", OLYMPUS_ENABLE_COMPILATION_CACHE="0")
    assert found == "0"
    assert int(made) >= 2
    assert not (tmp_path / "none").exists()


def test_a_folder_that_is_none_is_said_once_for_reading_and_once_for_writing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    ((digest, *_, said),) = run(file)
    assert said.strip() == "['CompilationCacheWarning', 'CompilationCacheWarning']"
    ((other, *_),) = run(tmp_path / "good")
    assert digest == other


def test_dumps_hold_programs_kernels_and_code(tmp_path: Path) -> None:
    code = (
        "import olympus, olympus.numpy as jnp\n"
        "def waves(x): return jnp.sin(x) @ x, jnp.argmax(x)\n"
        "olympus.jit(waves)(jnp.arange(50.))\n"
    )
    (done,) = run_processes(code, 1, env={"OLYMPUS_DUMP_TO": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    # Passes that change something are numbered by their place among all.
    texts = {re.sub(r"^\d+-", "", path.name.split(".", 1)[1]): path.read_text() for path in tmp_path.glob("waves*")}
    assert sorted(texts) == ["kernels.txt", "ll", "lower.program.txt", "products.program.txt", "program.txt"]
    assert texts["program.txt"].startswith("program(")
    after_lowering, after_products, given = (
        re.findall(r" = (\w+) ", texts[name]) for name in sorted(texts) if "program" in name)
    assert given == ["sin", "dot_general", "argmax"]
    assert after_products == ["sin", "broadcast_in_dim", "mul", "reduce_sum", "argmax"]
    assert "argmax" not in after_lowering and after_lowering.count("select") == 1
    assert "reduc" in texts["kernels.txt"]
    assert "define void @k0(ptr" in texts["ll"]


def test_a_dump_folder_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    ((_, _, _, said),) = run(tmp_path / "cache", OLYMPUS_DUMP_TO=str(file))
    assert said.strip() == "['DumpWarning']"
