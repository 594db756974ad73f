# SPDX-License-Identifier: Apache-2.0
"""Plans that an earlier process kept: the same bits, and never anything but that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from olympus_core.toolkit.kept_plans import PlanStore
from olympus_core.toolkit.stored_data import UnfitData, array_of, packed, type_data, type_of, unpacked

_PROGRAM = """
import sys, warnings
import numpy as np
import olympus, olympus.numpy as jnp
from olympus import lax
from olympus_core.toolkit.fused import FusedCompiler
planned = []
plain = FusedCompiler.planned
FusedCompiler.planned = lambda self, flat, name: (planned.append(name), plain(self, flat, name))[1]

def mlp(w, x):
    for a in w:
        x = jnp.tanh(x @ a) * 2 + 1 - x.mean()
    return x, (x * 3).sum(0), x.reshape(-1)

def loops(w, x):
    def step(c, a):
        return jnp.sin(c @ a) + jnp.arange(8.0), c.sum() * jnp.array([1.0, 2.0, 4.0])
    a, b = lax.scan(step, x, jnp.stack(w))
    c = lax.fori_loop(0, 5, lambda i, v: jnp.linalg.cholesky(v @ v.T + 8 * jnp.eye(8)) * 0.5 + i, a)
    c = c + jnp.linalg.qr(c)[1]
    d = lax.cond(a.sum() > 0, lambda v: v * 2 - 1, lambda v: v + 1, a)
    return c + d, b, lax.while_loop(lambda v: v[0] < 4, lambda v: (v[0] + 1, v[1] * 1.5), (0, a))[1]

def donated(w, x):
    y = x * 2 + w[0].sum()
    return jnp.cos(y) - jnp.sin(y) * 0.5 + y * y

rng = np.random.default_rng(0)
w = [jnp.asarray(rng.standard_normal((8, 8), np.float32)) for _ in range(3)]
x = rng.standard_normal((8, 8)).astype(np.float32)
digest = []
for f, given in ((mlp, ()), (loops, ()), (donated, (1,))):
    g = olympus.jit(f, donate_argnums=given)
    for _ in range(int(sys.argv[1])):
        found = g(w, jnp.asarray(x))
        digest.append(b"".join(np.asarray(leaf).tobytes() for leaf in olympus.tree.leaves(found)).hex())
    if sys.argv[2]:
        compiled = olympus.jit(f, donate_argnums=given).lower(w, jnp.asarray(x)).compile()
        assert " = kernel " in compiled.as_text("kernels")
from olympus_core.runtime import get_world
get_world().clients["cpu"].synchronize()
import hashlib
print(hashlib.sha256("".join(digest[::int(sys.argv[1])]).encode()).hexdigest(), len(set(digest)),
      sum(name in ("mlp", "loops", "donated") for name in planned))
"""


def run(folder: Path, calls: int, text: str = "", warnings: str = "error") -> tuple[str, int, int]:
    """A digest of the results, how many there are, and how many of the three programs were planned."""
    environment = {
        **os.environ, "OLYMPUS_COMPILATION_CACHE_DIR": str(folder), "OLYMPUS_ENABLE_COMPILATION_CACHE": "1",
        "OLYMPUS_CACHE_KEY_FILE": str(folder.parent / "key"), "OLYMPUS_NUM_CPU_DEVICES": "1"}
    done = subprocess.run([sys.executable, "-W", warnings, "-c", _PROGRAM, str(calls), text], env=environment,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]
    digest, different, planned = done.stdout.split()
    return digest, int(different), int(planned)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for compiled code that others cannot change."""
    tmp_path.chmod(0o700)
    made = tmp_path / "cache"
    made.mkdir(mode=0o700)
    return made


@pytest.mark.slow
def test_the_second_process_plans_nothing_and_has_the_same_bits(folder: Path) -> None:
    first = run(folder, 1)
    assert first[1:] == (3, 3)
    assert run(folder, 1) == (*first[:2], 0)
    # Calls until the code is optimised: planned anew for that, in the background.
    assert run(folder, 12)[:2] == first[:2]
    assert run(folder, 2)[:2] == first[:2]
    # The text of what was compiled is there all the same.
    assert run(folder, 1, "text")[:2] == first[:2]


@pytest.mark.slow
def test_what_is_damaged_or_incomplete_is_made_anew(folder: Path) -> None:
    first = run(folder, 1)
    files = sorted(folder.iterdir())
    for i, file in enumerate(files):  # without some of the code, plans are of no use
        if i % 2:
            file.unlink()
    assert run(folder, 1)[:2] == first[:2]
    assert run(folder, 1) == (*first[:2], 0)
    for file in folder.iterdir():
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert run(folder, 1, warnings="ignore")[:2] == first[:2]


def test_keys_tell_what_a_plan_depends_on() -> None:
    one, other = PlanStore(None, lambda: "here"), PlanStore(None, lambda: "there")
    keys = {one.key("a", ()), one.key("b", ()), one.key("a", (0,)), other.key("a", ())}
    assert len(keys) == 4 and one.key("a", (1, 0)) == one.key("a", (0, 1))


def test_stored_data_are_read_as_they_were_written_or_not_at_all() -> None:
    data = packed({"a": [1, "b"]}, [b"xyz", b""])
    assert unpacked(data) == ({"a": [1, "b"]}, [b"xyz", b""])
    for size in range(len(data)):
        with pytest.raises(UnfitData):
            unpacked(data[:size])
    with pytest.raises(UnfitData):
        unpacked(data + b"more")
    for i in range(len(data)):
        for bit in range(8):
            mutated = bytearray(data)
            mutated[i] ^= 1 << bit
            try:
                unpacked(bytes(mutated))
            except UnfitData:
                continue
    kind = type_of(type_data(type_of(["float32", 2, 3])))
    assert kind.shape == (2, 3) and array_of(kind, bytes(24)).sum() == 0
    for wrong in (["float33"], ["float32", -1], ["float32", True], ["float32", "2"]):
        with pytest.raises(UnfitData):
            type_of(wrong)
    with pytest.raises(UnfitData):
        array_of(kind, b"short")
