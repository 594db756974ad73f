# SPDX-License-Identifier: Apache-2.0
"""Saving a tree: every process writes its part into a temporary folder, which then becomes the checkpoint at once."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from olympus_core.config import config
from olympus_core.errors import OlympusInternalError
from olympus_core.errors.checkpoints import (
    CheckpointError,
    CheckpointExistsError,
    CheckpointFolderError,
    CheckpointProcessError,
    CheckpointWriteError,
)
from olympus_core.errors.cluster import spell

from ..distributed import slow
from .elements import GROUP_METADATA, array_metadata
from .folders import (
    PARTS,
    TOKEN,
    Lock,
    Syncing,
    finish,
    folder_argument,
    new_temporary,
    remove_leftovers,
    step_argument,
    step_folder,
    write_json,
)
from .gathering import Gathering
from .manifest import ArrayRecord, Manifest
from .snapshot import Snapshot, snapshot, with_checksums
from .store import Writer, tensorstore, written_checksum

_LOOK = 0.05  # seconds between two looks: network file systems keep listings for a while


def save(folder: str | os.PathLike[str], tree: Any, step: int = 0) -> Path:
    """Saves a tree of arrays as a checkpoint; returns when it is complete on disk.

    All processes of the job call it, with the same tree. Each writes what it holds, replicated arrays are shared out
    among those that hold them. Until it is complete the checkpoint is not there; what a killed save leaves behind is
    removed by the next one. `Manager` saves in the background.

    Args:
        folder: Where the checkpoints are, a folder that all processes share; made where it is not there.
        tree: Nested containers of olympus's arrays, random keys, arrays of NumPy, and Python's numbers and texts.
        step: The checkpoint's number.

    Returns:
        The checkpoint's own folder.

    Raises:
        CheckpointExistsError: When the step is there already.
        CheckpointLeafError: When the tree has something that cannot be saved.
        CheckpointProcessError: When the processes do not save the same, or another one failed.
        CheckpointFolderError: When the processes do not share the folder.
        CheckpointWriteError: When it could not be written.
        TensorStoreMissingError: When TensorStore is not installed.

    Example:
        >>> import tempfile, olympus, olympus.numpy as jnp
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = olympus.checkpoints.save(folder, {"w": jnp.arange(3.0), "epoch": 2}, step=10)
        ...     path.name, olympus.checkpoints.restore(folder)
        ('step-00000010', {'epoch': 2, 'w': Array([0., 1., 2.], dtype=float32)})
    """
    where, number = folder_argument("save", folder), step_argument("save", step)
    with slow(f"saving the checkpoint of step {number}"):
        return Save(where, number, tree).run()


class Save:
    """One save; made in the thread that calls, which goes on when what is to be written is in host memory.

    Args:
        folder: Where the checkpoints are.
        step: The step.
        tree: The tree.

    Attributes:
        stage: What it does now, in words.
        is_first: Whether this is process 0, which removes old checkpoints.
    """

    def __init__(self, folder: Path, step: int, tree: Any) -> None:
        tensorstore()
        self.folder, self.step = folder, step
        self.stage = "copying to host memory"
        self._gathering = Gathering(f"save of step {step}")
        self.is_first = self._gathering.process == 0
        self._snapshot: Snapshot | None = None
        self._error: Exception | None = None
        try:
            self._snapshot = snapshot(tree, self._gathering.process, self._gathering.count)
        except Exception as error:
            if self._gathering.count == 1:
                raise
            self._error = error  # the others have to know, too

    def run(self) -> Path:
        """Writes it, in any thread; gives the checkpoint's folder."""
        temporary: Path | None = None
        lock: Lock | None = None
        try:
            temporary, lock, token = self._begin()
            error: Exception | None = None
            digests: dict[str, str] = {}
            try:
                lock = lock or self._shared(temporary, token)
                digests = self._write(temporary) if lock is not None else {}
            except Exception as problem:  # noqa: BLE001  (the other processes hear of it, and it is raised)
                error = self._worded(problem)
            self.stage = "waiting for the other processes to have written"
            said = self._gathering.settle("written", error, [lock is not None, digests])
            unseen = [process for process, (sees, _) in enumerate(said) if not sees]
            if unseen:
                raise CheckpointFolderError(
                    str(self.folder), f"process {spell(unseen)} does not see what process 0 writes there",
                    "Name a folder of a file system that all processes share. OLYMPUS_CHECKPOINT_FOLDER_TIMEOUT "
                    f"({config.checkpoint_folder_timeout:g} s) says how long a slow one may take.")
            self._check_copies([digests for _, digests in said])
            self.stage = "completing the checkpoint"
            self._commit(temporary)
        except BaseException as problem:
            if lock is not None:
                lock.release()
                lock = None
            if self.is_first and temporary is not None:
                if isinstance(problem, CheckpointError):  # all processes have met since they wrote
                    shutil.rmtree(temporary, ignore_errors=True)
                else:
                    remove_leftovers(self.folder)  # unless another process still writes: then the next save does it
            raise
        finally:
            self._snapshot = None  # its memory
            if lock is not None:
                lock.release()
        self.stage = "complete"
        return step_folder(self.folder, self.step)

    def _begin(self) -> tuple[Path, Lock | None, str]:
        """Makes the temporary folder, and compares what the processes are about to save."""
        self.stage = "waiting for the other processes to begin"
        gathering, taken = self._gathering, self._snapshot
        made: tuple[Path, Lock, str] | None = None
        exists = False
        error = self._error
        try:
            if gathering.process == 0 and error is None:
                exists = step_folder(self.folder, self.step).exists()
                made = None if exists else new_temporary(self.folder, self.step)
        except OSError as problem:
            error = self._worded(problem)
        try:
            said = gathering.settle("begin", error, {
                "step": self.step, "exists": exists, "digest": taken.digest() if taken is not None else None,
                "homes": taken.homes if taken is not None else {}, "token": made[2] if made else None,
                "temporary": made[0].name if made else None,
            })
            gathering.agree([each["step"] for each in said], "the step")
            if said[0]["exists"]:
                raise CheckpointExistsError(str(self.folder), self.step)
            if taken is None:
                raise OlympusInternalError("a save goes on without a tree")
            if len({each["digest"] for each in said}) > 1:
                self._explain_difference(taken)
            taken.assign_local([{k: int(v) for k, v in each["homes"].items()} for each in said])
            temporary = self.folder / said[0]["temporary"]
            return temporary, made[1] if made is not None else None, said[0]["token"]
        except BaseException:
            if made is not None:
                made[1].release()
                shutil.rmtree(made[0], ignore_errors=True)
            raise

    def _shared(self, temporary: Path, token: str) -> Lock | None:
        """This process's lock on the folder that process 0 has made; None where it does not see that one."""
        deadline = time.monotonic() + config.checkpoint_folder_timeout
        while True:
            with contextlib.suppress(OSError):
                if (temporary / TOKEN).read_text() == token:
                    return Lock(temporary)
            # Whoever sees the parent but not what is in it sees another folder, or an old listing of it.
            if time.monotonic() > deadline or not self.folder.is_dir():
                return None
            time.sleep(_LOOK)

    def _explain_difference(self, taken: Snapshot) -> None:
        """Raises an error that says what the processes save differently."""
        said = self._gathering.exchange("difference", [taken.outline_digest(), taken.leaf_digests()])
        others = [process for process, each in enumerate(said) if each != said[0]]
        process = self._gathering.process
        other = others[0] if process == 0 else 0 if process in others else others[0]
        what = "another structure"
        if said[other][0] == said[process][0]:
            number = next(i for i, (a, b) in enumerate(zip(said[other][1], said[process][1], strict=True)) if a != b)
            what = f"something else at {taken.leaves[number].path or 'the root'}: here it is {taken.words(number)}"
        raise CheckpointProcessError(
            others, f"In the {self._gathering.what} process {other} has {what}.",
            "All processes save the same tree: the same structure, types, shardings, numbers and texts. What differs "
            "belongs into one array of all processes (olympus.make_array_from_process_local_data).")

    def _write(self, temporary: Path) -> dict[str, str]:
        """Writes this process's part, so that it lasts; gives the digests of what every process has a copy of."""
        self.stage = "writing"
        taken, process = self._snapshot, self._gathering.process
        if taken is None:
            raise OlympusInternalError("a save goes on without a tree")
        syncing = Syncing(temporary)
        try:
            # Files of a few bytes first, and synced last: what syncs one of them waits for all that is written by then.
            small = []
            for position, array in enumerate(taken.arrays):
                if position % taken.count == process:
                    small.append(temporary / array.record.name / "zarr.json")
                    write_json(small[-1], _metadata(array.record))
            if process == 0:
                for name in sorted({name for array in taken.arrays for name in _groups(array.record)}):
                    small.append(temporary / name / "zarr.json")
                    write_json(small[-1], GROUP_METADATA)
            writer = Writer(temporary, syncing)
            written: dict[int, list[tuple[int, ...]]] = {}
            for array in taken.arrays:
                chunks = list(array.chunks_of(process))
                written[array.number] = [index for index, _ in chunks]
                writer.write(array.record, chunks)
            digests = taken.content_digests()
            writer.finish()
            for path in small:
                syncing.add(path)
            write_json(temporary / PARTS / f"{process}.json", {
                array.number: {array.grid.number(index): written_checksum(temporary, array.record, index)
                               for index in written[array.number]} for array in taken.arrays})
            syncing.finish()
        finally:
            syncing.close()
        return digests

    def _check_copies(self, said: list[dict[str, str]]) -> None:
        """Raises where processes have different copies of a value; every process finds the same."""
        taken = self._snapshot
        if taken is None or len({tuple(sorted(each.items())) for each in said}) == 1:
            return
        number, others = next(
            (int(key), differing) for key in said[0]
            if (differing := [p for p, each in enumerate(said) if each[key] != said[0][key]]))
        raise CheckpointProcessError(
            others, f"In the {self._gathering.what} process {spell(others)} has another content of "
            f"{taken.leaves[number].path or 'the root'} than process 0.",
            "Save one array of all processes (olympus.make_array_from_process_local_data) where each has its own part, "
            "or give all the same value.")

    def _commit(self, temporary: Path) -> None:
        error: Exception | None = None
        if self._gathering.process == 0:
            try:
                finish(temporary, self.folder, self.step, self._manifest(temporary).encoded())
            except FileExistsError:
                error = CheckpointExistsError(str(self.folder), self.step)
            except Exception as problem:  # noqa: BLE001  (the other processes hear of it, and it is raised)
                error = self._worded(problem)
        self._gathering.settle("complete", error)

    def _manifest(self, temporary: Path) -> Manifest:
        taken = self._snapshot
        if taken is None:
            raise OlympusInternalError("a save goes on without a tree")
        found: dict[int, list[str]] = {array.number: [""] * array.grid.count for array in taken.arrays}
        for process in range(taken.count):
            part = json.loads((temporary / PARTS / f"{process}.json").read_bytes())
            for number, checksums in part.items():
                for chunk, checksum in checksums.items():
                    found[int(number)][int(chunk)] = checksum
        if any("" in checksums for checksums in found.values()):
            raise OlympusInternalError("a chunk of a checkpoint has no writer")
        return Manifest(self.step, taken.outline, with_checksums(taken.leaves, found), taken.count,
                        datetime.now(timezone.utc).isoformat(timespec="seconds"))

    def _worded(self, error: Exception) -> Exception:
        if isinstance(error, (CheckpointError, OlympusInternalError)):
            return error
        found = CheckpointWriteError(str(self.folder), self.step, f"{type(error).__name__}: {error}")
        found.__cause__ = error
        return found


def _metadata(record: ArrayRecord) -> dict[str, Any]:
    attributes = {"path": record.path, "dtype": record.dtype}
    return array_metadata(record.shape, record.chunk, record.stored, {"olympus": attributes})


def _groups(record: ArrayRecord) -> list[str]:
    """The folders above an array's, which are groups of Zarr."""
    parts = record.name.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]
