# SPDX-License-Identifier: Apache-2.0
"""The tests of the suite and the mustpass lists, by which a report is judged."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from olympus_core.plugin import API_VERSION

from ..requirement import PROFILES, Test, tests
from . import mustpass
from .errors import MustpassError

SUITE_VERSION = f"{API_VERSION[0]}.{API_VERSION[1]}"  # the suite has the version of the contract that it checks
ACCEPTED_MINORS = 3  # reports of this many minor versions are accepted, including the newest


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of a suite and its mustpass lists.

    Args:
        version: The suite's version, ``major.minor``.
        tests: The tests by id.
        lists: For each version the ids that each profile adds.
    """

    version: str
    tests: Mapping[str, Test]
    lists: Mapping[str, mustpass.Lists]

    def mustpass(self, version: str) -> mustpass.Lists:
        """The lists of a version.

        Raises:
            MustpassError: There are none.
        """
        if version not in self.lists:
            raise MustpassError(version, tuple(self.lists))
        return self.lists[version]

    def accepts(self, version: str) -> bool:
        """Whether reports of a version are accepted: this version and the two minor versions before it."""
        own, other = mustpass.parse_version(self.version), mustpass.parse_version(version)
        return own[0] == other[0] and 0 <= own[1] - other[1] < ACCEPTED_MINORS and version in self.lists


@functools.cache
def installed() -> Suite:
    """The installed suite, with its lists."""
    return Suite(SUITE_VERSION, {test.id: test for test in tests(PROFILES[-1])}, mustpass.read_all())
