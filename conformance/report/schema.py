# SPDX-License-Identifier: Apache-2.0
"""The data of a report, as in report.json, with a schema version of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..outcome import Outcome, Status
from .errors import ReportFileError
from .facts import Facts
from .texts import writable

SCHEMA_VERSION: Literal[1] = 1

Ruling = Literal["pass", "fail", "incomplete"]


class Strict(BaseModel):
    """An immutable value without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Result(Strict):
    """The result of one test; see `olympus_conformance.outcome.Outcome`."""

    id: str
    status: Status
    seconds: float = 0.0
    reason: str = ""
    observed: str = ""
    required: str = ""
    program: str = ""
    trace: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """The result of an outcome."""
        texts = {
            name: writable(getattr(outcome, name)) for name in ("reason", "observed", "required", "program", "trace")}
        return cls(id=outcome.id, status=outcome.status, seconds=outcome.seconds, **texts)

    @property
    def is_bad(self) -> bool:
        """Whether it counts as a failure."""
        return self.status in (Status.FAIL, Status.ERROR, Status.TIMEOUT)


class Verdict(Strict):
    """How far the results fulfil a profile and those that it holds.

    Attributes:
        ruling: ``pass``; ``fail`` where a result speaks against it; ``incomplete`` where results are missing.
        listed: How many ids the mustpass lists hold.
        held: How many of them are fulfilled.
        failed: How many of them are not.
        missing: How many of them have no result.
        not_supported: How many of the fulfilled ones are about something that the platform does not declare.
        skipped: How many of the fulfilled ones made no sense on this machine.
        warnings: How many of the fulfilled ones are recommendations that do not hold.
        waived: How many of the fulfilled ones failed with a waiver.
    """

    ruling: Ruling
    listed: int
    held: int
    failed: int
    missing: int
    not_supported: int
    skipped: int
    warnings: int
    waived: int


class Report(Strict):
    """A run of the suite, its verdict, and the digests that show whether somebody changed it.

    Attributes:
        schema_version: Version of this form.
        facts: What is known of the run.
        results: What became of each test, by id.
        counts: How many results have each status.
        verdicts: The verdict for each profile.
        highest: The largest profile that passes; None when none does.
        obstacles: Why the report cannot be submitted; none when it can.
        mustpass: For each profile the digest of the list that it was judged by.
        merged: Digests of the reports of fractions that this one was made of.
        digest: The digest of everything else.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    facts: Facts
    results: tuple[Result, ...]
    counts: Mapping[str, int]
    verdicts: Mapping[str, Verdict]
    highest: str | None
    obstacles: tuple[str, ...]
    mustpass: Mapping[str, str]
    merged: tuple[str, ...] = ()
    digest: str = Field(default="", description="SHA-256 of the canonical JSON of all other fields.")

    @property
    def submittable(self) -> bool:
        """Whether it can be submitted."""
        return not self.obstacles

    def data(self) -> dict[str, Any]:
        """Plain data as JSON has it; empty texts of results are left out."""
        plain = self.model_dump(mode="json")
        plain["results"] = [
            {name: value for name, value in result.items() if value != ""} for result in plain["results"]
        ]
        return plain

    def computed_digest(self) -> str:
        """The digest of all fields but the digest itself."""
        plain = self.data()
        del plain["digest"]
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def sealed(self) -> Report:
        """This report with its digest."""
        return self.model_copy(update={"digest": self.computed_digest()})

    def text(self) -> str:
        """What report.json holds: one line for each result, so that two reports can be compared as text."""
        plain = self.data()
        results = plain.pop("results")
        head = json.dumps(plain, indent=1, ensure_ascii=False)
        lines = ",\n".join(f"  {json.dumps(result, ensure_ascii=False)}" for result in results)
        return f'{head[:-2]},\n "results": [\n{lines}\n ]\n}}\n'


def load(path: Path) -> Report:
    """Reads a report.

    Raises:
        ReportFileError: The file cannot be read or does not hold a report of this form.
    """
    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ReportFileError(path, error.strerror or str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ReportFileError(path, f"{location}: {first['msg']}") from error


def json_schema() -> dict[str, Any]:
    """The JSON schema of report.json."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Report.model_json_schema()}
