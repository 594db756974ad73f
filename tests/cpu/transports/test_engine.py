"""How large blocks are cut for MPI."""

from __future__ import annotations

import numpy as np
import pytest

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
