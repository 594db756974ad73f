# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/clusters.md are commands of olympus, and its variables are read somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from olympus.cli import make_parser
from olympus.cli.launch_hosts import parse_hosts, read_hostfile
from olympus_core.cluster.detect.environment import ADDRESS, COUNT, LOCAL, PROCESS
from olympus_core.cluster.secret import SECRET_VARIABLE
from olympus_core.config import OPTIONS, Config
from tests.support.processes import ROOT

PAGE = (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LINES = [line for kind, text in BLOCKS if kind == "bash" for line in text.replace("\\\n", " ").splitlines() if line]
KNOWN = {ADDRESS, COUNT, LOCAL, PROCESS, SECRET_VARIABLE, "OLYMPUS_JOB_ID"} | {option.variable for option in OPTIONS}


def _words(line: str) -> tuple[dict[str, str], list[str]]:
    """What a line sets in the environment, and its command."""
    words = shlex.split(line, comments=True)
    if words[:1] == ["export"]:
        return dict(word.partition("=")[::2] for word in words[1:]), []
    count = next((n for n, word in enumerate(words) if not re.match(r"[A-Z_]+=", word)), len(words))
    return dict(word.partition("=")[::2] for word in words[:count]), words[count:]


@pytest.mark.parametrize("line", [line for line in LINES if "olympus " in line])
def test_commands_are_understood(line: str) -> None:
    words = _words(line)[1]
    rest = words[words.index("olympus") + 1:]
    chosen = make_parser().parse_args(rest)
    if getattr(chosen, "hosts", None):
        assert parse_hosts(chosen.hosts)
    if rest[0] == "launch" and chosen.module:
        make_parser().parse_args(chosen.arguments)  # as olympus doctor --cluster in each process


@pytest.mark.parametrize("line", [line for line in LINES if "OLYMPUS_" in line])
def test_variables_take_these_values(line: str) -> None:
    for name, text in _words(line)[0].items():
        if name.startswith("OLYMPUS_"):
            option = next((o for o in OPTIONS if o.variable == name), None)
            assert option is None or Config(environ={name: text}, arguments=[]).get(option.name) is not None


def test_every_variable_is_known() -> None:
    named = set(re.findall(r"\bOLYMPUS_[A-Z_]+[A-Z]\b", PAGE))
    assert named and not named - KNOWN


def test_the_hostfile_is_read(tmp_path: Path) -> None:
    (text,) = [text for kind, text in BLOCKS if kind == "text" and "slots=" in text]
    path = tmp_path / "hosts.txt"
    path.write_text(text)
    assert [(host.name, host.slots) for host in read_hostfile(str(path))] == [
        ("a", 4), ("user@b", 4), ("node01", 2), ("node02", 2), ("c", 2)
    ]
