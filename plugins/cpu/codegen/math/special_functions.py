# SPDX-License-Identifier: Apache-2.0
"""Special functions that are loops: calls of out-of-line functions, in float64, whose LLVM IR is made of C.

The IR beside this file has a definition for each function of `olympus_core/toolkit/special_functions`. A module gets
those that it needs, and for exp, log and their kind functions of one lane by this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from ..builder import FunctionBuilder, Ir
from ..target import Target
from .math_builder import MathBuilder

_ALIGNMENT = 64  # of scratch memory
_NAME = re.compile(r"@([\w.]+)")
# What the C functions call, by the operations that it is.
_OPERATIONS = {
    "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "pow": "pow",
    "olympus_float_lgamma": "lgamma", "olympus_float_digamma": "digamma",
}
_OWN = "olympus.scalar."  # what these are called in modules, where the names of C stand for other libraries' functions


class _Definition(NamedTuple):
    text: str
    needs: frozenset[str]


class _Written(NamedTuple):
    declarations: Mapping[str, str]
    definitions: Mapping[str, str]


@cache
def _definitions() -> Mapping[str, _Definition]:
    """Functions, constants and declarations of the IR, by name."""
    text = resources.files(__package__).joinpath("special_functions.ll").read_text(encoding="utf-8")
    text = re.sub(rf"@({'|'.join(_OPERATIONS)})\(", rf"@{_OWN}\1(", text)
    found = {}
    for part in re.findall(r"^(?:@.*|declare .*|define .*(?:\n.*?)*?\n})$", text, re.MULTILINE):
        name, *needs = _NAME.findall(part)
        part = re.sub(r"^define ", "define internal ", part)
        found[name] = _Definition(f"{part}\n", frozenset(needs) - {name})
    return found


def special(operation: str, emit_math: Callable[..., Ir]) -> Callable[..., Ir]:
    """How an operation is written: a call for all lanes.

    Args:
        operation: The operation's name.
        emit_math: Writes exp and its kind: a builder, an operation's name and operands.
    """
    name = f"olympus_each_{operation}"

    def emit(m: MathBuilder, *operands: Ir) -> Ir:
        b, lanes = m.b, operands[0].lanes
        written = _written(b.target, name, emit_math)
        b.declarations.update(written.declarations)
        b.definitions.update(written.definitions)
        buffers = [b.scratch("double", lanes, number) for number in range(len(operands))]
        for buffer, value in zip(buffers, operands, strict=True):
            b.store(buffer, value, _ALIGNMENT)
        b.emit(f"call void @{name}({', '.join(v.typed for v in (*buffers, b.constant(lanes, 'i64')))})")
        return b.load(buffers[0], "double", lanes, _ALIGNMENT)

    return emit


@lru_cache(maxsize=256)
def _written(target: Target, name: str, emit_math: Callable[..., Ir]) -> _Written:
    """A function and all that it needs."""
    declarations: dict[str, str] = {}
    definitions: dict[str, str] = {}
    waiting, seen = [name], {name}
    while waiting:
        current = waiting.pop()
        if current.startswith(_OWN):
            function = _scalar(target, current, emit_math)
            declarations.update(function.declarations)
            definitions.update({**function.definitions, current: function.function_text()})
            continue
        definition = _definitions()[current]
        is_declared = definition.text.startswith("declare")
        (declarations if is_declared else definitions)[current] = definition.text.rstrip("\n") if is_declared else (
            definition.text)
        waiting += sorted(definition.needs - seen)
        seen |= definition.needs
    return _Written(declarations, definitions)


def _scalar(target: Target, name: str, emit_math: Callable[..., Ir]) -> FunctionBuilder:
    """A function of C, of one number, out of line."""
    operation = _OPERATIONS[name.removeprefix(_OWN)]
    names = ["x", "y"] if operation == "pow" else ["x"]
    b = FunctionBuilder(target, name, [(x, "double") for x in names], "double", attributes="noinline", internal=True)
    b.ret(emit_math(b, operation, *(b.parameter(x) for x in names)))
    return b
