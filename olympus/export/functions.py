# SPDX-License-Identifier: Apache-2.0
"""export: a jitted function becomes a program that needs no Python."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.dtypes import is_key
from olympus_core.errors import ArgumentError, NotExportableError, described
from olympus_core.ops import constant
from olympus_core.partition import expanded
from olympus_core.placement import NamedSharding
from olympus_core.program import Operation, Program
from olympus_core.runtime import get_world

from .. import tree
from ..lax.staging import traced_platform
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import Aval, aval_of
from ..tracing.aval import has_tangent
from ..tracing.tracebacks import entrance
from ..transforms.calls import check_captured
from ..transforms.derivatives import vjp
from ..transforms.jit import Jitted, jit
from .encoding import Encoder
from .exported import DisabledSafetyCheck, Exported, Sharding
from .symbolic import scope_of


def default_export_platform() -> str:
    """The platform that functions are exported for where none is named: the one that programs run on.

    Example:
        >>> from olympus import export
        >>> export.default_export_platform()
        'cpu'
    """
    return get_world().default_platform


def export(
    fun_jit: Jitted[..., Any], *, platforms: Sequence[str] | None = None,
    disabled_checks: Sequence[DisabledSafetyCheck] = (),
) -> Callable[..., Exported]:
    """Exports a jitted function for arguments of certain types.

    Args:
        fun_jit: The function, of `olympus.jit`.
        platforms: The platforms that it may run on, which need not be here; the present one for None.
        disabled_checks: The checks that its calls leave out.

    Returns:
        A function of arguments (arrays, or `ShapeDtypeStruct` in their place, with a `NamedSharding` where they are
        split) that gives the `Exported`.

    Raises:
        NotExportableError: When the function calls the host, or takes or gives what has no stored form.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus import export
        >>> exported = export.export(olympus.jit(jnp.sin))(olympus.ShapeDtypeStruct((3,), "float32"))
        >>> exported.in_avals
        (float32[3],)
        >>> print(exported.call(jnp.zeros(3)))
        [0. 0. 0.]
    """
    if not isinstance(fun_jit, Jitted):
        raise ArgumentError("export", "a jitted function is needed", described(fun_jit), "olympus.jit(function)")
    if platforms is not None and (isinstance(platforms, str) or not platforms or not all(
            isinstance(name, str) for name in platforms)):
        raise ArgumentError("export", "platforms is no list of platforms", described(platforms), '["cpu", "cuda"]')
    # As with lowerings of primitives, "gpu" is the platform of GPUs.
    names = (default_export_platform(),) if platforms is None else tuple(dict.fromkeys(
        "cuda" if name == "gpu" else name for name in platforms))

    @entrance
    def of_types(*args: Any, **kwargs: Any) -> Exported:
        return _exported(fun_jit, names, tuple(disabled_checks), args, kwargs)

    return of_types


def _exported(
    jitted: Jitted[..., Any], platforms: tuple[str, ...], checks: tuple[DisabledSafetyCheck, ...], args: Any,
    kwargs: Any,
) -> Exported:
    fresh = jitted.again()
    programs: dict[str, Any] = {}
    known: dict[str, str] = {}
    for platform in platforms:
        token = traced_platform.set(platform)
        try:
            traced, leaves = jitted.again().traced(args, kwargs)
        finally:
            traced_platform.reset(token)
        program = expanded(closed(traced.program, traced.captured), platform)
        same = known.setdefault(program.fingerprint, platform)
        programs[platform] = program if same == platform else same
    encoder = Encoder(jitted.name)
    for program in programs.values():
        if isinstance(program, Program):
            encoder.program(program)  # refuses what has no stored form, and finds the meshes
    dynamic, merged = fresh.dynamic(args, kwargs)
    demanded, wanted = fresh._demanded_inputs(dynamic, len(leaves)), fresh._demanded_outputs(traced)
    inputs = [_named(d) or _named(leaf) for d, leaf in zip(demanded, leaves, strict=True)]
    outputs = [_named(w) or _of_type(a) for w, a in zip(wanted, traced.out_avals, strict=True)]
    counts = {mesh.size for mesh in encoder.meshes} | {s.mesh.size for s in (*inputs, *outputs) if s is not None}
    counts = counts - {1} or {1}
    if len(counts) > 1:
        raise NotExportableError(
            jitted.name, "its arguments and operations are split over different numbers of devices",
            ", ".join(map(str, sorted(counts))))
    structure = tree.structure(dynamic)
    in_avals = tuple(Aval(a.type, a.weak) for a in map(aval_of, leaves))
    out_avals = tuple(Aval(a.type, a.weak) for a in traced.out_avals)

    def flat(*values: Any) -> list[Any]:
        positional, named = merged(tree.unflatten(structure, values))
        return tree.leaves(fresh(*positional, **named))

    scope = scope_of(jitted.name, in_avals)
    if scope is not None and counts != {1}:
        raise NotExportableError(jitted.name, "symbolic dimensions cannot be split over devices",
                                 f"{max(counts)} devices")
    shardings = tuple(map(_stored, inputs)), tuple(map(_stored, outputs))
    return Exported(
        jitted.name, structure, in_avals, traced.out_tree, out_avals, platforms, counts.pop(), checks,
        _programs=programs, _shardings=shardings,
        _vjp=functools.cache(lambda: _derivative(jitted.name, flat, platforms, checks, leaves, out_avals)),
        _scope=scope)


def _derivative(
    name: str, flat: Callable[..., list[Any]], platforms: tuple[str, ...], checks: tuple[DisabledSafetyCheck, ...],
    leaves: Sequence[Any], out_avals: Sequence[Aval],
) -> Exported:
    """The derivative in reverse mode, of flat arguments and cotangents."""
    count = len(leaves)
    of_arguments = [i for i, leaf in enumerate(leaves) if has_tangent(aval_of(leaf))]
    of_results = [i for i, aval in enumerate(out_avals) if has_tangent(aval)]

    def back(*given: Any) -> tuple[Any, ...]:
        def smooth(*values: Any) -> list[Any]:
            """The results that have tangents, of the arguments that have: zeros for the others would need sizes."""
            arguments = list(given[:count])
            for i, value in zip(of_arguments, values, strict=True):
                arguments[i] = value
            found = flat(*arguments)
            return [found[i] for i in of_results]

        _, pullback = vjp(smooth, *(given[i] for i in of_arguments))
        return tuple(pullback(list(given[count:])))

    back.__name__ = f"{name}_vjp"
    specs = [ShapeDtypeStruct(out_avals[i].shape, out_avals[i].dtype) for i in of_results]
    return _exported(jit(back), platforms, checks, (*leaves, *specs), {})


def closed(program: Program, captured: Sequence[Any]) -> Program:
    """The program with the arrays that it uses from outside as constants."""
    if not captured:
        return program
    count = len(program.inputs) - len(captured)
    constants = tuple(
        Operation(constant, (), {"value": _host(array)}, (), (value,))
        for array, value in zip(captured, program.inputs[count:], strict=True))
    return Program(program.name, program.inputs[:count], (*constants, *program.operations), program.outputs)


def _host(array: Any) -> np.ndarray:
    check_captured(array)
    host = array._fetch()
    return host.view(aval_of(array).dtype) if is_key(aval_of(array).dtype) else np.asarray(host)


def _named(given: Any) -> NamedSharding | None:
    """The sharding over a mesh that is given, or of what is given."""
    sharding = getattr(given, "sharding", given)
    return sharding if isinstance(sharding, NamedSharding) else None


def _of_type(aval: Aval) -> NamedSharding | None:
    return None if aval.layout is None else aval.sharding


def _stored(sharding: NamedSharding | None) -> Sharding | None:
    if sharding is None:
        return None
    spec = sharding.spec
    return sharding.mesh.shape_tuple, tuple(
        (entry,) if isinstance(entry, str) else entry if isinstance(entry, tuple) else () for entry in spec)


__all__ = ["closed", "default_export_platform", "export"]
