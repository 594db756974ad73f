# SPDX-License-Identifier: Apache-2.0
"""The text of a kernel, for people and as a key: the same for the same kernel, whatever its objects are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from olympus_core.errors import OlympusInternalError

from .form import (
    Affine,
    Compute,
    Constant,
    Dynamic,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
)


def print_kernel(kernel: Kernel) -> str:
    """The kernel, a statement a line; names are numbers in order of appearance.

    Example:
        >>> import numpy as np
        >>> from olympus_core.toolkit.loops import Index
        >>> i, x, f32 = Index("i"), Scalar(np.dtype("f4")), np.dtype("f4")
        >>> a, b = Parameter("a", f32, 8, "input"), Parameter("b", f32, 8, "output")
        >>> body = (Load(x, a, Affine.of(i)), Store(b, Affine.of(i), x))
        >>> print(print_kernel(Kernel("copy", (a, b), Loop(i, 8, "lanes", body))))
        kernel copy(p0: input float32[8], p1: output float32[8])
          lanes i0 < 8:
            %0 = p0[i0]
            p1[i0] = %0
    """
    return "\n".join(_Printer(kernel).lines())


def kernel_key(kernel: Kernel) -> str:
    """A digest of the kernel's text."""
    return hashlib.sha256(print_kernel(kernel).encode()).hexdigest()


class _Printer:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.parameters = {id(p): f"p{i}" for i, p in enumerate(kernel.parameters)}
        self.scalars: dict[int, str] = {}
        self.indices: dict[int, str] = {}

    def lines(self) -> Iterable[str]:
        kernel = self.kernel
        parameters = ", ".join(
            f"{self.parameters[id(p)]}: {p.role} {p.dtype.name}[{p.size}]" for p in kernel.parameters
        )
        yield f"kernel {kernel.name}({parameters})"
        yield from self._statement(kernel.loop, "  ")

    def _statement(self, statement: Statement, indent: str) -> Iterable[str]:
        if isinstance(statement, Loop):
            yield from self._loop(statement, indent)
        else:
            yield indent + self._line(statement)

    def _line(self, statement: Statement) -> str:
        if isinstance(statement, Constant):
            value = statement.value
            return f"{self._new(statement.result)} = {value.dtype.name} {value.tobytes().hex()} ({value})"
        if isinstance(statement, IndexValue):
            return f"{self._new(statement.result)} = {statement.result.dtype.name} {self._affine(statement.of)}"
        if isinstance(statement, Inside):
            return f"{self._new(statement.result)} = {statement.low} <= {self._affine(statement.of)} < {statement.high}"
        if isinstance(statement, Load):
            position = self._position(statement.parameter, statement.at, statement.dynamic)
            return f"{self._new(statement.result)} = {position}{self._when(statement.when)}"
        if isinstance(statement, Store):
            position = self._position(statement.parameter, statement.at, statement.dynamic)
            how = f"{statement.combine}=" if statement.combine else "="
            return f"{position} {how} {self._name(statement.value)}{self._when(statement.when)}"
        if isinstance(statement, Compute):
            operands = ", ".join(self._name(s) for s in statement.operands)
            attributes = "".join(f", {k}={v}" for k, v in sorted(statement.attributes.items()))
            results = ", ".join(self._new(s) for s in statement.results)
            types = ", ".join(s.dtype.name for s in statement.results)
            return f"{results} = {statement.record.name}({operands}{attributes}): {types}"
        raise OlympusInternalError(f"no text for {type(statement).__name__}")

    def _loop(self, loop: Loop, indent: str) -> Iterable[str]:
        starts = [f"{self._name(r.initial)}" for r in loop.recurrences]
        name = self.indices.setdefault(id(loop.index), f"i{len(self.indices)}")
        insides = [self._new(r.inside) for r in loop.recurrences]
        until = f" while {self._affine(loop.until[0])} < {loop.until[1]}" if loop.until else ""
        carried = "".join(f", {i} from {s}" for i, s in zip(insides, starts, strict=True))
        yield f"{indent}{loop.kind} {name} < {loop.extent}{until}{carried}:"
        for statement in loop.body:
            yield from self._statement(statement, indent + "  ")
        for recurrence, inside in zip(loop.recurrences, insides, strict=True):
            yield f"{indent}  next {inside} = {self._name(recurrence.following)}"
        for reduction in loop.reductions:
            yield (
                f"{indent}{self._new(reduction.result)} = {reduction.operation} from {self._name(reduction.initial)}"
                f" of {self._name(reduction.contribution)}"
            )
        for recurrence, inside in zip(loop.recurrences, insides, strict=True):
            yield f"{indent}{self._new(recurrence.result)} = last {inside}"

    def _new(self, scalar: Scalar) -> str:
        return self.scalars.setdefault(id(scalar), f"%{len(self.scalars)}")

    def _name(self, scalar: Scalar) -> str:
        return self.scalars.get(id(scalar), "%undefined")

    def _position(self, parameter: Parameter, at: Affine, dynamic: Dynamic) -> str:
        parts = [p for p in (self._affine(at) if at != Affine() or not dynamic else "",) if p]
        parts += [self._times(self._name(s), stride) for s, stride in dynamic]
        return f"{self.parameters.get(id(parameter), 'unknown')}[{' + '.join(parts)}]"

    def _affine(self, affine: Affine) -> str:
        terms = sorted((self.indices.get(id(i), "unknown"), s) for i, s in affine.terms)
        parts = [self._times(name, stride) for name, stride in terms]
        if affine.constant or not parts:
            parts.append(str(affine.constant))
        return " + ".join(parts)

    @staticmethod
    def _times(name: str, stride: int) -> str:
        return name if stride == 1 else f"{stride}*{name}"

    def _when(self, when: Scalar | None) -> str:
        return f" when {self._name(when)}" if when is not None else ""
