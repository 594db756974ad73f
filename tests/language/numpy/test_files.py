# SPDX-License-Identifier: Apache-2.0
"""Files in NumPy's formats, which NumPy reads and writes too; nothing is ever unpickled."""

import io
import pickle
from pathlib import Path

import numpy as np
import pytest

import olympus.numpy as jnp
from olympus.errors import ArgumentError


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "complex64", "bfloat16"])
def test_an_array_comes_back(tmp_path: Path, dtype: str) -> None:
    x = jnp.arange(6).reshape(2, 3).astype(dtype)
    jnp.save(tmp_path / "x", x)
    found = jnp.load(tmp_path / "x.npy")
    assert (found.dtype, found.shape) == (x.dtype, x.shape)
    assert found.tolist() == x.tolist()


def test_numpy_and_olympus_read_each_other(tmp_path: Path) -> None:
    host = np.arange(6, dtype=np.int32).reshape(2, 3).T
    file = io.BytesIO()
    np.lib.format.write_array(file, host, allow_pickle=False)
    jnp.save(file, host[0])  # a second one behind it
    file.seek(0)
    np.testing.assert_array_equal(jnp.load(file), host)
    np.testing.assert_array_equal(jnp.load(file), host[0])
    jnp.savez(tmp_path / "all", host, weights=jnp.ones(2))
    found = jnp.load(tmp_path / "all.npz")
    assert sorted(found) == ["arr_0", "weights"]
    np.testing.assert_array_equal(found["arr_0"], host)
    with pytest.raises(ArgumentError, match="two arrays"):
        jnp.savez(io.BytesIO(), host, arr_0=host)


def test_nothing_is_unpickled() -> None:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.array([{}], object), allow_pickle=True)
    for content in (file.getvalue(), pickle.dumps([1, 2]), b"", b"\x93NUM"):
        with pytest.raises(ArgumentError, match="not read"):
            jnp.load(io.BytesIO(content))


def test_memory_text_and_iterators(tmp_path: Path) -> None:
    host = np.arange(4, dtype=np.int32)
    assert jnp.frombuffer(host.tobytes(), "int32", 2, 4).tolist() == [1, 2]
    with pytest.raises(ArgumentError, match="buffer"):
        jnp.frombuffer(b"abc", "int32")
    host.tofile(tmp_path / "raw")
    assert jnp.fromfile(tmp_path / "raw", "int32").tolist() == [0, 1, 2, 3]
    assert jnp.fromiter(iter([1.5, 2]), float).tolist() == [1.5, 2]
    assert jnp.fromstring("1,2", float, sep=",").dtype == np.float32
