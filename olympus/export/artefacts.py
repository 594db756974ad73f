# SPDX-License-Identifier: Apache-2.0
"""Artefacts: an exported program as bytes (docs/artefacts.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArtefactError

from .encoding import Decoder, entries, number

MAGIC = b"OLXPROG\x00"
VERSION = 1
_ALIGNMENT = 64
_LEAST = len(MAGIC) + 4 + 8 + 32


def to_bytes(header: dict[str, Any], arrays: Sequence[np.ndarray], type_of: Any) -> bytes:
    """Header and constants as bytes.

    Args:
        header: What JSON can hold.
        arrays: The constants.
        type_of: Gives an array's type as data.
    """
    table, parts, end = [], [], 0
    for array in arrays:
        start = -(-end // _ALIGNMENT) * _ALIGNMENT
        content = array.tobytes()
        parts += [bytes(start - end), content]
        table.append([type_of(array), start])
        end = start + len(content)
    text = json.dumps({**header, "arrays": table, "bytes": end}, separators=(",", ":")).encode()
    body = b"".join([MAGIC, VERSION.to_bytes(4, "little"), len(text).to_bytes(8, "little"), text, *parts])
    return body + hashlib.sha256(body).digest()


def from_bytes(blob: bytes | bytearray | memoryview) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Header and constants.

    Args:
        blob: The bytes.

    Raises:
        ArtefactError: For bytes that are none of an artefact, of a later version, or damaged.
    """
    data = memoryview(blob).cast("B")
    if len(data) < _LEAST or bytes(data[:len(MAGIC)]) != MAGIC:
        raise ArtefactError("it does not begin as one does", repr(bytes(data[:16])))
    version = int.from_bytes(data[len(MAGIC):len(MAGIC) + 4], "little")
    if version != VERSION:
        raise ArtefactError(f"it is of version {version} of the format, and this olympus reads version {VERSION}")
    if hashlib.sha256(data[:-32]).digest() != bytes(data[-32:]):
        raise ArtefactError("it is damaged: its checksum is another one")
    start = len(MAGIC) + 12
    length = int.from_bytes(data[start - 8:start], "little")
    if length > len(data) - 32 - start:
        raise ArtefactError("its header is longer than it is")
    try:
        header = json.loads(bytes(data[start:start + length]), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ArtefactError(f"its header is no JSON ({type(error).__name__})") from error
    if not isinstance(header, dict):
        raise ArtefactError("its header is no object")
    payload = data[start + length:-32]
    if header.pop("bytes", None) != len(payload):
        raise ArtefactError("its constants have another size than it says")
    return header, _arrays(header.pop("arrays", None), payload)


def _arrays(table: Any, payload: memoryview) -> list[np.ndarray]:
    decoder, found = Decoder([], lambda mesh: mesh), []
    for row in entries(table, "the table of constants"):
        type, start = entries(row, "a constant", 2)
        kind = decoder.type(type)
        first = number(start, "a constant's place", 0, len(payload) + 1)
        if kind.nbytes > len(payload) - first:
            raise ArtefactError("a constant lies outside of it")
        array = np.frombuffer(payload, np.uint8, kind.nbytes, first).copy().view(kind.dtype).reshape(kind.shape)
        array.flags.writeable = False
        found.append(array)
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(word)


__all__ = ["MAGIC", "VERSION", "from_bytes", "to_bytes"]
