# SPDX-License-Identifier: Apache-2.0
"""`olympus new-plugin`: writes an installable package with a platform that runs, to begin from."""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import re
import string
from collections.abc import Iterator, Mapping
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from olympus_core.errors.platform import FolderInUseError, PluginNameError
from olympus_core.plugin.version import API_VERSION, DISTRIBUTION
from olympus_core.runtime.registry import Registry, registry

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
# Words that users say of other platforms, and what olympus calls its own packages.
_RESERVED = frozenset({"all", "auto", "conformance", "core", "cuda", "default", "gpu", "none", "pjrt", "rocm", "tpu"})

# Template in this package: where it goes in the new one.
_FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "package.py.txt": "$package/__init__.py",
    "platform.py.txt": "$package/platform.py",
    "test_platform.py.txt": "tests/test_$name.py",
    "waivers.toml.txt": "waivers.toml",
    "conformance.yml.txt": ".github/workflows/conformance.yml",
    "gitignore.txt": ".gitignore",
}
_FILES_WITH_GENERATOR = {
    **{template: path for template, path in _FILES.items() if template != "platform.py.txt"},
    "platform_with_generator.py.txt": "$package/platform.py",
    "generator.py.txt": "$package/generator.py",
    "emitter.py.txt": "$package/emitter.py",
    "compiler.py.txt": "$package/compiler.py",
    "buffer.py.txt": "$package/buffer.py",
    "test_kernels.py.txt": "tests/test_kernels.py",
}
# Of the package's README: its table of files, and what comes next.
_TABLE_ROWS = "| `$package/platform.py` | the platform: its operations, and the hook that olympus calls |"
_GENERATOR_ROWS = """| `$package/platform.py` | the hook that olympus calls |
| `$package/generator.py` | kernels as one callable, and what values they take and give |
| `$package/emitter.py` | which operations kernels hold; a kernel's loop nest as code |
| `$package/compiler.py` | the code as a function |
| `$package/buffer.py` | memory, as kernels take and give it |
| `tests/test_kernels.py` | every kernel of some programs beside the toolkit's interpreter |"""
_TABLE_NEXT = """\
What comes next is in olympus's guide, which `olympus-conformance guide` prints: your own operations (profile `single`),
your own buffers and compiler, communication between processes (`multi`), and what `full` asks for."""
_GENERATOR_NEXT = """\
What comes next is in olympus's guide, which `olympus-conformance guide generator` prints: your device's language, its
functions, its memory and queues (profile `single`). `examples/olympus-opencl` is a whole platform of this kind."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "new-plugin",
        help="write a package with a new platform",
        description="Writes an installable package with a platform that runs, its tests, and conformance in its CI.",
    )
    parser.add_argument("name", help="the platform's name, such as acme: small letters, digits and underscores")
    parser.add_argument("--generator", action="store_true",
                        help="a start for devices with a compiler: kernels that the toolkit plans, and you generate")
    parser.add_argument("--path", type=Path, metavar="DIR", help="the package's folder (default: olympus-NAME)")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Writes the package and says what to do with it."""
    near = check_name(args.name, registry)
    distribution = f"olympus-{args.name.replace('_', '-')}"
    folder: Path = args.path or Path(distribution)
    written = write(args.name, folder, args.generator)
    print(f"The platform {args.name!r} is in {folder}:")
    for path in written:
        print(f"  {path}")
    if near:
        print(f"Note: {args.name!r} is easily mistaken for the platform {near!r}.")
    print("Next:")
    print(f"  cd {folder}")
    print("  pip install -e '.[test]'")
    print("  python -m pytest")
    print(f"  olympus-conformance run --platform {args.name} --profile minimal")
    first, guide = ("emitter", "generator") if args.generator else ("platform", "platform")
    print(f"Then make it yours: olympus_{args.name}/{first}.py. From there leads on what this prints:")
    print(f"  olympus-conformance guide {guide}")
    if not args.generator:
        print("For a device that has a compiler, --generator begins with kernels: the toolkit plans, you write them.")
    return 0


def check_name(name: str, installed: Registry) -> str | None:
    """Refuses a name that a new platform cannot have; gives an installed platform's that is easily mistaken for it.

    Raises:
        PluginNameError: It is malformed, reserved, or somebody's already.
    """
    if not _NAME.match(name):
        plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"^olympus[-_.]", "", name.lower())).strip("_0123456789")[:40]
        reason = "it is longer than 40 letters" if len(name) > 40 else "users write it in settings and in Python"
        raise PluginNameError(name, reason, plain if len(plain) > 1 and _NAME.match(plain) else None)
    if name in _RESERVED:
        raise PluginNameError(name, "the word means something else to users of olympus")
    rows = installed.report()
    for row in rows:
        if name == row.name or name in row.aliases:
            raise PluginNameError(name, f"{row.distribution} offers a platform of that name or alias")
    if importlib.util.find_spec(f"olympus_{name}") is not None:
        raise PluginNameError(name, f"a package olympus_{name} is installed")
    words = {word: row.name for row in rows for word in (row.name, *row.aliases)}
    found = difflib.get_close_matches(name, [*words, *sorted(_RESERVED)], 1, 0.75)
    return words.get(found[0], found[0]) if found else None


def write(name: str, folder: Path, with_generator: bool = False) -> list[str]:
    """Writes the package and gives the paths in it.

    Args:
        name: The platform's name.
        folder: Where the package goes.
        with_generator: Whether it generates kernels; else it has a table of operations.

    Raises:
        FolderInUseError: There is something in the folder, or it is a file.
    """
    if folder.exists():
        found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else ["a file"]
        if found:
            raise FolderInUseError(str(folder), found[:5])
    values = _values(name)
    rows, following = (_GENERATOR_ROWS, _GENERATOR_NEXT) if with_generator else (_TABLE_ROWS, _TABLE_NEXT)
    values = {**values, "rows": string.Template(rows).substitute(values), "following": following}
    paths = []
    for path, text in _rendered(values, _FILES_WITH_GENERATOR if with_generator else _FILES):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def _values(name: str) -> Mapping[str, str]:
    version = metadata.version(DISTRIBUTION)
    major, minor = (int(part) for part in (re.findall(r"\d+", version) + ["0", "0"])[:2])
    # Before 1.0 every minor version may change what a plugin imports.
    limit = f"{major + 1}" if major else f"0.{minor + 1}"
    return {
        "name": name,
        "package": f"olympus_{name}",
        "distribution": f"olympus-{name.replace('_', '-')}",
        "requirement": f"{DISTRIBUTION}>={major}.{minor},<{limit}",
        "major": str(API_VERSION[0]),
        "minor": str(API_VERSION[1]),
    }


def _rendered(values: Mapping[str, str], files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    templates = resources.files("olympus.cli") / "plugin_template"
    for template, path in files.items():
        text = (templates / template).read_text(encoding="utf-8")
        yield string.Template(path).substitute(values), string.Template(text).substitute(values)
