# SPDX-License-Identifier: Apache-2.0
"""The rows are those of the bars' table, and each has the table's bar."""

from __future__ import annotations

import fnmatch

import pytest

from benchmarks.__main__ import chosen, main
from benchmarks.cases import CASES
from benchmarks.cases.programs import CASES as PROGRAMS
from benchmarks.cases.starts import answer
from benchmarks.cuda.cases import CASES as CUDA
from benchmarks.cuda.cases import over_copy
from benchmarks.processes import ProgramError
from benchmarks.servers import Kind

# Pattern, how many rows fit it, the most that olympus / peer may be.
BARS = [
    ("chain-relu-*", 4, 0.5),
    ("chain-sin-*", 4, 0.15), ("chain-expcos-*", 4, 0.15),
    *((f"chain-{name}-*-f32", 2, 0.5) for name in ("gelu", "silu", "tanh")),
    *((f"chain-{name}-*-f64", 2, 0.15) for name in ("gelu", "silu", "tanh")),
    ("sum-sin-*", 2, 0.1), ("softmax", 1, 0.7), ("layernorm", 1, 0.7), ("logsumexp", 1, 0.7), ("sum-axis-?", 2, 0.7),
    ("call-1", 1, 0.3), ("call-tree", 1, 0.3), ("eager-*", 3, 0.5), ("put", 1, 1.0), ("shards", 1, 1.0),
    ("call-ahead", 1, 1.0), ("call-pair", 1, 1.0), ("call-lorenz", 1, 1.0), ("retrace-remat", 1, 1.0),
    ("pmap-8", 1, 1.0),
    ("parts-*", 2, 1.0),
    ("devices-sum-sin-*", 5, 0.15), ("devices-matmul-*", 5, 0.5), ("psum-*", 4, 0.3),
    ("matmul-f32-*", 4, 1.0), ("matmul-bf16-*", 4, 1.0), ("matmul-small", 1, 1.0), ("matmul-widened-*", 2, 1.0),
    ("conv-*", 2, 1.0),
    ("mlp", 1, 0.7), ("attention", 1, 0.7),
    ("compile-*", 6, 0.5), ("import", 1, 0.5), ("toy", 1, 0.5),
    ("peak-*", 13, 1.0), ("loop-*", 13, 1.0), ("samples-*", 3, 1.0), ("function-*", 5, 1.0), ("fft-*", 2, 1.0),
    *((f"{which}-*", 3, 1.0) for which in ("cholesky", "qr", "svd", "eigh", "solve")),
]


@pytest.mark.parametrize(("pattern", "count", "limit"), BARS)
def test_row_has_its_bar(pattern: str, count: int, limit: float) -> None:
    cases = chosen(CASES, [pattern], quick=False)
    assert len(cases) == count
    for case in cases:
        assert [bar.limit for bar in case.bars if bar.text == "olympus / peer"] == [limit]
        assert {"olympus", "peer"} <= set(case.sides)


def test_no_row_is_without_its_line_above() -> None:
    rest = [case.name for case in CASES if not any(fnmatch.fnmatchcase(case.name, p) for p, _, _ in BARS)
            and not case.name.startswith("same-bits-")]
    # What other work promised: their bars are no part of that table.
    assert sorted(rest) == ["artefact-mlp", "artefact-transformer", "call-8", "divergence", "pipeline-1",
                            "pipeline-2", "pjrt-call"]


def test_programs_have_the_bars_that_were_set() -> None:
    limits = {case.name: [bar.limit for bar in case.bars] for case in PROGRAMS}
    assert len(limits) == len(PROGRAMS) == 3 * 18
    for name, found in limits.items():
        program, _, what = name.rpartition("-")
        wide = program in ("lstm", "monte-carlo", "mandelbrot", "mlp", "embedding", "neighbours")
        assert found == [{"step": 0.7 if wide else 0.5, "first": 0.3, "memory": 0.6}[what]]
    assert all(set(case.sides) == {"olympus", "peer"} for case in PROGRAMS)


def test_rows_of_the_same_bits_have_the_bar_that_was_set() -> None:
    found = {case.name[10:]: case.bars[0] for case in CASES if case.name.startswith("same-bits-")}
    assert {bar.text for bar in found.values()} == {"reproducible / olympus"}
    assert {name for name, bar in found.items() if bar.limit is None} == {"cholesky", "eigh"}
    assert {bar.limit for bar in found.values()} == {None, 1.15}


def test_names_are_unique() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)


def test_quick_leaves_the_large_sizes_out_unless_they_are_named() -> None:
    quick = {case.name for case in chosen(CASES, None, quick=True)}
    assert not {"matmul-f32-4096", "chain-sin-1e7-f32", "psum-64MiB"} & quick
    assert {"matmul-f32-512", "chain-sin-1e5-f32", "psum-4B", "toy", "mlp"} <= quick
    assert len(chosen(CASES, None, quick=False)) == len(CASES)
    assert [case.name for case in chosen(CASES, ["psum-64MiB"], quick=True)] == ["psum-64MiB"]


def test_unknown_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "nonsense"])
    assert "no benchmark is named nonsense" in capsys.readouterr().err


def test_list_tells_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [case.name for case in CASES]


def test_answer_is_the_last_marked_line() -> None:
    assert answer("hello\n=1.5\n=2.5\nbye\n") == 2.5
    with pytest.raises(ProgramError, match="printed no figure:\nhello"):
        answer("hello\n")


def test_cuda_rows_have_the_bars_that_were_set() -> None:
    limits = {
        case.name.removeprefix("cuda-"): [bar.limit for bar in case.bars] for case in CUDA
    }
    assert {"relu", "gelu", "silu", "expcos"} == {name[6:] for name in limits if name.startswith("chain-")}
    for name, found in limits.items():
        if name.startswith("chain-"):
            assert found == [1.0, round(1 / 0.9, 3)]
        elif name in ("sum-axis0", "sum-axis1", "softmax", "layernorm"):
            assert found == [1.0, round(1 / 0.85, 3)]
    singles = {"dense": 1.0, "transformer": 1.1, "transformer-gradient": 1.1, "svd-2048": 1.0, "call": 1.0,
               "twenty": 0.7, "compile-chain": 0.7}
    assert {name: limits[name] for name in singles} == {name: [limit] for name, limit in singles.items()}


def test_cuda_bandwidth_counts_the_bytes_that_must_move() -> None:
    # Two arrays in and one out are one and a half copies: as fast as that is 1.
    assert over_copy(1.5, 0.9).figure({"olympus": 3.0, "device copy": 2.0}) == 1.0
    (sums,) = [case for case in CUDA if case.name == "cuda-sum-axis1"]
    assert sums.bars[1].figure({"olympus": 1.0, "device copy": 2.0}) == 1.0


def test_cuda_sides_run_on_the_gpu() -> None:
    variables = Kind(platform="cuda").variables("jax")
    assert variables["JAX_PLATFORMS"] == "cuda"
    assert variables["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
    assert Kind(platform="cuda").variables("olympus")["OLYMPUS_PLATFORMS"] == "cuda"
    assert all("olympus" in case.sides and "peer" in case.sides for case in CUDA)
