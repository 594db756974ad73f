# SPDX-License-Identifier: Apache-2.0
"""Topologies and compiling ahead of time on libtpu, without its hardware; in a process of its own, which it may end."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from ..libraries import tpu_library
from .test_layouts import quiet_environment

PROGRAM = '''
import json, sys
from olympus_pjrt.bridge import Client, Topology, compile_ahead_of_time, load
from olympus_pjrt.errors import PjrtError

TOGETHER = """module @together attributes {mhlo.num_replicas = 4 : i32} {
  func.func public @main(%x: tensor<8x128xf32> {tf.aliasing_output = 0 : i32}) -> tensor<8x128xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8x128xf32>) -> tensor<8x128xf32>
    return %0 : tensor<8x128xf32> } }"""
library = load(sys.argv[1])
found = {"version": library.version}
with Topology(library, "v5e:2x2") as topology:
    devices = topology.devices()
    found["platform"] = topology.platform_name
    found["devices"] = [[d.id, d.kind, d.representation, list(d.attributes["coords"])] for d in devices]
    found["attributes"] = sorted(topology.attributes())
    found["bytes"] = len(topology.serialize())
    program = compile_ahead_of_time(topology, TOGETHER, [[d] for d in devices])
    found["program"] = [program.name, program.replicas, program.partitions, program.outputs]
    found["types"] = [[list(shape), dtype.name] for shape, dtype in program.output_types()]
    found["memory"], found["cost"] = program.memory(), program.cost()
    optimized = program.optimized()
    found["optimized"] = [optimized.format, optimized.code.count(b"all-reduce") > 0]
    found["serialized"] = len(program.serialize())
    again = compile_ahead_of_time(topology, TOGETHER, [[d] for d in devices])
    found["same"] = program.fingerprint == again.fingerprint
    import dataclasses
    for wrong in ([[dataclasses.replace(devices[0], id=9)]], [[devices[0]], [devices[0]]]):
        try:
            compile_ahead_of_time(topology, TOGETHER, wrong)
        except PjrtError as error:
            found.setdefault("refused", []).append([type(error).__name__, error.text])
for make in (lambda: Topology(library, "v5litepod-16"), lambda: Client(library)):
    try:
        make()
    except PjrtError as error:
        found.setdefault("errors", []).append([type(error).__name__, error.code_name])
print(json.dumps(found))
'''


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, tpu_library()], capture_output=True, text=True, timeout=200,
                          env=quiet_environment())
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_devices_that_are_not_there(found) -> None:
    assert found["platform"] == "tpu"
    assert [(d[0], d[1], d[3][:2]) for d in found["devices"]] == [
        (0, "TPU v5 lite", [0, 0]), (1, "TPU v5 lite", [1, 0]), (2, "TPU v5 lite", [0, 1]), (3, "TPU v5 lite", [1, 1])
    ]
    assert found["devices"][0][2].startswith("TpuDevice(id=0")
    assert found["attributes"] and found["bytes"]


def test_a_program_for_them(found) -> None:
    assert found["program"] == ["together", 4, 1, 1]
    assert found["types"] == [[[8, 128], "float32"]]
    assert found["memory"]["argument_size_in_bytes"] == found["memory"]["alias_size_in_bytes"] == 4096
    assert found["cost"]["optimal_seconds"] > 0
    assert found["optimized"] == ["hlo_with_config", True]
    assert found["serialized"] and found["same"]


def test_wrong_devices_are_refused_before_the_library_ends_the_process(found) -> None:
    (_, strange), (_, twice) = found["refused"]
    assert "no device has the ids [9]" in strange and "not distinct" in twice


def test_errors_have_their_kinds(found) -> None:
    assert found["errors"][0] == ["PjrtArgumentError", "INVALID_ARGUMENT"]
    assert found["errors"][1] == ["PjrtMissingError", "NOT_FOUND"]
