# SPDX-License-Identifier: Apache-2.0
"""Operations whose code is a loop nest: one text for every platform that generates code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described
from olympus_core.program import ArrayType, Attributes, OperationRecord
from olympus_core.toolkit.loops import Kernel, print_kernel, run_kernel, verify_kernel

from ..transforms.jaxpr.writing import Lowering
from .code_records import lowering_by, types_of, unsplittable


class _Nest:
    """A kernel as an attribute: its text says all of it, so that programs with different kernels differ.

    Args:
        kernel: The kernel.
    """

    __slots__ = ("kernel",)

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __repr__(self) -> str:
        return "{" + "; ".join(line.strip() for line in print_kernel(self.kernel).splitlines()) + "}"


def lower_kernel(build: Callable[..., Kernel]) -> Lowering:
    """A lowering rule by a loop nest, for `olympus.interpreters.mlir.register_lowering`.

    A platform that generates code compiles the nest as it does its own kernels. Others run what the nest means, on the
    host. Where the primitive has a sharding rule, each device has a nest of its part.

    Args:
        build: Takes the types of the operands, those of the results, and the parameters; gives the kernel, whose
            inputs and outputs are these arrays, flat and row-major. It is not asked where there is no element.

    Returns:
        The rule.

    Raises:
        KernelFormError: For a kernel that is not well-formed, where a program with the primitive is compiled.
        ArgumentError: Likewise, for one whose inputs or outputs are not the operands and results.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.extend.kernels import lower_kernel
        >>> from olympus.interpreters import mlir
        >>> from olympus_core import ops
        >>> from olympus_core.toolkit.loops import (
        ...     Affine, Compute, Index, Kernel, Load, Loop, Parameter, Scalar, Store)
        >>> def twice(operands, results):
        ...     (x,), i = operands, Index("i")
        ...     a, b = (Parameter(name, x.dtype, x.size, role) for name, role in (("x", "input"), ("y", "output")))
        ...     s, t, at = Scalar(x.dtype), Scalar(x.dtype), Affine.of(i)
        ...     body = (Load(s, a, at), Compute((t,), ops.add, (s, s)), Store(b, at, t))
        ...     return Kernel("twice", (a, b), Loop(i, x.size, "lanes", body))
        >>> twice_p = Primitive("twice")
        >>> aval = twice_p.def_abstract_eval(lambda x: x)
        >>> mlir.register_lowering(twice_p, lower_kernel(twice))
        >>> print(olympus.jit(twice_p.bind)(np.arange(3, dtype=np.float32)))
        [0. 2. 4.]
    """
    def attributes_of(operands: Sequence[ArrayType], results: Sequence[ArrayType], **params: Any) -> Attributes:
        kernel = build(operands, results, **params)
        _check(kernel, operands, results)
        return {"nest": _Nest(kernel)}

    return lowering_by(_record, attributes_of)


def _check(kernel: Kernel, operands: Sequence[ArrayType], results: Sequence[ArrayType]) -> None:
    if not isinstance(kernel, Kernel):
        raise ArgumentError("lower_kernel", "what was built is no kernel", described(kernel),
                            "an olympus_core.toolkit.loops.Kernel")
    verify_kernel(kernel)
    found = [(p.role, p.dtype, p.size) for p in kernel.arguments]
    expected = [*(("input", t.dtype, t.size) for t in operands), *(("output", t.dtype, t.size) for t in results)]
    if found != expected:
        def shown(parameters: Sequence[tuple[str, np.dtype, int]]) -> str:
            return ", ".join(f"{role} of {size} {dtype.name}" for role, dtype, size in parameters)

        raise ArgumentError("lower_kernel", f"kernel {kernel.name} has other parameters than the operation has arrays",
                            shown(found), shown(expected))


def _reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    found = run_kernel(attributes["nest"].kernel, [np.ravel(x) for x in values])
    return [x.reshape(t.shape) for x, t in zip(found, attributes["result_types"], strict=True)]


def _kernel(attributes: Attributes) -> Kernel:
    nest: _Nest = attributes["nest"]
    return nest.kernel


_record = OperationRecord("loop_nest", "external", types_of, unsplittable, reference=_reference, kernel=_kernel)

__all__ = ["lower_kernel"]
__dir__ = listed(__all__)
