# SPDX-License-Identifier: Apache-2.0
"""Tracing functions to jaxprs, and taking out of these what is not used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ..extend.linear_util import WrappedFun
from ..tracing import Aval, StagingTrace, Tracer, aval_of, stage
from ..transforms.jaxpr import Jaxpr, JaxprEqn, Primitive, Var, closed_jaxpr, eval_jaxpr

DceRule = Callable[[list[bool], JaxprEqn], tuple[list[bool], JaxprEqn | None]]
dce_rules: dict[Primitive, DceRule] = {}


class _Staged(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tracer) and isinstance(instance._trace, StagingTrace)


class DynamicJaxprTracer(metaclass=_Staged):
    """What a function that is being traced to a program gets: such values are instances.

    Example:
        >>> import olympus
        >>> from olympus.interpreters.partial_eval import DynamicJaxprTracer
        >>> seen = []
        >>> y = olympus.jit(lambda x: seen.append(isinstance(x, DynamicJaxprTracer)) or x)(1.0)
        >>> seen
        [True]
    """

    __slots__ = ()


class PartialVal(tuple[Aval | None, Any]):
    """A value that is known, or one of which only the type is.

    Args:
        xs: The type, or None, and the value, or None.

    Example:
        >>> import olympus
        >>> from olympus.interpreters.partial_eval import PartialVal
        >>> PartialVal.known(3.0).is_known(), PartialVal.unknown(olympus.typeof(1.0)).get_aval()
        (True, float32[])
    """

    __slots__ = ()

    def __new__(cls, xs: tuple[Aval | None, Any]) -> PartialVal:  # noqa: D102  (the class says it)
        return tuple.__new__(cls, xs)

    @classmethod
    def known(cls, const: Any) -> PartialVal:
        """A known value.

        Args:
            const: The value.
        """
        return cls((None, const))

    @classmethod
    def unknown(cls, aval: Aval) -> PartialVal:
        """A value that is not known.

        Args:
            aval: Its type.
        """
        return cls((aval, None))

    def is_known(self) -> bool:
        """Whether the value is known."""
        return self[0] is None

    def get_known(self) -> Any:
        """The value; None where it is not known."""
        return self[1] if self.is_known() else None

    def get_aval(self) -> Aval:
        """The type."""
        return aval_of(self[1]) if self[0] is None else self[0]


def trace_to_jaxpr_dynamic(
    fun: WrappedFun, in_avals: Sequence[Aval], *, keep_inputs: list[bool] | None = None, lower: bool = False,
    auto_dce: bool = False,
) -> tuple[Jaxpr, list[Aval], list[Any]]:
    """Traces a function of flat arguments to a jaxpr.

    Args:
        fun: The function, wrapped; it gives a sequence.
        in_avals: Types of its arguments.
        keep_inputs: Accepted for compatibility: all stay.
        lower: Accepted for compatibility.
        auto_dce: Accepted for compatibility: what nobody uses is always left out.

    Returns:
        The jaxpr, the types of its results, and the values of its constants.

    Example:
        >>> import olympus
        >>> from olympus.extend.linear_util import wrap_init
        >>> from olympus.interpreters.partial_eval import trace_to_jaxpr_dynamic
        >>> jaxpr, avals, consts = trace_to_jaxpr_dynamic(wrap_init(lambda x: [x * 2]), [olympus.typeof(1.0)])
        >>> jaxpr, avals, consts
        ({ lambda ; a:f32[]. let b:f32[] = mul a 2.0:f32[] in (b,) }, [float32[]], [])
    """
    program, out_avals, captured = stage(fun.call_wrapped, in_avals, fun.__name__)
    closed = closed_jaxpr(program, captured, list(in_avals), out_avals)
    jaxpr = closed.jaxpr if fun.debug_info is None else closed.jaxpr.replace(debug_info=fun.debug_info)
    return jaxpr, out_avals, closed.consts


def trace_to_jaxpr_nounits(
    fun: WrappedFun, pvals: Sequence[PartialVal], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[PartialVal], list[Any]]:
    """Traces a function of which some arguments are known to a jaxpr of the others.

    Args:
        fun: The function, wrapped; it gives a sequence.
        pvals: Its arguments.
        instantiate: Whether results are of the jaxpr also where they are known; for all, or for each.

    Returns:
        The jaxpr, the results as far as they are known, and the values of its constants.

    Example:
        >>> import olympus
        >>> from olympus.extend.linear_util import wrap_init
        >>> from olympus.interpreters.partial_eval import PartialVal, trace_to_jaxpr_nounits
        >>> given = [PartialVal.unknown(olympus.typeof(1.0)), PartialVal.known(3.0)]
        >>> jaxpr, results, _ = trace_to_jaxpr_nounits(wrap_init(lambda x, y: [x * y, y + 1]), given)
        >>> jaxpr.outvars == jaxpr.eqns[0].outvars, results[1].get_known()
        (True, 4.0)
    """
    unknown = [i for i, p in enumerate(pvals) if not p.is_known()]
    plain: list[tuple[bool, Any]] = []  # the results that are no traced values, which stay inside

    def function(*values: Any) -> list[Any]:
        given = [p.get_known() for p in pvals]
        for i, x in zip(unknown, values, strict=True):
            given[i] = x
        found = list(fun.call_wrapped(*given))
        plain[:] = [(False, None) if isinstance(x, Tracer) else (True, x) for x in found]
        return found

    program, out_avals, captured = stage(function, [pvals[i].get_aval() for i in unknown], fun.__name__)
    closed = closed_jaxpr(program, captured, None, out_avals)
    jaxpr, consts = closed.jaxpr, closed.consts
    kept = _for_each(instantiate, len(out_avals), "trace_to_jaxpr_nounits")
    alone = [dce_jaxpr(jaxpr.replace(outvars=[atom]), True) for atom in jaxpr.outvars]
    results = []
    for (is_plain, x), aval, needed, (part, used) in zip(plain, out_avals, kept, alone, strict=True):
        if needed or any(used):
            results.append(PartialVal.unknown(aval))
        else:
            results.append(PartialVal.known(x if is_plain else eval_jaxpr(part, consts)[0]))
    rest = [atom for atom, p in zip(jaxpr.outvars, results, strict=True) if not p.is_known()]
    return dce_jaxpr(jaxpr.replace(outvars=rest), True, instantiate=True)[0], results, consts


def dce_jaxpr(
    jaxpr: Jaxpr, used_outputs: bool | Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[bool]]:
    """A jaxpr without the results that are not used, and the equations that only these need.

    Args:
        jaxpr: The jaxpr.
        used_outputs: Which results are used; for all, or for each.
        instantiate: Which arguments stay though they are not used; for all, or for each.

    Returns:
        The jaxpr, and which arguments it has kept.

    Example:
        >>> import olympus
        >>> from olympus.interpreters.partial_eval import dce_jaxpr
        >>> closed = olympus.make_jaxpr(lambda x, y: (x + 1, y * 2))(1.0, 2.0)
        >>> dce_jaxpr(closed.jaxpr, [True, False])
        ({ lambda ; a:f32[]. let b:f32[] = add a 1.0:f32[] in (b,) }, [True, False])
    """
    used = _for_each(used_outputs, len(jaxpr.outvars), "dce_jaxpr")
    stays = _for_each(instantiate, len(jaxpr.invars), "dce_jaxpr")
    outvars = [atom for atom, is_used in zip(jaxpr.outvars, used, strict=True) if is_used]
    needed = {atom for atom in outvars if isinstance(atom, Var)}
    eqns: list[JaxprEqn] = []
    for eqn in reversed(jaxpr.eqns):
        wanted = [v in needed for v in eqn.outvars]
        if not any(wanted) and not eqn.effects:
            continue
        kept: JaxprEqn | None = eqn
        rule = dce_rules.get(eqn.primitive)
        if rule is not None:
            _, kept = rule(wanted, eqn)
        if kept is not None:
            eqns.append(kept)
            needed.update(atom for atom in kept.invars if isinstance(atom, Var))
    inputs = [v in needed or stay for v, stay in zip(jaxpr.invars, stays, strict=True)]
    invars = [v for v, is_used in zip(jaxpr.invars, inputs, strict=True) if is_used]
    return Jaxpr(jaxpr.constvars, invars, outvars, eqns[::-1], None, jaxpr.debug_info), inputs


def dce_jaxpr_consts(
    jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[bool], list[bool]]:
    """As `dce_jaxpr`, also without the constants that are not used.

    Args:
        jaxpr: The jaxpr.
        used_outputs: Which results are used.
        instantiate: Which arguments stay though they are not used.

    Returns:
        The jaxpr, which constants it has kept, and which arguments.

    Example:
        >>> import olympus
        >>> from olympus.interpreters.partial_eval import dce_jaxpr_consts
        >>> closed = olympus.make_jaxpr(lambda x: (x + 1, x * 2))(1.0)
        >>> dce_jaxpr_consts(closed.jaxpr, [True, False])[1:]
        ([], [True])
    """
    made, inputs = dce_jaxpr(jaxpr, used_outputs, instantiate)
    used = {atom for eqn in made.eqns for atom in eqn.invars if isinstance(atom, Var)}
    used.update(atom for atom in made.outvars if isinstance(atom, Var))
    consts = [v in used for v in jaxpr.constvars]
    kept = [v for v, is_used in zip(jaxpr.constvars, consts, strict=True) if is_used]
    return made.replace(constvars=kept), consts, inputs


def _for_each(given: bool | Sequence[bool], count: int, name: str) -> list[bool]:
    found = [given] * count if isinstance(given, bool) else list(given)
    if len(found) != count:
        raise ArgumentError(name, "there is not one truth value for each", len(found), count)
    return found


__all__ = [
    "DynamicJaxprTracer", "PartialVal", "dce_jaxpr", "dce_jaxpr_consts", "dce_rules", "trace_to_jaxpr_dynamic",
    "trace_to_jaxpr_nounits",
]
__dir__ = listed(__all__)
