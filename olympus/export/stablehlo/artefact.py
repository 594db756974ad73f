# SPDX-License-Identifier: Apache-2.0
"""JAX's artefacts: a FlatBuffer with the types and structures of a function, and its module as a portable artefact."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArtefactError, OlympusError
from olympus_core.partition import expanded
from olympus_core.program import ArrayType, Program

from ... import tree
from ...config import enable_x64
from ...lax.staging import traced_platform
from ...shape_dtype import ShapeDtypeStruct
from ...tracing import Aval
from ...transforms.jit import jit
from ..exported import MOST_ORDERS, DisabledSafetyCheck, Exported
from ..functions import closed
from ..trees import made_of
from .bytecode import MAGIC
from .control import CONTROL
from .elementwise import ELEMENTWISE
from .flatbuffer import Buffer, Table
from .folding import FOLDING
from .module import Module

TABLE = {**ELEMENTWISE, **FOLDING, **CONTROL}
# The fields of a function, by their numbers.
_NAME, _IN_TREE, _IN_AVALS, _OUT_TREE, _OUT_AVALS, _FEW_DEVICES = 1, 2, 3, 4, 5, 6
_PLATFORMS, _ORDERED, _UNORDERED, _CHECKS, _MODULE, _KEPT, _VJP, _DEVICES = 9, 10, 11, 12, 13, 15, 17, 18
_UNIQUE_AVALS, _IN_NUMBERS, _OUT_NUMBERS = 19, 22, 23
_NOTHING = 22  # the element type of tangents of integers
_DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16 int4 "
    "uint4 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz").split()
_KNOWN = {dtypes.name_of(dtype): dtype for dtype in dtypes.KNOWN_IN_ORDER}
_MOST_PLATFORMS, _MOST_DEEP = 16, 256


def is_artefact(blob: bytes | bytearray | memoryview) -> bool:
    """Whether bytes may be such an artefact: there is a module of bytecode in them."""
    return MAGIC in bytes(blob)


def exported_from(blob: bytes | bytearray | memoryview) -> Exported:
    """The function of an artefact of JAX's.

    Args:
        blob: The bytes.

    Raises:
        ArtefactError: For bytes that are none, or that say what is not read here.
    """
    try:
        return _function(Buffer(bytes(blob)).root(), 0)
    except ArtefactError:
        raise
    except (OlympusError, ArithmeticError, AttributeError, LookupError, MemoryError, NotImplementedError,
            RecursionError, TypeError, ValueError) as error:
        # What functions of the language make of programs that nobody would write.
        raise ArtefactError(f"its program is not well-formed ({type(error).__name__}: {error})") from error


def _function(table: Table, order: int) -> Exported:
    if order > MOST_ORDERS:
        raise ArtefactError("it has too many derivatives of derivatives")
    name = table.text(_NAME) or "function"
    if (table.integer(_DEVICES) or table.integer(_FEW_DEVICES, 2, 1)) != 1:
        raise ArtefactError("it is split over several devices, and JAX's shardings are not read")
    if table.tables(_ORDERED) or table.tables(_UNORDERED):
        raise ArtefactError("its function has effects, such as calls of the host")
    given, results = (_types(table, numbers, one_by_one) for numbers, one_by_one in (
        (_IN_NUMBERS, _IN_AVALS), (_OUT_NUMBERS, _OUT_AVALS)))
    platforms = tuple(dict.fromkeys(table.texts(_PLATFORMS)))
    if not 0 < len(platforms) <= _MOST_PLATFORMS:
        raise ArtefactError("it is for no platform, or for too many")
    kept = table.integers(_KEPT, 2)
    if any(i >= len(given) for i in kept):
        raise ArtefactError("its module takes arguments that it has not")
    module = table.content(_MODULE) or b""
    in_avals, out_avals = (tuple(Aval(t, False) for t in types if t is not None) for types in (given, results))
    programs: dict[str, Any] = {}
    fingerprints: dict[str, str] = {}
    for number, platform in enumerate(platforms):
        flat = _flat(name, module, given, results, kept, number if len(platforms) > 1 else None)
        program = _program(flat, [a.type for a in in_avals], platform)
        same = fingerprints.setdefault(program.fingerprint, platform)
        programs[platform] = program if same == platform else same
        if program.output_types != tuple(a.type for a in out_avals):
            raise ArtefactError("its program gives other types than it says")
    below = table.table(_VJP)
    derivative = None if below is None else _function(below, order + 1)
    checks = tuple(DisabledSafetyCheck.platform() for check in table.tables(_CHECKS) if check.integer(0, 1) == 0)
    # Those of derivatives speak of tangents of integers, too.
    in_tree, out_tree = (
        _structure(table.table(field)) if order == 0 else tree.structure(plain)
        for field, plain in ((_IN_TREE, (tuple(range(len(in_avals))), {})), (_OUT_TREE, tuple(range(len(out_avals))))))
    if in_tree.num_leaves != len(in_avals) or out_tree.num_leaves != len(out_avals):
        raise ArtefactError("a structure has another number of leaves than there are types")
    return Exported(
        name, in_tree, in_avals, out_tree, out_avals, platforms, 1, checks, _programs=programs,
        _shardings=((None,) * len(in_avals), (None,) * len(out_avals)),
        _vjp=None if derivative is None else lambda: derivative)


def _flat(
    name: str, module: bytes, given: Sequence[ArrayType | None], results: Sequence[ArrayType | None],
    kept: Sequence[int], platform: int | None,
) -> Callable[..., tuple[Any, ...]]:
    """The module's function of those flat arguments, and with those flat results, that are no tangents of integers."""
    def flat(*values: Any) -> tuple[Any, ...]:
        rest = iter(values)
        everything = [None if t is None else next(rest) for t in given]
        if any(everything[i] is None for i in kept):
            raise ArtefactError("its module takes the tangent of an integer")
        first = [] if platform is None else [np.array(platform, np.int32)]
        found = Module(module, TABLE).call("main", [*first, *(everything[i] for i in kept)])
        if len(found) != len(results):
            raise ArtefactError("its module gives another number of results")
        return tuple(x for x, t in zip(found, results, strict=True) if t is not None)

    flat.__name__ = re.sub(r"\W", "_", name) or "function"
    return flat


def _program(flat: Callable[..., Any], types: Sequence[ArrayType], platform: str) -> Program:
    token = traced_platform.set(platform)
    try:
        with enable_x64(True):  # types are what the module says
            traced, _ = jit(flat).traced(tuple(ShapeDtypeStruct(t.shape, t.dtype) for t in types), {})
    finally:
        traced_platform.reset(token)
    return expanded(closed(traced.program, traced.captured), platform)


def _types(table: Table, numbers: int, one_by_one: int) -> list[ArrayType | None]:
    """The types of flat arguments or results; None for tangents of integers."""
    given = table.integers(numbers, 4)
    if not given:
        return [_type(t) for t in table.tables(one_by_one)]
    known = [_type(t) for t in table.tables(_UNIQUE_AVALS)]
    if max(given) >= len(known):
        raise ArtefactError("it names a type that it lacks")
    return [known[i] for i in given]


def _type(table: Table) -> ArrayType | None:
    if table.integer(0, 1):
        raise ArtefactError("it takes or gives tokens")
    code, sizes = table.integer(2, 1), table.texts(1)
    if any(not size.isascii() or not size.isdecimal() or len(size) > 18 for size in sizes):
        raise ArtefactError("it has symbolic shapes, and those of JAX are not read", ", ".join(sizes)[:80])
    if code == _NOTHING:
        return None
    if code >= len(_DTYPES) or _DTYPES[code] not in _KNOWN:
        raise ArtefactError("it has an element type that is not known here, or keys of random numbers", str(code))
    return ArrayType(tuple(map(int, sizes)), _KNOWN[_DTYPES[code]])


def _structure(table: Table | None) -> Any:
    if table is None:
        raise ArtefactError("a structure is missing")
    return made_of(_example(table, 0))


def _example(table: Table, depth: int) -> Any:
    """A structure as `trees.made_of` takes it: ``"*"``, or a container's name, its data and what is in it."""
    if depth > _MOST_DEEP:
        raise ArtefactError("its structures are nested too deep")
    kind, below = table.integer(0, 1), [_example(child, depth + 1) for child in table.tables(1)]
    if kind == 0:
        return "*"
    if kind == 5:
        return [table.text(3) or "", table.content(4) or b"", below]
    names = ("", "None", "tuple", "list", "dict")
    if kind >= len(names):
        raise ArtefactError("a structure is of no known kind", str(kind))
    return [names[kind], table.texts(2), below]


__all__ = ["exported_from", "is_artefact"]
