# SPDX-License-Identifier: Apache-2.0
"""The benchmarks, one file each; `CASES` holds all in the order in which they run."""

from __future__ import annotations

from benchmarks.measure import Case

from . import (
    artefacts,
    call,
    chains,
    compiling,
    divergence,
    functions,
    importing,
    linear_algebra,
    loops,
    matrices,
    memory,
    models,
    pipeline,
    pjrt,
    reductions,
    reproducible,
    samples,
    sharded,
    toy,
    transforms,
)

# Those with processes of their own first: then no server is there to disturb them. After them kind by kind, as a
# server's kind should change as rarely as can be.
CASES: tuple[Case, ...] = (
    *toy.CASES, *importing.CASES, *compiling.CASES, *artefacts.CASES, *memory.CASES,
    *divergence.CASES, *pipeline.CASES, *pjrt.CASES,
    *call.CASES, *loops.CASES, *compiling.SERVED, *reductions.CASES, *samples.CASES, *functions.CASES,
    *transforms.CASES, *matrices.CASES,
    *linear_algebra.CASES, *models.CASES, *chains.CASES, *call.SHARDED, *sharded.EIGHT, *sharded.JOB,
    *reproducible.CASES,
)
