# SPDX-License-Identifier: Apache-2.0
"""Executables over the stand-in: kernels' machine code goes with them, and is not compiled again."""

from __future__ import annotations

from pathlib import Path

from ..conftest import RunWithGpus

HEAD = """
import pickle
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.experimental import serialize_executable
from olympus_cuda import nvrtc
VALUE = np.random.default_rng(0).standard_normal((64, 48)).astype(np.float32)
FILE = {file!r}

def step(x, y):
    z = x @ y
    return {{"sorted": jnp.sort(jnp.tanh(z), axis=0), "sum": jnp.sum(z)}}
"""

WRITES = HEAD + """
x, y = VALUE, VALUE.T.copy()
compiled = olympus.jit(step).lower(x, y).compile()
first = pickle.dumps(serialize_executable.serialize(compiled))
again = pickle.dumps(serialize_executable.serialize(compiled))  # everything is in memory now
assert pickle.loads(first)[0] == pickle.loads(again)[0]
result = compiled(x, y)
with open(FILE, "wb") as file:
    pickle.dump((first, {{name: np.asarray(value) for name, value in result.items()}}), file)
"""

READS = HEAD + """
def refused(*arguments, **keywords):
    raise AssertionError("something is compiled")

from olympus_cuda.compiled import code
code.nvrtc.compile_cubin = refused
with open(FILE, "rb") as file:
    stored, expected = pickle.load(file)
compiled = serialize_executable.deserialize_and_load(*pickle.loads(stored))
result = compiled(VALUE, VALUE.T.copy())
for name, value in result.items():
    np.testing.assert_array_equal(np.asarray(value), expected[name])
assert {{d.platform for d in result["sum"].devices()}} == {{"cuda"}}
"""

REFUSES = HEAD + """
from olympus_cuda.gpu import Gpu
import dataclasses
properties = Gpu.properties
Gpu.properties = lambda self, ordinal: dataclasses.replace(properties(self, ordinal), architecture="sm_80")
with open(FILE, "rb") as file:
    stored, expected = pickle.load(file)
try:
    serialize_executable.deserialize_and_load(*pickle.loads(stored))
except olympus.errors.ExecutableError as error:
    assert "another processor" in str(error), error
else:
    raise AssertionError("code for another GPU is loaded")
"""


def test_an_executable_runs_without_compiling(run_with_gpus: RunWithGpus, tmp_path: Path) -> None:
    file, key = str(tmp_path / "stored"), str(tmp_path / "key")
    for number, script in enumerate((WRITES, READS, REFUSES)):  # none finds another's code on disk
        run_with_gpus(script.format(file=file), OLYMPUS_CACHE_KEY_FILE=key,
                      OLYMPUS_COMPILATION_CACHE_DIR=str(tmp_path / f"cache{number}"))
