# SPDX-License-Identifier: Apache-2.0
"""Generated functions: names, indentation, their text in tracebacks for as long as they live."""

from __future__ import annotations

import gc
import linecache
import traceback

import pytest

from olympus_core import codewriter
from olympus_core.codewriter import CodeWriter, indented, text_of
from olympus_core.location import user_location


def test_a_function_is_made_of_lines_and_objects() -> None:
    writer = CodeWriter("a choice", {"known": 5})
    ten, twenty = writer.bind(10), writer.bind(20, "k")
    local = writer.fresh("k")
    body = [f"{local} = {ten}", "if x:", *indented([f"{local} = {twenty} + known"]), f"return {local}"]
    choose = writer.define(["x"], body, "choose")
    assert (choose(False), choose(True)) == (10, 25) and len({ten, twenty, local}) == 3
    assert text_of(choose).splitlines()[0] == "def choose(x):" and "choose" not in writer.namespace


def test_functions_of_one_writer_call_each_other() -> None:
    writer = CodeWriter("a pair")
    inner = writer.bind(writer.define(["x"], ["return x + 1"]))
    assert writer.define(["x"], [f"return {inner}({inner}(x))"])(1) == 3


def test_nothing_is_a_body_too() -> None:
    assert CodeWriter("nothing").define([], [])() is None


def test_tracebacks_show_the_lines() -> None:
    divide = CodeWriter("a quotient").define(["a", "b"], ["c = 1", "return a / b"])
    with pytest.raises(ZeroDivisionError) as caught:
        divide(1, 0)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.line == "return a / b" and frame.lineno == 3 and frame.filename.startswith("<olympus a quotient")


def test_functions_of_one_title_have_their_own_text_which_goes_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codewriter, "_SHORT", 0)  # no text is kept
    first, second = (CodeWriter("twice").define([], [f"return {i}"]) for i in range(2))
    files = [function.__code__.co_filename for function in (first, second)]
    assert [linecache.getline(file, 2).strip() for file in files] == ["return 0", "return 1"]
    del first
    gc.collect()
    assert files[0] not in linecache.cache and files[1] in linecache.cache


def test_functions_that_are_written_alike_share_their_code_and_nothing_else() -> None:
    first, second = (CodeWriter("alike", {"known": i}).define(["x"], ["return x + known"]) for i in range(2))
    assert first.__code__ is second.__code__
    assert (first(10), second(10)) == (10, 11)
    file = first.__code__.co_filename
    codewriter._compiled.cache_clear()
    del first
    gc.collect()
    assert linecache.getline(file, 2).strip() == "return x + known" and text_of(second)
    del second
    gc.collect()
    assert file not in linecache.cache


def test_errors_name_the_users_line() -> None:
    where = CodeWriter("a call").define(["f"], ["return f()"])
    assert where(user_location).startswith(__file__)
