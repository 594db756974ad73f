# SPDX-License-Identifier: Apache-2.0
"""The paragraphs of the function files, with the names that each defines and needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from olympus_core.errors import OlympusInternalError

FILES = ("narrow.cuh", "storage.cuh", "convert.cuh", "bool.cuh", "integer.cuh", "float.cuh", "special.cuh",
         "incomplete.cuh", "complex.cuh", "complex_functions.cuh", "tensor_cores.cuh")
_SHARED = "special_functions/special_functions.cuh"  # the toolkit's, which the CPU platform compiles too
# Of these, which several places of a function call: code of their own. Put into each place they make a kernel of
# `betainc` 360 KB of machine code, which takes NVRTC seven seconds.
_CALLED = re.compile(r"^__device__ (?=double olympus_(?:incomplete_gamma|gamma_weight|gamma_below_20|beta_weight|"
                     r"zeta_scaled)\()", re.M)
_NAME = re.compile(r"\bolympus_\w+")
# A definition begins in the first column: a structure, an alias, or a function, whose name is the first one before a
# parenthesis.
_DEFINED = re.compile(r"^(?:struct\b[^{\n]*?|(?:template|__device__)[^(\n{]*?)\b(olympus_\w+)\s*[({=]", re.M)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Definitions that belong together.

    Args:
        file: The file that contains it.
        position: Its index among all paragraphs; paragraphs that it needs may be before or after it.
        text: Its text.
        defines: The names that it defines.
        needs: The other names that it uses.
    """

    file: str
    position: int
    text: str
    defines: frozenset[str]
    needs: frozenset[str]


@cache
def paragraphs() -> tuple[Paragraph, ...]:
    """All paragraphs of all files."""
    found: list[Paragraph] = []
    texts = [(file, resources.files(__package__).joinpath(file)) for file in FILES]
    for file, place in (*texts, (_SHARED, resources.files("olympus_core.toolkit").joinpath(_SHARED))):
        text = _CALLED.sub("__device__ __noinline__ ", place.read_text(encoding="utf-8"))
        for part in re.split(r"\n\s*\n", text):
            defines = frozenset(_DEFINED.findall(part))
            if defines:
                found.append(Paragraph(file, len(found), part.strip("\n"), defines, mentions(part) - defines))
    return tuple(found)


@cache
def _by_name() -> Mapping[str, tuple[Paragraph, ...]]:
    found: dict[str, list[Paragraph]] = {}
    for paragraph in paragraphs():
        for name in sorted(paragraph.defines):
            found.setdefault(name, []).append(paragraph)
    return {name: tuple(parts) for name, parts in found.items()}


def mentions(text: str) -> frozenset[str]:
    """The names with this library's prefix that a text uses outside of comments."""
    return frozenset(_NAME.findall(re.sub(r"//[^\n]*", "", text)))


def names() -> frozenset[str]:
    """The names of all functions and types."""
    return frozenset(_by_name())


def mentioned(text: str) -> frozenset[str]:
    """The functions and types of this library that a text uses."""
    return mentions(text) & names()


def needed(wanted: Iterable[str]) -> str:
    """The text of functions and of everything that they need, in order of dependence.

    Args:
        wanted: Names of functions and types, in any order.
    """
    by_name, order = _by_name(), {}
    open_: set[int] = set()

    def add(name: str) -> None:
        if name not in by_name:
            raise OlympusInternalError(f"there is no device function {name}")
        for paragraph in by_name[name]:
            if paragraph.position in order or paragraph.position in open_:
                continue
            open_.add(paragraph.position)
            for other in sorted(paragraph.needs):
                add(other)
            open_.discard(paragraph.position)
            order[paragraph.position] = paragraph

    for name in sorted(set(wanted)):
        add(name)
    return "".join(f"{paragraph.text}\n\n" for paragraph in order.values())
