# SPDX-License-Identifier: Apache-2.0
"""Loading, errors and agreement on sizes; strange libraries are made of functions of this process."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from typing import Any

import pytest

from olympus_pjrt.bridge.functions import FUNCTIONS, HEAD_BYTES, KNOWN_VERSION
from olympus_pjrt.bridge.library import Library, load
from olympus_pjrt.bridge.options import compile_options
from olympus_pjrt.bridge.structs import SIZES, SLACK, STRUCTS
from olympus_pjrt.bridge.values import read_values, write_values
from olympus_pjrt.errors import PjrtLibraryError, PjrtUnimplementedError, PjrtVersionError

from ..libraries import cpu_library

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


class Made:
    """A library of Python functions, with a rule of its own about the size of one struct."""

    def __init__(self, version: tuple[int, int], expected: int, exact: bool, lacks: tuple[str, ...] = ()) -> None:
        self.expected, self.exact, self.seen = expected, exact, []
        self.errors: dict[int, bytes] = {}
        functions = {
            "Plugin_Initialize": lambda _: None, "Error_Message": self.message, "Error_GetCode": self.code,
            "Error_Destroy": self.destroy, "Event_IsReady": self.is_ready,
        }
        self.kept = [FUNCTION(function) for function in functions.values()]
        table = (ctypes.c_size_t * (5 + len(FUNCTIONS)))()
        table[0] = HEAD_BYTES + 8 * len(FUNCTIONS)
        (ctypes.c_int * 2).from_address(ctypes.addressof(table) + 32)[:] = version
        for name, function in zip(functions, self.kept, strict=True):
            if name not in lacks:
                table[5 + FUNCTIONS.index(name)] = ctypes.cast(function, ctypes.c_void_p).value or 0
        self.table = table

    def at(self, kind: str, address: int) -> Any:
        return STRUCTS[kind].from_address(address)

    def message(self, address: int) -> None:
        struct = self.at("Error_Message", address)
        self.text = ctypes.create_string_buffer(self.errors[struct.error])
        struct.message, struct.message_size = ctypes.addressof(self.text), len(self.errors[struct.error])

    def code(self, address: int) -> None:
        self.at("Error_GetCode", address).code = 3

    def destroy(self, address: int) -> None:
        del self.errors[self.at("Error_Destroy", address).error]

    def is_ready(self, address: int) -> int | None:
        struct = self.at("Event_IsReady", address)
        self.seen.append(struct.struct_size)
        wrong = struct.struct_size != self.expected if self.exact else struct.struct_size < self.expected
        if wrong:
            number = len(self.seen)
            self.errors[number] = (
                f"Unexpected PJRT_Event_IsReady_Args size: expected {self.expected}, got {struct.struct_size}.".encode()
            )
            return number
        struct.is_ready = True
        return None

    def open(self) -> Library:
        return Library(ctypes.addressof(self.table), "made")


def test_a_library_that_wants_exact_sizes_gets_them() -> None:
    own = SIZES["Event_IsReady"]
    made = Made((0, 60), own - 1, exact=True)
    library = made.open()
    assert library.call("Event_IsReady", event=1).is_ready
    assert library.call("Event_IsReady", event=1).is_ready
    assert made.seen == [own, own - 1, own - 1]  # asked once, then known
    assert made.errors == {}


def test_a_newer_library_gets_larger_structs() -> None:
    own = SIZES["Event_IsReady"]
    made = Made((0, KNOWN_VERSION[1] + 1), own + 40, exact=False)
    assert made.open().call("Event_IsReady", event=1).is_ready
    assert made.seen == [own, own + 40]


@pytest.mark.parametrize(("version", "more"), [(KNOWN_VERSION, 8), ((0, KNOWN_VERSION[1] + 1), SLACK + 8)])
def test_what_no_padding_can_mend_is_refused(version: tuple[int, int], more: int) -> None:
    made = Made(version, SIZES["Event_IsReady"] + more, exact=False)
    with pytest.raises(PjrtVersionError, match="Event_IsReady has"):
        made.open().call("Event_IsReady", event=1)
    assert made.errors == {}


def test_an_older_library_lacks_functions() -> None:
    library = Made((0, 60), 0, exact=False, lacks=("Event_IsReady",)).open()
    with pytest.raises(PjrtUnimplementedError, match="C API 0.60"):
        library.call("Event_IsReady", event=1)


def test_another_major_version_is_refused() -> None:
    with pytest.raises(PjrtVersionError, match="major version"):
        Made((1, 0), 0, exact=False).open()


def test_files_that_are_no_libraries(tmp_path) -> None:
    with pytest.raises(PjrtLibraryError):
        load(str(tmp_path / "none.so"))
    text = tmp_path / "text.so"
    text.write_text("no library")
    with pytest.raises(PjrtLibraryError, match="text.so"):
        load(str(text))
    with pytest.raises(PjrtLibraryError, match="does not export GetPjrtApi"):
        load("libc.so.6")


def test_named_values_come_back() -> None:
    values = {"text": "ä b", "number": -7, "list": (1, 2, 3), "half": 0.5, "yes": True, "no": False, "nothing": ""}
    array = write_values(values)
    assert read_values(ctypes.addressof(array), len(values)) == values
    assert [type(v) for v in read_values(ctypes.addressof(array), len(values)).values()] == [
        type(v) for v in values.values()
    ]


def test_compile_options_are_the_message() -> None:
    """By the rules of protocol buffers, read by hand: build options in field 3, one flag in field 7."""
    raw = compile_options([[2], [0]], overrides={"flag": True})
    build = fields(fields(raw)[3][0])
    assert (build[4], build[5]) == ([2], [1])
    assignment = fields(build[9][0])
    assert (assignment[1], assignment[2]) == ([2], [1])
    assert fields(assignment[3][0])[1] == [b"\x02\x00"]
    flag = fields(fields(raw)[7][0])
    assert flag[1] == [b"flag"] and fields(flag[2][0])[2] == [1]


def fields(raw: bytes) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    place = 0

    def varint() -> int:
        nonlocal place
        number = shift = 0
        while True:
            byte = raw[place]
            place, number, shift = place + 1, number | (byte & 127) << shift, shift + 7
            if byte < 128:
                return number

    while place < len(raw):
        key = varint()
        if key & 7 == 0:
            value: Any = varint()
        else:
            size = varint()
            value, place = raw[place : place + size], place + size
        found.setdefault(key >> 3, []).append(value)
    return found


def test_a_real_library() -> None:
    library = load(cpu_library())
    assert library is load(cpu_library())
    assert library.version[0] == 0
    assert library.attributes()["stablehlo_current_version"] > (1, 0, 0)


def test_importing_the_platform_loads_no_bridge() -> None:
    loaded = "import olympus_pjrt.platform, sys; print([m for m in sys.modules if m.startswith('olympus_pjrt.b')])"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
