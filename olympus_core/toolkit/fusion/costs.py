"""What things cost, in additions of one element."""

from __future__ import annotations

from ..loops import Compute, Kernel, Load, Loop, Statement, Store

_DEAR = dict.fromkeys(
    "exp expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh logistic erf erfc erf_inv cbrt pow"
    " atan2".split(), 10.0
) | dict.fromkeys("lgamma digamma".split(), 40.0)
_COSTS = _DEAR | dict.fromkeys("div rem sqrt rsqrt".split(), 3.0) | {
    "threefry2x32": 60.0, "gather": 8.0, "dynamic_slice": 2.0, "next_after": 3.0, "population_count": 3.0,
    "count_leading_zeros": 3.0,
} | dict.fromkeys("broadcast_in_dim reshape transpose slice reverse constant iota".split(), 0.0)


def cost_of(name: str) -> float:
    """The cost of one element of an operation, its operands not counted."""
    return _COSTS.get(name, 1.0)


def estimate(kernel: Kernel) -> float:
    """About how many additions of one element take as long as the kernel on one thread."""
    return _cost(kernel.loop)


def _cost(statement: Statement) -> float:
    if isinstance(statement, Loop):
        inner = sum(map(_cost, statement.body)) + len(statement.reductions) + len(statement.recurrences)
        return statement.extent * inner
    if isinstance(statement, Compute):
        return cost_of(statement.record.name)
    if isinstance(statement, (Load, Store)):
        return 4.0 if statement.dynamic else 1.0
    return 0.0
