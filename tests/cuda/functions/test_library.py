# SPDX-License-Identifier: Apache-2.0
"""Which text a kernel gets, and in which order."""

from __future__ import annotations

import re

import pytest

from olympus_conformance.samples.catalogue import catalogue, dtypes_of
from olympus_core import dtypes
from olympus_core.errors import OlympusInternalError
from olympus_cuda.codegen import functions
from olympus_cuda.codegen.functions.library import mentions, paragraphs


def test_text_is_the_least_that_does() -> None:
    text = functions.needed(["olympus_float_add"])
    assert text.count("olympus_") == 2 and "float x, float y" in text and "double x, double y" in text
    assert "olympus_complex_sin" not in functions.needed(["olympus_float_sin"])
    assert functions.needed([]) == ""


def test_order_of_names_does_not_matter() -> None:
    names = sorted(functions.names())
    assert functions.needed(names) == functions.needed([*reversed(names), names[0]])


@pytest.mark.parametrize("name", sorted(functions.names()))
def test_nothing_stands_before_what_it_needs(name: str) -> None:
    text, seen = functions.needed([name]), set()
    assert re.search(rf"\b{name}\b", text)
    for paragraph in text.split("\n\n"):
        defined = next((p.defines for p in paragraphs() if p.text == paragraph.strip("\n")), frozenset())
        seen |= defined
        assert mentions(paragraph) <= seen


def test_names_are_found_in_texts_but_not_in_comments() -> None:
    text = "olympus_float_add(x, y) // olympus_float_sub\n olympus_kernel_7(olympus_complex64 z)"
    assert functions.mentioned(text) == {"olympus_float_add", "olympus_complex64"}


def test_an_unknown_name_is_a_fault_of_the_caller() -> None:
    with pytest.raises(OlympusInternalError, match="olympus_float_nothing"):
        functions.needed(["olympus_float_nothing"])


def test_every_operation_has_a_function_for_every_type_that_it_takes() -> None:
    for name, entry in catalogue().items():
        if entry.record.category != "elementwise" or name in ("select", "bitcast_convert"):
            continue
        for dtype in dtypes_of(name):
            function = functions.function_of(name, dtype, dtypes.float32)
            assert function in functions.names(), (name, dtype)


def test_what_has_no_function() -> None:
    assert functions.function_of("sin", dtypes.int8) is None
    assert functions.function_of("select", dtypes.float32) is None
    assert functions.function_of("threefry2x32", dtypes.int32) is None
    assert functions.function_of("complex", dtypes.float16) is None


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_registers_and_storage(dtype: object) -> None:
    assert {f"olympus_load_{dtype}", f"olympus_store_{dtype}"} <= functions.names()
    assert functions.register_type(dtype) and functions.storage_type(dtype)
    narrow = dtypes.is_float(dtype) and dtype.itemsize < 4
    assert (f"olympus_round_{dtype}" in functions.names()) is narrow
