# SPDX-License-Identifier: Apache-2.0
"""The child process that loads libtpu: reads a request from a folder and writes the answer or the error to it."""

from __future__ import annotations

import os
import sys

from olympus_core.errors import OlympusError
from olympus_core.plugin import AheadOfTime, DeviceDescription
from olympus_pjrt.bridge import DeviceFacts, Executable, Topology, compile_ahead_of_time, load
from olympus_pjrt.errors import PjrtError

from .errors import TpuCompilerError
from .messages import DUMP, Answer, Request, read_request, write_answer
from .optimized import collectives, in_loops

_FIGURES = {
    "arguments": "argument", "outputs": "output", "temporaries": "temp", "reused": "alias", "code": "generated_code",
}


def main(folder: str) -> None:
    """Executes the request of a folder."""
    request = read_request(folder)
    answer: Answer
    try:
        answer = _answered(folder, request)
    except PjrtError as error:
        answer = error
    except OlympusError as error:  # may not cross processes
        answer = TpuCompilerError("be used", "could not begin", str(error))
    write_answer(folder, answer)


def _answered(folder: str, request: Request) -> Answer:
    text = request.text
    with Topology(load(request.library), request.topology, request.options) as topology:
        devices = topology.devices()
        if text is None:
            return [(d.process_index, _described(d)) for d in devices]
        by_id = {d.id: d for d in devices}
        dump = os.path.join(folder, DUMP)
        program = compile_ahead_of_time(
            topology, text, [[by_id[i]] for i in request.ids],
            overrides={"xla_dump_to": dump, "xla_dump_hlo_as_text": True},
        )
        try:
            return _said(program, text, dump)
        finally:
            program.close()


def _described(device: DeviceFacts) -> DeviceDescription:
    attributes = {name: list(v) if isinstance(v, tuple) else v for name, v in device.attributes.items()}
    return DeviceDescription(device.id, device.kind, device.text, device.representation, attributes)


def _said(program: Executable, text: str, dump: str) -> AheadOfTime:
    """The result of a compilation: memory, estimates and collectives."""
    memory = program.memory()
    figures = {ours: memory[f"{theirs}_size_in_bytes"] for ours, theirs in _FIGURES.items()}
    figures["code"] = figures["code"] or program.code_bytes
    optimized = program.optimized()
    code = optimized.code, optimized.format
    return AheadOfTime(text, _dumped(dump), figures, program.estimates(), collectives(*code), in_loops(*code))


def _dumped(folder: str) -> str:
    """The optimized program among the texts that the compiler dumped."""
    names = [n for n in sorted(os.listdir(folder)) if n.endswith("after_optimizations.txt")] if os.path.isdir(
        folder) else []
    if not names:
        return ""
    with open(os.path.join(folder, names[-1])) as file:
        return file.read()


if __name__ == "__main__":
    main(sys.argv[1])
