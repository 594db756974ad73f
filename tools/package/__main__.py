# SPDX-License-Identifier: Apache-2.0
"""Builds the distributions, compares what they hold with the repository, and runs the first program from the wheel.

    python -m tools.package [--into dist]

The wheel is made from the source distribution, so that this one is whole. Needs the extra `package`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from .contents import in_packages, in_source_distribution, in_wheel, is_installed, licences_in_wheel, tracked

if sys.version_info >= (3, 11):
    import tomllib
else:
    raise SystemExit("tools.package needs Python 3.11 or newer, which reads pyproject.toml by itself.")

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Builds, checks and tries them; the exit code is 1 where something is absent or too much."""
    parser = argparse.ArgumentParser(prog="python -m tools.package", description=__doc__.partition("\n")[0])
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="where the distributions go (default dist)")
    into = parser.parse_args().into.resolve()
    shutil.rmtree(into, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", into, ROOT)
    (wheel,), (source,) = into.glob("*.whl"), into.glob("*.tar.gz")
    _run(sys.executable, "-m", "twine", "check", "--strict", wheel, source)
    problems = _compare(wheel, source)
    for problem in problems:
        print(problem)
    if problems:
        return 1
    print(f"{wheel.name} and {source.name} hold all that the repository has for them.")
    with tempfile.TemporaryDirectory(prefix="olympus-package-") as folder:
        _try(wheel, Path(folder))
    return 0


def _compare(wheel: Path, source: Path) -> list[str]:
    files = tracked(ROOT)
    folders = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    packages = {package: folder for package, folder in folders.items() if "." not in package}
    # Folders of which a package has some files only.
    others = {package.replace(".", "/"): folder for package, folder in folders.items() if "." in package}
    told = []
    installable = in_packages(files, packages)
    for what, found, wanted, allowed in (
        (wheel.name, in_wheel(wheel), {name for name in installable if is_installed(name)},
         installable | in_packages(files, others)),
        (source.name, in_source_distribution(source), files, files),
        (f"metadata of {wheel.name}", licences_in_wheel(wheel), {"LICENSE"}, {"LICENSE"}),
    ):
        told += [f"{what} lacks {name}" for name in sorted(wanted - found)]
        told += [f"{what} has {name}, which the repository has not" for name in sorted(found - allowed)]
    return told


def _try(wheel: Path, folder: Path) -> None:
    """As a stranger would: a new environment, an empty folder, the commands of the first minutes."""
    venv.create(folder / "venv", with_pip=True)
    commands = folder / "venv" / "bin"
    _pip(commands, wheel)
    work = folder / "work"
    work.mkdir()
    for command in (("--version",), ("doctor",), ("demo",), ("new-plugin", "acme")):
        _run(commands / "olympus", *command, cwd=work)
    _pip(commands, "setuptools>=77", "pytest", "hypothesis")
    _pip(commands, "--no-build-isolation", "--no-deps", "--editable", work / "olympus-acme")
    _run(commands / "olympus-conformance", "run", "--platform", "acme", "--profile", "minimal", cwd=work)


def _pip(commands: Path, *what: object) -> None:
    _run(commands / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


def _run(*command: object, cwd: Path | None = None) -> None:
    words = [str(word) for word in command]
    print("$", " ".join([Path(words[0]).name, *words[1:]]), flush=True)
    # Nothing of the checkout: neither its sources nor its settings.
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OLYMPUS_", "PYTHON"))}
    subprocess.run(words, cwd=cwd, env=env, check=True)


if __name__ == "__main__":
    sys.exit(main())
