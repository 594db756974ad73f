# SPDX-License-Identifier: Apache-2.0
"""Random programs through plans: results, buffers written over, the same plan for the same program."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.program import run
from olympus_core.toolkit.fusion import FusionOptions, KernelStep

from .random_programs import RandomProgram
from .running import compare, equal, execute, planned
from .test_operations import SECTIONS, SMALL

TINY = replace(SMALL, largest_body=4, largest_kernel=6, most_parameters=3, largest_local=16)


@settings(max_examples=200)
@given(st.integers(0, 1 << 30), st.integers(1, 25), st.sampled_from([FusionOptions(), SMALL, TINY, SECTIONS]))
def test_random_programs(seed, length, options):
    made = RandomProgram(seed, length)
    compare(made.program, made.inputs, options)


@settings(max_examples=40)
@given(st.integers(0, 1 << 30), st.integers(1, 12), st.sampled_from([FusionOptions(), SMALL, SECTIONS]))
def test_buffers_written_over(seed, length, options):
    made = RandomProgram(seed, length)
    plan = planned(made.program, options)
    for got, expected in zip(execute(plan, made.inputs, in_place=True), run(made.program, made.inputs), strict=True):
        equal(got, expected)


@pytest.mark.parametrize("seed", range(20))
def test_texts_do_not_depend_on_objects(seed):
    texts = {planned(RandomProgram(seed, 20).program).text() for _ in range(2)}
    assert len(texts) == 1


@pytest.mark.parametrize("seed", range(40))
def test_limits_are_kept(seed):
    for step in planned(RandomProgram(seed, 30).program, TINY).steps:
        if isinstance(step, KernelStep):
            # One member may read more than the limit by what its last operation reads.
            assert len(step.inputs) <= TINY.most_parameters + 3
