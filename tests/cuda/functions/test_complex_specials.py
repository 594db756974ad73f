# SPDX-License-Identifier: Apache-2.0
"""Complex device functions at infinities and NaN, against Annex G of C."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_conformance.samples.complex_specials import SPECIALS
from olympus_conformance.samples.instance import Instance
from olympus_core import dtypes
from olympus_core.ops import OPERATIONS

from ...ops.complex_grid import grid
from ..emulation import EmulatedModule, missing
from .kernels import Applied, run, text_of


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("dtype", [dtypes.complex64, dtypes.complex128], ids=str)
def test_annex_g(dtype: np.dtype) -> None:
    instances = {name: Instance(OPERATIONS[name], [x.astype(dtype) for x in grid(OPERATIONS[name].arity)])
                 for name in SPECIALS}
    module = EmulatedModule(text_of(map(Applied.of, instances.values())))
    wrong = {}
    for name, instance in instances.items():
        operands = [x.astype(np.complex128) for x in instance.operands]
        bad = ~SPECIALS[name](operands).admit(np.asarray(run(module, instance)[0]), 1e-6)
        if bad.any():
            wrong[name] = [x[bad][:3].tolist() for x in operands]
    assert not wrong
