# SPDX-License-Identifier: Apache-2.0
"""Operations with programs inside: control flow, calls, parts for one device; and calls of the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.placement import spec_of
from olympus_core.program import ArrayType, Operation, Program

from ...tracing import Aval, aval_of, bind_all
from ...tracing.explicit import hide_axes
from ..context import ManualAxes, current_manual_axes, use_manual_axes
from ..device_put import in_memory
from ..key_uses import KeyUse
from ..traces.annotations import Annotation, Identity, InMemory, annotated, annotation_of, passed
from ..traces.programs import arranged, with_inputs
from .evaluating import region_of
from .known import READINGS, Closed, Form, Params, primitive, taken
from .reading import open_jaxpr


def _read_cond(operation: Operation, closed: Closed) -> Form:
    return Form("cond", {"branches": tuple(closed(region) for region in operation.regions)})


def _cond(args: Sequence[Any], params: Params) -> list[Any]:
    (branches,) = taken("cond", params, ["branches"], {})
    found = [region_of(branch, "cond") for branch in branches]
    captured = [values for _, values in found]
    count, regions = len(args) - 1, []
    for i, (program, _) in enumerate(found):  # each branch takes what any of them has from outside
        widened = with_inputs(program, len(program.inputs), _types(captured[i + 1:]))
        regions.append(with_inputs(widened, count, _types(captured[:i])))
    return bind_all(ops.cond, [*args, *(x for values in captured for x in values)], {}, regions)


def _types(values: Sequence[Sequence[Any]]) -> list[ArrayType]:
    return [aval_of(x).type for several in values for x in several]


def _read_while(operation: Operation, closed: Closed) -> Form:
    """Elsewhere condition and body have constants of their own: those that each of them reads."""
    constants = operation.attributes["constants"]
    carry = list(range(constants, len(operation.operands)))
    parts, operands = [], []
    for region in operation.regions:
        read = {v for inner in region.operations for v in inner.operands} | set(region.outputs)
        own = [i for i in range(constants) if region.inputs[i] in read]
        parts.append((closed(arranged(region, own + carry)), len(own)))
        operands += own
    (condition, first), (body, second) = parts
    return Form("while", {"cond_jaxpr": condition, "cond_nconsts": first, "body_jaxpr": body, "body_nconsts": second},
                operands + carry)


def _while(args: Sequence[Any], params: Params) -> list[Any]:
    first, condition, second, body = taken(
        "while", params, ["cond_nconsts", "cond_jaxpr", "body_nconsts", "body_jaxpr"], {})
    (p, left), (q, right) = region_of(condition, "while"), region_of(body, "while")
    p, q = _captured_first(p, len(left)), _captured_first(q, len(right))
    own, others, carry = [*left, *args[:first]], [*right, *args[first: first + second]], args[first + second:]
    regions = [with_inputs(p, len(own), _types([others])), with_inputs(q, 0, _types([own]))]
    return bind_all(ops.while_, [*own, *others, *carry], {"constants": len(own) + len(others)}, regions)


def _captured_first(program: Program, captured: int) -> Program:
    """The program with its last inputs in front."""
    if not captured:
        return program
    before = len(program.inputs) - captured
    return arranged(program, [*range(before, len(program.inputs)), *range(before)])


_SCAN: Params = {"unroll": 1, "_split_transpose": False}


def _read_scan(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    return Form("scan", {
        "jaxpr": closed(operation.regions[0]), "length": a["length"], "reverse": a["reverse"],
        "num_consts": a["constants"], "num_carry": a["carry"], "linear": (False,) * len(operation.operands), **_SCAN})


def _scan(args: Sequence[Any], params: Params) -> list[Any]:
    others = {key: params.get(key) for key in (*_SCAN, "linear")}  # advice
    jaxpr, length, reverse, constants, carry = taken(
        "scan", params, ["jaxpr", "length", "reverse", "num_consts", "num_carry"], others)
    program, captured = region_of(jaxpr, "scan")
    attributes = {"constants": constants + len(captured), "carry": carry, "length": length, "reverse": reverse}
    return bind_all(ops.scan, [*captured, *args], attributes, (_captured_first(program, len(captured)),))


_JIT = ("name", "inline", "keep_unused", "donated_invars")


def _read_call(operation: Operation, closed: Closed) -> Form:
    """A call; what its region's annotation says is kept as it is."""
    (region,) = operation.regions
    annotation = annotation_of(region)
    if isinstance(annotation, Identity):
        if annotation.name is None:
            return Form("stop_gradient", {})
        return Form("name", {"name": annotation.name})
    if isinstance(annotation, InMemory):
        return Form("device_put", {"devices": (annotation.kind,), "srcs": (None,)})
    if isinstance(annotation, KeyUse):
        return Form("random_key_use", {})
    name = "jit" if annotation is None else annotation.primitive
    if name == "jit":
        return Form("jit", {"jaxpr": closed(region), "name": region.name, "inline": False, "keep_unused": False,
                            "donated_invars": (False,) * len(operation.operands)})
    if name == "remat2":
        return Form(name, {"jaxpr": open_jaxpr(closed(region)), "prevent_cse": True, "differentiated": False,
                           "policy": getattr(annotation, "policy", None), "rule": annotation})
    return Form(name, {"call_jaxpr": closed(region), "name": region.name, "num_consts": 0, "rule": annotation})


def _call(name: str, needed: Sequence[str], others: Sequence[str]) -> Callable[[Sequence[Any], Params], list[Any]]:
    def run(args: Sequence[Any], params: Params) -> list[Any]:
        jaxpr, *rule = taken(name, params, needed, {key: params.get(key) for key in others})
        program, captured = region_of(jaxpr, name)
        if rule and isinstance(rule[0], Annotation) and annotation_of(program) is not rule[0]:
            annotated(program, rule[0])
        return bind_all(ops.call, [*args, *captured], {}, (program,))

    return run


def _pass(name: str, needed: Sequence[str]) -> Callable[[Sequence[Any], Params], list[Any]]:
    def run(args: Sequence[Any], params: Params) -> list[Any]:
        return passed(args, Identity(*taken(name, params, needed, {}) or [None]))

    return run


def _device_put(args: Sequence[Any], params: Params) -> list[Any]:
    ((kind,),) = taken("device_put", params, ["devices"], {"srcs": params.get("srcs")})
    return [in_memory(x, kind) for x in args]


def _key_use(args: Sequence[Any], params: Params) -> list[Any]:
    taken("random_key_use", params, [], {})
    return passed(args, KeyUse())


def _read_manual(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    return Form("shard_map", {
        "mesh": a["mesh"], "in_specs": tuple(map(spec_of, a["in_dims"])),
        "out_specs": tuple(map(spec_of, a["out_dims"])),
        "jaxpr": open_jaxpr(closed(operation.regions[0])), "newly_manual_axes": frozenset(a["axes"]),
        "check_vma": False})


def _manual(args: Sequence[Any], params: Params) -> list[Any]:
    mesh, in_specs, out_specs, jaxpr, axes = taken(
        "shard_map", params, ["mesh", "in_specs", "out_specs", "jaxpr", "newly_manual_axes"],
        {"check_vma": params.get("check_vma")})
    ordered = tuple(axis for axis in mesh.axis_names if axis in axes)

    def around(flat: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        def run(*values: Any) -> list[Any]:
            outer = current_manual_axes()
            bound = () if outer is None or outer.mesh_shape != mesh.shape_tuple else outer.axes
            inside = ManualAxes(mesh.shape_tuple, (*bound, *ordered), mesh=mesh)
            with use_manual_axes(inside), hide_axes(mesh.axis_names):
                return flat(*values)

        return run

    program, captured = region_of(jaxpr, "shard_map", around)
    whole = [((),) * aval_of(x).ndim for x in captured]
    in_dims = [_dims(spec, aval_of(x)) for spec, x in zip(in_specs, args, strict=True)]
    out_dims = [_dims(spec, Aval(t)) for spec, t in zip(out_specs, program.output_types, strict=True)]
    return bind_all(ops.manual, [*args, *captured], {
        "mesh": mesh, "axes": ordered, "in_dims": (*in_dims, *whole), "out_dims": tuple(out_dims)}, (program,))


def _dims(spec: Any, aval: Aval) -> tuple[tuple[str, ...], ...]:
    entries = [() if e is None else (e,) if isinstance(e, str) else tuple(e) for e in spec]
    return (*entries, *((),) * (aval.ndim - len(entries)))


_CALLBACKS = ("pure_callback", "io_callback", "debug_callback")


def _read_host(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    effect = getattr(a["callback"].function, "effect", None)
    name = "pure_callback" if effect is None else "debug_callback" if "Debug" in effect.name else "io_callback"
    return Form(name, {"callback": a["callback"], "result_avals": tuple(map(Aval, a["result_types"])),
                       "ordered": a["ordered"]})


def _host(name: str) -> None:
    def run(args: Sequence[Any], params: Params) -> list[Any]:
        callback, results, ordered = taken(name, params, ["callback", "result_avals", "ordered"], {})
        return bind_all(ops.host_callback, args, {
            "callback": callback, "result_types": tuple(aval.type for aval in results), "ordered": ordered}, (), False)

    primitive(name, run, True)


READINGS.update({
    ops.cond: _read_cond, ops.while_: _read_while, ops.scan: _read_scan, ops.call: _read_call,
    ops.manual: _read_manual, ops.host_callback: _read_host,
})
for _name, _bind in {"cond": _cond, "while": _while, "scan": _scan, "shard_map": _manual}.items():
    primitive(_name, _bind, True)
primitive("jit", _call("jit", ["jaxpr"], _JIT), True)
primitive("remat2", _call("remat2", ["jaxpr", "rule"], ["prevent_cse", "differentiated", "policy"]), True)
for _name in ("custom_jvp_call", "custom_vjp_call", "custom_vmap_call", "linear_call"):
    primitive(_name, _call(_name, ["call_jaxpr", "rule"], ["name", "num_consts"]), True)
primitive("name", _pass("name", ["name"]))
primitive("stop_gradient", _pass("stop_gradient", []))
primitive("device_put", _device_put, True)
primitive("random_key_use", _key_use)
for _name in _CALLBACKS:
    _host(_name)
