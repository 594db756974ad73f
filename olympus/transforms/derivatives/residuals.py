# SPDX-License-Identifier: Apache-2.0
"""The residuals of a function: what it keeps for the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.ops import call
from olympus_core.program import Program

from ...tracing import Aval, aval_of, stage
from ...tracing.aval import has_tangent
from ...trees import inside as tree
from ..arguments import leaf_names
from ..traces.annotations import Identity, InMemory, annotation_of
from ..traces.linearization import linearized


def saved_residuals(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> list[tuple[Aval, str]]:
    """What a function keeps for the backward pass, when it is differentiated with respect to all its arguments.

    Args:
        fun: The function.
        *args: Its arguments: arrays, or `ShapeDtypeStruct`.
        **kwargs: Likewise.

    Returns:
        For each value its type, and whence it comes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.ad_checkpoint.saved_residuals(jnp.exp, 1.0)
        [(float32[], 'output of exp')]
    """
    leaves, structure = tree.flatten((args, kwargs))
    avals = [aval_of(x) for x in leaves]

    def flat(*values: Any) -> list[Any]:
        given, named = tree.unflatten(structure, values)
        return tree.leaves(fun(*given, **named))

    program, _, captured = stage(flat, avals, getattr(fun, "__name__", "function"))
    avals += [aval_of(x) for x in captured]
    part = linearized(program, avals, [has_tangent(a) for a in avals[:len(leaves)]] + [False] * len(captured), False)
    names = [f"the argument {name}" for name in leaf_names(fun, args, kwargs)]
    names += ["a constant"] * (len(captured) + len(part.captured))
    computed = iter(part.forward.outputs[len(program.outputs):])
    return [(aval, f"from {names[source]}" if source is not None else _made(part.forward, next(computed)))
            for aval, source in zip(part.residuals, part.sources, strict=True)]


def _made(program: Program, value: Any) -> str:
    for operation in program.operations:
        index = next((i for i, result in enumerate(operation.results) if result is value), None)
        if index is None:
            continue
        if operation.record is not call:
            return f"output of {operation.name}"
        (region,) = operation.regions
        annotation = annotation_of(region)
        if isinstance(annotation, InMemory):
            return f"kept in the memory {annotation.kind!r}"
        if isinstance(annotation, Identity) and annotation.name is not None:
            return f"named {annotation.name!r}"
        return _made(region, region.outputs[index])
    return "from the arguments"
