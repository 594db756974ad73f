# SPDX-License-Identifier: Apache-2.0
"""What operations have in common that are code for a platform: loop nests, kernels in CUDA C++."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.ops import constant
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program

from ..tracing import Aval, aval_of, bind, bind_all
from ..transforms.jaxpr.writing import Lowering


def lowering_by(
    record: OperationRecord, attributes_of: Callable[..., Attributes], platform: str | None = None
) -> Lowering:
    """The lowering rule by an operation, whose results' types are its attribute `result_types`.

    Args:
        record: The operation.
        attributes_of: Takes the types of the operands, those of the results, and the parameters; gives the other
            attributes. It is not asked where there is no element.
        platform: The only platform that has the operation; None for all.
    """
    def function(types: Sequence[Aval], *args: Any, **params: Any) -> list[Any]:
        operands, results = [aval_of(x).type for x in args], [a.type for a in types]
        if any(t.size == 0 for t in (*operands, *results)):
            return [bind(constant, value=np.zeros(t.shape, t.dtype)) for t in results]
        attributes = {**attributes_of(operands, results, **params), "result_types": tuple(results)}
        return bind_all(record, args, attributes, (), False)

    return Lowering(function, True, takes_types=True, platform=platform)


def types_of(operands: Sequence[ArrayType], attributes: Attributes, regions: Sequence[Program]) -> Sequence[ArrayType]:
    """The type rule: as the attribute says."""
    return tuple(attributes["result_types"])


def unsplittable(operands: Sequence[ArrayType], results: Sequence[ArrayType], attributes: Attributes) -> FactorRule:
    """The sharding rule: each device has a kernel of its part already."""
    return FactorRule.unsplittable([t.shape for t in operands], [t.shape for t in results])
