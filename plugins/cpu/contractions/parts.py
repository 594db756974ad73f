"""Products with few results and very many contracted elements, made in parts that are added up afterwards.

A part takes its share of the contracted elements. That keeps all threads busy, and rounds less: a part's sums are
short, and so is the sum of the parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, OperationRecord, Program

from .emit import PASS

_FEWEST_PASSES = 8
_MOST_RESULTS = 1 << 16
_LEAST_WORK = 1 << 22  # multiplications
_LEAST_PARTS = 16  # with which some threads finish at about the same time
_MOST_BYTES = 1 << 22  # of all parts together: they are written and read once more


def _type_rule(
    types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Sequence[ArrayType]:
    (whole,) = ops.dot_general.type_rule(types, {k: v for k, v in attributes.items() if k != "parts"}, regions)
    return (ArrayType((attributes["parts"], *whole.shape), whole.dtype),)


# A `dot_general` whose results are sums over some of the contracted elements, `parts` of them; which ones is left open.
IN_PARTS = OperationRecord("dot_general_in_parts", "contraction", _type_rule)


def parts_of(operation: Operation) -> int:
    """In how many parts a `dot_general` is best made; 1 where they would not pay."""
    x, result = operation.operands[0].type, operation.results[0].type
    if dtypes.is_integer(x.dtype):
        return 1
    attributes = operation.attributes
    stacked, contracted = (math.prod(x.shape[d] for d in attributes[f"lhs_{k}"]) for k in ("batch", "contracting"))
    passes = contracted // PASS
    if passes < _FEWEST_PASSES or result.size > _MOST_RESULTS or result.size * contracted < _LEAST_WORK:
        return 1
    # Among many, as many parts as each has passes: then both sums are short.
    parts = max(-(-_LEAST_PARTS // stacked), math.isqrt(passes))
    return max(1, min(parts, passes, _MOST_BYTES // result.nbytes))
