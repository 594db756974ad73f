# SPDX-License-Identifier: Apache-2.0
"""The manifest of a checkpoint: what it holds, as JSON with a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.errors.checkpoints import CheckpointCorruptError
from olympus_core.plugin.version import VERSION

from ..trees.paths import keystr
from .chunks import Grid
from .elements import dtype_of
from .outline import built, decoded, keys_in, paths_in

NAME = "olympus.json"
ARRAYS = "tree"  # the folder, a group of Zarr, that the arrays are in
_FORMAT, _VERSION = "olympus checkpoint", 1
KEY_KINDS = {"key": dtypes.key_fry, "key<rbg>": dtypes.key_rbg, "key<urbg>": dtypes.key_urbg}  # saved as their words
_KINDS = ("array", *KEY_KINDS, "numpy", "scalar")


@dataclass(frozen=True, slots=True)
class ArrayRecord:
    """What is known of a saved array.

    Args:
        path: Its path in the tree, in words.
        name: Its folder, relative to the checkpoint's.
        kind: ``array``, ``key`` for random keys, ``numpy`` or ``scalar`` for values of NumPy.
        shape: Its shape; that of their words, for keys.
        dtype: Type of its elements.
        stored: Zarr's data type, another one where only the bits are stored.
        chunk: Shape of its chunks.
        weak: Whether its element type is weak.
        sharding: How it was sharded, in words.
        checksums: The CRC-32C of each chunk, in row-major order, eight hexadecimal digits each.
    """

    path: str
    name: str
    kind: str
    shape: tuple[int, ...]
    dtype: str
    stored: str
    chunk: tuple[int, ...]
    weak: bool
    sharding: str
    checksums: tuple[str, ...] = ()

    @property
    def grid(self) -> Grid:
        """Its chunks."""
        return Grid(self.shape, self.chunk)

    @property
    def type(self) -> str:
        """Its type as people write it."""
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"

    @property
    def nbytes(self) -> int:
        """Bytes of its elements."""
        size = dtype_of(self.dtype).itemsize
        for count in self.shape:
            size *= count
        return size


@dataclass(frozen=True, slots=True)
class ValueRecord:
    """A leaf that is a Python number or text, which the manifest itself holds.

    Args:
        path: Its path in the tree, in words.
        value: What `outline.encoded` gave of it.
    """

    path: str
    value: list[Any]


Record = ArrayRecord | ValueRecord


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a checkpoint holds.

    Args:
        step: Its step.
        outline: The tree's structure.
        leaves: The tree's leaves, by the numbers that the structure has.
        processes: How many processes saved it.
        created: When, in UTC.
        olympus: By which version.
        digest: Of all of this; found when it is written.
    """

    step: int
    outline: Any
    leaves: tuple[Record, ...]
    processes: int
    created: str
    olympus: str = VERSION
    digest: str = field(default="", compare=False)

    @property
    def arrays(self) -> list[ArrayRecord]:
        """The arrays among the leaves."""
        return [leaf for leaf in self.leaves if isinstance(leaf, ArrayRecord)]

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays' elements."""
        return sum(array.nbytes for array in self.arrays)

    def encoded(self) -> bytes:
        """The file's content."""
        content = {
            "format": _FORMAT, "version": _VERSION, "olympus": self.olympus, "step": self.step,
            "created": self.created, "processes": self.processes, "tree": self.outline,
            "leaves": [{"value": leaf.value, "path": leaf.path} if isinstance(leaf, ValueRecord) else
                       {**asdict(leaf), "checksums": " ".join(leaf.checksums)} for leaf in self.leaves],
        }
        content["digest"] = _digest(content)
        return json.dumps(content, indent=1).encode()


def _digest(content: dict[str, Any]) -> str:
    plain = {key: value for key, value in content.items() if key != "digest"}
    return "sha256:" + hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks the manifest of a checkpoint's folder.

    Args:
        folder: The step's folder.

    Raises:
        CheckpointCorruptError: When it is not what was written.
        NotSupportedError: When another version of olympus wrote it in a way that this one does not know.
        FileNotFoundError: When there is none.
    """
    data = (folder / NAME).read_bytes()
    try:
        content = json.loads(data)
        if type(content) is not dict or content.get("format") != _FORMAT:
            raise ValueError("it is no manifest of a checkpoint")
        if content.get("version") != _VERSION:
            raise NotSupportedError(
                f"A checkpoint of format {content.get('version')!r}, which olympus {content.get('olympus')} wrote,",
                f"this is olympus {VERSION}, which reads format {_VERSION}", "Restore it with that version.")
        if content.get("digest") != _digest(content):
            raise ValueError("its content does not have its digest")
        return _decoded(content)
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError) as error:
        raise CheckpointCorruptError(str(folder), None, NAME, str(error) or type(error).__name__) from None


def _decoded(content: dict[str, Any]) -> Manifest:
    leaves: list[Record] = []
    for leaf in content["leaves"]:
        if "value" in leaf:
            decoded(leaf["value"])
            leaves.append(ValueRecord(leaf["path"], leaf["value"]))
            continue
        record = ArrayRecord(**{**leaf, "shape": _sizes(leaf["shape"]), "chunk": _sizes(leaf["chunk"]),
                                "checksums": tuple(leaf["checksums"].split())})
        _check_array(record)
        leaves.append(record)
    outline = content["tree"]
    _check_outline(outline, leaves)
    if type(content["step"]) is not int or type(content["processes"]) is not int:
        raise ValueError("its step is no number")
    return Manifest(content["step"], outline, tuple(leaves), content["processes"], str(content["created"]),
                    str(content["olympus"]), content["digest"])


def _sizes(found: Any) -> tuple[int, ...]:
    if type(found) is not list or not all(type(size) is int and size >= 0 for size in found):
        raise ValueError("an array's shape is none")
    return tuple(found)


def _check_array(record: ArrayRecord) -> None:
    dtype_of(record.dtype), dtype_of(record.stored)
    parts = record.name.split("/")
    # A name from a file must not lead out of the checkpoint's folder.
    if parts[0] != ARRAYS or any(part in ("", ".", "..") or "\\" in part for part in parts):
        raise ValueError(f"array {record.path} is in no folder of it")
    if record.kind not in _KINDS or len(record.chunk) != len(record.shape) or 0 in record.chunk:
        raise ValueError(f"array {record.path} has another form")
    if len(record.checksums) != record.grid.count:
        raise ValueError(f"array {record.path} has {len(record.checksums)} checksums for {record.grid.count} chunks")


def _check_outline(outline: Any, leaves: Sequence[Record]) -> None:
    numbers = [found for _, found in paths_in(outline) if type(found) is int]
    if sorted(numbers) != list(range(len(leaves))):
        raise ValueError("its structure does not have its leaves")
    for path, found in paths_in(outline):
        if type(found) is int and keystr(path) != leaves[found].path:
            raise ValueError(f"its leaf {keystr(path)} has another path")
    _check_names(outline)


def _check_names(outline: Any) -> None:
    if type(outline) is int:
        return
    if "namedtuple" in outline:
        built({**outline, "parts": [0] * len(outline["fields"])}, [0])  # refuses what is no name
    if len(keys_in(outline)) != len(outline.get("parts", ())):
        raise ValueError("a container does not have its keys")
    for part in outline.get("parts", ()):
        _check_names(part)
