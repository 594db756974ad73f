# SPDX-License-Identifier: Apache-2.0
"""Reports of runs: verifiable data, and pages in several formats."""

from __future__ import annotations

from .build import build
from .errors import MustpassError, ReportFileError, UnknownTestError
from .facts import Declared, Facts, Git, WaiverUse
from .schema import Report, Result, Verdict, json_schema, load
from .suite import SUITE_VERSION, Suite, installed
from .write import write

__all__ = [
    "SUITE_VERSION", "Declared", "Facts", "Git", "MustpassError", "Report", "ReportFileError", "Result", "Suite",
    "UnknownTestError", "Verdict", "WaiverUse", "build", "installed", "json_schema", "load", "write",
]
