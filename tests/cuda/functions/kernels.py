# SPDX-License-Identifier: Apache-2.0
"""Kernels that apply one operation to arrays, index by index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from olympus_conformance.samples.instance import Instance
from olympus_core import dtypes, ops
from olympus_core.toolkit.c_text import is_narrow
from olympus_cuda.codegen import functions

from ..emulation import EmulatedModule, Guarded

BLOCK = 64
# Most of what the GPU's compiler does for a float. Narrow floats compute them as float32 does.
LONG = frozenset({"betainc", "igamma", "igammac", "igamma_grad_a", "random_gamma_grad", "polygamma", "zeta"})


@dataclass(frozen=True)
class Applied:
    """One operation on elements of some types.

    Args:
        operation: Its name.
        operands: The operands' element types.
        results: The results'.
    """

    operation: str
    operands: tuple[np.dtype, ...]
    results: tuple[np.dtype, ...]

    @classmethod
    def of(cls, instance: Instance) -> Applied:
        """What an instance needs."""
        return cls(instance.record.name, tuple(t.dtype for t in instance.operand_types),
                   tuple(t.dtype for t in instance.result_types()))

    @property
    def name(self) -> str:
        """The kernel's function."""
        return "_".join([self.operation, *(d.name for d in (*self.operands, *self.results))])

    @property
    def text(self) -> str:
        """The kernel: loads, calls, rounds where that is due, stores."""
        pointers = [f"const {functions.storage_type(d)}* x{i}" for i, d in enumerate(self.operands)]
        pointers += [f"{functions.storage_type(d)}* y{i}" for i, d in enumerate(self.results)]
        lines = [f'extern "C" __global__ void {self.name}({", ".join(pointers)}, int n) {{',
                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;", "    if (i >= n) return;"]
        values = [f"olympus_load_{d.name}(x{i}[i])" for i, d in enumerate(self.operands)]
        if self.operation == "threefry2x32":
            lines += ["    unsigned a, b;", f"    olympus_threefry2x32({', '.join(values)}, a, b);",
                      "    y0[i] = a;", "    y1[i] = b;"]
        else:
            lines.append(f"    y0[i] = olympus_store_{self.results[0].name}({self._result(values)});")
        return "\n".join([*lines, "}"]) + "\n"

    def _result(self, values: Sequence[str]) -> str:
        first, result = self.operands[0], self.results[0]
        if self.operation == "select":
            return "{} ? {} : {}".format(*values)
        if self.operation == "bitcast_convert":
            return f"olympus_from_bits_{result.name}(olympus_bits_{first.name}({values[0]}))"
        name = functions.function_of(self.operation, first, result)
        assert name is not None, (self.operation, first)
        call = f"{name}({', '.join(values)})"
        rounds = is_narrow(first) and ops.OPERATIONS[self.operation].exactness.kind != "exact"
        rounds = rounds and self.operation != "convert"
        return f"olympus_round_{first.name}({call})" if rounds else call


def text_of(kernels: Iterable[Applied]) -> str:
    """A module with these kernels."""
    text = "".join(kernel.text for kernel in dict.fromkeys(kernels))
    return functions.needed(functions.mentioned(text)) + text


def run(module: EmulatedModule, instance: Instance) -> list[np.ndarray]:
    """An instance's results by its kernel."""
    applied, types = Applied.of(instance), instance.result_types()
    given = [Guarded(np.ascontiguousarray(x)) for x in instance.operands]
    made = [Guarded(t.nbytes) for t in types]
    count = types[0].size if hasattr(types[0], "size") else int(np.prod(types[0].shape))
    if count:
        buffers = [*given, *made]
        module.launch(applied.name, -(-count // BLOCK), BLOCK, 0, [*(b.address for b in buffers), count],
                      [b.bound for b in buffers])
    return [b.read(np.dtype(np.uint8) if dtypes.is_bool(t.dtype) else t.dtype, t.shape).view(t.dtype)
            for b, t in zip(made, types, strict=True)]
