# SPDX-License-Identifier: Apache-2.0
"""The output folder of a run: every outcome is appended as a line, so that the run can be resumed."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..outcome import Outcome, Status
from .errors import ResumeError

_RUN, _OUTCOMES, WORKERS = "run.json", "outcomes.jsonl", "workers"


class Store:
    """A run's output folder.

    Attributes:
        started: When the run began, in its first part.
        seconds: How long its earlier parts took.

    Args:
        folder: The folder; made when it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started = datetime.now(timezone.utc)
        self.seconds = 0.0
        self._identity: dict[str, Any] = {}
        self._topology: dict[str, int] = {}

    @property
    def is_begun(self) -> bool:
        """Whether the folder has the identity of a run."""
        return bool(self._identity)

    @property
    def workers(self) -> Path:
        """The folder for the workers' output."""
        return self.folder / WORKERS

    @property
    def topology(self) -> tuple[tuple[int, int], ...]:
        """The jobs of the run so far: number of processes, and of devices of each."""
        return tuple(sorted((int(count), devices) for count, devices in self._topology.items()))

    def prepare(self, is_resumed: bool) -> None:
        """Creates the folder and removes the results of another run, before any worker writes."""
        if not is_resumed:
            for name in (_RUN, _OUTCOMES):
                with contextlib.suppress(FileNotFoundError):
                    (self.folder / name).unlink()
        shutil.rmtree(self.workers, ignore_errors=True)
        self.workers.mkdir(parents=True, exist_ok=True)

    def begin(self, identity: Mapping[str, Any]) -> dict[str, Outcome]:
        """Records the identity of the run; returns the outcomes of an earlier part of the same run.

        Raises:
            ResumeError: The folder holds another run.
        """
        self._identity = json.loads(json.dumps(dict(identity)))
        with contextlib.suppress(FileNotFoundError):
            kept = json.loads((self.folder / _RUN).read_text(encoding="utf-8"))
            differences = {
                name: (kept["identity"].get(name), self._identity.get(name))
                for name in {**kept["identity"], **self._identity}
                if kept["identity"].get(name) != self._identity.get(name)
            }
            if differences:
                self._identity = {}
                raise ResumeError(self.folder, differences)
            self.started, self.seconds = datetime.fromisoformat(kept["started"]), kept["seconds"]
            self._topology = kept["topology"]
        self.keep(self.seconds)
        return self._outcomes()

    def add(self, outcome: Outcome, processes: int, devices: int) -> None:
        """Stores an outcome at once."""
        line = {name: value for name, value in asdict(outcome).items() if value != ""}
        with open(self.folder / _OUTCOMES, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if str(processes) not in self._topology:
            self._topology[str(processes)] = devices
            self.keep(self.seconds)

    def keep(self, seconds: float) -> None:
        """Stores how long the run has taken so far."""
        text = json.dumps({
            "identity": self._identity, "started": self.started.isoformat(), "seconds": round(seconds, 3),
            "topology": self._topology,
        }, indent=1)
        (self.folder / _RUN).write_text(text + "\n", encoding="utf-8")

    def _outcomes(self) -> dict[str, Outcome]:
        file = self.folder / _OUTCOMES
        names = {field.name for field in fields(Outcome)}
        found: dict[str, Outcome] = {}
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        # The last line may be incomplete, if the run was killed while it wrote.
        whole = text[: text.rfind("\n") + 1]
        for line in whole.splitlines():
            kept = {name: value for name, value in json.loads(line).items() if name in names}
            found[kept["id"]] = Outcome(**{**kept, "status": Status(kept["status"])})
        if whole != text:
            file.write_text(whole, encoding="utf-8")
        return found
