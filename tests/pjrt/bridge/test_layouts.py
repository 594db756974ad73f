# SPDX-License-Identifier: Apache-2.0
"""Struct layouts against two independent truths: the header's text, and what libraries say of sizes."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys

import pytest

from olympus_pjrt.bridge.functions import FUNCTIONS, ROWS
from olympus_pjrt.bridge.structs import SIZES

from ..libraries import cpu_folder, cpu_library, tpu_library

# Written differently on purpose: the layout inside is spelled out.
SPECIAL = {"Buffer_MemoryLayout", "Buffer_GetMemoryLayout"}
Field = tuple[str, str]  # letter, name


def ours(row: str) -> list[Field]:
    found: list[Field] = []
    for field in row.split():
        letter, _, name = field.partition(":")
        found += [("p", name), ("z", f"{name}_size")] if letter == "s" else [(letter, name)]
    return found


def letter_of(type_: str, stars: str) -> str:
    if stars or type_.endswith(("Callback", "Deleter")) or "Callback" in type_:
        return "p"
    return {"size_t": "z", "int64_t": "q", "bool": "b", "int": "i", "float": "f"}.get(type_, "i")


@functools.cache
def header_structs() -> dict[str, list[Field]]:
    text = (cpu_folder() / "include" / "pjrt_c_api.h").read_text()
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"union \{[^}]*\};", "int64_t value;", text)
    text = re.sub(r"void\s*\(\*(\w+)\)\([^)]*\)", r"void* \1", text)
    found: dict[str, list[Field]] = {}
    for match in re.finditer(r"struct PJRT_(\w+?)(?:_Args)? \{(.*?)\n\}", text, flags=re.S):
        body = match[2]
        if "_PJRT_API_STRUCT_FIELD" in body:  # the table of functions
            continue
        fields: list[Field] = []
        for line in filter(None, (re.sub(r"\s+", " ", part).strip() for part in body.split(";"))):
            parts = re.fullmatch(r"(?:const |struct )*(\w+)((?: ?\*| ?const)*) ?(\w+)", line)
            assert parts, line
            fields.append((letter_of(parts[1], re.sub(r"[^*]", "", parts[2])), parts[3]))
        found.setdefault(match[1], fields[2:])
    return found


def disagreements(rows: dict[str, str]) -> list[str]:
    """The structs whose fields are not the header's; newer fields may follow at the end."""
    header = header_structs()
    wrong = []
    for name, row in rows.items():
        if name in SPECIAL:
            continue
        theirs, mine = header[name], ours(row)
        if mine[: len(theirs)] != theirs:
            wrong.append(f"{name}: {mine} and not {theirs}")
    return wrong


def test_structs_are_the_headers() -> None:
    assert disagreements(ROWS) == []


def test_functions_stand_where_the_header_has_them() -> None:
    text = (cpu_folder() / "include" / "pjrt_c_api.h").read_text()
    table = text[text.index("typedef struct PJRT_Api {"):] if "typedef struct PJRT_Api {" in text else text
    order = re.findall(r"_PJRT_API_STRUCT_FIELD\(PJRT_(\w+)\);", table)
    assert order[: len(FUNCTIONS)] == list(FUNCTIONS)


def test_every_wrong_layout_is_noticed() -> None:
    """Mutations: neighbours swapped, a field dropped, a type changed, among the fields that the header has."""
    header = header_structs()
    missed = []
    for name, row in ROWS.items():
        if name in SPECIAL:
            continue
        fields = row.split()
        known = len(fields)
        while len(ours(" ".join(fields[:known]))) > len(header[name]):
            known -= 1
        mutants = [
            *(fields[:i] + [fields[i + 1], fields[i]] + fields[i + 2:] for i in range(known - 1)),
            *(fields[:i] + fields[i + 1:] for i in range(known)),
            *(fields[:i] + [("q" if fields[i][0] != "q" else "i") + fields[i][1:]] + fields[i + 1:]
              for i in range(known)),
        ]
        missed += [(name, mutant) for mutant in mutants if not disagreements({name: " ".join(mutant)})]
    assert missed == []


PROBE = """
import ctypes, json, re, sys
from olympus_pjrt.bridge.library import load, addressof
from olympus_pjrt.bridge.structs import SIZES, STRUCTS
library = load(sys.argv[1])
said = {}
for name in SIZES:
    if name not in library.functions or name in ("Error_Destroy", "Error_Message", "Plugin_Initialize"):
        continue
    struct = STRUCTS[name]()  # announces the size 0
    failure = library.functions[name](addressof(struct))
    if failure:
        found = re.search(r"size: expected (\\d+), got 0", library.error(name, failure).text)
        if found:
            said[name] = int(found[1])
print(json.dumps([list(library.version), said]))
"""


def sizes_said(path: str) -> tuple[tuple[int, int], dict[str, int]]:
    done = subprocess.run([sys.executable, "-c", PROBE, path], capture_output=True, text=True, timeout=100,
                          env=quiet_environment())
    assert done.returncode == 0, done.stderr[-2000:]
    version, said = json.loads(done.stdout.splitlines()[-1])
    return (version[0], version[1]), said


def quiet_environment() -> dict[str, str]:
    return {**os.environ, "TPU_SKIP_MDS_QUERY": "1", "ALLOW_MULTIPLE_LIBTPU_LOAD": "1", "TPU_LOG_DIR": "disabled",
            "TPU_ACCELERATOR_TYPE": "v5litepod-4", "TPU_WORKER_HOSTNAMES": "localhost", "TF_CPP_MIN_LOG_LEVEL": "2"}


@pytest.mark.parametrize("library", [cpu_library, tpu_library], ids=["cpu", "tpu"])
def test_libraries_expect_no_larger_structs(library) -> None:
    version, said = sizes_said(library())
    assert len(said) > 60, f"{version}: only {len(said)} functions said anything"
    assert {name: (SIZES[name], size) for name, size in said.items() if size > SIZES[name]} == {}
    # A library's structs are shorter than those known here only where it is older, and lacks their last fields.
    shorter = {name for name, size in said.items() if size < SIZES[name]}
    grown = {"Executable_DeserializeAndLoad", "Executable_GetCompiledMemoryStats", "Device_MemoryStats"}
    assert shorter <= grown
