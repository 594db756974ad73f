# SPDX-License-Identifier: Apache-2.0
"""Programs compiled by the TPU's own compiler for slices that are not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.cli import main
from olympus.experimental import aot
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import NotSupportedError
from olympus_tpu.errors import TpuSliceError

from .libtpu import needed


@pytest.fixture(autouse=True)
def _libtpu() -> None:
    needed()


def over(mesh: olympus.Mesh, shape: tuple[int, ...], *spec: str | None, dtype: str = "float32"):
    return olympus.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, P(*spec)))


def slice_of_16(*shape: int, names: tuple[str, ...] = ("i", "j")) -> olympus.Mesh:
    return olympus.make_mesh(shape, names, devices=aot.devices("v5e:4x4"))


@pytest.fixture(scope="module")
def toy() -> aot.AheadOfTimeCompiled:
    """The documents' toy.py, as large as a slice needs it."""
    needed()
    x = over(slice_of_16(4, 4), (4096, 8192), "i", "j")
    return aot.compile(olympus.jit(lambda x: jnp.sum(jnp.sin(x))), x, topology="v5e:4x4", processes=4)


def test_the_toy_communicates_as_announced(toy: aot.AheadOfTimeCompiled) -> None:
    assert toy.collectives == toy.announced == toy.announced_times == {"all_reduce": 1} and toy.in_loops == {}
    assert "all_reduce" in toy.announced_text


def test_the_toy_per_chip(toy: aot.AheadOfTimeCompiled) -> None:
    assert (toy.devices, toy.processes, toy.topology) == (16, 4, "v5e:4x4")
    assert [t.shape for t in toy.input_types] == [(1024, 2048)] and [t.shape for t in toy.output_types] == [()]
    assert toy.memory["arguments"] == 1024 * 2048 * 4
    assert 0 < toy.memory["outputs"] < 65536
    assert toy.memory["code"] > 0 and toy.memory_bytes >= toy.memory["arguments"]
    assert toy.cost["flops"] >= 1024 * 2048 and toy.cost["bytes"] > 0 and toy.cost["seconds"] > 0


def test_the_toy_as_text(toy: aot.AheadOfTimeCompiled) -> None:
    assert "all-reduce" in toy.as_text() and "HloModule" in toy.as_text()
    assert "stablehlo.all_reduce" in toy.program_text
    shown = str(toy)
    assert "16 devices of 4 processes" in shown and "1 all_reduce" in shown and "8 MiB" in shown


MATMULS = [
    # What is split, over which axes, and what has to be said for it.
    (("i", None), (None, "j"), ("i", "j")),
    (("i", "j"), ("j", None), ("i", None)),
    (("i", "j"), (None, "j"), ("i", "j")),
]


@pytest.mark.parametrize(("left", "right", "result"), MATMULS, ids=str)
def test_matmuls_communicate_as_announced(left, right, result) -> None:
    mesh = slice_of_16(8, 2)
    multiply = olympus.jit(jnp.matmul, out_shardings=NamedSharding(mesh, P(*result)))
    found = aot.compile(multiply, over(mesh, (2048, 1024), *left), over(mesh, (1024, 512), *right), topology="v5e:4x4")
    assert found.collectives == found.announced
    parts = {"i": 8, "j": 2, None: 1}
    (out,) = found.output_types
    assert out.shape == (2048 // parts[result[0]], 512 // parts[result[1]])


def test_the_matmul_of_the_documents() -> None:
    mesh = slice_of_16(8, 2, names=("a", "b"))
    x, y = over(mesh, (4096, 2048), "a", "b"), over(mesh, (2048, 4096), "b", None)
    found = aot.compile(lambda x, y: olympus.nn.relu(x @ y), x, y, topology="v5e:4x4", processes=4)
    assert found.collectives == found.announced == {"all_reduce": 1}
    assert [t.shape for t in found.output_types] == [(512, 4096)]


def test_loops_are_named() -> None:
    mesh = olympus.make_mesh((4,), ("i",), devices=aot.devices("v5e:2x2"))

    def shard(x):
        def turn(c, _):
            return c * 0.5 + olympus.lax.psum(c, "i"), None

        c, _ = olympus.lax.scan(turn, x, None, length=7)
        pairs = [(0, 1), (1, 2)]
        c = olympus.lax.while_loop(lambda c: c[0, 0] < 100.0, lambda c: olympus.lax.ppermute(c, "i", pairs) * 2, c)
        return olympus.lax.psum(c, "i")

    mapped = olympus.shard_map(shard, mesh=mesh, in_specs=P("i"), out_specs=P())
    found = aot.compile(mapped, over(mesh, (64, 256), "i"), topology="v5e:2x2")
    assert found.collectives == found.announced == {"all_reduce": 2, "permute": 1}
    assert found.in_loops == {"all_reduce": 1, "permute": 1}
    assert found.announced_times == {"all_reduce": 8, "permute": None}
    assert "2 all_reduce (1 in a loop), 1 permute (1 in a loop)" in str(found)
    assert "2 all_reduce (run 8 times), 1 permute (in a loop of unknown length)" in str(found)


def test_donated_memory_is_counted_once() -> None:
    mesh = slice_of_16(16, names=("i",))
    x = over(mesh, (4096, 1024), "i")
    found = aot.compile(olympus.jit(lambda x: x + 1, donate_argnums=0), x, topology="v5litepod-16")
    assert found.memory["reused"] == found.memory["outputs"] == found.memory["arguments"] == 256 * 1024 * 4
    assert found.collectives == {} and "collectives" in str(found)
    assert found.memory_bytes < found.memory["arguments"] + found.memory["outputs"]


def test_shardings_over_other_devices_are_taken_over() -> None:
    mesh = olympus.make_mesh((4, 2), ("i", "j"), devices=olympus.devices()[:8])
    x = olympus.device_put(np.ones((64, 256), np.float32), NamedSharding(mesh, P("i", "j")))
    found = aot.compile(lambda x, y: jnp.sum(x * y), x, 2.0, topology="v6e-8")
    assert (found.devices, found.topology, found.collectives) == (8, "v6e:2x4", {"all_reduce": 1})
    with pytest.raises(ValueError, match="more devices"):
        aot.compile(jnp.sum, x, topology="v6e-4")


def test_specs_over_a_given_mesh() -> None:
    mesh = slice_of_16(2, 8)
    host = np.ones((16, 128), np.float32)
    found = aot.compile(jnp.sin, host, topology="v5e:4x4", mesh=mesh)
    assert found.devices == 16 and [t.shape for t in found.input_types] == [(16, 128)]


def test_a_function_that_runs_elsewhere() -> None:
    with pytest.raises(ValueError, match="does not run on the topology's devices"):
        aot.compile(jnp.sin, np.ones(4, np.float32), topology="v5e:2x2")


def test_too_large_for_a_chip() -> None:
    mesh = slice_of_16(16, names=("i",))
    with pytest.raises(MemoryError):
        aot.compile(jnp.sin, over(mesh, (1 << 20, 1 << 18), "i"), topology="v5e:4x4")


def test_what_tpus_lack_is_refused() -> None:
    mesh = slice_of_16(16, names=("i",))
    with olympus.enable_x64(True), pytest.raises(NotSupportedError, match="float32"):
        aot.compile(jnp.sin, over(mesh, (16,), "i", dtype="float64"), topology="v5e:4x4")


def test_calls_into_the_host_are_refused() -> None:
    mesh = slice_of_16(16, names=("i",))

    def noisy(x):
        olympus.debug.print("{}", x)
        return x * 2

    with pytest.raises(NotSupportedError, match="host_callback.*\n.*\n?.*platform cpu"):
        aot.compile(noisy, over(mesh, (16,), "i"), topology="v5e:4x4")


def test_names_that_nobody_has() -> None:
    with pytest.raises(TpuSliceError, match="Did you mean 'v5e:4x8'"):
        aot.devices("v5e:4x5")


SCRIPT = '''
import olympus, olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

def toy(devices):
    mesh = olympus.make_mesh((4, 4), ("x", "y"), devices=devices)
    x = olympus.ShapeDtypeStruct((4096, 4096), "float32", sharding=NamedSharding(mesh, P("x", "y")))
    return olympus.jit(lambda x: jnp.sum(jnp.sin(x))), (x,)

def wrong(devices):
    return 5
'''


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert main(["compile", "--topology", "v5e:4x4", "--explain", f"{script}:toy"]) == 0
    shown = capsys.readouterr().out
    assert "1 all_reduce" in shown and "float32[1024,1024]" in shown and "bytes" in shown
    for target, message in (
        (f"{script}:wrong", "a function and a tuple"), (f"{script}:absent", "no function absent"),
        (f"{tmp_path}/absent.py:toy", "no such script"), ("toy", "script.py:function"),
    ):
        assert main(["compile", "--topology", "v5e:4x4", target]) == 1
        assert message in capsys.readouterr().err
    assert main(["compile", "--topology", "v5x:4x4", f"{script}:toy"]) == 1
    assert "no slice of TPUs" in capsys.readouterr().err
