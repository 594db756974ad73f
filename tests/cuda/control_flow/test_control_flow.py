# SPDX-License-Identifier: Apache-2.0
"""Loops and branches: all on the GPU, right, and without a wait of the host."""

from __future__ import annotations

import ast

import pytest

from ..conftest import RunWithGpus

_RUN = """
import sys
from tests.cuda.control_flow.programs import main
main({names!r})
"""


@pytest.mark.parametrize("keeps", [True, False])
def test_scans_are_works(run_with_gpus: RunWithGpus, keeps: bool) -> None:
    printed = run_with_gpus(_RUN.format(names=["scan:"]), keeps=keeps, OLYMPUS_PLATFORMS="cuda,cpu")
    made = ast.literal_eval(printed)
    assert set(made) == {"scan ScanWork"} and made["scan ScanWork"] >= 20, made


def test_loops_with_conditions_and_branches_are_works(run_with_gpus: RunWithGpus) -> None:
    made = ast.literal_eval(run_with_gpus(_RUN.format(names=["while:"]), OLYMPUS_PLATFORMS="cuda,cpu"))
    assert set(made) == {"scan ScanWork", "while ConditionalWork", "cond ConditionalWork"}, made


def test_a_driver_without_conditional_nodes_leaves_them_to_the_host(run_with_gpus: RunWithGpus) -> None:
    printed = run_with_gpus(_RUN.format(names=["while: products", "while: a branch in", "while: a scan in"]),
                            OLYMPUS_PLATFORMS="cuda,cpu", OLYMPUS_STANDIN_LACKS="conditional")
    made = ast.literal_eval(printed)
    assert made["while NoneType"] >= 3 and made["scan ScanWork"] >= 1, made


def test_the_host_decides_where_a_graph_is_refused(run_with_gpus: RunWithGpus) -> None:
    printed = run_with_gpus("""
    import logging, sys
    logging.basicConfig(stream=sys.stdout, level=logging.WARNING)
    from olympus_cuda.control_flow.conditional_nodes import ConditionalNodes
    from olympus_cuda.errors import CudaCallError

    def refuse(self, *arguments):
        raise CudaCallError("the driver does not want it")

    ConditionalNodes.handle = refuse
    from tests.cuda.control_flow.programs import main
    main(["while: products", "while: a branch in", "while: branch", "while: carries", "while: a loop in a loop"])
    """, OLYMPUS_PLATFORMS="cuda,cpu")
    assert "while is decided by the host: it cannot be captured" in printed
    assert "cond is decided by the host" in printed


def test_a_loop_is_one_graph_and_its_updates_move_a_row(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus("""
    import numpy as np
    import olympus
    import olympus.numpy as jnp
    from olympus import lax
    from tests.cuda.standin.machine import MACHINE

    program = olympus.jit(lambda x: lax.fori_loop(0, 50, lambda i, c: jnp.tanh(c + i), x))
    x = olympus.device_put(np.ones(100, np.float32))
    for _ in range(3):
        program(x).block_until_ready()
    before = MACHINE.graph_launches
    program(x).block_until_ready()
    assert MACHINE.graph_launches == before + 1, MACHINE.graph_launches - before

    copies = []
    from olympus_cuda.gpu import Gpu
    own = Gpu.copy
    Gpu.copy = lambda self, target, source, nbytes, stream: (copies.append(nbytes), own(
        self, target, source, nbytes, stream))[1]
    def turn(state):
        i, cache = state
        return i + 1, cache.at[i].set(cache[i] * 2 + 1)
    program = olympus.jit(lambda c: lax.while_loop(lambda s: s[0] < 20, turn, (0, c))[1])
    cache = np.arange(20 * 1000, dtype=np.float32).reshape(20, 1000)
    np.testing.assert_array_equal(program(cache), cache * 2 + 1)
    assert copies.count(cache.nbytes) <= 1 and sum(copies) < 2 * cache.nbytes, copies
    """)


def test_profiles_tell_of_loops(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus("""
    import gzip, pathlib, tempfile
    import numpy as np
    import olympus
    from olympus import lax

    program = olympus.jit(lambda x: lax.while_loop(lambda s: s.sum() < 50, lambda s: s + 1, x))
    program(np.zeros(8, np.float32)).block_until_ready()
    folder = tempfile.mkdtemp()
    with olympus.profiler.trace(folder):
        np.testing.assert_array_equal(program(np.zeros(8, np.float32)), np.full(8, 7))
    (path,) = pathlib.Path(folder).rglob("*.trace.json.gz")
    text = gzip.decompress(path.read_bytes()).decode()
    assert '"while' in text, text[-2000:]
    """)
