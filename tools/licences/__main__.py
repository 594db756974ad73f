# SPDX-License-Identifier: Apache-2.0
"""Writes `docs/licences.md` from the metadata of what is installed: the dependencies, theirs, and the extras'.

    python -m tools.licences

In an environment with the extras `test`, `check` and `package`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "licences.md"

# What is not installed where this runs, or does not say it in its metadata.
_KNOWN = {
    "cupy-cuda13x": "MIT",
    "nvidia-nccl-cu13": "NVIDIA's terms",
    "libtpu": "Google Cloud Platform Terms of Service",
    "xla-cpu-pjrt": "none is stated; it is built of XLA, Apache-2.0",
    "ziglang": "MIT",
    "coverage": "Apache-2.0",
    "mergedeep": "MIT",
    "nvidia-cuda-nvrtc": "NVIDIA's terms (proprietary)",
    "unicorn": "GPL-2.0",  # its bindings alone are BSD, which is all that it says
    "mpich": "MPICH's licence (permissive)",
}
_TEXT = """\
# Licences

Olympus is under the Apache License 2.0 ([LICENSE](../LICENSE)). What it needs is installed beside it, by pip, and stays
under its own licence. The tables are made by `python -m tools.licences` of what the packages say of themselves.
"""
_SECTIONS = {
    "": "Always",
    "checkpoints": "Extra `checkpoints`", "conformance": "Extra `conformance`", "cuda": "Extra `cuda`",
    "tpu": "Extra `tpu`", "test": "To test", "check": "To check types and style", "coverage": "To measure coverage",
    "native": "To change the native runtime", "docs": "To build the site", "package": "To build the distributions",
}


def main() -> int:
    """Writes the page."""
    PAGE.write_text("".join(_page()), encoding="utf-8")
    return 0


def requirements(extra: str) -> list[str]:
    """The canonical names of what the project itself asks for, always or for an extra."""
    found = []
    for text in metadata.requires("olympus-runtime") or ():
        marker = str(Requirement(text).marker or "")
        wanted = re.search(r'extra == "([^"]+)"', marker)
        if (wanted[1] if wanted else "") == extra:
            found.append(canonicalize_name(Requirement(text).name))
    return sorted(set(found))


def licence_of(name: str) -> str:
    """What a distribution says of its licence, in one line."""
    if name in _KNOWN:
        return _KNOWN[name]
    said = metadata.metadata(name)
    return said_licence(name, said.get("License-Expression"), said.get("License"), said.get_all("Classifier") or ())


def said_licence(name: str, expression: str | None, text: str | None, classifiers: Iterable[str]) -> str:
    """The licence that fields of metadata say, in one line.

    Args:
        name: The distribution's canonical name.
        expression: Its SPDX expression.
        text: What it says in words, which may be the whole licence.
        classifiers: Its classifiers.
    """
    short = _KNOWN.get(name) or expression or text or ""
    if short and "\n" not in short and len(short) < 60:
        return short
    kinds = [kind.rpartition(" :: ")[2] for kind in classifiers if kind.startswith("License ::")]
    return ", ".join(kinds) or "none is stated"


def _page() -> Iterator[str]:
    yield _TEXT
    told: set[str] = set()
    for extra, title in _SECTIONS.items():
        direct = requirements(extra)
        rows = [(name, "") for name in direct] + sorted(_brought(direct))
        rows = [(name, by) for name, by in rows if name not in told]
        told.update(name for name, _ in rows)
        yield f"\n## {title}\n\n| distribution | brought by | licence |\n|---|---|---|\n"
        yield from (f"| {name} | {by} | {licence_of(name)} |\n" for name, by in rows)


def _brought(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What distributions need beside, directly or not, as far as they are installed; with the one that needs it."""
    seen, waiting = set(names), [(name, name) for name in names]
    while waiting:
        name, origin = waiting.pop(0)
        try:
            needed = metadata.requires(name) or ()
        except metadata.PackageNotFoundError:
            continue
        for requirement in map(Requirement, needed):
            other = canonicalize_name(requirement.name)
            if other in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
                continue
            seen.add(other)
            yield other, origin
            waiting.append((other, origin))


if __name__ == "__main__":
    sys.exit(main())
