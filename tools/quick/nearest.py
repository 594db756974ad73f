# SPDX-License-Identifier: Apache-2.0
"""Which test files are nearest to a change: those of the same room, then by imports between them and what changed."""

from __future__ import annotations

import subprocess
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.architecture.source import PACKAGES, ROOT, all_files, imported, imports, module_of, tree

# A room whose tests stand under another name than its folder's.
_ROOMS = {
    "olympus": "language", "olympus/cli": "cluster", "plugins": "plugins", "examples": "kit", "docs": "documents",
    "tools/fuzz": "cpu/compiled", "tools/reference": "reference", "tools/gpu": "cuda/platform",
    "olympus/transforms/batching": "language/batching", "olympus/transforms/derivatives": "language/derivatives",
}

def changed_files(since: str) -> list[Path]:
    """Files that differ from a commit, with those that git does not know yet and that still exist or were deleted."""
    told: set[str] = set()
    for command in (["diff", "--name-only", since], ["ls-files", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
        told.update(done.stdout.splitlines())
    return [ROOT / name for name in sorted(told)]


def test_files() -> list[Path]:
    """All files with tests."""
    return sorted((ROOT / "tests").rglob("test_*.py"))


def by_distance(changed: Iterable[Path]) -> list[tuple[int, Path]]:
    """Test files with their distance from a change, in the order in which they are worth running.

    Args:
        changed: Absolute paths of files.

    Returns:
        Pairs of a number and a path: 0 for tests that changed themselves, else one more than the imports between the
        test and a file that changed. Those of the rooms that changed come first. Others are left out.
    """
    changed = list(changed)
    rooms = {room for path in changed if (room := _room_of(path)) is not None}
    distance = _distances(changed)
    found = []
    for path in test_files():
        is_near = path in changed or any(path.is_relative_to(ROOT / "tests" / room) for room in rooms)
        steps = [distance[module] + 1 for module in _imported_by(path) if module in distance]
        if is_near or steps:
            found.append((not is_near, 0 if path in changed else min(steps, default=1), path))
    return [(steps, path) for _, steps, path in sorted(found)]


def _room_of(path: Path) -> str | None:
    """The folder of tests/ whose subject is a file."""
    parts = path.relative_to(ROOT).parts
    for length in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:length])
        if folder in _ROOMS:
            return _ROOMS[folder]
        inner = "/".join(parts[1:length])
        candidates = [inner, f"language/{inner}"] if parts[0] == "olympus" else [inner]
        if parts[0] in ("tests", "conformance", "benchmarks"):
            candidates.append(folder if parts[0] != "tests" else inner)
        for name in candidates:
            if name and (ROOT / "tests" / name).is_dir():
                return name
    return None


@cache
def _modules() -> dict[str, Path]:
    return {module_of(path): path for path in all_files()}


def _distances(changed: Iterable[Path]) -> dict[str, int]:
    """For each module that imports a changed one, directly or not, the number of imports between them."""
    importers = defaultdict(set)
    known = _modules()
    for module, path in known.items():
        for target, _ in imports(path):
            importers[_known(target, known)].add(module)
        # A package may import its modules late, by names in a table.
        importers[module].add(module.rpartition(".")[0])
    start = {module_of(p) for p in changed if p.suffix == ".py" and any(p.is_relative_to(f) for f in PACKAGES.values())}
    found = dict.fromkeys(start, 0)
    pending = deque(start)
    while pending:
        module = pending.popleft()
        for importer in importers[module] - found.keys():
            found[importer] = found[module] + 1
            pending.append(importer)
    return found


def _known(target: str, known: Mapping[str, Path]) -> str:
    """The module that an import of a name out of it means."""
    return target if target in known else target.rpartition(".")[0]


def _imported_by(test: Path) -> Iterator[str]:
    """Modules of the packages that a test file names."""
    known = _modules()
    for target, _ in imported(tree(test), ""):
        yield _known(target, known)
