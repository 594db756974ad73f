# SPDX-License-Identifier: Apache-2.0
"""What others read: plain Zarr 3. And what is damaged is found, and named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, checkpoints
from olympus.checkpoints.manifest import NAME, read_manifest
from olympus.errors import CheckpointCorruptError, NotSupportedError

from .support import need_tensorstore

tensorstore = need_tensorstore()

VALUES = np.arange(64, dtype=np.float32).reshape(8, 8)


@pytest.fixture
def step(tmp_path: Path) -> Path:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    tree = {
        "params": {"w": olympus.device_put(VALUES, NamedSharding(mesh, P("x", "y")))}, "bias": jnp.zeros(3),
        "half": jnp.arange(4, dtype="bfloat16"), "bits": jnp.arange(4, dtype="float8_e5m2"), "step": 5,
    }
    return checkpoints.save(tmp_path, tree, 5)


def chunk_of(array: Path, *index: int) -> np.ndarray:
    """A chunk, read by hand as the array's zarr.json says."""
    said = json.loads((array / "zarr.json").read_text())
    assert said["zarr_format"] == 3 and said["node_type"] == "array" and said["chunk_grid"]["name"] == "regular"
    assert said["codecs"] == [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
    assert said["chunk_key_encoding"] == {"name": "default", "configuration": {"separator": "."}}
    data = array.joinpath(".".join(["c", *map(str, index)])).read_bytes()
    assert int.from_bytes(data[-4:], "little") == crc32c(data[:-4])
    dtype = getattr(ml_dtypes, said["data_type"], said["data_type"])
    return np.frombuffer(data[:-4], dtype).reshape(said["chunk_grid"]["configuration"]["chunk_shape"])


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum, bit by bit."""
    found = 0xFFFFFFFF
    for byte in data:
        found ^= byte
        for _ in range(8):
            found = (found >> 1) ^ (0x82F63B78 & -(found & 1))
    return found ^ 0xFFFFFFFF


def test_tensorstore_reads_the_arrays(step: Path) -> None:
    def read(name: str) -> Any:
        spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(step / "tree" / name)}}
        return tensorstore.open(spec, open=True).result().read().result()

    assert np.array_equal(read("params/w"), VALUES)
    assert np.array_equal(read("bias"), np.zeros(3, np.float32))
    assert read("half").dtype == ml_dtypes.bfloat16 and read("half").tolist() == [0, 1, 2, 3]
    assert read("bits").view(ml_dtypes.float8_e5m2).tolist() == [0, 1, 2, 3]


def test_the_arrays_are_read_by_hand(step: Path) -> None:
    array = step / "tree/params/w"
    found = np.block([[chunk_of(array, i, j) for j in range(2)] for i in range(4)])
    assert np.array_equal(found, VALUES)  # a chunk is a shard
    assert chunk_of(step / "tree/half", 0).tolist() == [0, 1, 2, 3]
    said = json.loads((step / "tree/bits/zarr.json").read_text())
    assert said["data_type"] == "uint8"
    assert said["attributes"]["olympus"] == {"path": "['bits']", "dtype": "float8_e5m2"}
    assert json.loads((step / "tree/params/zarr.json").read_text())["node_type"] == "group"
    assert json.loads((step / "tree/zarr.json").read_text())["node_type"] == "group"


def test_the_manifest_has_the_checksums_of_the_chunks(step: Path) -> None:
    manifest = read_manifest(step)
    assert manifest.step == 5 and manifest.processes == 1 and manifest.nbytes == 64 * 4 + 3 * 4 + 4 * 2 + 4
    (record,) = [array for array in manifest.arrays if array.path == "['params']['w']"]
    chunks = [(step / record.name / f"c.{i}.{j}").read_bytes() for i in range(4) for j in range(2)]
    assert record.checksums == tuple(chunk[-4:].hex() for chunk in chunks)
    assert record.sharding == "PartitionSpec('x', 'y') over (x: 4, y: 2)" and record.type == "float32[8,8]"


def damage(path: Path, change: str, other: Path) -> None:
    data = bytearray(path.read_bytes())
    if change == "a bit":
        data[3] ^= 4
    elif change == "its checksum":
        data[-1] ^= 1
    elif change == "its end":
        del data[-5:]
    elif change == "longer":
        data += b"\0"
    elif change == "another chunk":
        data[:] = other.read_bytes()  # whole in itself, but not the one
    if change == "missing":
        path.unlink()
    else:
        path.write_bytes(data)


@pytest.mark.parametrize("change", ["a bit", "its checksum", "its end", "longer", "another chunk", "missing"])
def test_a_damaged_chunk_is_named(step: Path, change: str) -> None:
    damage(step / "tree/params/w/c.2.1", change, step / "tree/params/w/c.0.0")
    with pytest.raises(CheckpointCorruptError) as raised:
        checkpoints.restore(step.parent)
    assert raised.value.array == "['params']['w']" and raised.value.chunk == "tree/params/w/c.2.1"
    assert "['params']['w'], chunk tree/params/w/c.2.1" in str(raised.value)
    if change == "a bit":
        assert raised.value.reason == "its content does not have its checksum"


@pytest.mark.parametrize("change", [
    lambda m: m.update(step=6), lambda m: m.update(tree=0), lambda m: m["leaves"].pop(),
    lambda m: m["leaves"][0].update(name="tree/../../x"), lambda m: m.pop("digest"), lambda m: m.update(format="other"),
])
def test_a_changed_manifest_is_refused(step: Path, change: Any) -> None:
    content = json.loads((step / NAME).read_text())
    change(content)
    (step / NAME).write_text(json.dumps(content))
    with pytest.raises(CheckpointCorruptError, match="its manifest"):
        checkpoints.restore(step.parent)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 5000, '{"format": "olympus checkpoint", "version": 1}', "\0"])
def test_what_is_no_manifest_is_refused(step: Path, text: str) -> None:
    (step / NAME).write_text(text)
    with pytest.raises(CheckpointCorruptError):
        read_manifest(step)


def test_a_manifest_whose_digest_is_right_is_checked_all_the_same(step: Path) -> None:
    from olympus.checkpoints.manifest import _digest

    content = json.loads((step / NAME).read_text())
    leaf = {**content["leaves"][0], "path": ""}
    valid = {**content, "leaves": [leaf], "tree": 0}
    (step / NAME).write_text(json.dumps({**valid, "digest": _digest(valid)}))
    assert read_manifest(step).arrays[0].path == ""
    for change in (
        {"tree": {"node": 1}}, {"tree": {"namedtuple": "a b", "fields": ["x"], "parts": [0]}}, {"leaves": [{}]},
        {"tree": {"dict": [["str", "a"]], "parts": []}}, {"step": "5"},
        {"leaves": [{**leaf, "name": "tree/../../x"}]}, {"leaves": [{**leaf, "chunk": [0]}]},
        {"leaves": [{**leaf, "dtype": "object"}]}, {"leaves": [{**leaf, "checksums": ""}]},
        {"leaves": [{"path": "", "value": ["code", "x"]}]}, {"leaves": [leaf, leaf]},
    ):
        forged = {**valid, **change}
        (step / NAME).write_text(json.dumps({**forged, "digest": _digest(forged)}))
        with pytest.raises(CheckpointCorruptError):
            read_manifest(step)


def test_another_format_says_which_version_wrote_it(step: Path) -> None:
    content = json.loads((step / NAME).read_text())
    (step / NAME).write_text(json.dumps({**content, "version": 2, "olympus": "9.9"}))
    with pytest.raises(NotSupportedError, match=r"format 2, which olympus 9\.9 wrote"):
        read_manifest(step)
