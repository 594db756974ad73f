"""What the compiling process is asked and answers, as JSON in files: nothing that is read is ever run."""

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
    """What is to be done.

    Args:
        library: The path of libtpu.
        topology: The slice.
        options: What libtpu has to be told beside the slice's name.
        text: The program; None to describe the slice's devices.
        ids: The devices that it is compiled for.
    """

    library: str
    topology: str
    options: Mapping[str, Any]
    text: str | None
    ids: Sequence[int]


def write_request(folder: str, request: Request) -> None:
    """Leaves a request in a folder."""
    with open(os.path.join(folder, REQUEST), "w", encoding="utf-8") as file:
        json.dump(dataclasses.asdict(request), file)


def read_request(folder: str) -> Request:
    """The request in a folder."""
    with open(os.path.join(folder, REQUEST), encoding="utf-8") as file:
        request = Request(**json.load(file))
    options = {name: tuple(v) if isinstance(v, list) else v for name, v in request.options.items()}
    return dataclasses.replace(request, options=options)


def write_answer(folder: str, answer: Answer) -> None:
    """Leaves an answer in a folder: whole, or none at all."""
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
