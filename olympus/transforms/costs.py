# SPDX-License-Identifier: Apache-2.0
"""What a program takes: arithmetic, bytes, collectives, counted from its operations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping

from olympus_core import ops
from olympus_core.partition import expanded
from olympus_core.program import Operation, OperationRecord, Program
from olympus_core.toolkit.fusion import multiplications

FLOPS, FUNCTIONS, BYTES, COLLECTIVES, SENT = (
    "flops", "transcendentals", "bytes accessed", "collectives", "bytes communicated")
_NAMES = (FLOPS, FUNCTIONS, BYTES, COLLECTIVES, SENT)
# What moves nothing: the same memory under another shape, or values that kernels make where they need them.
_FREE = frozenset({ops.constant, ops.reshape, ops.sharding_constraint, ops.axis_index})


def costs(program: Program) -> dict[str, float]:
    """What a program takes, its regions included.

    Args:
        program: The program.
    """
    found = _total(expanded(program, None))
    return {name: float(found[name]) for name in _NAMES}


def _total(program: Program) -> Counter[str]:
    found: Counter[str] = Counter()
    for operation in program.operations:
        found.update(_of(operation))
    return found


def _of(operation: Operation) -> Mapping[str, float]:
    record = operation.record
    if operation.regions:
        return _of_regions(operation)
    if record in _FREE:
        return {}
    moved = sum(v.type.nbytes for v in (*operation.operands, *operation.results))
    if record.category == "collective":
        given = sum(v.type.nbytes for v in operation.operands)
        return {COLLECTIVES: record.communicates, SENT: given if record.communicates else 0, BYTES: moved}
    size = max((v.type.size for v in operation.results), default=0)
    if record.category == "elementwise":
        is_function = record.exactness.kind == "function"
        return {FUNCTIONS if is_function else FLOPS: size, BYTES: moved}
    count = _FLOPS.get(record)
    if count is not None:
        return {FLOPS: count(operation), BYTES: moved}
    if record.category in ("reduction", "cumulative"):  # one combination for each element
        return {FLOPS: operation.operands[0].type.size, BYTES: moved}
    return {BYTES: moved}


def _of_regions(operation: Operation) -> Mapping[str, float]:
    parts = [_total(region) for region in operation.regions]
    if operation.record is ops.cond:  # the dearest
        return max(parts, key=lambda part: part[FLOPS] + part[FUNCTIONS] + part[BYTES])
    found: Counter[str] = Counter()
    for part in parts:
        found.update(part)
    times = operation.attributes["length"] if operation.record is ops.scan else 1
    devices = math.prod(dict(operation.attributes["mesh"].shape_tuple)[a] for a in operation.attributes["axes"]) if (
        operation.record is ops.manual) else 1
    counts = Counter({name: value * times * (1 if name in (COLLECTIVES, SENT) else devices)
                      for name, value in found.items()})
    return counts


def _product(operation: Operation) -> float:
    return 2.0 * multiplications(operation)


def _transform(operation: Operation) -> float:
    """Five for each element and halving of the length."""
    length = operation.attributes["length"]
    lines = operation.results[0].type.size / max(operation.results[0].type.shape[operation.attributes["dimension"]], 1)
    whole = 5.0 * lines * length * math.log2(max(length, 2))
    return whole if operation.attributes["kind"] in ("fft", "ifft") else whole / 2


def _matrices(operand: int, flops: Callable[[int, int], float]) -> Callable[[Operation], float]:
    """Of each matrix of an operand, by its rows and columns."""
    def count(operation: Operation) -> float:
        *batch, rows, columns = operation.operands[operand].type.shape
        return math.prod(batch) * flops(rows, columns)

    return count


def _solve(operation: Operation) -> float:
    n = operation.operands[0].type.shape[-1]
    return float(operation.operands[1].type.size * n)


def _reflections(m: int, n: int) -> float:
    short, long = min(m, n), max(m, n)
    return 2.0 * short * short * (long - short / 3)


# Leading terms, as the usual algorithms have them.
_FLOPS: dict[OperationRecord, Callable[[Operation], float]] = {
    ops.dot_general: _product, ops.convolution: _product, ops.fft: _transform, ops.triangular_solve: _solve,
    ops.cholesky: _matrices(0, lambda n, _: n**3 / 3), ops.lu: _matrices(0, lambda m, n: min(m, n) ** 2 * (
        max(m, n) - min(m, n) / 3)),
    ops.geqrf: _matrices(0, _reflections), ops.geqp3: _matrices(0, _reflections),
    ops.householder_product: _matrices(0, _reflections), ops.ormqr: _matrices(2, lambda m, n: 4.0 * m * n * min(m, n)),
    ops.eigh: _matrices(0, lambda n, _: 9.0 * n**3), ops.eig: _matrices(0, lambda n, _: 25.0 * n**3),
    ops.svd: _matrices(0, lambda m, n: 4.0 * m * m * n + 8.0 * m * n * n + 9.0 * n**3 if m >= n else
                       4.0 * n * n * m + 8.0 * n * m * m + 9.0 * m**3),
    ops.schur: _matrices(0, lambda n, _: 25.0 * n**3), ops.hessenberg: _matrices(0, lambda n, _: 10.0 / 3 * n**3),
    ops.tridiagonal: _matrices(0, lambda n, _: 4.0 / 3 * n**3),
    ops.tridiagonal_solve: lambda operation: 8.0 * operation.operands[3].type.size,
    ops.random_bits: lambda operation: 73.0 * operation.results[0].type.size,
    ops.scatter: lambda operation: float(operation.operands[2].type.size),
}
