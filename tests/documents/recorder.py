# SPDX-License-Identifier: Apache-2.0
"""Runs in each process of a job: the documents' programs by their driver, recorded for `tests/tpu/documents`.

Each process writes to ``<index>.pieces`` in the job's folder one line for each device program that the core compiles.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from olympus_core.errors import NotSupportedError
from olympus_core.program import ArrayType, DeviceProgram, operations_of
from olympus_core.runtime import execution
from olympus_core.runtime.world import get_world
from olympus_pjrt.stablehlo import emit, tpu_policy
from tests.documents import driver


def main(folder: Path, index: int) -> None:
    current = [""]
    run, load = driver.run, execution._load

    with (folder / f"{index}.pieces").open("w") as file:
        def recorded(name: str, partitioned: Any, mesh: Any) -> Any:
            file.write(json.dumps({"program": current[0], **piece(partitioned)}) + "\n")
            file.flush()  # some jobs end with an error
            return load(name, partitioned, mesh)

        def named(source: str, path: Path, namespace: dict[str, Any], notebook: bool) -> tuple[str, str]:
            current[0] = f"{path.parent.name}/{path.name.partition('.')[0]}"
            return run(source, path, namespace, notebook)

        execution._load, driver.run = recorded, named
        driver.main(folder, index)


def piece(partitioned: Any) -> dict[str, Any]:
    """A device program as StableHLO for TPUs, and what is known of it before a compiler has seen it."""
    program: DeviceProgram = partitioned.device_program
    everybody = [device.id for device in get_world().devices(program.devices[0].platform)]
    try:
        text, refusal = emit(program, policy=tpu_policy()), ""
    except NotSupportedError as error:
        text, refusal = "", str(error)
    return {
        "text": text, "refusal": refusal, "devices": len(everybody),
        "positions": [everybody.index(device.id) for device in program.devices],
        "inputs": [shown(t) for t in program.program.input_types],
        "outputs": [shown(t) for t in program.program.output_types],
        "reused": reused(program), "announced": dict(Counter(use.operation for use in partitioned.collectives)),
        "loops": sum(op.name in ("while", "scan") for op in operations_of(program.program)),
    }


def shown(type: ArrayType) -> list[Any]:
    return [list(type.shape), type.dtype.name, int(type.nbytes)]


def reused(program: DeviceProgram) -> int:
    """Bytes of the donated arguments that some result can take over."""
    free = [(t.shape, t.dtype) for t in program.program.output_types]
    total = 0
    for i in program.donated:
        mine = program.program.input_types[i]
        if (mine.shape, mine.dtype) in free:
            free.remove((mine.shape, mine.dtype))
            total += mine.nbytes
    return total


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ["PMI_RANK"]))
