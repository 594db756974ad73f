# SPDX-License-Identifier: Apache-2.0
"""Jaxprs as text, in the notation that other libraries print."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from olympus_core import dtypes

from .terms import NOTATION, ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var

_WIDTH = 80
# Parameters that say nothing, or that types say already.
_QUIET = frozenset({"accuracy", "sharding", "out_sharding", "precision", "out_dtype", "rule"})
_HIDDEN = {
    "broadcast_in_dim": {"shape"}, "jit": {"donated_invars", "inline", "keep_unused"},
    "custom_jvp_call": {"num_consts"}, "custom_vjp_call": {"num_consts"}, "scan": {"linear", "_split_transpose"},
    "scatter": {"update_jaxpr", "update_consts"},
}


class _Names:
    """Names of variables, in the order in which they are met."""

    def __init__(self) -> None:
        self._names: dict[Var, str] = {}

    def __getitem__(self, variable: Var) -> str:
        found = self._names.get(variable)
        if found is None:
            number, found = len(self._names), ""
            while True:
                number, letter = divmod(number, 26)
                found = chr(ord("a") + letter) + found
                if not number:
                    break
                number -= 1
            self._names[variable] = found
        return found


def jaxpr_text(jaxpr: Jaxpr) -> str:
    """A jaxpr as text."""
    return _jaxpr(jaxpr, _Names(), 0)


def equation_text(eqn: JaxprEqn) -> str:
    """An equation as text."""
    return "\n".join(_equation(eqn, _Names(), 0))


def _bound(variable: Var, names: _Names) -> str:
    return f"{'_' if isinstance(variable, DropVar) else names[variable]}:{variable.aval.str_short(True)}"


def _used(atom: Any, names: _Names) -> str:
    if not isinstance(atom, Literal):
        return names[atom]
    value = atom.val
    shown = f"{np.asarray(value).item()}" if np.ndim(value) == 0 and atom.aval.dtype.kind != "V" else "[...]"
    return f"{shown}:{atom.aval.str_short(True)}"


def _jaxpr(jaxpr: Jaxpr, names: _Names, indent: int) -> str:
    space = " " * indent
    constants = "".join(f"{_bound(v, names)} " for v in jaxpr.constvars).rstrip()
    arguments = " ".join(_bound(v, names) for v in jaxpr.invars)
    head = f"{{ lambda {constants}; {arguments}. let" if arguments else f"{{ lambda {constants}; . let"
    lines = [_equation(eqn, names, indent + 4) for eqn in jaxpr.eqns]
    results = ", ".join(_used(atom, names) for atom in jaxpr.outvars)
    tail = f"in ({results}{',' if len(jaxpr.outvars) == 1 else ''}) }}"
    flat = " ".join([head, " ".join(line[0] for line in lines), tail])
    if len(lines) < 2 and all(len(line) == 1 for line in lines) and indent + len(flat) <= _WIDTH:
        return flat
    body = [f"{space}    {line}" for several in lines for line in several]
    return "\n".join([head, *body, f"{space}  {tail}"])


def _equation(eqn: JaxprEqn, names: _Names, indent: int) -> list[str]:
    """Lines without the indentation of the first."""
    left = " ".join(_bound(v, names) for v in eqn.outvars)
    params = _params(eqn, names, indent)
    right = "".join(f" {_used(atom, names)}" for atom in eqn.invars)
    start = f"{left} = {eqn.primitive.name}" if left else eqn.primitive.name
    if not params:
        return [start + right]
    flat = f"{start}[{' '.join(params)}]{right}"
    if not any("\n" in p for p in params) and len(flat) <= _WIDTH:
        return [flat]
    inner = [line for p in params for line in f"  {p}".split("\n")]
    return [f"{start}[", *inner, f"]{right}"]


def _params(eqn: JaxprEqn, names: _Names, indent: int) -> list[str]:
    hidden: Collection[str] = _HIDDEN.get(eqn.primitive.name.split("-")[0], frozenset())
    shown: Mapping[str, Any] = {k: v for k, v in eqn.params.items() if not (
        k in hidden or k in _QUIET and (v is None or k == "rule"))}
    if eqn.primitive.name == "broadcast_in_dim" and not shown.get("broadcast_dimensions", True):
        shown = {}
    if eqn.primitive.name in ("dot_general", "conv_general_dilated") and shown.get("preferred_element_type") is None:
        shown = {k: v for k, v in shown.items() if k != "preferred_element_type"}
    order = sorted(shown, key=lambda key: (key != "name", key))
    if "dimension_numbers" in shown and eqn.primitive.name == "dot_general":
        parts = [tuple(list(part) for part in pair) for pair in shown["dimension_numbers"]]
        shown = {**shown, "dimension_numbers": tuple(parts)}
    return [f"{key}={_value(shown[key], names, indent + 2)}" for key in order]


def _value(value: Any, names: _Names, indent: int) -> str:
    """A parameter; lines after the first stand as deep as the parameter."""
    if isinstance(value, (Jaxpr, ClosedJaxpr)):
        text = _jaxpr(value.jaxpr if isinstance(value, ClosedJaxpr) else value, names, indent)
        return text.replace("\n" + " " * indent, "\n  ")
    if isinstance(value, tuple) and value and all(isinstance(v, (Jaxpr, ClosedJaxpr)) for v in value):
        inner = [_value(v, names, indent + 2).replace("\n", "\n  ") for v in value]
        return "\n".join(["(", *(f"    {line}" for line in inner), "  )"])
    if isinstance(value, np.dtype):
        return dtypes.name_of(value)
    return str(value)


NOTATION.jaxpr, NOTATION.equation = jaxpr_text, equation_text
