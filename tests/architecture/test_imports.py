# SPDX-License-Identifier: Apache-2.0
"""Imports point one way; `make check` proves it once more with another tool."""

from __future__ import annotations

import pytest

from .source import PACKAGES, ROOT, files, imports, module_of, name_of

# From the lowest rung of the core; rooms of one line may import each other.
LADDER = (
    ("errors", "config", "option_kinds", "dtypes", "dataclass", "interning", "location", "deferred", "logs",
     "codewriter", "job_status", "recording"),
    ("monitoring",),
    ("network",), ("placement",), ("program",), ("plugin",), ("ops",), ("partition",), ("toolkit",), ("cluster",),
    ("runtime",),
)
RUNGS = {room: rung for rung, rooms in enumerate(LADDER) for room in rooms}
PUBLIC = ("plugin", "program", "ops", "toolkit", "errors", "dtypes", "dataclass", "network")


def room_of(module: str) -> str | None:
    """The room of the core that a module is in."""
    parts = module.split(".")
    return parts[1] if parts[0] == "olympus_core" and len(parts) > 1 else None


def test_core_is_a_ladder() -> None:
    wrong = []
    for path in files("olympus_core"):
        own = room_of(module_of(path))
        if own is None:
            continue
        assert own in RUNGS, f"{name_of(path)}: a room without a rung"
        for module, line in imports(path, types=True):
            room = room_of(module)
            if room in RUNGS and room != own and RUNGS[room] >= RUNGS[own] > 0:
                wrong.append(f"{name_of(path)}:{line} imports {module}")
            if RUNGS[own] == 0 and RUNGS.get(room or "", 0) > 0:
                wrong.append(f"{name_of(path)}:{line} imports {module}")
    assert not wrong


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("olympus_core", ("olympus", "olympus_cpu", "olympus_conformance")),
        ("olympus", ("olympus_cpu", "olympus_conformance")),
        ("olympus_cpu", ("olympus", "olympus_conformance")),
        ("olympus_conformance", ("olympus", "olympus_cpu")),
    ],
)
def test_arrows_between_packages(package: str, forbidden: tuple[str, ...]) -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {module}"
        for path in files(package)
        for module, line in imports(path)
        if module.partition(".")[0] in forbidden
    ]
    assert not wrong


# How the suite finds a platform: as users do (docs/decisions/0009).
REGISTRY = ("conformance/harness/worker.py", "olympus_core.runtime")


@pytest.mark.parametrize("package", ["olympus_cpu", "olympus_conformance"])
def test_plugins_and_the_suite_use_public_parts_only(package: str) -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {module}"
        for path in files(package)
        for module, line in imports(path)
        if module.partition(".")[0] == "olympus_core" and room_of(module) not in PUBLIC
        and not (name_of(path) == REGISTRY[0] and module.startswith(REGISTRY[1]))
    ]
    assert not wrong


def test_every_package_is_installed() -> None:
    """Sub-packages are listed by hand: a missing one would only break for users."""
    listed = (ROOT / "pyproject.toml").read_text().partition("packages = [")[2].partition("]")[0]
    found = {module_of(path) for package in PACKAGES for path in files(package) if path.name == "__init__.py"}
    documents = {"olympus_conformance.documents"}  # what the wheel has of docs/: no code
    assert {name.strip(' "\n') for name in listed.split(",")} - {""} == found | documents


def test_every_file_is_in_a_package() -> None:
    lost = [name_of(p) for package in PACKAGES for p in files(package) if not (p.parent / "__init__.py").exists()]
    assert not lost
