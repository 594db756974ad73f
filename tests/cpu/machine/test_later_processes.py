# SPDX-License-Identifier: Apache-2.0
"""A second process of any program finds its code on disk, gives the same bits, and loads neither LLVM nor writers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="loads object code itself on Linux only")

_PROGRAM = """
import hashlib, sys
import numpy as np
import olympus, olympus.numpy as jnp
from olympus import lax

def writes():
    late = "llvmlite.binding", "olympus_cpu.codegen.emit.module", "olympus_cpu.contractions.texts"
    return any(module in sys.modules for module in late)

x = np.random.default_rng(0).standard_normal((16, 16)).astype(np.float32)
mesh = olympus.make_mesh((2,), ("i",))
spread = olympus.NamedSharding(mesh, olympus.P("i"))
programs = {
    "one": lambda x: x + 1,
    "chain": lambda x: jnp.tanh(x) * jnp.exp(-x * x) + jnp.where(x > 0, jnp.log1p(abs(x)), jnp.sinh(x)) - x.mean(),
    "product": lambda x: (x @ x.T).sum(0),
    "convolution": lambda x: lax.conv_general_dilated(x[None, None], x[None, None, :3, :3], (1, 1), "SAME"),
    "decompositions": lambda x: jnp.linalg.solve(x @ x.T + 16 * jnp.eye(16), x) + jnp.linalg.svd(x)[1],
    "transform": lambda x: abs(jnp.fft.fft(x)),
    "sorted": lambda x: (jnp.sort(x, 0), lax.top_k(x, 3)),
    "loop": lambda x: lax.scan(lambda c, row: (c * 0.5 + row, c.sum()), x[0], x),
    "half": lambda x: (x.astype(jnp.bfloat16) * 3, x.astype(jnp.float16) @ x.T.astype(jnp.float16)),
    "random": lambda x: olympus.random.normal(olympus.random.key(3), (50,)) + x.sum(),
    "integers": lambda x: (x * 100).astype(jnp.int32) // 7 % 5,
    "special": lambda x: olympus.scipy.special.gammaln(abs(x)) + olympus.scipy.special.erf(x),
}
digest = hashlib.sha256()
for name, f in programs.items():
    for leaf in olympus.tree.leaves(olympus.jit(f)(x)):
        digest.update(np.asarray(leaf).tobytes())
    if name in ("chain", "product"):
        for leaf in olympus.tree.leaves(olympus.jit(f)(olympus.device_put(x, spread))):
            digest.update(np.asarray(leaf).tobytes())
    print(name, writes())
digest.update(np.asarray(olympus.grad(lambda x: jnp.sin(x @ x).sum())(x)).tobytes())
print("grad", writes())
print(digest.hexdigest())
"""
_STORE = """
import sys
import olympus, olympus.numpy as jnp, numpy as np
from olympus.experimental import serialize_executable
import pickle
x = jnp.arange(64.0).reshape(8, 8)
compiled = olympus.jit(lambda x: (jnp.tanh(x @ x) * 2 - x.sum(0), x.T)).lower(x).compile()
with open(sys.argv[1], "wb") as file:
    pickle.dump((serialize_executable.serialize(compiled), [np.asarray(y) for y in compiled(x)]), file)
"""
_LOAD = """
import sys, pickle
import olympus, olympus.numpy as jnp, numpy as np
from olympus.experimental import serialize_executable
with open(sys.argv[1], "rb") as file:
    stored, wanted = pickle.load(file)
found = serialize_executable.deserialize_and_load(*stored)(jnp.arange(64.0).reshape(8, 8))
print(all(np.asarray(a).tobytes() == b.tobytes() for a, b in zip(found, wanted)), "llvmlite.binding" in sys.modules)
"""


def _run(program: str, folder: Path, *arguments: object, caches: bool = True) -> list[str]:
    environment = {
        **os.environ, "OLYMPUS_COMPILATION_CACHE_DIR": str(folder / "cache"),
        "OLYMPUS_ENABLE_COMPILATION_CACHE": str(int(caches)), "OLYMPUS_CACHE_KEY_FILE": str(folder / "key"),
        "OLYMPUS_NUM_CPU_DEVICES": "2"}
    done = subprocess.run([sys.executable, "-W", "error", "-c", program, *map(str, arguments)], env=environment,
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_programs(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    *loaded, digest = _run(_PROGRAM, tmp_path)
    *loaded_later, digest_later = _run(_PROGRAM, tmp_path)
    assert digest_later == digest
    assert all(line.endswith("True") for line in loaded)
    assert [line for line in loaded_later if not line.endswith("False")] == []


def test_stored_executables_without_a_cache(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    _run(_STORE, tmp_path, tmp_path / "stored", caches=False)
    assert _run(_LOAD, tmp_path, tmp_path / "stored", caches=False) == ["True False"]
