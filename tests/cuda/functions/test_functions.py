# SPDX-License-Identifier: Apache-2.0
"""The device functions against the references: all operations, all element types, values where functions go wrong."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from olympus_conformance.samples.catalogue import catalogue, dtypes_of, instances
from olympus_conformance.samples.compare import require_results
from olympus_conformance.samples.instance import Instance
from olympus_core import dtypes
from olympus_cuda import nvrtc
from olympus_cuda.codegen.functions.library import FILES, paragraphs

from ..emulation import EmulatedModule, missing
from ..nvrtc.test_nvrtc import needs_nvrtc
from .kernels import LONG, Applied, run, text_of

OPERATIONS = sorted(name for name, entry in catalogue().items() if entry.record.category == "elementwise")
every_type = pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
needs_compiler = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@cache
def cases(dtype: np.dtype) -> tuple[Instance, ...]:
    """Everything that is tried of elements of a type."""
    return tuple(instance for name in OPERATIONS for kind in ("plain", "special", "denormal")
                 if dtype in dtypes_of(name, kind) for instance in instances(name, dtype, kind, 3))


@needs_compiler
@every_type
def test_all_operations_against_the_references(dtype: np.dtype) -> None:
    module = EmulatedModule(text_of(map(Applied.of, cases(dtype))))
    tried = set()
    for instance in cases(dtype):
        require_results(instance, run(module, instance), "", may_flush=False)
        tried.add(instance.record.name)
    assert {"convert", "select", "eq"} <= tried


# Every type for one architecture, by turns; for the others, too, but without long functions, those that have functions
# for themselves.
ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
_OWN = (dtypes.bool_, dtypes.uint32, dtypes.float64, dtypes.complex64)
COMPILED = {(dtype, architecture): i % 3 == j for i, dtype in enumerate(dtypes.ALL)
            for j, architecture in enumerate(ARCHITECTURES) if i % 3 == j or dtype in _OWN}


@cache
def compiled(dtype: np.dtype, with_long: bool) -> str:
    """The text that is compiled of a type's kernels."""
    kernels = map(Applied.of, cases(dtype))
    return text_of(kernel for kernel in kernels if with_long or kernel.operation not in LONG)


@needs_nvrtc
@pytest.mark.parametrize(("dtype", "architecture"), COMPILED, ids=str)
def test_all_operations_compile_for_gpus(dtype: np.dtype, architecture: str) -> None:
    text = compiled(dtype, COMPILED[dtype, architecture])
    assert nvrtc.compile_cubin(text, architecture, str(dtype))[:4] == b"\x7fELF"


def test_every_function_is_compiled_for_each_architecture() -> None:
    """But for those with a type in their names, which every type has for itself."""
    used = [p for p in paragraphs() if any(p.text in compiled(dtype, True) for dtype in dtypes.ALL)]
    # Tensor cores are of no operation but attention, whose kernels have such a test of their own.
    assert {p.file for p in used} >= set(FILES) - {"tensor_cores.cuh"}
    own = re.compile("_(" + "|".join(d.name for d in dtypes.ALL) + ")$")
    for architecture in ARCHITECTURES:
        text = "\n".join(compiled(d, with_long) for (d, a), with_long in COMPILED.items() if a == architecture)
        absent = [p.defines for p in used if p.text not in text and not all(map(own.search, p.defines))]
        assert not absent, architecture
