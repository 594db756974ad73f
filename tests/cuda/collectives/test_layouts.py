# SPDX-License-Identifier: Apache-2.0
"""What is decided without a GPU: ranks, shares, ways to reduce; and the library's structures."""

from __future__ import annotations

import ctypes
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from olympus_core import dtypes
from olympus_cuda.collectives import nccl_library as nccl
from olympus_cuda.collectives import nccl_types
from olympus_cuda.collectives.assignment import assigned
from olympus_cuda.collectives.kernels import converted_module, ordered_module, reduced_module, rows_module
from olympus_cuda.collectives.layout import GpuLocation, Layout
from olympus_cuda.collectives.reductions import native
from olympus_cuda.errors import NcclError, NcclNotFoundError
from olympus_cuda.nvrtc.compile import compile_cubin
from olympus_cuda.nvrtc.library import library as nvrtc_library

from .. import fakes
from ..emulation import EmulatedModule, Guarded
from ..emulation import missing as missing_compiler

LOCATIONS = st.lists(
    st.sampled_from([GpuLocation(p, o, f"{p}:{o}") for p in range(3) for o in range(2)]), min_size=1, max_size=8)


@given(LOCATIONS)
def test_every_member_has_one_rank_and_one_slot(locations: list[GpuLocation]) -> None:
    layout = Layout(tuple(locations))
    assert sorted(p for participants in layout.participants for p in participants) == list(range(len(locations)))
    assert sorted(layout.slots) == list(range(len(locations)))
    for rank, participants in enumerate(layout.participants):
        assert {layout.rank_of[p] for p in participants} == {rank}
        assert [layout.slots[p] - layout.offset(rank) for p in participants] == list(range(len(participants)))
        assert {layout.locations[p] for p in participants} == {layout.ranks[rank]}
    firsts = [participants[0] for participants in layout.participants]
    assert firsts == sorted(firsts)
    sizes = {len(participants) for participants in layout.participants}
    assert layout.even == (sizes.pop() if len(sizes) == 1 else None)
    assert layout.shared_gpu == ()


def test_processes_that_share_a_gpu_are_named() -> None:
    layout = Layout((GpuLocation(0, 0, "a"), GpuLocation(2, 0, "b"), GpuLocation(3, 1, "b")))
    assert layout.shared_gpu == (2, 3)


@given(gpus=st.integers(1, 16), processes=st.integers(1, 20))
def test_processes_that_see_the_same_gpus_divide_them(gpus: int, processes: int) -> None:
    seen = [f"GPU {i}" for i in range(gpus)]
    shares = [assigned([seen] * processes, i) for i in range(processes)]
    assert all(shares) and sorted({i for share in shares for i in share}) == list(range(gpus))
    sizes = [len(share) for share in shares]
    if gpus >= processes:
        assert sum(sizes) == gpus and max(sizes) - min(sizes) <= 1
        assert [i for share in shares for i in share] == list(range(gpus))
    else:
        assert set(sizes) == {1}


@pytest.mark.parametrize(
    ("gpus", "mine", "expected"),
    [
        ([["a"], ["b"]], 1, [0]),  # Slurm with --gpus-per-task=1
        ([["a", "b"], ["c", "d"]], 0, [0, 1]),
        ([["a", "b"], ["a", "b"], ["c"]], 1, [1]),
        ([["a", "b"], ["b", "a"]], 1, [0, 1]),  # nobody can say whose is which
    ],
)
def test_processes_that_see_their_own_gpus_take_them(gpus: list[list[str]], mine: int, expected: list[int]) -> None:
    assert assigned(gpus, mine) == expected


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_what_nccl_is_asked_for_is_what_it_has(dtype: np.dtype) -> None:
    for reduction in ("sum", "prod", "max", "min", "and", "or"):
        how = native(dtype, reduction)
        if how is None:
            assert reduction in ("and", "or") or dtypes.is_complex(dtype)
            continue
        assert how.work in nccl_types.DATA_TYPE and how.operation in nccl_types.OPERATION
        # NCCL promises nothing of NaNs in extremes of floats.
        assert how.operation in ("sum", "prod") or not dtypes.is_float(how.work)
        assert how.work.itemsize * how.parts >= dtype.itemsize


def test_gpus_of_a_process_are_kept_from_each_others_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """CUDA's asynchronous pools give memory that other GPUs cannot read, and NCCL would read it within a process."""
    monkeypatch.setenv("OLYMPUS_NCCL_LIBRARY", "/nowhere/libnccl.so.2")
    for chosen, kept in ((None, "1"), ("0", "0")):
        monkeypatch.setenv("NCCL_P2P_DIRECT_DISABLE", chosen or "")
        if chosen is None:
            monkeypatch.delenv("NCCL_P2P_DIRECT_DISABLE")
        with pytest.raises(NcclNotFoundError):
            nccl.LOCATION.load(nccl.Library, NcclNotFoundError)
        assert os.environ["NCCL_P2P_DIRECT_DISABLE"] == kept


def test_the_configuration_is_laid_out_as_in_the_header() -> None:
    config = nccl_types.config_of(blocking=False)
    assert (ctypes.sizeof(config), config.size) == (120, 120)
    names = ("blocking", "net_name", "comm_name", "nvls_host")
    offsets = {name: getattr(nccl_types.Config, name).offset for name in names}
    assert offsets == {"blocking": 16, "net_name": 32, "comm_name": 48, "nvls_host": 112}
    assert (config.magic, config.blocking, config.min_ctas, config.net_name) == (0xCAFEBEEF, 0, -(1 << 31), None)
    assert ctypes.sizeof(nccl_types.UniqueId) == 128


def test_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLYMPUS_NCCL_LIBRARY", "/nowhere/libnccl.so.2")
    nccl.library.cache_clear()
    with pytest.raises(NcclNotFoundError, match="/nowhere/libnccl.so.2") as caught:
        nccl.library()
    assert isinstance(caught.value, ImportError) and "pip install 'olympus-runtime[cuda]'" in str(caught.value)
    nccl.library.cache_clear()


@pytest.mark.skipif(fakes.missing() is not None, reason=str(fakes.missing()))
def test_errors_tell_what_the_library_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLYMPUS_FAKE_NCCL_FOLDER", raising=False)
    library = nccl.Library(ctypes.CDLL(str(fakes.built("nccl"))))
    assert library.version() == 23203
    assert len(library.unique_id()) == 128 and library.unique_id() != library.unique_id()
    handle, config = ctypes.c_void_p(), nccl_types.config_of(blocking=False)
    with pytest.raises(NcclError, match="OLYMPUS_FAKE_NCCL_FOLDER is not set") as caught:
        library.call("ncclCommInitRankConfig", ctypes.byref(handle), 2, nccl_types.UniqueId(), 0, ctypes.byref(config))
    assert caught.value.status == "invalid usage"
    with pytest.raises(NcclError, match="not a live communicator"):
        library.call("ncclCommAbort", 0x1234)


_MODULES = [
    rows_module(16), rows_module(1), converted_module(dtypes.bfloat16, dtypes.float32),
    converted_module(dtypes.int32, dtypes.int16), ordered_module(dtypes.float64, "max", False),
    ordered_module(dtypes.float8_e4m3fn, "min", True), reduced_module(dtypes.complex64, "prod", 5),
    reduced_module(dtypes.float16, "sum", 16),
]


@pytest.mark.parametrize("module", _MODULES, ids=lambda module: next(iter(module.launches)))
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
def test_kernels_compile_for_gpus(module: object, architecture: str) -> None:
    try:
        nvrtc_library()
    except ImportError as error:
        pytest.skip(f"NVRTC is missing: {error}")
    assert compile_cubin(module.text, architecture, "test")[:4] == b"\x7fELF"  # type: ignore[attr-defined]


@pytest.mark.skipif(missing_compiler() is not None, reason=str(missing_compiler()))
@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if dtypes.is_float(d)], ids=str)
@pytest.mark.parametrize("reduction", ["max", "min"])
def test_whole_numbers_stand_in_the_order_of_floats(dtype: np.dtype, reduction: str) -> None:
    """Every narrow float, and many others: there and back, and in the right order, NaN beyond all."""
    if dtype.itemsize < 4:
        floats = np.arange(1 << (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype)
    else:
        finfo = np.finfo(dtype)
        known = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, finfo.max, finfo.min, finfo.tiny, -finfo.tiny,
                 finfo.smallest_subnormal, -finfo.smallest_subnormal]
        floats = np.concatenate([np.array(known, dtype), np.random.default_rng(3).normal(size=500).astype(dtype)])
    whole = np.dtype(np.int64 if dtype == dtypes.float64 else np.int32)
    source, numbers, back = Guarded(floats), Guarded(floats.size * whole.itemsize), Guarded(floats.nbytes)
    for to, (x, y) in ((False, (source, numbers)), (True, (numbers, back))):
        module = ordered_module(dtype, reduction, to)
        (name,) = module.launches
        EmulatedModule(module.text).launch(name, -(-floats.size // 256), 256, 0, [x.address, y.address, floats.size],
                                           [x.bound, y.bound])
    with np.errstate(invalid="ignore"):  # some NaNs signal
        wide = floats.astype(np.float64)
    order, nans = numbers.read(whole), np.isnan(wide)
    edge = np.iinfo(whole).max if reduction == "max" else np.iinfo(whole).min
    assert (order[nans] == edge).all() and not (order[~nans] == edge).any()
    ranked = wide[~nans][np.argsort(order[~nans], kind="stable")]
    assert (ranked[1:] >= ranked[:-1]).all()
    again = back.read(dtype)
    assert np.isnan(again[nans]).all()
    assert again[~nans].tobytes() == floats[~nans].tobytes()
