# SPDX-License-Identifier: Apache-2.0
"""Compares the names of primitives, and which have several results, with those of an installed JAX.

python -m tools.primitive_names /path/to/the/python/that/has/jax
"""

from __future__ import annotations

import json
import subprocess
import sys

from olympus.transforms.jaxpr import PRIMITIVES

# JAX lists its primitives nowhere: those that exist after the modules which make them are imported are all.
_LIST = """
import gc, json
import jax, jax.lax.linalg, jax.extend.core.primitives as named
from jax._src import core
for module in ("custom_derivatives", "callback", "ad_checkpoint", "custom_batching", "debugging", "lax.linalg",
               "shard_map", "lax.parallel", "random"):
    __import__(f"jax._src.{module}")
print(json.dumps({
    "all": {o.name: o.multiple_results for o in gc.get_objects() if isinstance(o, core.Primitive)},
    "named": sorted(getattr(named, n).name for n in dir(named) if n.endswith("_p"))}))
"""


def main(python: str) -> int:
    """Prints the differences; not zero where a name that both have means something else."""
    theirs = json.loads(subprocess.run([python, "-c", _LIST], check=True, capture_output=True, text=True).stdout)
    ours = {name: primitive.multiple_results for name, primitive in PRIMITIVES.items()}
    differing = sorted(name for name in ours.keys() & theirs["all"].keys() if ours[name] != theirs["all"][name])
    lines = {"other results": differing, "here only": sorted(ours.keys() - theirs["all"].keys()),
             "there only": sorted(set(theirs["named"]) - ours.keys())}
    sys.stdout.writelines(f"{what}: {' '.join(names) or 'none'}\n" for what, names in lines.items())
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
