# SPDX-License-Identifier: Apache-2.0
"""CHLO's functions: as operations of that dialect, or as composites of StableHLO, which hold what they are.

A composite names an operation and a function of the module that computes it: a compiler that knows the name may do the
operation as it likes, and any other calls the function (the operation `composite` of StableHLO's specification).
"""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core import dtypes

from .arithmetic import Number
from .complex_functions import COMPLEX
from .real_functions import IN_DOUBLE, REAL
from .writer import Body, Name, Writer


def chlo(w: Writer, name: str, x: Name) -> Name:
    """A function of one operand that StableHLO lacks.

    Args:
        w: Where it is written.
        name: Its name in the dialect CHLO, or one like those.
        x: The operand, no float narrower than float32.
    """
    full = f"chlo.{name}"
    if w.module.policy.knows_chlo:
        return w.same(full, x)
    known = w.module.composites
    function = known.get((name, x.type))
    if function is None:
        function = known[name, x.type] = f"{name}_{len(known)}"
        w.define(function, [x.type], [x.type], _meaning(name))
    return w.op("composite", [x], x.type, f"composite_attributes = {{}}, decomposition = @{function}, "
                f'name = "{full}", version = 1 : i32')


def _meaning(name: str) -> Body:
    def body(w: Writer, operands: Sequence[Name]) -> Sequence[Name]:
        (x,) = operands
        part = dtypes.real_part(x.dtype)
        wide = part
        if dtypes.float64 in w.module.policy.dtypes and (dtypes.is_complex(x.dtype) or name in IN_DOUBLE):
            wide = dtypes.float64
        if not dtypes.is_complex(x.dtype):
            return [REAL[name](Number(w, w.convert(x, wide))).converted(x.dtype).name]
        parts = [Number(w, w.op(which, [x], x.type.with_dtype(part))).converted(wide) for which in ("real", "imag")]
        real, imaginary = COMPLEX[name]((parts[0], parts[1]))
        return [w.op("complex", [real.converted(part).name, imaginary.converted(part).name], x.type)]

    return body


__all__ = ["chlo"]
