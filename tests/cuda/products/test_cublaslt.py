# SPDX-License-Identifier: Apache-2.0
"""The library by ctypes: found or said to be missing, errors by name, and what it is told is what it takes."""

from __future__ import annotations

import ctypes
import dataclasses
from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_core.errors import OlympusError
from olympus_cuda.errors import CublasLtError, CublasLtNotFoundError, CublasLtUnsupportedError
from olympus_cuda.products import cublaslt, cublaslt_types
from olympus_cuda.products.cublaslt import Matmul, Matrix, PreparedMatmul

from .. import fakes

PLAIN = Matmul(Matrix(dtypes.float32, 3, 4, 3), Matrix(dtypes.float32, 4, 5, 4), Matrix(dtypes.float32, 3, 5, 3), False,
               False)


def fake() -> cublaslt.Library:
    """The stand-in, loaded once."""
    return cublaslt.Library(ctypes.CDLL(str(fakes.built("cublaslt"))))


def message(library: cublaslt.Library) -> str:
    """What the last call broke."""
    text = library.loaded.olympus_fake_message
    text.restype = ctypes.c_char_p
    found: bytes = text()
    return found.decode()


def aligned(array: np.ndarray) -> tuple[int, np.ndarray]:
    """The address of a copy that begins where blocks of device memory do, and what keeps it."""
    kept = np.zeros(array.nbytes + 512, np.uint8)
    start = -kept.ctypes.data % 256
    kept[start : start + array.nbytes] = array.reshape(-1).view(np.uint8)
    return kept.ctypes.data + start, kept


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cublaslt.LOCATION.variable, "libnothing.so.1")
    cublaslt.library.cache_clear()
    with pytest.raises(CublasLtNotFoundError, match=r"pip install 'olympus-runtime\[cuda\]'") as caught:
        cublaslt.library()
    assert "libnothing.so.1" in str(caught.value) and isinstance(caught.value, (OlympusError, ImportError))
    monkeypatch.undo()
    cublaslt.library.cache_clear()


def test_the_library_a_user_names_is_the_only_one_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cublaslt.LOCATION.variable, "/somewhere/libmine.so")
    assert list(cublaslt.LOCATION.candidates()) == ["/somewhere/libmine.so"]
    monkeypatch.delenv(cublaslt.LOCATION.variable)
    assert "libcublasLt.so.13" in list(cublaslt.LOCATION.candidates())


def test_errors_carry_the_function_and_the_status() -> None:
    library = fake()
    with pytest.raises(CublasLtError, match="CUBLAS_STATUS_INVALID_VALUE") as caught:
        library.created("MatmulDesc", 1, 0)
    assert caught.value.function == "cublasLtMatmulDescCreate" and "compute type 1" in message(library)
    with pytest.raises(CublasLtUnsupportedError, match="NOT_SUPPORTED"):
        library.check("cublasLtMatmul", cublaslt_types.STATUS_NOT_SUPPORTED)


def test_a_product_by_the_library() -> None:
    library = fake()
    x, y = np.arange(12, dtype=np.float32).reshape(4, 3), np.arange(20, dtype=np.float32).reshape(5, 4)
    places = [aligned(array) for array in (x, y, np.zeros((5, 3), np.float32))]
    ready = PreparedMatmul(library, 0, PLAIN, (256,) * 4)
    ready.enqueue(0, *(address for address, _ in places), 0, 0)
    address, kept = places[2]
    start = address - kept.ctypes.data
    np.testing.assert_array_equal(kept[start : start + 60].view(np.float32).reshape(5, 3), y @ x)


def test_what_is_given_back_is_gone() -> None:
    library = fake()
    library.handle(0)
    before = library.loaded.olympus_fake_live()
    ready = PreparedMatmul(library, 0, PLAIN, (256,) * 4)
    assert library.loaded.olympus_fake_live() > before
    ready.close()
    assert library.loaded.olympus_fake_live() == before
    assert library.handle(0) == library.handle(0) != library.handle(1)


@pytest.mark.parametrize(("changed", "said"), [
    ({"a": Matrix(dtypes.float32, 3, 4, 2)}, "leading dimension"),
    ({"b": Matrix(dtypes.float32, 5, 4, 5)}, "shapes"),
    ({"batch": 2}, "overlap"),
    ({"d": Matrix(dtypes.float16, 3, 5, 3)}, "types"), ({"relu": True, "gelu": True}, "epilogue 34"),
])
def test_the_stand_in_is_strict_about_descriptions(changed: dict[str, Any], said: str) -> None:
    library = fake()
    with pytest.raises(CublasLtError):
        PreparedMatmul(library, 0, dataclasses.replace(PLAIN, **changed), (256,) * 4)
    assert said in message(library)


@pytest.mark.parametrize(
    ("offset", "said"), [((4, 0, 0), "matrix A"), ((0, 4, 0), "matrix B"), ((0, 0, 4), "matrix C")])
def test_the_stand_in_is_strict_about_addresses(offset: tuple[int, ...], said: str) -> None:
    library = fake()
    ready = PreparedMatmul(library, 0, PLAIN, (256,) * 4)
    places = [aligned(np.zeros(64, np.float32)) for _ in range(3)]
    with pytest.raises(CublasLtError):
        ready.enqueue(0, *(address + by for (address, _), by in zip(places, offset, strict=True)), 0, 0)
    assert said in message(library)


def test_the_stand_in_wants_an_aligned_workspace() -> None:
    library = fake()
    ready = PreparedMatmul(library, 0, dataclasses.replace(PLAIN, workspace=1 << 20), (256,) * 4)
    places = [aligned(np.zeros(64, np.float32)) for _ in range(3)]
    with pytest.raises(CublasLtError):
        ready.enqueue(0, *(address for address, _ in places), 0, 64)
    assert "workspace" in message(library)


def test_work_is_handed_to_the_streams_of_whoever_asks_for_it() -> None:
    library = fake()
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    waiting: list[tuple[int, Any, int]] = []
    hook = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
        lambda stream, run, argument: waiting.append((stream, function(run), argument)))
    library.loaded.olympus_fake_set_enqueue(hook)
    try:
        places = [aligned(np.ones(64, np.float32)) for _ in range(3)]
        ready = PreparedMatmul(library, 0, PLAIN, (256,) * 4)
        ready.enqueue(77, *(address for address, _ in places), 0, 0)
        address, kept = places[2]
        results = kept[address - kept.ctypes.data :][:60].view(np.float32)
        assert results[0] == 1
        ((stream, run, argument),) = waiting
        run(argument)
        assert stream == 77 and results[0] == 4
    finally:
        library.loaded.olympus_fake_set_enqueue(None)


def test_the_real_library_takes_the_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cublaslt.LOCATION.variable)
    found = [path for path in cublaslt.LOCATION.candidates() if "nvidia" in path]
    if not found:
        pytest.skip("the wheel nvidia-cublas is not installed")
    library = cublaslt.Library(ctypes.CDLL(found[0]))
    desc = library.created("MatmulDesc", cublaslt_types.COMPUTE_32F, cublaslt_types.DATA_TYPE[dtypes.float32])
    gelu = cublaslt_types.EPILOGUE_GELU | cublaslt_types.EPILOGUE_BIAS
    for attribute, value in ((cublaslt_types.DESC_EPILOGUE, ctypes.c_uint32(gelu)),
                             (cublaslt_types.DESC_TRANSA, ctypes.c_int32(cublaslt_types.OP_T)),
                             (cublaslt_types.DESC_TRANSB, ctypes.c_int32(cublaslt_types.OP_N)),
                             (cublaslt_types.DESC_BIAS_DATA_TYPE, ctypes.c_int32(14)),
                             (cublaslt_types.DESC_BIAS_POINTER, ctypes.c_void_p(256))):
        library.assign("MatmulDesc", desc, attribute, value)
    layout = library.created("MatrixLayout", 14, 16, 32, 16)
    library.assign("MatrixLayout", layout, cublaslt_types.LAYOUT_BATCH_COUNT, ctypes.c_int32(3))
    library.assign("MatrixLayout", layout, cublaslt_types.LAYOUT_STRIDED_BATCH_OFFSET, ctypes.c_int64(512))
    preference = library.created("MatmulPreference")
    library.assign("MatmulPreference", preference, cublaslt_types.PREF_MAX_WORKSPACE_BYTES, ctypes.c_uint64(1 << 25))
    mask = ctypes.c_uint32(cublaslt_types.REDUCTION_SCHEME_COMPUTE_TYPE)
    library.assign("MatmulPreference", preference, cublaslt_types.PREF_REDUCTION_SCHEME_MASK, mask)
    for what, made in (("MatmulDesc", desc), ("MatrixLayout", layout), ("MatmulPreference", preference)):
        library.call(f"cublasLt{what}Destroy", made)
    assert library.version() >= 130000



def test_all_memory_that_a_product_uses_is_told() -> None:
    library, told = fake(), list[tuple[int, int, int]]()
    hook = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(
        lambda stream, first, count, writes: told.append((first, count, writes)))
    library.loaded.olympus_fake_set_access(hook)
    try:
        places = [aligned(np.ones(64, np.float32)) for _ in range(4)]
        a, b, d, bias = (address for address, _ in places)
        ready = PreparedMatmul(library, 0, dataclasses.replace(PLAIN, bias=True), (256,) * 4)
        ready.enqueue(0, a, b, d, bias, 0)
        assert told == [(a, 48, 0), (b, 80, 0), (d, 60, 1), (bias, 12, 0)]
    finally:
        library.loaded.olympus_fake_set_access(None)
