# SPDX-License-Identifier: Apache-2.0
"""Whole programs of products over the stand-in, two GPUs, in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ..standin.environment import environment, missing

_DEADLINE = 300.0


def _said(*arguments: str) -> dict[str, Any]:
    lacks = missing()
    if lacks is not None:
        pytest.skip(lacks)
    command = [sys.executable, "-m", "tests.cuda.products.programs", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=_DEADLINE, env={**os.environ, **environment(gpus=2)},
        cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What the process says where no product counts as small."""
    return _said("0")


@pytest.mark.parametrize(("name", "products"), [
    ("layer", 1), ("attention", 4), ("gradient", 2), ("convolution", 0), ("sort", 0),
    ("greatest", 0), ("places of the greatest", 0),
    ("scatter", 0), ("chain of sorts and products", 2), ("over devices", 2),
])
def test_programs_are_right_and_cublaslt_multiplies(name: str, products: int, report: dict[str, Any]) -> None:
    found = report["found"][name]
    assert found["error"] < 1e-5
    assert products <= found["products"] <= 4 * products  # in four calls; those of a replayed graph do not count


def test_a_layer_is_one_product_with_its_bias_and_its_limit(report: dict[str, Any]) -> None:
    assert report["found"]["layer"]["epilogues"] == report["found"]["layer"]["products"] > 0
    assert report["found"]["attention"]["epilogues"] == 0


def test_nothing_is_left_to_the_host(report: dict[str, Any]) -> None:
    assert report["devices"] == 2 and report["said"] == []


def test_small_products_are_kernels_among_others() -> None:
    report = _said()
    assert all(found["error"] < 1e-5 and found["products"] == 0 for found in report["found"].values())
    assert report["devices"] == 2 and report["said"] == []
