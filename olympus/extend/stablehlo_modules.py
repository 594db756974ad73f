# SPDX-License-Identifier: Apache-2.0
"""Operations whose code is a module of StableHLO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ..config import enable_x64
from ..export.stablehlo.artefact import TABLE
from ..export.stablehlo.module import Module
from ..tracing import Aval, aval_of
from ..transforms.jaxpr.writing import Lowering


def lower_stablehlo(module: bytes | Callable[..., bytes]) -> Lowering:
    """A lowering rule by a module of StableHLO, for `olympus.interpreters.mlir.register_lowering`.

    Its operations are taken for those of olympus: the program is fused, split and exported as any. The module is a
    portable artefact (MLIR bytecode of VHLO), such as `Exported.mlir_module_serialized` of olympus and of JAX.

    Args:
        module: The module, whose function ``main`` takes the operands; or a function that gives it, of the types of
            the operands, those of the results, and the parameters.

    Returns:
        The rule.

    Raises:
        ArgumentError: For what is no bytes, where a program with the primitive is compiled.
        ArtefactError: Likewise, for bytes that are no such module, or one with operations that are not known.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import export
        >>> from olympus.extend.core import Primitive
        >>> from olympus.extend.stablehlo_modules import lower_stablehlo
        >>> from olympus.interpreters import mlir
        >>> aval = olympus.ShapeDtypeStruct((3,), np.float32)
        >>> module = export.export(olympus.jit(lambda x: 2 * x))(aval).mlir_module_serialized
        >>> twice_p = Primitive("twice")
        >>> rule = twice_p.def_abstract_eval(lambda x: x)
        >>> mlir.register_lowering(twice_p, lower_stablehlo(module))
        >>> print(olympus.jit(twice_p.bind)(np.arange(3, dtype=np.float32)))
        [0. 2. 4.]
    """
    def function(types: list[Aval], *args: Any, **params: Any) -> list[Any]:
        given: Any = module
        if callable(module):
            given = module([aval_of(x).type for x in args], [a.type for a in types], **params)
        if not isinstance(given, (bytes, bytearray, memoryview)):
            raise ArgumentError("lower_stablehlo", "a module is bytes", described(given),
                                "a portable artefact, such as Exported.mlir_module_serialized")
        with enable_x64(True):  # types are what the module says
            return list(Module(bytes(given), TABLE).call("main", list(args)))

    return Lowering(function, True, takes_types=True)


__all__ = ["lower_stablehlo"]
__dir__ = listed(__all__)
