# SPDX-License-Identifier: Apache-2.0
"""Compiles the CPU platform's native code from C to the LLVM IR that is checked in.

    python -m pip install -e ".[native]"
    python -m tools.native_ir [--compiler "python -m ziglang cc"]

Users need no compiler: llvmlite makes machine code of ``plugins/cpu/native/runtime.ll`` when the runtime is first
needed, and of the texts in ``plugins/cpu/linear_algebra``, ``fourier`` and ``sorting`` with the first decomposition,
transform or sort. The texts are for every processor and for LLVM 20 and later, so what is particular to one target or
to a newer LLVM is left out: triples, attributes of functions and parameters, metadata, marks of lifetimes. The header
holds a digest of the sources, which a test compares.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

_CPU = Path(__file__).parent.parent / "plugins" / "cpu"
FOLDER = _CPU / "native"
# Each is one C file that may include others of its folder; the text stands beside it.
UNITS = (FOLDER / "runtime.c", _CPU / "linear_algebra" / "batches.c", _CPU / "linear_algebra" / "small.c",
         _CPU / "fourier" / "lines.c", _CPU / "sorting" / "sorts.c", _CPU / "sorting" / "greatest.c",
         _CPU / "codegen" / "math" / "special_functions.c")
# The toolkit's text that special_functions.c includes; its functions are computed as they are written.
_SHARED = Path(__file__).parent.parent / "olympus_core" / "toolkit" / "special_functions"
_SPECIAL = ("-I", str(_SHARED), "-fno-math-errno", "-ffp-contract=off")

_OPTIONS = (
    # Any target of 64 bits would do: see native.h.
    "-target", "x86_64-linux-gnu", "-mcpu=baseline", "-std=gnu23", "-ffreestanding", "-O2", "-g0", "-fPIC", "-S",
    "-emit-llvm", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-sign-compare",
    "-Wno-unused-command-line-argument",
    # Plans and free blocks are words of memory that are read as structures.
    "-fno-strict-aliasing", "-fwrapv",
    # The machine is not known, and no loop here is long.
    "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
    "-fno-sanitize=all", "-fno-stack-protector", "-fomit-frame-pointer",
)

_LINES = re.compile(
    r"^(;|source_filename|target |attributes |!|\s+(tail )?call void @llvm\.lifetime|declare void @llvm\.lifetime)"
)
_METADATA = re.compile(r",? ![\w.]+ !\d+")
_ATTRIBUTES = re.compile(
    r" (noundef|nonnull|noalias|nofree|readonly|writeonly|readnone|returned|dead_on_return|immarg|zeroext"
    r"|(captures|initializes|range|dereferenceable|dereferenceable_or_null)\((?:[^()]|\([^()]*\))*\))(?=[ ,)])"
)
_LINKAGE = re.compile(r" (local_unnamed_addr|unnamed_addr|dso_local)\b")


def sources(unit: Path) -> list[Path]:
    """The C files and headers that a unit's IR may be made of."""
    shared = _SHARED.glob("*.cuh") if unit.stem == _SHARED.name else ()
    return sorted([*unit.parent.glob("*.c"), *unit.parent.glob("*.h"), *shared])


def digest(unit: Path) -> str:
    """What the checked-in IR says of the sources that it was made of."""
    # The licence's line is no part of the code.
    licence = re.compile(rb"^// SPDX-License-Identifier: [^\n]*\n")
    found = (path.name.encode() + b"\0" + licence.sub(b"", path.read_bytes()) for path in sources(unit))
    return hashlib.sha256(b"\0".join(found)).hexdigest()


def compiled(compiler: list[str], unit: Path) -> str:
    """LLVM IR of a unit, as the compiler prints it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / unit.with_suffix(".ll").name
        more = _SPECIAL if unit.stem == _SHARED.name else ()
        subprocess.run([*compiler, *_OPTIONS, *more, str(unit), "-o", str(out)], check=True)
        return out.read_text()


def portable(text: str) -> str:
    """The IR without what is particular to one target or to a newer LLVM."""
    lines = []
    for line in text.splitlines():
        if _LINES.match(line):
            continue
        line = re.sub(r"\s+; preds = .*", "", line)
        line = _LINKAGE.sub("", _METADATA.sub("", line))
        line = re.sub(r" #\d+", "", line)
        if line.startswith("define"):
            line = line.removesuffix(" {") + " nounwind {"
        previous = None
        while previous != line:
            previous, line = line, _ATTRIBUTES.sub("", line)
        lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip() + "\n")


def main() -> None:
    """Writes the texts."""
    parser = argparse.ArgumentParser(prog="python -m tools.native_ir", description=__doc__.partition("\n")[0])
    parser.add_argument("--compiler", default=f"{shlex.quote(sys.executable)} -m ziglang cc", help="a clang")
    compiler = shlex.split(parser.parse_args().compiler)
    version = subprocess.run([*compiler, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()
    header = "; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.\n"
    for unit in UNITS:
        text = f"{header}; {version[0]}\n; sources {digest(unit)}\n\n{portable(compiled(compiler, unit))}"
        path = unit.with_suffix(".ll")
        path.write_text(text)
        print(f"{path}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
