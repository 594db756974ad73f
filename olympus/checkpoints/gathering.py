# SPDX-License-Identifier: Apache-2.0
"""Meetings of a job's processes about one save or restore; they launch nothing, so that any thread may hold them."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from olympus_core.errors import ReceivedError
from olympus_core.errors.checkpoints import CheckpointError, CheckpointProcessError
from olympus_core.errors.cluster import spell
from olympus_core.runtime import get_connection

if TYPE_CHECKING:
    from olympus_core.cluster.connection import Connection

_LONGEST = 2000  # letters of an error that travels
_lock = threading.Lock()
_numbers: WeakKeyDictionary[Connection, itertools.count[int]] = WeakKeyDictionary()


class Gathering:
    """The processes of the job at one save or restore, which all of them call in the same order.

    Made in the thread that calls, where the order is the program's; the meetings may be held in another one.

    Args:
        what: What is done, for people, such as ``save of step 10``.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._connection = get_connection()
        self.process = self._connection.process_index if self._connection is not None else 0
        self.count = self._connection.process_count if self._connection is not None else 1
        self._number = 0
        if self._connection is not None:
            with _lock:
                self._number = next(_numbers.setdefault(self._connection, itertools.count(1)))

    def exchange(self, stage: str, content: Any) -> list[Any]:
        """Every process's content, in their order; plain data, which travels as JSON.

        Args:
            stage: Which meeting of the save or restore it is.
            content: This process's.

        Raises:
            ClusterError: When another process is lost, or does not come.
        """
        if self._connection is None:
            return [content]
        # Without the step: processes that save different ones shall meet and say so.
        label = f"checkpoint #{self._number}: {stage}"
        answers = self._connection.exchange(label, json.dumps(content).encode())
        found = []
        for process, answer in enumerate(answers):
            try:
                found.append(json.loads(answer))
            except ValueError:
                raise ReceivedError(label, process, "it is no JSON", "what olympus of this version sends") from None
        return found

    def settle(self, stage: str, error: Exception | None, content: Any = None) -> list[Any]:
        """A meeting that ends in an error in every process when one has failed.

        Args:
            stage: Which meeting it is.
            error: What failed here.
            content: This process's, where nothing failed.

        Returns:
            Every process's content.

        Raises:
            CheckpointProcessError: When other processes failed; this one's own error where it did.
        """
        answers = self.exchange(stage, [None if error is None else _words(error), content])
        if error is not None:
            raise error
        failed = [process for process, (words, _) in enumerate(answers) if words is not None]
        if failed:
            words = answers[failed[0]][0]
            raise CheckpointProcessError(
                failed, f"The {self.what} failed in process {spell(failed)}: {words}",
                f"See what process {failed[0]} says; nothing was changed.")
        return [content for _, content in answers]

    def agree(self, said: Sequence[Any], what: str) -> None:
        """Raises when the processes do not say the same.

        Args:
            said: What each process says.
            what: What it is about, such as ``the step``.
        """
        if len({json.dumps(each) for each in said}) <= 1:
            return
        groups: dict[str, list[int]] = {}
        for process, each in enumerate(said):
            groups.setdefault(str(each), []).append(process)
        words = "; ".join(f"process {spell(group)}: {text[:200]}" for text, group in groups.items())
        others = [process for process, each in enumerate(said) if each != said[0]]
        raise CheckpointProcessError(
            others, f"The processes do not agree about {what} of the {self.what}: {words}.",
            "All processes of the job save and restore the same steps of the same trees, in the same order.")


def _words(error: Exception) -> str:
    text = str(error) if isinstance(error, CheckpointError) else f"{type(error).__name__}: {error}"
    return text[:_LONGEST]
