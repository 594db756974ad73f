# SPDX-License-Identifier: Apache-2.0
"""Split-K: products with few results and very many contracted elements, as partial results that a kernel adds.

Each partial result sums a share of the contracted elements. That gives work to all threads, and rounds less, because
both the partial sums and the sum over them are short.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, OperationRecord, Program

from .gemm_variant import KC

_FEWEST_PASSES = 8
_MOST_RESULTS = 1 << 16
_LEAST_WORK = 1 << 22  # multiplications
_FEWEST_SPLITS = 16  # enough for a few threads to finish at about the same time
_MOST_BYTES = 1 << 22  # of all partial results, which are written and read once more


def _type_rule(
    types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Sequence[ArrayType]:
    (whole,) = ops.dot_general.type_rule(types, {k: v for k, v in attributes.items() if k != "splits"}, regions)
    return (ArrayType((attributes["splits"], *whole.shape), whole.dtype),)


# A `dot_general` with `splits` partial results, each the sum over a share of the contracted elements;
# which share is left open.
SPLIT_K = OperationRecord("dot_general_split_k", "contraction", _type_rule)


def split_count(operation: Operation) -> int:
    """The number of splits of a `dot_general`'s contracted elements; 1 where splitting does not pay."""
    x, result = operation.operands[0].type, operation.results[0].type
    if dtypes.is_integer(x.dtype):
        return 1
    attributes = operation.attributes
    stacked, contracted = (math.prod(x.shape[d] for d in attributes[f"lhs_{k}"]) for k in ("batch", "contracting"))
    passes = contracted // KC
    if passes < _FEWEST_PASSES or result.size > _MOST_RESULTS or result.size * contracted < _LEAST_WORK:
        return 1
    # With as many splits as each has passes, both sums are short.
    splits = max(-(-_FEWEST_SPLITS // stacked), math.isqrt(passes))
    return max(1, min(splits, passes, _MOST_BYTES // result.nbytes))
