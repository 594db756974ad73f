# SPDX-License-Identifier: Apache-2.0
"""What kernels cost, in additions of one element; an operation's cost is in its record."""

from __future__ import annotations

import math

from olympus_core import ops
from olympus_core.program import Operation

from ..loops import Compute, Kernel, Load, Loop, Statement, Store


def estimate(kernel: Kernel) -> float:
    """About how many additions of one element take as long as the kernel on one thread."""
    return _cost(kernel.loop)


def arithmetic(kernel: Kernel) -> float:
    """What the kernel computes, in additions of one element: its loads and stores do not count."""
    return _arithmetic(kernel.loop)


def multiplications(operation: Operation) -> int:
    """The multiplications of a product or a convolution."""
    result, left, right = (v.type for v in (operation.results[0], *operation.operands[:2]))
    if operation.record is ops.convolution:
        return result.size * right.size // max(right.shape[operation.attributes["rhs_layout"].index("O")], 1)
    return result.size * math.prod(left.shape[d] for d in operation.attributes["lhs_contracting"])


def _arithmetic(statement: Statement) -> float:
    if isinstance(statement, Loop):
        return statement.extent * (sum(map(_arithmetic, statement.body)) + len(statement.reductions))
    return statement.record.cost if isinstance(statement, Compute) else 0.0


def _cost(statement: Statement) -> float:
    if isinstance(statement, Loop):
        inner = sum(map(_cost, statement.body)) + len(statement.reductions) + len(statement.recurrences)
        return statement.extent * inner
    if isinstance(statement, Compute):
        return statement.record.cost
    if isinstance(statement, (Load, Store)):
        return 4.0 if statement.dynamic else 1.0
    return 0.0
