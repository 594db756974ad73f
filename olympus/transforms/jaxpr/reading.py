# SPDX-License-Identifier: Apache-2.0
"""From a program to a jaxpr: an equation for each operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.ops import broadcast_in_dim, constant, host_callback
from olympus_core.program import Operation, Program, Value

from ...callbacks import Effect
from ...tracing import Aval, aval_of
from .known import PRIMITIVES, READINGS, Form
from .primitive import Primitive
from .terms import ClosedJaxpr, DebugInfo, DropVar, Jaxpr, JaxprEqn, Literal, Var, literal_of

EXTERNAL = Effect("external")  # what an operation from outside does is not known
Regions = Callable[[Program], ClosedJaxpr]


def closed_jaxpr(
    program: Program, consts: Sequence[Any] = (), in_avals: Sequence[Aval] | None = None,
    out_avals: Sequence[Aval] | None = None, debug_info: DebugInfo | None = None,
) -> ClosedJaxpr:
    """The closed jaxpr that says the same as a program.

    Constants of the program that are numbers are literals, others are constants of the jaxpr. Programs do not say which
    values are weakly typed: what is given here of inputs and results counts, others are not.

    Args:
        program: The program.
        consts: Values of its last inputs.
        in_avals: What is known of the inputs before these, beyond their types.
        out_avals: What is known of the results.
        debug_info: Where it comes from; the program's name when left out.
    """
    return _Reader().closed(program, consts, in_avals, out_avals, debug_info)


def form_of(operation: Operation, closed: Regions = closed_jaxpr) -> tuple[Primitive, Form]:
    """The primitive that an operation is, and how it stands in an equation.

    Args:
        operation: Any operation but a constant.
        closed: Makes a closed jaxpr of a region.
    """
    if operation.record.category == "external":
        given = operation.attributes["params"]
        return given.primitive, Form(given.primitive.name, dict(given.values))
    form = READINGS[operation.record](operation, closed)
    return PRIMITIVES[form.primitive], form


def open_jaxpr(closed: ClosedJaxpr) -> Jaxpr:
    """The jaxpr of a region for those who expect one without constants: they stand in its equations."""
    jaxpr = closed.jaxpr
    if not closed.consts:
        return jaxpr
    stands: dict[Any, Any] = {v: Literal(c, v.aval) for v, c in zip(jaxpr.constvars, closed.consts, strict=True)}

    def known(atoms: Sequence[Any]) -> list[Any]:
        return [stands.get(atom, atom) if isinstance(atom, Var) else atom for atom in atoms]

    eqns = [eqn.replace(invars=known(eqn.invars)) for eqn in jaxpr.eqns]
    made = jaxpr.replace(constvars=[], eqns=eqns, outvars=known(jaxpr.outvars), effects=jaxpr.effects)
    program = jaxpr._program()
    if program is not None:
        made._made_of(program)
    return made


class _Reader:
    """Reads each program once, regions that stand several times included."""

    def __init__(self) -> None:
        self._known: dict[Program, ClosedJaxpr] = {}

    def region(self, program: Program) -> ClosedJaxpr:
        found = self._known.get(program)
        if found is None:
            found = self._known[program] = self.closed(program)
        return found

    def closed(
        self, program: Program, given: Sequence[Any] = (), in_avals: Sequence[Aval] | None = None,
        out_avals: Sequence[Aval] | None = None, debug_info: DebugInfo | None = None,
    ) -> ClosedJaxpr:
        count = len(program.inputs) - len(given)
        avals = [Aval(v.type) for v in program.inputs[:count]] if in_avals is None else list(in_avals)
        atoms: dict[Value, Any] = {v: Var(a) for v, a in zip(program.inputs[:count], avals, strict=True)}
        constvars, consts = [Var(aval_of(value)) for value in given], list(given)
        atoms.update(zip(program.inputs[count:], constvars, strict=True))
        arguments = [atoms[v] for v in program.inputs[:count]]
        operands = _operands(program)
        used = {v for values in operands for v in values} | set(program.outputs)
        gone = {v for operation in program.operations for v in operation.operands} - used
        known = {} if out_avals is None else dict(zip(program.outputs, out_avals))  # noqa: B905  (contents of references follow)
        eqns = []
        for operation, values in zip(program.operations, operands, strict=True):
            if operation.record is constant:
                value = operation.attributes["value"]
                (result,) = operation.results
                if value.ndim == 0:
                    atoms[result] = literal_of(value)
                    continue
                atoms[result] = Var(Aval(result.type))
                constvars.append(atoms[result])
                consts.append(value)
                continue
            if operation.record is broadcast_in_dim and operation.results[0] in gone:
                continue  # whoever reads it reads the scalar
            for v in operation.results:
                aval = known.get(v) or Aval(v.type)
                atoms[v] = Var(aval) if v in used else DropVar(aval)
            eqns.append(self._equation(operation, values, atoms))
        jaxpr = Jaxpr(constvars, arguments, [atoms[v] for v in program.outputs], eqns, None,
                      debug_info or DebugInfo("jit", program.name))
        if not given:
            jaxpr._made_of(program)
        return ClosedJaxpr(jaxpr, consts)

    def _equation(self, operation: Operation, operands: Sequence[Value], atoms: dict[Value, Any]) -> JaxprEqn:
        results = operation.results
        primitive, form = form_of(operation, self.region)
        if form.operands is not None:
            operands = tuple(operands[i] for i in form.operands)
        if form.results is not None:
            results = tuple(results[i] for i in form.results)
        return JaxprEqn([atoms[v] for v in operands], [atoms[v] for v in results], primitive, form.params,
                        _effects(operation), operation.location)


def _operands(program: Program) -> list[Sequence[Value]]:
    """The operands of each equation: in those with two, scalars stand beside arrays without being spread out."""
    scalars = {operation.results[0]: operation.operands[0] for operation in program.operations
               if operation.record is broadcast_in_dim and not operation.operands[0].type.shape}
    found: list[Sequence[Value]] = []
    for operation in program.operations:
        operands = operation.operands
        if operation.record.arity == 2 and (operands[0] in scalars) != (operands[1] in scalars):
            operands = tuple(scalars.get(v, v) for v in operands)
        found.append(operands)
    return found


def _effects(operation: Operation) -> set[Effect]:
    """What an operation does, itself and in its regions."""
    if not operation.has_effects:
        return set()
    if operation.record is host_callback:
        effect = getattr(operation.attributes["callback"].function, "effect", EXTERNAL)
        return set() if effect is None else {effect}
    within = {e for region in operation.regions for inner in region.operations for e in _effects(inner)}
    return within if operation.regions else {EXTERNAL}
