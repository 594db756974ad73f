# SPDX-License-Identifier: Apache-2.0
"""What plugins answer, compared with what the contract lets them: types, and the range of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from olympus_core.dtypes import KNOWN
from olympus_core.errors.base import described
from olympus_core.errors.platform import PluginAnswerError
from olympus_core.plugin import Capabilities, DeviceDescription, Probe

Answer = TypeVar("Answer")
_PRIORITIES = 1 << 31
_IDS = 1 << 63
_METHODS = (
    "describe_devices", "bind_devices", "buffer_from_host", "compile", "open_communicator", "memory_stats",
    "synchronize", "close",
)
_FLAGS = ("donation", "asynchronous", "multi_process", "dlpack")


class Answers:
    """What one plugin answers.

    Args:
        plugin: Its name.
        distribution: The distribution that brings it, with its version.
    """

    def __init__(self, plugin: str, distribution: str) -> None:
        self.plugin, self.distribution = plugin, distribution

    def check(self, is_right: bool, what: str, given: object, expected: str) -> None:
        """Raises `PluginAnswerError` where an answer is not right."""
        if not is_right:
            raise PluginAnswerError(self.plugin, self.distribution, what, described(given), expected)

    def priority(self, given: Any) -> int:
        """A platform's priority."""
        self.check(_is_int(given) and abs(given) < _PRIORITIES, "priority", given, "an integer of 32 bits")
        return int(given)

    def aliases(self, given: Any) -> tuple[str, ...]:
        """A platform's other names."""
        good = isinstance(given, (tuple, list)) and all(type(a) is str and a.strip() for a in given)
        self.check(good, "aliases", given, "a tuple of names")
        return tuple(given)

    def probe(self, given: Any) -> Probe:
        """Whether a platform can be used."""
        self.check(isinstance(given, Probe), "probe()", given, "a Probe")
        self.check(isinstance(given.available, (bool, np.bool_)), "probe().available", given.available, "True or False")
        self.check(type(given.reason) is str, "probe().reason", given.reason, "a text")
        return Probe(bool(given.available), given.reason)

    def transports(self, given: Any) -> dict[str, Callable[..., Any]]:
        """Factories of communicators, by name."""
        if given is None:
            return {}
        self.check(isinstance(given, Mapping), "olympus_transports()", given, "a mapping from names to factories")
        for name, factory in given.items():
            self.check(type(name) is str and bool(name.strip()), "a name in olympus_transports()", name, "a text")
            self.check(callable(factory), f"olympus_transports()[{name!r}]", factory, "a factory of communicators")
        return dict(given)

    def client(self, given: Any) -> Any:
        """An opened platform."""
        missing = [name for name in _METHODS if not callable(getattr(given, name, None))]
        self.check(not missing, "open()", given, f"a client, with {', '.join(missing)}")
        found: Any = getattr(given, "capabilities", None)
        self.check(isinstance(found, Capabilities), "capabilities", found, "Capabilities")
        dtypes, operations = found.dtypes, found.operations
        good = isinstance(dtypes, (frozenset, set)) and all(isinstance(d, np.dtype) and d in KNOWN for d in dtypes)
        self.check(good, "capabilities.dtypes", dtypes, "a frozenset of element types that olympus knows")
        good = operations is None or (
            isinstance(operations, (frozenset, set)) and all(type(name) is str for name in operations))
        self.check(good, "capabilities.operations", operations, "a frozenset of names, or None")
        for name in _FLAGS:
            flag = getattr(found, name)
            self.check(isinstance(flag, (bool, np.bool_)), f"capabilities.{name}", flag, "True or False")
        return given

    def descriptions(self, given: Any) -> list[DeviceDescription]:
        """A process's own devices."""
        what = "describe_devices()"
        good = isinstance(given, Sequence) and not isinstance(given, (str, bytes))
        self.check(good and all(isinstance(d, DeviceDescription) for d in given), what, given,
                   "a sequence of DeviceDescription")
        self.check(len(given) > 0, what, given, "one device or more")
        for d in given:
            self.check(_is_int(d.id) and 0 <= d.id < _IDS, f"an id of {what}", d.id, "an integer, not negative")
            for field in ("kind", "text", "representation"):
                value = getattr(d, field)
                self.check(type(value) is str, f"a {field} of {what}", value, "a text")
            self.check(isinstance(d.attributes, Mapping) and all(type(n) is str for n in d.attributes),
                       f"the attributes of {what}", d.attributes, "a mapping from names")
        self.check(len({d.id for d in given}) == len(given), f"the ids of {what}", [d.id for d in given],
                   "one for each device")
        return list(given)


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
