# SPDX-License-Identifier: Apache-2.0
"""Messages as JSON: received data is checked against the types of the message and never executed."""

from __future__ import annotations

import base64
import dataclasses
import enum
import json
import types
import typing
from collections.abc import Mapping
from functools import cache
from multiprocessing.connection import Connection  # noqa: TID251  (for its challenge: messages go as bytes)
from typing import Any

import numpy as np

from olympus_core import dtypes

from . import messages

_LARGEST = 1 << 28  # bytes of a message
_DTYPES = {dtype.name: dtype for dtype in dtypes.ALL}
_KINDS: Mapping[str, type] = {
    name: kind for name, kind in vars(messages).items()
    if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == messages.__name__
}


class MessageError(ValueError):
    """Received data is not a valid message."""


def send(link: Connection, message: object) -> None:
    """Sends a message of `messages`."""
    link.send_bytes(json.dumps([type(message).__name__, _plain(message)], separators=(",", ":")).encode())


def receive(link: Connection) -> Any:
    """The next message; waits for it.

    Raises:
        EOFError: The other side has ended.
        OSError: The connection failed, or what comes is too large.
        MessageError: The data is not a valid message.
    """
    try:
        kind, content = json.loads(link.recv_bytes(_LARGEST))
        return _made(_KINDS[kind], content)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MessageError(f"{type(error).__name__}: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, dict):
        return [[_plain(key), _plain(content)] for key, content in value.items()]
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    if isinstance(value, frozenset):
        return sorted(_plain(part) for part in value)
    return value


@cache
def _fields(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _made(hint: Any, value: Any) -> Any:
    """Converts a JSON value to an expected type."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        (other,) = (part for part in parts if part is not type(None))
        return None if value is None else _made(other, value)
    if hint is float and type(value) is int:
        return float(value)
    if hint in (str, int, float, bool):
        return _checked(hint, value)
    if hint is bytes:
        return base64.b64decode(_checked(str, value), validate=True)
    if hint is np.dtype:
        return _DTYPES[_checked(str, value)]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        fields = _fields(hint)
        return hint(**{name: _made(fields[name], content) for name, content in _checked(dict, value).items()})
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(value)
    given = _checked(list, value)
    if origin is dict:
        return {_made(parts[0], key): _made(parts[1], content) for key, content in given}
    if origin is tuple and parts[-1] is not Ellipsis:
        return tuple(_made(part, content) for part, content in zip(parts, given, strict=True))
    return origin(_made(parts[0], content) for content in given)


def _checked(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise MessageError(f"{type(value).__name__} where {kind.__name__} belongs")
    return value
