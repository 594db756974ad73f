# SPDX-License-Identifier: Apache-2.0
"""The lock file has all that tests and checks ask for, and the SBOM all that olympus needs, in the same versions."""

from __future__ import annotations

import json
import re
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.lock.__main__ import LOCK, SBOM
from tools.lock.render import PROJECT, lock, sbom

from .source import ROOT

_TARGET = {"python_version": "3.12", "platform_system": "Linux", "platform_machine": "x86_64", "extra": ""}
_LINE = re.compile(r"^([a-z0-9-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$", re.MULTILINE)


def _locked() -> dict[str, tuple[str, str]]:
    return {name: (version, digest) for name, version, digest in _LINE.findall(LOCK.read_text())}


def _asked(*tables: str) -> list[Requirement]:
    """The requirements of `pyproject.toml` that apply where the lock does."""
    project = (ROOT / "pyproject.toml").read_text()
    texts = [text for table in tables
             for text in re.findall(r'"([^"]+)"', re.findall(rf"^{table} = \[(.*?)\]$", project, re.M | re.S)[0])]
    found = [Requirement(text) for text in texts]
    return [r for r in found if r.marker is None or r.marker.evaluate(_TARGET)]


def test_the_lock_has_what_is_asked_for() -> None:
    locked = _locked()
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == len(locked)
    asked = _asked("dependencies", "test", "check")
    assert len(asked) > 20
    for requirement in asked:
        version = locked[canonicalize_name(requirement.name)][0]
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement}: run python -m tools.lock"


def test_the_bill_of_materials_fits_the_lock_and_the_project() -> None:
    bill, locked = json.loads(SBOM.read_text()), _locked()
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert (bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["version"]) == (
        "CycloneDX", "1.6", version)
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert len(parts) == len(bill["components"])
    assert {name: (part["version"], part["hashes"][0]["content"]) for name, part in parts.items()} == {
        name: locked[name] for name in parts}
    assert all(part["licenses"][0]["license"]["name"] != "none is stated" for part in parts.values())
    needed = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert set(needed) == {PROJECT, *parts}
    assert needed[PROJECT] == sorted(canonicalize_name(r.name) for r in _asked("dependencies"))
    reached, waiting = set(), [PROJECT]
    while waiting:
        reached.update(new := set(needed[waiting.pop()]) - reached)
        waiting += new
    assert reached == set(parts)


def _install(name: str, version: str, **more: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "version": version, **more},
            "download_info": {"archive_info": {"hashes": {"sha256": version.replace(".", "") * 8}}}}


def test_both_are_made_of_pip_s_report() -> None:
    report = [
        _install("olympus-runtime", "0.1.0", requires_dist=["One_A>=1", "two; extra == 'test'"]),
        _install("two", "2.0", license="BSD"),
        _install("One_A", "1.0", license_expression="MIT", requires_dist=["two"]),
    ]
    assert lock(report).splitlines()[2:] == [
        f"one-a==1.0 --hash=sha256:{'10' * 8}", f"two==2.0 --hash=sha256:{'20' * 8}"]
    bill = json.loads(sbom(report))
    assert [(p["purl"], p["licenses"][0]["license"]["name"]) for p in bill["components"]] == [
        ("pkg:pypi/one-a@1.0", "MIT"), ("pkg:pypi/two@2.0", "BSD")]
    assert {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]} == {
        PROJECT: ["one-a"], "one-a": ["two"], "two": []}
