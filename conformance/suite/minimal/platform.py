# SPDX-License-Identifier: Apache-2.0
"""The platform before it is opened: its name, version and probe."""

from __future__ import annotations

import re
import time

from olympus_core.plugin import API_VERSION, Probe

from ...checks import require, require_equal
from ...context import Context
from ...requirement import requirement

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_PROBE_SECONDS = 1.0


@requirement(
    "platform/name",
    "A platform's name and its aliases MUST be different words of small letters, digits and underscores.",
    why="Users write the names in settings and programs, and the registry compares them.",
    profile="minimal",
)
def name(context: Context) -> None:
    """The name, and a tuple of aliases."""
    platform = context.platform
    require(isinstance(platform.aliases, tuple), observed=f"aliases is a {type(platform.aliases).__name__}",
            required="a tuple")
    names = (platform.name, *platform.aliases)
    for text in names:
        require(isinstance(text, str) and bool(_NAME.match(text)), observed=f"a name is {text!r}",
                required="small letters, digits and underscores, a letter first")
    require(len(set(names)) == len(names), observed=f"the names are {names}", required="different names")


@requirement(
    "platform/api_version",
    "A platform MUST state the version of the contract that it was written for, as two integers, and this MUST be a "
    "version that the installed contract serves.",
    why="A plugin for another version is refused before it can go wrong.",
    profile="minimal",
)
def api_version(context: Context) -> None:
    """Major and minor."""
    version = context.platform.api_version
    is_pair = isinstance(version, tuple) and len(version) == 2 and all(type(n) is int for n in version)
    require(is_pair, observed=f"api_version is {version!r}", required="a tuple of two integers")
    require(version[0] == API_VERSION[0] and 0 <= version[1] <= API_VERSION[1], observed=f"api_version is {version}",
            required=f"major {API_VERSION[0]}, minor 0 to {API_VERSION[1]}")


@requirement(
    "platform/priority",
    "A platform's priority MUST be an integer.",
    why="The highest one among the available platforms is the default.",
    profile="minimal",
)
def priority(context: Context) -> None:
    """An integer, and no bool."""
    value = context.platform.priority
    require(type(value) is int, observed=f"priority is {value!r}", required="an integer")


@requirement(
    "platform/probe",
    "`probe` MUST give a `Probe` with a bool and a reason, the same each time, and MUST say that a platform "
    "that opens is available.",
    why="It decides which platform is the default, and `olympus doctor` shows the reason.",
    profile="minimal",
)
def probe(context: Context) -> None:
    """Asked twice, while the platform is open."""
    answers = [context.platform.probe() for _ in range(2)]
    for answer in answers:
        require(isinstance(answer, Probe), observed=f"probe gave a {type(answer).__name__}", required="a Probe")
        require(answer.available is True, observed=f"available is {answer.available!r} though the platform is open",
                required="True")
        require(isinstance(answer.reason, str) and bool(answer.reason.strip()),
                observed=f"the reason is {answer.reason!r}", required="a sentence")
    require_equal(answers[1].available, answers[0].available, "the second answer")


@requirement(
    "platform/probe_is_quick",
    "`probe` SHOULD answer within a second.",
    why="Every program asks every installed platform when it starts.",
    profile="minimal",
)
def probe_is_quick(context: Context) -> None:
    """One answer, timed."""
    start = time.perf_counter()
    context.platform.probe()
    seconds = time.perf_counter() - start
    require(seconds < _PROBE_SECONDS, observed=f"probe took {seconds:.2f} s",
            required=f"less than {_PROBE_SECONDS:g} s")
