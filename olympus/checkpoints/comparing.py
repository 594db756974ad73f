# SPDX-License-Identifier: Apache-2.0
"""What differs between two checkpoints: structure, types, and content; and whether one is whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from olympus_core.errors.checkpoints import CheckpointCorruptError, CheckpointNotFoundError

from ..trees.paths import keystr
from .folders import found_step, step_folder
from .manifest import NAME, ArrayRecord, Manifest, Record, read_manifest
from .outline import decoded, keys_in, kind_in
from .store import Reader, check_chunks, verify


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of the tree where two checkpoints differ.

    Args:
        path: The place, in words.
        first: What the first one has there; empty where nothing.
        second: What the second one has there.
        what: What is different: ``structure``, ``type`` or ``content``, with figures where they are known.
    """

    path: str
    first: str
    second: str
    what: str


def opened(folder: Path, step: int | None = None) -> tuple[Path, Manifest]:
    """A checkpoint's folder and manifest.

    Args:
        folder: A folder of checkpoints, or the folder of one step.
        step: Which step of the former; the latest when None.
    """
    if step is None and (folder / NAME).is_file():
        return folder, read_manifest(folder)
    found = step_folder(folder, found_step(folder, step))
    try:
        return found, read_manifest(found)
    except FileNotFoundError:
        raise CheckpointNotFoundError(str(folder), step, (), "it has just been removed") from None


def damage(folder: Path, manifest: Manifest, thoroughly: bool = False) -> str | None:
    """What is wrong with a checkpoint's files, in words; None where it is whole.

    Args:
        folder: The step's folder.
        manifest: Its manifest.
        thoroughly: Whether to read everything and compute checksums; else only those in the files are compared.
    """
    for record in manifest.arrays:
        try:
            check_chunks(folder, record, record.grid.indices())
            if thoroughly:
                verify(folder, record)
        except CheckpointCorruptError as error:
            return f"{record.path or 'the root'}, {error.chunk}: {error.reason}"
    return None


def differences(
    first: tuple[Path, Manifest], second: tuple[Path, Manifest], values: bool = False
) -> list[Difference]:
    """Where two checkpoints differ; how arrays are sharded does not count.

    Args:
        first: A checkpoint's folder and manifest.
        second: Those of another one.
        values: Whether to read arrays that are not the same, and find the greatest difference of their elements.
    """
    ours, theirs = _places(first[1]), _places(second[1])
    found = []
    for path in dict.fromkeys((*ours, *theirs)):
        a, b = ours.get(path), theirs.get(path)
        difference = None
        if a is None or b is None or isinstance(a, str) or isinstance(b, str):
            if a != b:
                difference = Difference(path, _words(a), _words(b), "structure")
        elif not isinstance(a, ArrayRecord) or not isinstance(b, ArrayRecord):
            if _words(a) != _words(b) or type(a) is not type(b):
                difference = Difference(path, _words(a), _words(b), "content")
        elif _type(a) != _type(b):
            difference = Difference(path, _type(a), _type(b), "type")
        elif (a.chunk, a.checksums) != (b.chunk, b.checksums):
            what = _content(first[0], a, second[0], b) if values else (
                "content" if a.chunk == b.chunk else "chunks: compare the content with --values")
            difference = Difference(path, _type(a), _type(b), what) if what else None
        if difference is not None:
            found.append(difference)
    return found


def _places(manifest: Manifest) -> dict[str, Record | str]:
    """Every place of the tree: a leaf's record, or what kind of container it is."""
    found: dict[str, Record | str] = {}

    def collect(outline: Any, path: tuple[Any, ...]) -> None:
        if type(outline) is int:
            found[keystr(path) or "the root"] = manifest.leaves[outline]
            return
        found[keystr(path) or "the root"] = kind_in(outline)
        for key, part in zip(keys_in(outline), outline.get("parts", ()), strict=True):
            collect(part, (*path, key))

    collect(manifest.outline, ())
    return found


def _words(place: Record | str | None) -> str:
    if place is None or isinstance(place, str):
        return place or ""
    return _type(place) if isinstance(place, ArrayRecord) else repr(decoded(place.value))


def _type(record: ArrayRecord) -> str:
    kinds = {"array": "", "numpy": " of NumPy", "scalar": " scalar of NumPy"}
    kind = kinds.get(record.kind, " random keys")
    return f"{record.type}{kind}{' weak' if record.weak else ''}"


def _content(first: Path, a: ArrayRecord, second: Path, b: ArrayRecord) -> str | None:
    """How far the elements are apart, read chunk by chunk; None where they are equal."""
    readers = Reader(first), Reader(second)
    greatest, count = 0.0, 0
    for index in a.grid.indices():
        box = a.grid.box(index)
        mine, other = (reader.begin(record, box) for reader, record in zip(readers, (a, b), strict=True))
        distance = _distance(mine.result(), other.result())
        count += int(np.count_nonzero(distance))
        greatest = max(greatest, float(np.max(distance, initial=0.0)))
    if not count:
        return None
    size = int(np.prod(a.shape, dtype=np.int64))
    return f"content: {count:,} of {size:,} elements, by {greatest:.6g} at most"


def _distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """For each element how far it is from the other one; infinite where only one is no number."""
    if a.dtype.kind == "b":
        return (a != b).astype(np.float64)
    if a.dtype.kind in "iu":
        return np.where(a > b, _unsigned(a) - _unsigned(b), _unsigned(b) - _unsigned(a)).astype(np.float64)
    kind = np.complex128 if a.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        x, y = a.astype(kind), b.astype(kind)
        distance = np.abs(x - y)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    return np.where(same, 0.0, np.where(np.isnan(distance), np.inf, distance))


def _unsigned(array: np.ndarray) -> np.ndarray:
    """Integers modulo 2**64, whose differences are right where the greater one comes first."""
    return array.astype(np.int64 if array.dtype.kind == "i" else np.uint64).view(np.uint64)
