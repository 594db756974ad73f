# SPDX-License-Identifier: Apache-2.0
"""The types of values that options have: how each is read from a text or a Python value."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

MOST_THREADS = 2048  # more than machines have processors; a system refuses some tens of thousands

_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


GENERATORS = ("threefry2x32", "rbg", "unsafe_rbg")


class Kind(NamedTuple):
    """A type of value: how it is read.

    Args:
        read: Gives the value for a text or a Python value; raises ValueError or TypeError for what does not fit.
        expected: What fits, in words.
    """

    read: Callable[[Any], Any]
    expected: str


def _read_bool(value: Any) -> bool:
    if isinstance(value, str):
        text = value.strip().lower()
        if text not in _TRUE + _FALSE:
            raise ValueError(value)
        return text in _TRUE
    # Comparing with the class name accepts NumPy's booleans without importing NumPy.
    if type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(value)
    return bool(value)


def _read_integer(value: Any) -> int:
    if isinstance(value, bool) or (not isinstance(value, str) and not hasattr(value, "__index__")):
        raise TypeError(value)
    return int(value)


def _read_count(value: Any) -> int:
    number = _read_integer(value)
    if number < 1:
        raise ValueError(value)
    return number


def _read_threads(value: Any) -> int:
    number = _read_count(value)
    if number > MOST_THREADS:
        raise ValueError(value)
    return number


def _read_bytes(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError(value)
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+)\s*(?:([KMGT])(i?)B)?", value.strip(), re.IGNORECASE | re.ASCII)
        if found is None:
            raise ValueError(value)
        digits, prefix, is_binary = found.groups()
        power = " KMGT".index(prefix.upper()) if prefix else 0
        return int(digits) * (1024 if is_binary else 1000) ** power
    if not hasattr(value, "__index__") or int(value) < 0:
        raise ValueError(value)
    return int(value)


def _read_seconds(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError(value)
    number = float(value)
    if not 0 < number < float("inf"):
        raise ValueError(value)
    return number


def _read_least_bytes(value: Any) -> int:
    return 0 if str(value).strip() == "-1" else _read_bytes(value)


def _read_duration(value: Any) -> float:
    return 0.0 if not isinstance(value, bool) and float(value) == 0 else _read_seconds(value)


def _read_names(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else list(value)
    if not all(isinstance(part, str) for part in parts):
        raise TypeError(value)
    names = tuple(dict.fromkeys(part.strip().lower() for part in parts if part.strip()))
    if not names:
        raise ValueError(value)
    return names


def _read_name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    if not value.strip():
        raise ValueError(value)
    return value.strip().lower()


def _read_ids(value: Any) -> tuple[int, ...]:
    if isinstance(value, bool):
        raise TypeError(value)
    parts = value.split(",") if isinstance(value, str) else [value] if hasattr(value, "__index__") else list(value)
    ids = tuple(int(part) for part in parts)
    if not ids or min(ids) < 0 or len(set(ids)) < len(ids):
        raise ValueError(value)
    return ids


def _read_path(value: Any) -> str:
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(value)
    if not text.strip():
        raise ValueError(value)
    return os.path.expanduser(text)


def _read_ports(value: Any) -> str:
    """Ports and ranges of them, as one text."""
    if isinstance(value, bool) or not (isinstance(value, str) or hasattr(value, "__index__")):
        raise TypeError(value)
    parts = [part.strip() for part in str(value).split(",")]
    for part in parts:
        first, dash, last = part.partition("-")
        numbers = [int(text) for text in ([first, last] if dash else [first]) if re.fullmatch(r"[0-9]{1,5}", text)]
        if len(numbers) != 1 + bool(dash) or not 0 < numbers[0] <= numbers[-1] < 1 << 16:
            raise ValueError(value)
    return ",".join(parts)


def _read_networks(value: Any) -> tuple[str, ...]:
    """Subnets, written as their own address and prefix, and names of interfaces."""
    parts = value.split(",") if isinstance(value, str) else list(value)
    return tuple(dict.fromkeys(_read_network(part.strip()) for part in parts))


def _read_network(text: str) -> str:
    import ipaddress

    with contextlib.suppress(ValueError):
        return str(ipaddress.ip_network(text, strict=False))
    # What has a colon, a slash or only digits and dots is a subnet, and a wrong one.
    if not re.fullmatch(r"(?![\d.]+$)[^\s/:]{1,15}", text):
        raise ValueError(text)
    return text


def _read_signal(value: Any) -> str | None:
    import signal  # needed by few

    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(value)
    name = value.strip().upper()
    if name == "NONE":
        return None
    name = name if name.startswith("SIG") else f"SIG{name}"
    if name not in signal.Signals.__members__ or name in ("SIGKILL", "SIGSTOP"):
        raise ValueError(value)
    return name


def _read_device(value: Any) -> Any:
    if value is None or (hasattr(value, "platform") and hasattr(value, "id")):
        return value
    return _read_name(value)


def one_of(what: str, *names: str, or_none: bool = False) -> Kind:
    """The type of an option that is one of a few names.

    Args:
        what: What the names are; nothing for the names alone.
        *names: The names.
        or_none: Whether None is a value, too; as a text it is an empty one or ``none``.
    """
    def read(value: Any) -> str | None:
        if or_none and (value is None or value in ("", "none", "None")):
            return None
        if not isinstance(value, str) or value not in names:
            raise ValueError(value)
        return value

    return Kind(read, f"{what}{', '.join(names)}{'; or None' if or_none else ''}")


def only(default: Any) -> Kind:
    """The type of an option that is known, and means nothing but by its default."""
    def read(value: Any) -> Any:
        text = value.strip().lower() if isinstance(value, str) else value
        if text != default and text != str(default).lower():
            raise ValueError(value)
        return default

    return Kind(read, f"{default!r} alone: olympus has nothing that another value would change")


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


BOOL = Kind(_read_bool, "True or False (as text: 1, true, yes, on, 0, false, no, off)")
INTEGER = Kind(_read_integer, "an integer")
COUNT = Kind(_or_none(_read_count), "an integer of at least 1, or None for the platform's own choice")
THREADS = Kind(_or_none(_read_threads), f"an integer from 1 to {MOST_THREADS}, or None for the platform's own choice")
BYTES = Kind(_read_bytes, "an integer of bytes of at least 0, also as text such as 64MB or 2GiB")
SECONDS = Kind(_read_seconds, "a number of seconds above 0")
LEAST_BYTES = Kind(_read_least_bytes, "an integer of bytes of at least 0, also as text such as 64KB; -1 means 0")
DURATION = Kind(_read_duration, "a number of seconds of at least 0")
NAMES = Kind(_or_none(_read_names), "names separated by commas, a sequence of names, or None for an automatic choice")
NAME = Kind(_or_none(_read_name), "a name, or None for an automatic choice")
IDS = Kind(
    _or_none(_read_ids), "different integers of at least 0 separated by commas, a sequence of them, or None for all")
PATH = Kind(_or_none(_read_path), "the path of a folder, or None for the default")
FILE = Kind(_or_none(_read_path), "the path of a file, or None for the default")
PORTS = Kind(
    _or_none(_read_ports), "ports from 1 to 65535: one such as 8476, a range such as 8476-8499, or several separated "
    "by commas; None for any that is free")
NETWORKS = Kind(
    _or_none(_read_networks), "a subnet such as 10.0.0.0/8 or fd00::/8, the name of an interface such as eth1, or "
    "several of these separated by commas, the first that fits first; None for the network of the route to process 0")
SIGNAL = Kind(_read_signal, "the name of a signal that can be handled, such as SIGTERM, or None for no signal")
DEVICE = Kind(_read_device, "a device, the name of a platform, or None for the first device")
GENERATOR = one_of("the name of a generator of random numbers: ", *GENERATORS)
GUARD = one_of("", "allow", "log", "disallow", "log_explicit", "disallow_explicit", or_none=True)
COLLECTION = one_of("", "allow", "log", "fatal", or_none=True)
PRECISION = one_of(
    "", "default", "high", "highest", "bfloat16", "tensorfloat32", "float32", "ANY_F8_ANY_F8_F32",
    "ANY_F8_ANY_F8_F32_FAST_ACCUM", "ANY_F8_ANY_F8_ANY", "ANY_F8_ANY_F8_ANY_FAST_ACCUM", "F16_F16_F16", "F16_F16_F32",
    "BF16_BF16_BF16", "BF16_BF16_F32", "BF16_BF16_F32_X3", "BF16_BF16_F32_X6", "BF16_BF16_F32_X9", "TF32_TF32_F32",
    "TF32_TF32_F32_X3", "F32_F32_F32", "F64_F64_F64", or_none=True)
