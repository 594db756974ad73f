# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of the list in this process, with whatever `import jax` gives, and prints what they give.

python tools/coming_from_jax/programs.py                            # JAX's results, where it is installed
python -m olympus.as_jax tools/coming_from_jax/programs.py          # olympus's
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import tomllib

LIST = Path(__file__).with_name("differences.toml")
_LONGEST = 150


def result(program: str) -> str:
    """What a program leaves under the name `out`, or the error that it ends with, in one line."""
    import jax
    import jax.numpy as jnp
    import jax.scipy.special  # as programs do that use it
    import numpy as np

    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "lax": jax.lax, "np": np}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, "<program>", "exec"), names)  # noqa: S102  (a program of the list)
            text = repr(names.get("out"))
        except Exception as error:  # noqa: BLE001  (what it raises is its result)
            text = f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"
    text = re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", text))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 4]} ..."


def main() -> None:
    """Prints the results of all programs as JSON."""
    programs = [entry["program"] for entry in tomllib.loads(LIST.read_text())["difference"]]
    sys.stdout.write(json.dumps([result(program) for program in programs]) + "\n")


if __name__ == "__main__":
    main()
