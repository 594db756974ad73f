# SPDX-License-Identifier: Apache-2.0
"""The guides in `docs/`, done as they say: every file written, every command run, every line compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .packages import SEAM, install, run_in
from .test_examples import olympus_names

_NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class Block:
    """A block of code of a page."""

    language: str
    title: str  # a file's path, or a remark
    text: str


def steps(guide: Path) -> Iterator[tuple[str, list[Block]]]:
    """The page's sections, each with its blocks."""
    for section in re.split(r"^## ", guide.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        blocks = [Block(*match.groups()) for match in re.finditer(
            r"^```(\w+)[ ]?(.*?)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)]
        yield section.partition("\n")[0], blocks


@dataclass(frozen=True)
class Folders:
    """Where the guide's reader works, and where the package is installed.

    As `pip install -e` has it, what is written in one is there in the other at once.
    """

    work: Path
    site: Path

    @classmethod
    def of(cls, package: Path) -> Folders:
        """Installs a package that was just written."""
        install(package.parent / "site", package)
        return cls(package, package.parent / "site")

    def write(self, path: str, text: str) -> None:
        for root in (self.work, self.site):
            if path.startswith("olympus_acme/") or root is self.work:
                (root / path).write_text(text)

    def apply(self, path: str, changes: str) -> None:
        """A diff's hunks, each at the only place where it fits."""
        text = (self.work / path).read_text()
        for hunk in re.split(r"^@@\n", changes, flags=re.MULTILINE):
            lines = hunk.splitlines(keepends=True)
            assert all(line[0] in " +-" for line in lines), hunk
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            assert text.count(before) == 1, hunk
            text = text.replace(before, after)
        self.write(path, text)

    def run(self, command: str) -> str:
        """What a command prints; packages are made and installed already."""
        words = shlex.split(command, comments=True)
        env = {}
        while re.fullmatch(r"[A-Z_]+=\S+", words[0]):
            name, _, env[name] = words.pop(0).partition("=")
        if words[0] in ("cd", "pip") or words[:2] == ["olympus", "new-plugin"]:
            return ""
        assert words[0] in ("olympus-conformance", "olympus", "python"), command
        is_suite = words[0] == "olympus-conformance"
        if is_suite:
            quick = ["--quick"] if words[1] == "run" and "--quick" not in words else []
            arguments = ["olympus_conformance", *words[1:], *quick]
        elif words[0] == "olympus":
            arguments = words
        else:
            arguments = words[2:] if words[1] == "-m" else [words[1].removesuffix(".py"), *words[2:]]
        printed = self.python(arguments, env)
        if is_suite:
            assert printed.rstrip().splitlines()[-1].startswith(("PASS: profile", "INCOMPLETE: no failure"))
        return printed

    def python(self, arguments: list[str], env: Mapping[str, str]) -> str:
        """What ``python -m`` something prints."""
        finished = run_in(self.site, arguments, cwd=self.work, env=env)
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return finished.stdout


def check_shown(shown: str, printed: str) -> None:
    """The last lines of what was printed are those that a page shows; how many tests there are may change.

    Of what the suite prints a page leaves out the lines that say which files were written.
    """
    wanted = [_NUMBER.sub("N", line) for line in shown.splitlines()]
    found = [_NUMBER.sub("N", line) for line in printed.rstrip().splitlines()
             if not line.startswith(("wrote ", "not submittable"))]
    assert found[-len(wanted):] == wanted, printed


def check_imports(guide: Path, folder: Path) -> None:
    """A guide's code imports public names only."""
    found = 0
    for _, blocks in steps(guide):
        for block in blocks:
            if block.language == "python" and block.title.startswith("olympus_acme/"):
                (folder / "block.py").write_text(block.text)
                for module, imported in olympus_names(folder / "block.py"):
                    found += 1
                    room = module.removeprefix("olympus_core.").partition(".")[0]
                    assert (imported if module == "olympus_core" else room) in SEAM
                    assert not imported.startswith("_")
    assert found > 10
