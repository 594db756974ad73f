# SPDX-License-Identifier: Apache-2.0
"""Errors of checkpoints: what cannot be saved, is not there, is broken, or does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from .base import OlympusError

__all__ = [
    "CheckpointCorruptError",
    "CheckpointError",
    "CheckpointExistsError",
    "CheckpointFolderError",
    "CheckpointLeafError",
    "CheckpointMismatchError",
    "CheckpointNotFoundError",
    "CheckpointProcessError",
    "CheckpointTimeoutError",
    "CheckpointWriteError",
    "TensorStoreMissingError",
]

_MOST_LISTED = 20


class CheckpointError(OlympusError):
    """Base of the errors about checkpoints."""


class TensorStoreMissingError(CheckpointError, ImportError):
    """Checkpoints are stored by TensorStore, which is not installed.

    Args:
        reason: What the import said.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(
            "Checkpoints need TensorStore, which cannot be imported.", given=reason,
            fix='Install it in this environment: pip install "olympus-runtime[checkpoints]".',
        )


class CheckpointNotFoundError(CheckpointError, FileNotFoundError):
    """A folder has no checkpoint, or not the one that was asked for.

    Args:
        folder: The folder.
        step: The step that was asked for; None for the latest.
        steps: The steps that are there.
        reason: What else is known.
    """

    def __init__(self, folder: str, step: int | None, steps: Sequence[int] = (), reason: str | None = None) -> None:
        self.folder, self.step, self.steps = folder, step, tuple(steps)
        what = f"There is no checkpoint in {folder}." if step is None else f"There is no step {step} in {folder}."
        super().__init__(
            what, given=reason, expected=f"one of the steps {_listed(self.steps)}" if self.steps else None,
            fix="Save one first, or name the folder that olympus.checkpoints.save or Manager was given; "
                "`olympus checkpoint list FOLDER` shows what is there.",
        )


class CheckpointExistsError(CheckpointError, FileExistsError):
    """A step was to be saved that is there already.

    Args:
        folder: The folder.
        step: The step.
    """

    def __init__(self, folder: str, step: int) -> None:
        self.folder, self.step = folder, step
        super().__init__(
            f"Step {step} is in {folder} already, and is not written over.",
            fix="Save a later step or into another folder, or remove the step's folder first.",
        )


class CheckpointLeafError(CheckpointError, TypeError):
    """A tree has something that cannot be saved, or that cannot be made again from what was saved.

    Args:
        problem: What it is, a sentence.
        paths: Where it stands in the tree.
        fix: What to do.
    """

    def __init__(self, problem: str, paths: Sequence[str], fix: str) -> None:
        self.paths = tuple(paths)
        super().__init__(problem, given=f"at {_listed(self.paths)}", fix=fix)


class CheckpointMismatchError(CheckpointError, ValueError):
    """What was saved does not have the structure, the shapes or the element types of `like`.

    Args:
        folder: The step's folder.
        differences: For each difference the path, what was saved and what `like` has, in a line.
    """

    def __init__(self, folder: str, differences: Sequence[str]) -> None:
        self.folder, self.differences = folder, tuple(differences)
        shown = [*self.differences[:_MOST_LISTED]]
        if len(self.differences) > len(shown):
            shown.append(f"and {len(self.differences) - len(shown)} more")
        super().__init__(
            f"The checkpoint {folder} does not fit the tree that was given as like.",
            given="".join(f"\n    {line}" for line in shown),
            fix="Give a tree of the structure that was saved; `olympus checkpoint show FOLDER` prints it. Left out, "
                "like is not needed: the tree comes back as it was saved.",
        )


class CheckpointCorruptError(CheckpointError, OSError):
    """A checkpoint's content is not what was written.

    Args:
        folder: The step's folder.
        array: The path of the array in the tree, or None for the manifest.
        chunk: The file of the chunk, relative to the folder, where one is known.
        reason: What was found.
    """

    def __init__(self, folder: str, array: str | None, chunk: str | None, reason: str) -> None:
        self.folder, self.array, self.chunk, self.reason = folder, array, chunk, reason
        where = "its manifest" if array is None else f"array {array or 'at the root'}"
        super().__init__(
            f"The checkpoint {folder} is damaged: {where}{f', chunk {chunk}' if chunk else ''}: {reason}.",
            fix="Restore another step: `olympus checkpoint list --verify FOLDER` says which are whole.",
        )


class CheckpointFolderError(CheckpointError, OSError):
    """A folder cannot be used for checkpoints.

    Args:
        folder: The folder.
        reason: Why.
        fix: What to do.
    """

    def __init__(self, folder: str, reason: str, fix: str) -> None:
        self.folder, self.reason = folder, reason
        super().__init__(f"The folder {folder} cannot be used for checkpoints: {reason}.", fix=fix)


class CheckpointWriteError(CheckpointError, OSError):
    """A checkpoint could not be written; the ones before are as they were.

    Args:
        folder: The folder.
        step: The step.
        reason: What happened.
    """

    def __init__(self, folder: str, step: int, reason: str) -> None:
        self.folder, self.step, self.reason = folder, step, reason
        super().__init__(
            f"Step {step} was not saved in {folder}.", given=reason,
            fix="See that the folder can be written to and has room; earlier steps are as they were.",
        )


class CheckpointProcessError(CheckpointError, RuntimeError):
    """The processes of a job did not save or restore the same, or another one failed at it.

    Args:
        processes: The processes that it is about.
        what: What happened, a sentence.
        fix: What to do.
    """

    def __init__(self, processes: Sequence[int], what: str, fix: str) -> None:
        self.processes = tuple(processes)
        super().__init__(what, fix=fix)


class CheckpointTimeoutError(CheckpointError, TimeoutError):
    """A save in the background has not ended in the time that was given.

    Args:
        step: The step.
        seconds: How long was waited.
        stage: What it was doing.
    """

    def __init__(self, step: int, seconds: float, stage: str) -> None:
        self.step, self.stage = step, stage
        super().__init__(
            f"The save of step {step} has not ended in {seconds:.1f} s; it is {stage}.",
            fix="Give wait() a longer timeout=, or none; the save goes on in the background.",
        )


def _listed(found: Sequence[object]) -> str:
    texts = [str(each) for each in found[:_MOST_LISTED]]
    return ", ".join(texts) + (f" and {len(found) - len(texts)} more" if len(found) > len(texts) else "")
