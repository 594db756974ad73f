# SPDX-License-Identifier: Apache-2.0
"""Which public names and parameters of JAX olympus lacks: `python -m tools.peer_names [--all] [MODULE ...]`.

Runs where JAX is installed beside olympus (the benchmarks' environment). What may differ stands with its reason in
`exceptions.toml`; everything else is printed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from fnmatch import fnmatchcase
from pathlib import Path

import tomllib

from .compare import differences
from .listing import modules_of

_EXCEPTIONS = Path(__file__).with_name("exceptions.toml")


def main() -> int:
    """Prints the differences that no exception explains, and the exceptions that explain nothing."""
    parser = argparse.ArgumentParser(prog="python -m tools.peer_names", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only these modules of the peer, and what is below")
    parser.add_argument("--all", action="store_true", help="prints the exceptions, too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    groups = tomllib.loads(_EXCEPTIONS.read_text())["exception"]
    reasons = {name: group["reason"] for group in groups for name in group["names"]}
    whole = {name for name in reasons if name.endswith(".*")}
    chosen = [m for m in modules_of("jax", [name.removesuffix(".*") for name in whole])
              if not options.modules or any(f"{m}.".startswith(f"{o}.") for o in options.modules)]
    lines, used = [], set(whole)
    for name, what in differences(chosen):
        pattern = next((p for p in reasons if fnmatchcase(name, p)), None)
        if pattern is None:
            lines.append(f"{name}: {what}")
            continue
        used.add(pattern)
        if options.all:
            lines.append(f"{name}: {what} (exception: {reasons[pattern]})")
    if not options.modules:
        lines += [f"{name}: stands in {_EXCEPTIONS.name} and does not differ" for name in sorted(reasons.keys() - used)]
    unexplained = [line for line in lines if "(exception: " not in line]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(f"{len(chosen)} modules, {len(unexplained)} differences\n")
    return bool(unexplained)


if __name__ == "__main__":
    sys.exit(main())
