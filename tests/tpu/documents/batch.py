# SPDX-License-Identifier: Apache-2.0
"""The process that loads libtpu, one for each generation: compiles a list of programs, and says what came of each.

Command line: a file with the list, and where the answers are written, one line each. libtpu ends its process on some
mistakes: the answers that are there then tell which program it was.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from olympus_pjrt.bridge import Topology, compile_ahead_of_time, load
from olympus_pjrt.errors import PjrtError
from olympus_tpu import environment
from olympus_tpu.optimized import collectives, parts
from olympus_tpu.slices import slice_of


@cache
def topology(name: str) -> Topology:
    wanted = slice_of(name)
    options = {**(wanted.generation.options or {}), "chips_per_host_bounds": wanted.chips_per_process}
    return Topology(load(environment.library() or ""), wanted.topology, options)


def main(requests: str, answers: str) -> None:
    with open(requests) as file, open(answers, "w") as out:
        for line in file:
            request = json.loads(line)
            try:
                answer = compiled(**request)
            except PjrtError as error:
                answer = {"error": str(error)}
            out.write(json.dumps(answer) + "\n")
            out.flush()


def compiled(slice: str, text: str, positions: list[int]) -> dict[str, Any]:
    devices = topology(slice).devices()
    program = compile_ahead_of_time(topology(slice), text, [[devices[i]] for i in positions])
    optimized = program.optimized()
    memory = program.memory()
    return {
        "collectives": collectives(optimized.code, optimized.format),
        "inputs": parameters(optimized.code),
        "outputs": [[list(shape), dtype.name] for shape, dtype in program.output_types()],
        **{name: memory[f"{name}_size_in_bytes"] for name in ("argument", "output", "temp", "alias")},
    }


def parameters(code: bytes) -> list[list[int]]:
    """The shapes of a program's arguments on one device: its signature is field 4 of the module."""
    (module,) = parts(code, 1)
    (signature,) = parts(module, 4)
    return [sizes(b"".join(parts(shape, 3))) for shape in parts(signature, 1)]


def sizes(packed: bytes) -> list[int]:
    found, number, shift = [], 0, 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(number)
            number = shift = 0
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
