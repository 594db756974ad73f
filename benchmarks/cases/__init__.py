"""The benchmarks, one file each; `CASES` holds all in the order in which they run."""

from __future__ import annotations

from benchmarks.measure import Case

from . import call, divergence, importing, pipeline, toy

CASES: tuple[Case, ...] = (*toy.CASES, *call.CASES, *importing.CASES, *divergence.CASES, *pipeline.CASES)
