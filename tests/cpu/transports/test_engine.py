# SPDX-License-Identifier: Apache-2.0
"""How large blocks are cut for MPI, and when it is used."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_cpu.transports import selection
from olympus_cpu.transports.mpi import engine


@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 250, 300])
def test_pieces_cover_a_block_in_order(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PIECE_BYTES", 100)
    block = np.arange(size, dtype=np.uint16).astype(np.uint8)
    pieces = engine._pieces(block)
    assert all(p.nbytes <= 100 and np.shares_memory(p, block) for p in pieces if p.nbytes)
    assert np.concatenate(pieces).tobytes() == block.tobytes()


def test_a_piece_fits_mpis_32_bit_counts() -> None:
    assert engine.PIECE_BYTES < 2**31


@pytest.mark.parametrize(("mpi", "fabric", "is_one_machine", "expected"), [
    ([True, True], [True, True], False, "mpi"), ([True, True], [True, False], False, "tcp"),
    ([True, True], [False, False], False, "tcp"), ([True, False], [True, True], False, "tcp"),
    ([True, True], [True, True], True, "tcp"),
])
def test_between_machines_mpi_is_for_infiniband(
    mpi: list[bool], fabric: list[bool], is_one_machine: bool, expected: str
) -> None:
    answers = [{"mpi": m, "fabric": f} for m, f in zip(mpi, fabric, strict=True)]
    assert selection._by_messages(answers, is_one_machine) == expected
