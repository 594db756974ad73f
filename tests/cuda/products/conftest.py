# SPDX-License-Identifier: Apache-2.0
"""Works of products run on the host: kernels by emulation, cuBLASLt by its stand-in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from olympus_cuda.products import cublaslt

from .. import fakes
from ..emulation import missing


@pytest.fixture(autouse=True, scope="session")
def played_gpu() -> Iterator[None]:
    """The stand-in as the library that a user names."""
    reason = fakes.missing() or missing()
    if reason is not None:
        pytest.skip(reason)
    patch = pytest.MonkeyPatch()
    patch.setenv(cublaslt.LOCATION.variable, str(fakes.built("cublaslt")))
    cublaslt.library.cache_clear()
    yield
    patch.undo()
    cublaslt.library.cache_clear()
