# SPDX-License-Identifier: Apache-2.0
"""What type checkers read of the methods of arrays: they are filled in from functions when olympus is imported."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from olympus.numpy.updates import IndexUpdate, IndexUpdateRef
from olympus.tracing import ArrayOperators

STUB = Path(__file__).resolve().parents[2] / "olympus" / "tracing" / "operators.pyi"
_HEAD = '''\
"""Written by `python -m tools.reference` from the methods that `olympus.numpy.methods` fills in."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..array import Array
from ..typing import ArrayLike, DeviceLike, DTypeLike, ShardingLike

Axis = int | Sequence[int] | None

'''
_PLAIN = (bool, int, str, type(None))
_LEFT_OUT = frozenset({"__init__", "__repr__", "__copy__", "__deepcopy__", "__setitem__"})  # the last always raises


def stub() -> str:
    """The text of the file."""
    return _HEAD + "\n".join("".join(_class(cls)) for cls in (IndexUpdateRef, IndexUpdate, ArrayOperators))


def _class(cls: type) -> Iterator[str]:
    yield f"class {cls.__name__}:\n    __slots__ = ()\n"
    if cls is ArrayOperators:
        yield "    __array_priority__: int\n"
    for name, member in sorted(vars(cls).items()):
        if name in _LEFT_OUT or name.startswith("_") and not name.endswith("__"):
            continue
        if isinstance(member, property):
            yield f"    @property\n    def {name}(self) -> {member.fget.__annotations__['return']}: ...\n"
        elif callable(member):
            ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
            yield f"    def {name}({_parameters(member)}) -> {_result(name, member)}: ...{ignored}\n"


def _parameters(function: Any) -> str:
    parts = ["self"]
    named_only = False
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not named_only:
            parts.append("*")
        named_only = named_only or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        text = f"{stars}{parameter.name}: {parameter.annotation}"
        if parameter.default is not parameter.empty:
            text += f" = {parameter.default!r}" if isinstance(parameter.default, _PLAIN) else " = ..."
        parts.append(text)
    return ", ".join(parts)


def _result(name: str, function: Any) -> str:
    return "tuple[Array, Array]" if "divmod" in name else str(inspect.signature(function).return_annotation)
