# SPDX-License-Identifier: Apache-2.0
"""Requests to the child process and its answers, as JSON files; nothing that is read is executed."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from olympus_core.plugin import AheadOfTime, DeviceDescription
from olympus_pjrt.errors import PjrtError, error_of

from .errors import TpuCompilerError

REQUEST, ANSWER, DUMP = "request", "answer", "dump"

Devices: TypeAlias = Sequence[tuple[int, DeviceDescription]]
Answer: TypeAlias = AheadOfTime | Devices | PjrtError | TpuCompilerError


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the child process.

    Args:
        library: The path of libtpu.
        topology: The slice.
        options: Options of libtpu in addition to the slice's name.
        text: The program; None to describe the slice's devices.
        ids: The ids of the devices that it is compiled for.
    """

    library: str
    topology: str
    options: Mapping[str, Any]
    text: str | None
    ids: Sequence[int]


def write_request(folder: str, request: Request) -> None:
    """Writes a request to a folder."""
    with open(os.path.join(folder, REQUEST), "w", encoding="utf-8") as file:
        json.dump(dataclasses.asdict(request), file)


def read_request(folder: str) -> Request:
    """The request in a folder."""
    with open(os.path.join(folder, REQUEST), encoding="utf-8") as file:
        request = Request(**json.load(file))
    options = {name: tuple(v) if isinstance(v, list) else v for name, v in request.options.items()}
    return dataclasses.replace(request, options=options)


def write_answer(folder: str, answer: Answer) -> None:
    """Writes an answer to a folder, atomically."""
    said: dict[str, Any]
    if isinstance(answer, PjrtError):
        said = {"refused": [answer.function, answer.code, answer.text]}
    elif isinstance(answer, TpuCompilerError):
        said = {"ended": [answer.what, answer.ending, answer.output]}
    elif isinstance(answer, AheadOfTime):
        said = {"compiled": dataclasses.asdict(answer)}
    else:
        said = {"devices": [[process, dataclasses.asdict(description)] for process, description in answer]}
    partial = os.path.join(folder, ANSWER + ".partial")
    with open(partial, "w", encoding="utf-8") as file:
        json.dump(said, file)
    os.replace(partial, os.path.join(folder, ANSWER))


def read_answer(folder: str) -> Answer:
    """The answer in a folder.

    Raises:
        OSError: There is none.
        ValueError: It is not what `write_answer` writes.
    """
    with open(os.path.join(folder, ANSWER), encoding="utf-8") as file:
        said = json.load(file)
    try:
        ((kind, content),) = said.items()
        if kind == "refused":
            return error_of(*content)
        if kind == "ended":
            return TpuCompilerError(*content)
        if kind == "compiled":
            return AheadOfTime(**content)
        return [(int(process), DeviceDescription(**facts)) for process, facts in content]
    except (TypeError, AttributeError) as error:
        raise ValueError(str(error)) from None
