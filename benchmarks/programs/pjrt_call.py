# SPDX-License-Identifier: Apache-2.0
"""Calls x + 1 on 8 floats through a PJRT library, as often as each line of input says.

Of ``bridge`` the executable is called directly, of ``platform`` a jitted function.
"""

from __future__ import annotations

import sys
import time

import numpy as np

layer, path = sys.argv[1:3]
data = np.arange(8, dtype=np.float32)

if layer == "bridge":
    from olympus_pjrt.bridge import Client, load

    client = Client(load(path), {"cpu_device_count": 1})
    text = """module @increment { func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %one = stablehlo.constant dense<1.0> : tensor<8xf32>
      %0 = stablehlo.add %x, %one : tensor<8xf32>
      return %0 : tensor<8xf32> } }"""
    program, inputs = client.compile(text, [[client.devices[0]]]), [[client.put(data, client.devices[0])]]

    def call():
        return program.execute(inputs)[0][0]

    def content(result):
        return result.to_host()
else:
    import olympus

    x, increment = olympus.device_put(data), olympus.jit(lambda x: x + 1)

    def call():
        return increment(x)

    content = np.asarray

np.testing.assert_array_equal(content(call()), data + 1)
for line in sys.stdin:
    calls = int(line)
    started = time.perf_counter()
    for _ in range(calls):
        call().block_until_ready()
    print(f"={(time.perf_counter() - started) / calls * 1e6}", flush=True)
