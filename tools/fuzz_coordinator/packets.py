# SPDX-License-Identifier: Apache-2.0
"""Packets by seed: valid messages and mutations of them."""

from __future__ import annotations

import copy
import json
import random
import struct
from typing import Any

from olympus_core.cluster.session import UNNUMBERED

# Texts that a JSON encoder would not produce; they replace these values in its output.
_RAW = {"@huge@": "1e999", "@digits@": "1" * 5000, "@half@": '"\\ud800"', "@deep@": "[" * 900 + "]" * 900}
_LONGEST = 1 << 20
_GROUPS = ("0-2", "0, 2", "0-65535", "0-99999999999", "2-0", "0-1, 0-1", "a", "0-2" * 5000, "-1", "")


def packet(seed: int, table: dict[str, dict[str, Any]], number: int = 1) -> tuple[str, bytes]:
    """The packet of a seed: the kind of the original message, and the bytes.

    Args:
        seed: The seed.
        table: A valid message of each kind.
        number: The next number of the session.
    """
    choice = random.Random(seed)
    kind = choice.choice(sorted(table))
    message = copy.deepcopy(table[kind])
    for _ in range(choice.choice((0, 1, 1, 1, 1, 2, 3))):
        _change(choice, message)
    text = json.dumps({"t": kind, **message})
    for marker, raw in _RAW.items():
        text = text.replace(f'"{marker}"', raw)
    if choice.random() < 0.03:
        text = text[:-1] + ',"t":"report"}'
    payload = choice.choice((b"", b"", b"x" * choice.randrange(100)))
    numbers = [0 if kind in UNNUMBERED else number, 0]
    if choice.random() < 0.05:
        numbers[choice.randrange(2)] = choice.choice((0, 1, max(0, number - 1), number + 1, 1 << 40, (1 << 64) - 1))
    data = bytearray(struct.pack(">IIQQ", len(text.encode()), len(payload), *numbers) + text.encode() + payload)
    return kind, bytes(_damage(choice, data))


def noise(seed: int) -> bytes:
    """Bytes of a stranger, who knows at most the first bytes of the protocol."""
    choice = random.Random(seed)
    return choice.choice((
        lambda: choice.randbytes(choice.randrange(1, 200)),
        lambda: b"OLYMPUS\x03" + choice.randbytes(choice.randrange(200)),
        lambda: b"OLYMPUS\x03" + choice.randbytes(32) + choice.randbytes(32),
        lambda: b"OLYMPUS" + choice.randbytes(1) + choice.randbytes(choice.randrange(90)),
        lambda: b"OLYMPUS"[: choice.randrange(8)],
        lambda: b"OLYMPUS\x01" + struct.pack(">II", 20000, 0) + b"[" * 20000,
        lambda: b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        lambda: b"\x16\x03\x01" + choice.randbytes(100),
        lambda: choice.randbytes(1) * choice.choice((1, 1000, 100_000)),
        lambda: b"",
    ))()


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += _paths(item, (*path, key))
    return found


def _change(choice: random.Random, message: dict[str, Any]) -> None:
    paths = _paths(message)
    if not paths or choice.random() < 0.05:
        message[choice.choice(("more", "t ", "", "kind"))] = _value(choice)
        return
    path = choice.choice(paths)
    parent: Any = message
    for key in path[:-1]:
        parent = parent[key]
    if choice.random() < 0.15 and isinstance(parent, dict):
        del parent[path[-1]]
    elif choice.random() < 0.1 and isinstance(parent, list):
        times = choice.choice((2, 50, 3000))
        if len(json.dumps(parent)) * times < _LONGEST:
            parent *= times
    else:
        parent[path[-1]] = _value(choice)


def _value(choice: random.Random) -> Any:
    return choice.choice((
        lambda: None, lambda: True, lambda: choice.randrange(-3, 5),
        lambda: choice.choice((-1, 1)) << choice.randrange(80),
        lambda: choice.random(), lambda: float("nan"), lambda: float("inf"), lambda: -0.0, lambda: 1e308,
        lambda: choice.choice(sorted(_RAW)), lambda: choice.choice(_GROUPS),
        lambda: "x" * choice.choice((1, 50, 5000, 70000)),
        lambda: "\x00\x1b[2J\n", lambda: "\u20ac\U0001f600", lambda: [], lambda: {}, lambda: [0, 1, 2], lambda: [2, 1],
        lambda: [[0, 1, "", "running", 0.0]], lambda: {"0-2": 1}, lambda: {choice.choice(_GROUPS): choice.randrange(9)},
        lambda: list(range(choice.choice((10, 5000)))), lambda: {str(i): i for i in range(choice.choice((10, 5000)))},
        lambda: {"kind": choice.choice(("lost", "closed", "forked", "size", "")), "reason": "x"},
    ))()


def _damage(choice: random.Random, data: bytearray) -> bytearray:
    draw = choice.random()
    if draw < 0.05:
        data[choice.randrange(len(data))] = choice.randrange(256)
    elif draw < 0.08:
        del data[choice.randrange(len(data)) :]
    elif draw < 0.10:
        struct.pack_into(">II", data, 0, choice.getrandbits(32), choice.getrandbits(choice.choice((4, 20, 32))))
    elif draw < 0.12:
        data[choice.randrange(len(data)) : choice.randrange(len(data))] = choice.randbytes(5)
    return data
