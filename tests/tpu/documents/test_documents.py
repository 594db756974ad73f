# SPDX-License-Identifier: Apache-2.0
"""Every program of the documents compiled by libtpu for three generations of TPUs, none of which is there.

v5e compiles all of them, the others a third each, and all with `python -m tests.tpu.documents v4 v6e`.
"""

from __future__ import annotations

import pytest

from tests.documents.catalogue import PROGRAMS

from ..libtpu import needed
from . import pieces
from .table import COMPUTES, NOTHING

GENERATIONS = {"v5e": tuple(COMPUTES), "v4": tuple(COMPUTES)[0::3], "v6e": tuple(COMPUTES)[1::3]}

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.fixture(autouse=True)
def _libtpu() -> None:
    needed()


def test_the_table_has_every_program() -> None:
    assert {f"{document}/{name}" for document, name in PROGRAMS} == COMPUTES.keys() | NOTHING.keys()
    assert not COMPUTES.keys() & NOTHING.keys()
    assert all((row.announced != row.compiled) == bool(row.why) for row in COMPUTES.values())


@pytest.mark.parametrize("program", NOTHING)
def test_what_compiles_nothing(program: str) -> None:
    assert pieces.recorded()[program] == [], NOTHING[program]


@pytest.mark.parametrize("program", COMPUTES)
def test_what_is_announced(program: str) -> None:
    found = pieces.recorded()[program]
    assert found and [piece["refusal"] for piece in found if piece["refusal"]] == []
    assert pieces.total([piece["announced"] for piece in found]) == COMPUTES[program].announced


@pytest.mark.parametrize(("generation", "program"), [(g, p) for g, programs in GENERATIONS.items() for p in programs])
def test_compiled(generation: str, program: str) -> None:
    require_compiled(generation, program, GENERATIONS[generation])


def require_compiled(generation: str, program: str, together: tuple[str, ...]) -> None:
    answers = pieces.compiled(generation, together)
    found = [(piece, answers[pieces.key(piece)]) for piece in pieces.recorded()[program]]
    assert [answer["error"] for _, answer in found if "error" in answer] == []
    row = COMPUTES[program]
    assert pieces.total([answer["collectives"] for _, answer in found]) == row.compiled, row.why
    for piece, answer in found:
        # What one chip holds: the shapes of its shards, and at least their bytes.
        assert answer["outputs"] == [[shape, dtype] for shape, dtype, _ in piece["outputs"]]
        assert answer["inputs"] == [shape for shape, _, _ in piece["inputs"]]
        assert answer["argument"] >= sum(size for _, _, size in piece["inputs"])
        assert answer["output"] >= sum(size for _, _, size in piece["outputs"])
        # Memory comes in tiles, so small arrays take more than their bytes.
        assert (answer["alias"] > 0) == (piece["reused"] > 0)
        assert piece["reused"] <= answer["alias"] <= answer["output"]


def test_donation_is_among_them() -> None:
    assert sum(piece["reused"] for piece in pieces.recorded()["004/axes"]) > 0


def test_shards_are_those_of_the_mesh() -> None:
    # The products of documents 000 and 002: (4096, 2048) over 4 x 2, times (2048, 4096) over 2 in one dimension.
    for program in ("000/matmul", "002/matmul"):
        (product,) = [piece for piece in pieces.recorded()[program] if piece["announced"]]
        assert [shape for shape, _, _ in product["inputs"]] == [[1024, 1024], [1024, 4096]]
        assert [shape for shape, _, _ in product["outputs"]] == [[1024, 4096]]
