# SPDX-License-Identifier: Apache-2.0
"""Operations by foreign functions: code in C, or anything that has its calling convention, run on the host's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.program import ArrayType

from .. import lax
from ..interpreters import batching
from ..tracing import Aval, aval_of, canonical_dtype
from ..transforms.jaxpr.primitive import Primitive
from ..transforms.jaxpr.writing import Lowering
from .frames import run
from .interface import Instance
from .targets import found as target_of
from .targets import has_state, pycapsule, register_ffi_target, register_ffi_type, register_ffi_type_id

_METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized")


def include_dir() -> str:
    """The folder with the C header of the interface, for ``cc -I``.

    Returns:
        Its path.

    Example:
        >>> import os, olympus
        >>> os.path.exists(os.path.join(olympus.ffi.include_dir(), "xla", "ffi", "api", "c_api.h"))
        True
    """
    return str(Path(__file__).parent / "include")


def ffi_call(
    target_name: str, result_shape_dtypes: Any, *, has_side_effect: bool = False, vmap_method: str | None = None,
    input_layouts: Sequence[Sequence[int] | None] | None = None, output_layouts: Any = None,
    input_output_aliases: Mapping[int, int] | None = None, custom_call_api_version: int = 4,
    legacy_backend_config: str | None = None,
) -> Callable[..., Any]:
    """A function of arrays that calls a foreign one, at once or from inside of programs.

    It is called on the host, with whole values, once for all devices; inside of `shard_map` once for each device, with
    its part. It has no derivative: give the function that uses it one with `olympus.custom_jvp`.

    Args:
        target_name: The name under which the foreign function was registered.
        result_shape_dtypes: The types of the results: an object with `shape` and `dtype`, or a sequence of them.
        has_side_effect: Whether it is called even if nobody uses its results.
        vmap_method: What `olympus.vmap` does, as for `olympus.pure_callback`; None: it is refused.
            ``"legacy_vectorized"``: called once, with the mapped dimension in front of those arguments that have it.
        input_layouts: For each argument the order of its dimensions in memory, the slowest first, or a `Layout`; None
            for row-major.
        output_layouts: The same for the results.
        input_output_aliases: Arguments whose memory is that of a result; it then holds the argument's copy.
        custom_call_api_version: 4 only.
        legacy_backend_config: None only.

    Returns:
        A function of arrays, and of attributes by name: numbers (in the type that NumPy gives them), texts, arrays of
        NumPy, dicts of these.

    Raises:
        ForeignCallError: When the foreign function gives an error, or there is none; by the function that is returned.

    Example:
        >>> import ctypes, olympus, olympus.numpy as jnp
        >>> nothing = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda frame: None)
        >>> olympus.ffi.register_ffi_target("nothing", olympus.ffi.pycapsule(nothing))
        >>> kind = olympus.ShapeDtypeStruct((3,), "float32")
        >>> same = olympus.ffi.ffi_call("nothing", kind, input_output_aliases={0: 0})
        >>> print(olympus.jit(same)(jnp.arange(3.0)))
        [0. 1. 2.]
    """
    if custom_call_api_version != 4 or legacy_backend_config is not None:
        raise NotSupportedError(f"custom_call_api_version={custom_call_api_version!r} of ffi_call",
                                "there is one interface", "Write the function for XLA_FFI_CallFrame.")
    if vmap_method not in (None, *_METHODS):
        raise ArgumentError("ffi_call", "there is no such vmap_method", described(vmap_method),
                            ", ".join(map(repr, (None, *_METHODS))))
    several = isinstance(result_shape_dtypes, (tuple, list))
    declared = list(result_shape_dtypes) if several else [result_shape_dtypes]
    for one in declared:
        if not hasattr(one, "shape") or not hasattr(one, "dtype"):
            raise ArgumentError("ffi_call", "a result is not described", described(one),
                                "an object with shape and dtype, such as olympus.ShapeDtypeStruct(shape, dtype)")
    avals = tuple(Aval(ArrayType(tuple(one.shape), canonical_dtype(one.dtype))) for one in declared)
    prim = _EFFECTFUL if has_side_effect else _PURE
    aliases = tuple(sorted((input_output_aliases or {}).items()))

    def call(*args: Any, **attributes: Any) -> Any:
        inputs = _layouts("input_layouts", input_layouts, [aval_of(x).ndim for x in args])
        wanted = output_layouts if several or output_layouts is None else [output_layouts]
        outputs = _layouts("output_layouts", wanted, [a.ndim for a in avals])
        _check_aliases(aliases, args, avals)
        results = prim.bind(
            *args, target_name=target_name, result_avals=avals, has_side_effect=has_side_effect,
            vmap_method=vmap_method, input_layouts=inputs, output_layouts=outputs, input_output_aliases=aliases,
            attributes=tuple(sorted(attributes.items())), **_instance(target_name))
        return (tuple(results) if isinstance(result_shape_dtypes, tuple) else results) if several else results[0]

    return call


def ffi_lowering(
    call_target_name: str, *, operand_layouts: Sequence[Sequence[int] | None] | None = None,
    result_layouts: Sequence[Sequence[int] | None] | None = None, backend_config: Mapping[str, Any] | None = None,
    skip_ffi_layout_processing: bool = False, **lowering_args: Any,
) -> Lowering:
    """A lowering rule by a foreign function, for `olympus.interpreters.mlir.register_lowering`.

    Args:
        call_target_name: The name under which the function was registered.
        operand_layouts: For each operand the order of its dimensions in memory, the *fastest* first, as compilers name
            it, or a `Layout`; None for row-major.
        result_layouts: The same for the results.
        backend_config: Attributes, besides the parameters of the primitive.
        skip_ffi_layout_processing: Accepted for compatibility.
        **lowering_args: Of these `has_side_effect` counts.

    Returns:
        The rule.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import mlir
        >>> mlir.register_lowering(Primitive("mine"), olympus.ffi.ffi_lowering("my_function"))
    """
    def function(types: Sequence[Aval], *args: Any, **params: Any) -> Any:
        call = ffi_call(call_target_name, list(types), has_side_effect=bool(lowering_args.get("has_side_effect")),
                        input_layouts=_slowest_first(operand_layouts), output_layouts=_slowest_first(result_layouts))
        return call(*args, **{**(backend_config or {}), **params})

    return Lowering(function, True, takes_types=True)


def _instance(target_name: str) -> dict[str, Instance]:
    """The parameter that tells a call from all others, where the foreign function keeps a state for each."""
    return {"instance": Instance()} if has_state(target_name) else {}


def _slowest_first(orders: Sequence[Any] | None) -> list[Any] | None:
    """Layouts as `ffi_call` takes them, of those that name the fastest dimension first."""
    return None if orders is None else [
        one if one is None or hasattr(one, "major_to_minor") else tuple(one)[::-1] for one in orders]


def _layouts(name: str, given: Any, ndims: Sequence[int]) -> tuple[tuple[int, ...] | None, ...]:
    if given is None:
        return (None,) * len(ndims)
    found = tuple(None if order is None else tuple(getattr(order, "major_to_minor", order)) for order in given)
    if len(found) != len(ndims) or any(
            order is not None and sorted(order) != list(range(n)) for order, n in zip(found, ndims, strict=True)):
        raise ArgumentError("ffi_call", f"{name} do not fit the arrays", given,
                            "for each array None, or its dimensions, the slowest first")
    return found


def _check_aliases(aliases: Sequence[tuple[int, int]], args: Sequence[Any], avals: Sequence[Aval]) -> None:
    for i, o in aliases:
        if not 0 <= i < len(args) or not 0 <= o < len(avals) or aval_of(args[i]).type is not avals[o].type:
            raise ArgumentError("ffi_call", "an argument and a result cannot share memory", f"{i}: {o}",
                                "numbers of an argument and a result of one type")


def _result_avals(*avals: Aval, result_avals: tuple[Aval, ...], **params: Any) -> list[Aval]:
    return list(result_avals)


def _implementation(
    *values: Any, target_name: str, result_avals: tuple[Aval, ...], input_layouts: Sequence[tuple[int, ...] | None],
    output_layouts: Sequence[tuple[int, ...] | None], input_output_aliases: Sequence[tuple[int, int]],
    attributes: tuple[tuple[str, Any], ...], instance: Instance | None = None, **params: Any,
) -> list[np.ndarray]:
    """Calls the foreign function with memory in the layouts that it wants."""
    target = target_of(target_name)
    shared, operands = dict(input_output_aliases), []
    results = [np.empty(_ordered(a.shape, order), a.dtype)
               for a, order in zip(result_avals, output_layouts, strict=True)]
    for i, (value, order) in enumerate(zip(values, input_layouts, strict=True)):
        array = np.asarray(value)
        memory = np.ascontiguousarray(array if order is None else array.transpose(order))
        if i in shared:
            results[shared[i]] = memory = memory.copy()
        operands.append((memory, array.shape))
    run(target_name, target, instance or Instance(), operands,
        [(m, a.shape) for m, a in zip(results, result_avals, strict=True)], dict(attributes))
    return [m if order is None else m.transpose(np.argsort(order)) for m, order in zip(results, output_layouts,
                                                                                      strict=True)]


def _ordered(shape: Sequence[int], order: Sequence[int] | None) -> tuple[int, ...]:
    return tuple(shape) if order is None else tuple(shape[d] for d in order)


def _batched(prim: Primitive, axis: Any, args: Sequence[Any], dims: Sequence[int | None], **params: Any) -> Any:
    method = params["vmap_method"]
    if method is None:
        raise NotSupportedError(f"The foreign call {params['target_name']} under vmap", "it does not say how",
                                f"Give ffi_call a vmap_method: {', '.join(map(repr, _METHODS))}.")
    values = [x if d is None else batching.moveaxis(x, d, 0) for x, d in zip(args, dims, strict=True)]
    batched = [d is not None for d in dims]
    count = len(params["result_avals"])
    if method.startswith("sequential"):
        def one(moving: Sequence[Any]) -> list[Any]:
            given = iter(moving)
            found: list[Any] = prim.bind(
                *(next(given) if is_batched else x for x, is_batched in zip(values, batched, strict=True)), **params)
            return found

        found = lax.map(one, [x for x, is_batched in zip(values, batched, strict=True) if is_batched])
        return found, [0] * count
    if method != "legacy_vectorized":
        size = axis.size if method == "broadcast_all" else 1
        values = [x if is_batched else batching.broadcast(x, size, 0)
                  for x, is_batched in zip(values, batched, strict=True)]
        batched = [True] * len(values)
    inputs = tuple(order if order is None or not is_batched else (0, *(d + 1 for d in order))
                   for order, is_batched in zip(params["input_layouts"], batched, strict=True))
    outputs = tuple(order if order is None else (0, *(d + 1 for d in order)) for order in params["output_layouts"])
    avals = tuple(Aval(ArrayType((axis.size, *a.shape), a.dtype)) for a in params["result_avals"])
    aliases = tuple((i, o) for i, o in params["input_output_aliases"] if aval_of(values[i]).type is avals[o].type)
    found = prim.bind(*values, **{**params, "input_layouts": inputs, "output_layouts": outputs, "result_avals": avals,
                                  "input_output_aliases": aliases})
    return found, [0] * count


def _primitive(has_effects: bool) -> Primitive:
    made = Primitive("ffi_call")
    made.multiple_results = True
    made.def_impl(_implementation)
    if has_effects:
        made.def_effectful_abstract_eval(lambda *avals, **params: (_result_avals(*avals, **params), {"foreign call"}))
    else:
        made.def_abstract_eval(_result_avals)
    batching.fancy_primitive_batchers[made] = lambda axis, args, dims, **params: _batched(
        made, axis, args, dims, **params)
    return made


_PURE, _EFFECTFUL = _primitive(False), _primitive(True)

__all__ = ["ffi_call", "ffi_lowering", "include_dir", "pycapsule", "register_ffi_target", "register_ffi_type",
           "register_ffi_type_id"]
__dir__ = listed(__all__)
