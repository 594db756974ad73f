# SPDX-License-Identifier: Apache-2.0
"""Reading: bytes of an artefact to the function that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ArgumentError, ArtefactError, SymbolicShapeError, described
from olympus_core.program import Program

from ..tracing import Aval
from .artefacts import MAGIC, VERSION, from_bytes
from .encoding import Decoder, entries, number, record, text
from .exported import MOST_ORDERS, DisabledSafetyCheck, Exported, Sharding
from .symbolic import SymbolicScope, parsed
from .trees import decoded


def deserialize(blob: bytes | bytearray) -> Exported:
    """Reads what `Exported.serialize` wrote. Nothing in the bytes is run; damaged or hostile ones are refused.

    JAX's artefacts are read as well, where olympus has the operations: docs/artefacts.md says which.

    Args:
        blob: The bytes.

    Returns:
        The function.

    Raises:
        ArgumentError: For what are no bytes.
        ArtefactError: For bytes that are no artefact, of a later version, or not well-formed.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus import export
        >>> stored = export.export(olympus.jit(jnp.sin))(jnp.zeros(3)).serialize()
        >>> print(export.deserialize(stored).call(jnp.zeros(3)))
        [0. 0. 0.]
    """
    if not isinstance(blob, (bytes, bytearray, memoryview)):
        raise ArgumentError("deserialize", "an artefact is bytes", described(blob), "what Exported.serialize gives")
    if bytes(blob[:len(MAGIC)]) != MAGIC:
        from .stablehlo import exported_from, is_artefact  # few processes read any

        if is_artefact(blob):
            return exported_from(blob)
    header, arrays = from_bytes(blob)
    try:
        return _restored(header, arrays, 0)
    except (RecursionError, OverflowError) as error:
        raise ArtefactError("it is nested too deep") from error


_FIELDS = ("name", "platforms", "devices", "checks", "in", "out", "shardings", "programs", "vjp")


def _restored(data: Any, arrays: Sequence[Any], order: int) -> Exported:
    if order > MOST_ORDERS:
        raise ArtefactError("it has too many derivatives of derivatives")
    fields = record(data, "an exported function", _FIELDS, ("scope",))
    scope = None if "scope" not in fields else _scope(fields["scope"])
    decoder = Decoder(arrays, lambda mesh: mesh, None if scope is None else lambda text: parsed(text, scope))
    (in_tree, in_avals), (out_tree, out_avals) = (_side(fields[side], decoder) for side in ("in", "out"))
    platforms = tuple(text(p, "a platform") for p in entries(fields["platforms"], "platforms"))
    programs = dict(record(fields["programs"], "the programs", platforms))
    devices = number(fields["devices"], "the number of devices", 1, 1 << 24)
    if not platforms:
        raise ArtefactError("it is for no platform")
    for platform, program in tuple(programs.items()):
        if isinstance(program, str):
            if not isinstance(programs.get(program), (dict, Program)):
                raise ArtefactError(f"the program of {platform} is missing")
            continue
        made = decoder.program(program)
        if made.input_types != tuple(a.type for a in in_avals) or made.output_types != tuple(a.type for a in out_avals):
            raise ArtefactError(f"the program of {platform} takes or gives other types than it says")
        if devices == 1:  # meshes stay as they are: it is not read again
            programs[platform] = made
    given, results = entries(fields["shardings"], "shardings", 2)
    shardings = _shardings(given, len(in_avals)), _shardings(results, len(out_avals))
    derivative = None if fields["vjp"] is None else _restored(fields["vjp"], arrays, order + 1)
    return Exported(
        text(fields["name"], "a name"), in_tree, in_avals, out_tree, out_avals, platforms,
        devices,
        tuple(DisabledSafetyCheck(text(c, "a check")) for c in entries(fields["checks"], "checks")), VERSION,
        programs, arrays, shardings, None if derivative is None else lambda: derivative, scope)


def _scope(data: Any) -> SymbolicScope:
    try:
        return SymbolicScope([text(c, "a constraint") for c in entries(data, "constraints")])
    except SymbolicShapeError as error:
        raise ArtefactError("its constraints cannot be read", repr(data)[:80]) from error


def _side(data: Any, decoder: Decoder) -> tuple[Any, tuple[Aval, ...]]:
    structure, avals = entries(data, "arguments or results", 2)
    rows = [entries(row, "a type", 2) for row in entries(avals, "types")]
    found = decoded(structure, decoder)
    if found.num_leaves != len(rows):
        raise ArtefactError("a structure has another number of leaves than there are types")
    return found, tuple(Aval(decoder.type(type), weak is True) for type, weak in rows)


def _shardings(data: Any, count: int) -> tuple[Sharding | None, ...]:
    found: list[Sharding | None] = []
    for one in entries(data, "shardings", count):
        if one is None:
            found.append(None)
            continue
        axes, dims = entries(one, "a sharding", 2)
        shape = tuple((text(name, "an axis"), number(size, "a size", 1, 1 << 24)) for name, size in (
            entries(axis, "an axis", 2) for axis in entries(axes, "axes")))
        found.append((shape, tuple(tuple(text(a, "an axis") for a in entries(dim, "axes")) for dim in entries(
            dims, "dimensions"))))
    return tuple(found)


__all__ = ["deserialize"]
