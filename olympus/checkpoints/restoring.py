# SPDX-License-Identifier: Apache-2.0
"""Restoring a tree: each process reads what its devices need, whatever sharding the arrays were saved in."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from olympus_core.dtypes import carried_array, is_key, name_of
from olympus_core.errors import described
from olympus_core.errors.checkpoints import CheckpointMismatchError, CheckpointNotFoundError, CheckpointProcessError
from olympus_core.errors.cluster import spell
from olympus_core.placement import Sharding, SingleDeviceSharding
from olympus_core.placement.boxes import Box, part_numbers, whole
from olympus_core.plugin import promised
from olympus_core.program import ArrayType
from olympus_core.runtime import Signature, get_world
from olympus_core.runtime.assembly import from_parts

from .. import tree
from ..array import Array, is_concrete
from ..distributed import slow
from ..shape_dtype import ShapeDtypeStruct
from ..trees.paths import keystr
from .elements import dtype_of
from .folders import folder_argument, found_step, step_argument, step_folder
from .gathering import Gathering
from .manifest import KEY_KINDS, ArrayRecord, Manifest, ValueRecord, read_manifest
from .outline import Compared, built, compared, decoded
from .store import Reader, Reading, tensorstore


def restore(folder: str | os.PathLike[str], like: Any = None, step: int | None = None) -> Any:
    """Restores a tree that was saved, onto any number of processes, any mesh and any sharding.

    All processes of the job call it. Each reads what its own devices need.

    Args:
        folder: Where the checkpoints are.
        like: A tree of the saved structure that says what the leaves shall be: for an array, or a
            `ShapeDtypeStruct`, an array of its sharding; for an array of NumPy such a one; for a number or text the
            saved one. Left out, the tree comes back as it was saved, with arrays uncommitted on the default device.
        step: Which checkpoint; the latest when None.

    Returns:
        The tree.

    Raises:
        CheckpointNotFoundError: When there is none.
        CheckpointMismatchError: When it does not have the structure, shapes or element types of `like`.
        CheckpointCorruptError: When its content is not what was written.
        CheckpointProcessError: When another process could not restore it.
        TensorStoreMissingError: When TensorStore is not installed.

    Example:
        >>> import tempfile, olympus, olympus.numpy as jnp
        >>> halves = olympus.NamedSharding(olympus.make_mesh((2,), ("x",)), olympus.P("x"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = olympus.checkpoints.save(folder, {"w": jnp.arange(4.0)})
        ...     like = {"w": olympus.ShapeDtypeStruct((4,), "float32", sharding=halves)}
        ...     w = olympus.checkpoints.restore(folder, like)["w"]
        >>> print(w, [shard.data.shape for shard in w.addressable_shards])
        [0. 1. 2. 3.] [(2,), (2,)]
    """
    tensorstore()
    where = folder_argument("restore", folder)
    wanted = None if step is None else step_argument("restore", step)
    with slow(f"restoring a checkpoint from {where}"):
        return _restore(where, like, wanted)


def _restore(folder: Path, like: Any, step: int | None) -> Any:
    gathering = Gathering("restore")
    error: Exception | None = None
    number = None
    try:
        if gathering.process == 0:
            number = found_step(folder, step)
    except Exception as problem:  # noqa: BLE001  (the other processes hear of it, and it is raised)
        error = problem
    # Process 0 decides which step is the latest: another process may see one more, or one less.
    said = gathering.exchange("step", {"asked": step, "step": number, "is missing": error is not None})
    gathering.agree([each["asked"] for each in said], "the step")
    if error is not None:
        raise error
    if said[0]["is missing"]:
        raise CheckpointNotFoundError(str(folder), step, (), "process 0 finds none")
    target = step_folder(folder, said[0]["step"])
    gathering.what = f"restore of step {said[0]['step']}"
    plan: _Plan | None = None
    digest = None
    try:
        manifest = read_manifest(target)
        digest = manifest.digest
        plan = _Plan(target, manifest, like)
        plan.read()
    except FileNotFoundError as problem:
        error = problem if isinstance(problem, CheckpointNotFoundError) else CheckpointNotFoundError(
            str(folder), said[0]["step"], (), f"process {gathering.process} does not see what process 0 sees there: "
            "do the processes share the folder?" if gathering.process else "it has just been removed")
    except Exception as problem:  # noqa: BLE001  (the other processes hear of it, and it is raised)
        error = problem
    digests = gathering.settle("read", error, digest)
    others = [process for process, each in enumerate(digests) if each != digests[0]]
    if others or plan is None:
        raise CheckpointProcessError(
            others, f"In the {gathering.what} process {spell(others)} has read another checkpoint than process 0.",
            "Name a folder of a file system that all processes share.")
    return plan.tree()


class _Plan:
    """What a process reads of a checkpoint, and the tree that it makes of it.

    Args:
        folder: The checkpoint's folder.
        manifest: What it holds.
        like: What the leaves shall be.

    Raises:
        CheckpointMismatchError: When they do not fit.
    """

    def __init__(self, folder: Path, manifest: Manifest, like: Any) -> None:
        self._folder, self._manifest, self._like = folder, manifest, like
        self._reader = Reader(folder)
        self._makers: list[Callable[[], Any]] = []
        self._readings: list[Reading] = []
        self._found: Compared | None = None
        differences: list[str] = []
        if like is None:
            built(manifest.outline, [0] * len(manifest.leaves))  # refuses what it could not make, before reading
        else:
            self._found = compared(manifest.outline, like)
            differences += self._found.differences
            for path, number, wanted in self._found.pairs:
                difference = _difference(manifest.leaves[number], wanted)
                if difference:
                    differences.append(f"{keystr(path) or 'the root'}: {difference}")
        if differences:
            raise CheckpointMismatchError(str(folder), differences)

    def read(self) -> None:
        """Reads what this process needs; raises what is wrong with it."""
        if self._found is None:
            wanted = [(leaf, None) for leaf in self._manifest.leaves]
        else:
            wanted = [(self._manifest.leaves[number], given) for _, number, given in self._found.pairs]
        begun = [self._begin(leaf, given) for leaf, given in wanted]
        self._makers = [make() for make in begun]

    def tree(self) -> Any:
        """The tree."""
        leaves = [make() for make in self._makers]
        if self._found is None:
            return built(self._manifest.outline, leaves)
        return tree.unflatten(tree.structure(self._like), leaves)

    def _begin(self, leaf: Any, given: Any) -> Callable[[], Callable[[], Any]]:
        """Begins to read a leaf; gives what waits for that, and gives what makes the leaf."""
        if isinstance(leaf, ValueRecord):
            value = decoded(leaf.value)
            return lambda: lambda: value
        if given is None and leaf.kind in ("numpy", "scalar") or isinstance(given, (np.ndarray, np.generic)):
            reading = self._reader.begin(leaf, whole(leaf.shape))
            is_scalar = leaf.kind == "scalar" if given is None else isinstance(given, np.generic)
            return lambda: _made(_writeable(reading.result(), is_scalar))
        sharding, committed = _placement(given)
        key = KEY_KINDS.get(leaf.kind)
        type_ = ArrayType(leaf.shape, dtype_of(leaf.dtype)) if key is None else ArrayType(leaf.shape[:-1], key)
        signature = Signature(type_, sharding, committed, leaf.weak)
        layout = sharding.layout(len(leaf.shape))
        boxes = layout.boxes(leaf.shape).tolist()
        numbers = part_numbers(layout)
        needed: dict[int, Box] = {
            numbers[i]: tuple((int(a), int(b)) for a, b in boxes[i]) for i in sharding.local_positions}
        readings = {number: self._reader.begin(leaf, box) for number, box in needed.items()}

        def received() -> Callable[[], Any]:
            parts = {number: promised(reading.result()) for number, reading in readings.items()}

            def make() -> Any:
                return from_parts(Array, signature, parts.__getitem__ if key is None else lambda number: carried_array(
                    np.ascontiguousarray(parts[number]).view(key)[..., 0]))

            return make

        return received


def _made(value: Any) -> Callable[[], Any]:
    return lambda: value


def _writeable(found: np.ndarray, is_scalar: bool) -> Any:
    return found[()] if is_scalar else found if found.flags.writeable else found.copy()


def _placement(given: Any) -> tuple[Sharding, bool]:
    """Where an array shall be, and whether that is the user's choice."""
    if is_concrete(given):
        return given.sharding, given.committed
    if given is not None and given.sharding is not None:
        return given.sharding, True
    return SingleDeviceSharding.of(get_world().default_device()), False


def _difference(leaf: ArrayRecord | ValueRecord, wanted: Any) -> str | None:
    """What is wrong with a leaf for one of `like`, in words."""
    if isinstance(leaf, ValueRecord):
        value = decoded(leaf.value)
        if type(value) is type(wanted):
            return None
        return f"saved {type(value).__name__} {value!r:.60}, like has {_type_words(wanted)}"
    if not (is_concrete(wanted) or isinstance(wanted, (ShapeDtypeStruct, np.ndarray, np.generic))):
        return f"saved {leaf.type}, like has {_type_words(wanted)}"
    own, key = np.dtype(wanted.dtype), KEY_KINDS.get(leaf.kind)
    if key is not None or is_key(own):
        if key == own and tuple(wanted.shape) == leaf.shape[:-1]:
            return None
        saved = leaf.type if key is None else f"random keys {name_of(key)}{_sizes(leaf.shape[:-1])}"
        return f"saved {saved}, like has {_type_words(wanted)}"
    names = {own.newbyteorder("=").name}
    if isinstance(wanted, ShapeDtypeStruct):
        names.add(wanted.aval.dtype.name)  # what the element type stands for here
    if tuple(wanted.shape) != leaf.shape or leaf.dtype not in names:
        return f"saved {leaf.type}, like has {_type_words(wanted)}"
    return None


def _type_words(wanted: Any) -> str:
    if hasattr(wanted, "shape") and hasattr(wanted, "dtype"):
        if is_key(np.dtype(wanted.dtype)):
            return f"random keys {wanted.dtype.name}{_sizes(wanted.shape)}"
        return f"{np.dtype(wanted.dtype).name}{_sizes(wanted.shape)}"
    text = described(wanted)
    return f"{type(wanted).__name__} {text}" if len(text) <= 60 else type(wanted).__name__


def _sizes(shape: Sequence[int]) -> str:
    return f"[{','.join(map(str, shape))}]"
