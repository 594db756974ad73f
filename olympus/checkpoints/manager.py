# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of a training loop: saved in the background, old ones removed."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from olympus_core.errors import ArgumentError, described
from olympus_core.errors.checkpoints import CheckpointTimeoutError
from olympus_core.logs import Log

from ..distributed import background, slow
from .folders import folder_argument, remove_step, step_argument, steps_in
from .restoring import restore
from .saving import Save
from .store import tensorstore

_log = Log(__name__)

_LOOK = 0.2  # seconds between two looks whether a save has ended, so that Ctrl-C is heard


class Manager:
    """Saves checkpoints in the background of a training loop, and removes old ones.

    All processes of the job make one, and call its methods in the same order. As a context manager it waits at the end
    for what is being saved. One save is under way at a time: the next one waits for it.

    Args:
        folder: Where the checkpoints are, a folder that all processes share.
        keep: How many of the newest stay; all when None. Process 0 removes the others when a new one is complete.
        every: `save` saves the steps that are multiples of it, and does nothing for others.
        keep_every: Steps that are multiples of it stay for good.

    Raises:
        TensorStoreMissingError: When TensorStore is not installed.

    Example:
        >>> import tempfile, olympus, olympus.numpy as jnp
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with olympus.checkpoints.Manager(folder, keep=2, every=10) as manager:
        ...         for step in range(50):
        ...             saved = manager.save(step, {"w": jnp.arange(3) + step})
        ...     manager.steps(), manager.restore()
        ([30, 40], {'w': Array([40, 41, 42], dtype=int32)})
    """

    def __init__(
        self, folder: str | os.PathLike[str], keep: int | None = None, every: int = 1, keep_every: int | None = None
    ) -> None:
        tensorstore()
        self._folder = folder_argument("Manager", folder)
        for name, number in (("keep", keep), ("every", every), ("keep_every", keep_every)):
            is_number = type(number) is not bool and hasattr(type(number), "__index__")
            if not (number is None and name != "every") and (not is_number or int(number or 0) < 1):
                raise ArgumentError("checkpoints.Manager", f"{name} is no number of steps", described(number),
                                    "an integer, one or more")
        self._keep, self._every, self._keep_every = keep, every, keep_every
        self._save: Save | None = None
        self._step = 0
        self._saved: int | None = None
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None

    @property
    def folder(self) -> Path:
        """Where the checkpoints are."""
        return self._folder

    def save(self, step: int, tree: Any, *, force: bool = False) -> bool:
        """Begins to save a tree; goes on as soon as what is to be written is in host memory.

        Waits for a save that is still under way. What becomes of the tree's arrays afterwards, donated or deleted,
        does not matter.

        Args:
            step: The step.
            tree: The tree; the same in all processes.
            force: Whether to save a step that is no multiple of `every`, too, such as the last one.

        Returns:
            Whether it is being saved; False also for the step that was saved last: a loop that is told to end may have
            saved it already.

        Raises:
            CheckpointError: What went wrong with a save before; or with this one, as `olympus.checkpoints.save` says.

        Example:
            >>> import tempfile, olympus
            >>> with tempfile.TemporaryDirectory() as folder, olympus.checkpoints.Manager(folder, every=5) as manager:
            ...     manager.save(4, {"loss": 0.5}), manager.save(5, {"loss": 0.25})
            (False, True)
        """
        number = step_argument("Manager.save", step)
        if number % self._every and not force:
            self._raise()
            return False
        self._end()
        if number == self._saved:
            return False
        self._save, self._step = Save(self._folder, number, tree), number
        self._thread = threading.Thread(target=self._run, args=(self._save,), name=f"olympus-checkpoint-{number}")
        background.add(self._thread)
        self._thread.start()  # no daemon: a program that ends waits for it
        return True

    def wait(self, timeout: float | None = None) -> None:
        """Waits until nothing is being saved.

        Args:
            timeout: Seconds to wait at most; as long as it takes when None.

        Raises:
            CheckpointError: What went wrong with the save.
            CheckpointTimeoutError: When it has not ended in time; it goes on.

        Example:
            >>> import tempfile, olympus
            >>> with tempfile.TemporaryDirectory() as folder, olympus.checkpoints.Manager(folder) as manager:
            ...     saved = manager.save(1, {"loss": 0.5})
            ...     manager.wait()
            ...     manager.latest()
            1
        """
        self._end(timeout)

    def steps(self) -> list[int]:
        """The steps whose checkpoints are complete, ascending.

        Example:
            >>> import olympus
            >>> olympus.checkpoints.Manager("/nowhere").steps()
            []
        """
        return steps_in(self._folder)

    def latest(self) -> int | None:
        """The latest step whose checkpoint is complete; None when there is none.

        Example:
            >>> import olympus
            >>> olympus.checkpoints.Manager("/nowhere").latest() is None
            True
        """
        return next(reversed(self.steps()), None)

    def restore(self, like: Any = None, step: int | None = None) -> Any:
        """Restores a tree, as `olympus.checkpoints.restore` does; waits for what is being saved first.

        Args:
            like: What the leaves shall be.
            step: Which checkpoint; the latest when None.

        Returns:
            The tree.

        Raises:
            CheckpointError: As `olympus.checkpoints.restore` says.

        Example:
            >>> import tempfile, olympus
            >>> with tempfile.TemporaryDirectory() as folder, olympus.checkpoints.Manager(folder) as manager:
            ...     saved = manager.save(1, {"loss": 0.5})
            ...     manager.restore()
            {'loss': 0.5}
        """
        self._end()
        return restore(self._folder, like, step)

    def close(self) -> None:
        """Waits for what is being saved.

        Raises:
            CheckpointError: What went wrong with the save.

        Example:
            >>> import olympus
            >>> olympus.checkpoints.Manager("/nowhere").close()
        """
        self._end()

    def __enter__(self) -> Manager:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
            return
        # The error that ends the block is the better one; that of the save has been logged.
        try:
            self._end()
        except Exception:  # noqa: BLE001  (logged when it happened)
            pass

    def _end(self, timeout: float | None = None) -> None:
        """Waits for the save that is under way, and raises what went wrong."""
        thread = self._thread
        if thread is not None and thread.is_alive():
            started = time.monotonic()
            with slow(f"waiting for the checkpoint of step {self._step}"):
                while thread.is_alive():
                    left = None if timeout is None else timeout - (time.monotonic() - started)
                    if left is not None and left <= 0:
                        raise CheckpointTimeoutError(self._step, time.monotonic() - started,
                                                     self._save.stage if self._save is not None else "ending")
                    thread.join(_LOOK if left is None else min(_LOOK, left))
        self._thread = self._save = None
        self._raise()

    def _run(self, save: Save) -> None:
        try:
            save.run()
            self._saved = save.step
            if save.is_first:
                self._prune()  # the others need not wait for that
        except BaseException as error:  # noqa: BLE001  (raised by the next call)
            self._error = error
            _log.warning("the checkpoint of step %d was not saved: %s", save.step, str(error).partition("\n")[0])
        finally:
            background.discard(threading.current_thread())

    def _raise(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _prune(self) -> None:
        """Removes old checkpoints; in process 0, when a new one is there."""
        if self._keep is None:
            return
        try:
            for step in steps_in(self._folder)[:-self._keep]:
                if self._keep_every is None or step % self._keep_every:
                    remove_step(self._folder, step)
        except OSError as error:
            _log.warning("old checkpoints in %s could not be removed: %s", self._folder, error)
