# SPDX-License-Identifier: Apache-2.0
"""Large products: the fastest of the proposed algorithms is taken, and kept on disk.

Of the stand-in's algorithms the second is the fast one; the fourth is ruled out.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_core.toolkit.objectcache import ObjectCache
from olympus_cuda.errors import CublasLtError
from olympus_cuda.gpu import Gpu
from olympus_cuda.products import timed_choices
from olympus_cuda.products.cublaslt import Library, Matmul, Matrix, PreparedMatmul
from olympus_cuda.products.timed_choices import TimedChoices, operations

from .. import fakes
from ..conftest import RunWithGpus

PRODUCT = Matmul(Matrix(dtypes.bfloat16, 48, 40, 48), Matrix(dtypes.bfloat16, 48, 56, 48),
                 Matrix(dtypes.bfloat16, 40, 56, 40), True, False, bias=True, workspace=8192)


@pytest.fixture
def library(gpu: Gpu, tmp_path: Path) -> Library:
    """A copy of the stand-in, whose work goes into streams: that of other tests is done at once."""
    from ..standin import cuda

    return Library(cuda.connect(str(shutil.copy(fakes.built("cublaslt"), tmp_path))))


@pytest.fixture
def cache(tmp_path: Path) -> ObjectCache:
    return ObjectCache(tmp_path / "cache", tmp_path / "key")


def counts(library: Library) -> list[int]:
    """How often each algorithm was run that was one of several."""
    return [int(library.loaded.olympus_fake_algorithm(which)) for which in range(3)]


def taken(library: Library, choices: TimedChoices, matmul: Matmul = PRODUCT) -> int:
    """The number of the algorithm that a product takes, from one on; 0 where there was no choice."""
    ready = PreparedMatmul(library, 0, matmul, (256,) * 4, choices.for_product(library, 0, matmul))
    number = int(ready._taken.algo[6])
    ready.close()
    return number


def test_operations() -> None:
    assert operations(PRODUCT) == 2 * 40 * 56 * 48
    square = Matrix(dtypes.float32, 2048, 2048, 2048, 1 << 22)
    assert operations(Matmul(square, square, square, False, False, 3)) == 3 * 2 * 2048**3 >= timed_choices.LEAST


def test_the_fastest_is_taken_and_kept(
    gpu: Gpu, library: Library, cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert TimedChoices(gpu, cache).for_product(library, 0, PRODUCT) is None
    monkeypatch.setattr(timed_choices, "LEAST", 1)
    before, choices = counts(library), TimedChoices(gpu, cache)
    assert taken(library, choices) == 2
    timed = counts(library)
    assert timed[1] - before[1] > 4 and timed[2] - before[2] == 1  # the slow ones are not timed again
    assert taken(library, choices) == 2 and taken(library, TimedChoices(gpu, cache)) == 2
    assert counts(library) == timed
    other = TimedChoices(gpu, ObjectCache(cache.folder.parent / "other", cache.folder.parent / "key"))
    assert taken(library, other) == 2 and counts(library) != timed
    for file in cache.folder.iterdir():
        file.write_bytes(b"something else")
    with pytest.warns(UserWarning):
        assert taken(library, TimedChoices(gpu, cache)) == 2


def test_an_algorithm_that_is_hardly_faster_or_refused_is_not_taken(
    gpu: Gpu, library: Library, cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timed_choices, "LEAST", 1)
    monkeypatch.setattr(timed_choices, "_GAIN", 0.0)
    assert taken(library, TimedChoices(gpu, cache)) == 1
    real = PreparedMatmul.enqueue_as

    def refusing(self: PreparedMatmul, algorithm: object, *addresses: int) -> None:
        if algorithm.algo[6] == 2:  # type: ignore[attr-defined]
            raise CublasLtError("cublasLtMatmul", "CUBLAS_STATUS_NOT_SUPPORTED")
        real(self, algorithm, *addresses)  # type: ignore[arg-type]

    monkeypatch.setattr(timed_choices, "_GAIN", 2.0)
    monkeypatch.setattr(PreparedMatmul, "enqueue_as", refusing)
    fresh = ObjectCache(cache.folder.parent / "other", cache.folder.parent / "key")
    assert taken(library, TimedChoices(gpu, fresh)) in (1, 3)


def test_without_memory_the_library_chooses(
    gpu: Gpu, library: Library, cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ..standin.machine import MACHINE

    monkeypatch.setattr(timed_choices, "LEAST", 1)
    MACHINE.refuses_from = 0
    assert taken(library, TimedChoices(gpu, cache)) == 1
    MACHINE.refuses_from = None
    assert not cache.folder.exists()
    assert taken(library, TimedChoices(gpu, cache)) == 2


def test_programs_with_timed_products(run_with_gpus: RunWithGpus, tmp_path: Path) -> None:
    script = """
import ml_dtypes
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus_cuda.products import cublaslt, small_products, timed_choices
timed_choices.LEAST, small_products.MOST = 1, 0
random = np.random.default_rng(0)
x, y, b = (random.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((32, 48), (48, 40), (40,)))
f = olympus.jit(lambda x, y, b: jnp.maximum(x @ y + b, 0))
expected = np.maximum(x.astype(np.float32) @ y.astype(np.float32) + b.astype(np.float32), 0)
for _ in range(3):
    np.testing.assert_allclose(np.asarray(f(x, y, b)).astype(np.float32), expected, rtol=2e-2, atol=2e-2)
loaded = cublaslt.library().loaded
print([loaded.olympus_fake_algorithm(i) for i in range(3)])
"""
    folder = {"OLYMPUS_COMPILATION_CACHE_DIR": str(tmp_path / "cache")}
    first, second = (list(map(int, run_with_gpus(script, **folder).strip("[]\n").split(","))) for _ in range(2))
    assert first[0] and first[1] > 4 and first[2]
    assert second[0] == second[2] == 0 and second[1] >= 2
    without = run_with_gpus(script, OLYMPUS_ENABLE_COMPILATION_CACHE="0")
    assert without.strip() == "[0, 0, 0]"


def test_numbers_of_the_description() -> None:
    """What is kept is the library's description of an algorithm, 64 bytes."""
    assert len(bytes(timed_choices.HeuristicResult().algo)) == 64 == np.dtype(np.uint64).itemsize * 8
