# SPDX-License-Identifier: Apache-2.0
"""python -m tools.coming_from_jax: writes docs/coming-from-jax.md from the list of differences."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import tomllib

from .programs import LIST

_ROOT = Path(__file__).parents[2]
PAGE = _ROOT / "docs" / "coming-from-jax.md"
_PROGRAMS = Path(__file__).with_name("programs.py")


def differences() -> list[dict[str, str]]:
    """The entries of the list."""
    found: list[dict[str, str]] = tomllib.loads(LIST.read_text())["difference"]
    return found


def results(side: str) -> list[str]:
    """What all programs give, run in a process of its own.

    Args:
        side: ``"olympus"``, or ``"jax"`` for JAX itself, which must be installed.
    """
    door = ["-m", "olympus.as_jax"] if side == "olympus" else []
    done = subprocess.run([sys.executable, *door, str(_PROGRAMS)], check=True, capture_output=True, text=True)
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def page(entries: list[dict[str, str]]) -> str:
    """The page.

    Args:
        entries: What differs.
    """
    lines = [_HEAD]
    for group in dict.fromkeys(entry["group"] for entry in entries):
        lines.append(f"## {group}\n")
        for entry in entries:
            if entry["group"] == group:
                program = entry["program"].strip("\n")
                lines += [f"### {entry['name']}\n", f"```python\n{program}\n```\n",
                          f"| | gives |\n| --- | --- |\n| JAX | {_cell(entry['jax'])} |\n"
                          f"| olympus | {_cell(entry['olympus'])} |\n", f"{entry['why']}\n"]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return "``" + text.replace("|", "\\|") + "``"


def _recorded(side: str) -> None:
    """Writes one side's results into the list."""
    text = LIST.read_text()
    found = iter(results(side))

    def replaced(match: re.Match[str]) -> str:
        return f"{side} = {json.dumps(next(found), ensure_ascii=False)}"

    LIST.write_text(re.sub(rf"^{side} = .*$", replaced, text, flags=re.MULTILINE))


def main(arguments: Any = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.coming_from_jax", description=__doc__)
    parser.add_argument("--record", choices=["olympus", "jax"], action="append", default=[],
                        help="run the programs, and write what they give into the list")
    for side in parser.parse_args(arguments).record:
        _recorded(side)
    PAGE.write_text(page(differences()))


_HEAD = """# Coming from JAX
<!-- Made by `python -m tools.coming_from_jax` from tools/coming_from_jax/differences.toml; do not edit. -->

A program that is written for JAX 0.10 runs on olympus as it is, behind a door:

```
python -m olympus.as_jax script.py --its --arguments      # also: -m module, -c code
olympus launch -n 4 --as-jax script.py                    # in four processes
OLYMPUS_AS_JAX=1 python program.py                        # where the program imports olympus before jax
```

or, in Python, before the first `import jax`:

```python
import olympus.as_jax
olympus.as_jax.install()
import jax  # olympus's modules
```

`import jax`, `jax.numpy` and all others then *are* olympus's modules; nothing is there twice. In processes that such a
program starts (`multiprocessing`, or any Python) the door is open as well, where `python -m olympus.as_jax` opened it.

`jax.config.update("jax_enable_x64", True)`, the environment variables `JAX_...` and
`XLA_FLAGS=--xla_force_host_platform_device_count=8` set olympus's options of the same meaning. What means nothing here
is taken, and told once by a `ForeignSettingWarning`. A fixed index outside of an array counts as the nearest one behind
the door, as in JAX; elsewhere it is an error (`olympus_check_static_indices`). The door never opens by itself, and not
where JAX itself is imported.

In a program of one's own, `import olympus as jax` and `import olympus.numpy as jnp` do without the door.

What follows is all that is known to differ. Each program was run under both, and a test of olympus runs it again.
"""

if __name__ == "__main__":
    main()
