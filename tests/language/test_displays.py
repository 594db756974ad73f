# SPDX-License-Identifier: Apache-2.0
"""What is shown of arrays, shardings and meshes: in text, of large arrays without gathering them, and in notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec, SingleDeviceSharding

P = PartitionSpec
SHAPES = ((2000,), (40, 40), (8, 200), (16, 2, 64), (4, 8, 80), (8, 10, 24), (7, 301), (1032, 2))
SPECS = (P(), P("i"), P(("i", "j")), P("j"), P(None, "j"), P("i", "j"), P(None, None, "i"))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SHAPES), st.sampled_from(SPECS),
       st.sampled_from(["float32", "int32", "bool", "complex64", "int4"]), st.integers(1, 4))
def test_a_summary_is_what_numpy_prints_and_gathers_nothing(
    shape: tuple[int, ...], spec: PartitionSpec, dtype: str, edge: int
) -> None:
    mesh = olympus.make_mesh((4, 2), ("i", "j"))
    value = (np.random.default_rng(0).normal(size=shape) * 100).astype(np.dtype(jnp.dtype(dtype)))
    sharding = NamedSharding(mesh, spec if len(spec) <= len(shape) and shape[0] % 8 == 0 else P())
    x = olympus.device_put(value, sharding)
    with np.printoptions(edgeitems=edge):
        text, plain = repr(x), str(x)
        assert x._value is None
        np.asarray(x)
        assert text == repr(x)  # of the whole value
        assert plain == str(value)


def test_an_empty_array_says_its_shape() -> None:
    assert repr(jnp.zeros((0, 5000))) == "Array([], shape=(0, 5000), dtype=float32)"
    assert repr(jnp.zeros(0)) == "Array([], shape=(0,), dtype=float32)"


class Fields(HTMLParser):
    """The rows of a table, and the texts and hints of its fields."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.hints: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open, text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.hints.append(dict(attrs)["title"] or "")
            style = dict(attrs)["style"] or ""
            assert re.search("background:#[0-9a-f]{6};color:#(000000|ffffff)", style)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1].append(data)


def test_a_notebook_shows_who_holds_what() -> None:
    mesh = olympus.make_mesh((4, 2), ("i", "j"))
    x = olympus.device_put(np.arange(32).reshape(8, 4), NamedSharding(mesh, P("j", "i")))
    shown = Fields(x._repr_html_())
    assert shown.rows == [[f"CPU {d}" for d in (0, 2, 4, 6)], [f"CPU {d}" for d in (1, 3, 5, 7)]]
    assert shown.hints[5] == "[4:8, 1:2] on TFRT_CPU_3"
    assert "dtype=int32" in x._repr_html_() and "&#x27;i&#x27;" in x._repr_html_()
    half = olympus.device_put(np.arange(8.0), NamedSharding(mesh, P("j")))
    assert Fields(half._repr_html_()).rows == [["CPU 0, 2, 4, 6", "CPU 1, 3, 5, 7"]]
    whole = olympus.device_put(3.0, NamedSharding(mesh, P()))
    assert Fields(whole._repr_html_()).rows == [["CPU 0, 1, 2, 3, 4, 5, … (8 devices)"]]


def test_of_more_than_two_split_dimensions_all_but_the_last_go_down() -> None:
    mesh = olympus.make_mesh((2, 2, 2), ("a", "b", "c"))
    x = olympus.device_put(np.ones((4, 3, 4, 4)), NamedSharding(mesh, P("a", None, "b", "c")))
    shown = Fields(x._repr_html_())
    assert shown.rows == [[f"CPU {2 * row}", f"CPU {2 * row + 1}"] for row in range(4)]
    assert shown.hints[2] == "[0:2, 0:3, 2:4, 0:2] on TFRT_CPU_2"


@pytest.mark.parametrize("x", [jnp.ones(3), jnp.ones(3)], ids=["alive", "deleted"])
def test_what_lies_on_one_device_is_shown_as_text(x: olympus.Array, request: pytest.FixtureRequest) -> None:
    if request.node.callspec.id == "deleted":
        x.delete()
    assert x._repr_html_() is None


def test_meshes_and_shardings_are_drawn() -> None:
    mesh = olympus.make_mesh((2, 2, 2), ("a", "b", "c"))
    rows = Fields(mesh._repr_html_()).rows
    assert rows[0][-2:] == ["c=0", "c=1"] and rows[3] == ["a=1, b=0", "CPU 4", "CPU 5"]
    assert Fields(NamedSharding(mesh, P("b"))._repr_html_()).rows == [["CPU 0, 1, 4, 5", "CPU 2, 3, 6, 7"]]
    assert "SingleDeviceSharding" in SingleDeviceSharding(olympus.devices()[0])._repr_html_()


@pytest.mark.parametrize("sizes", [(8, 1), (4, 2), (2, 4), (1, 8)])
def test_parts_have_different_colours(sizes: tuple[int, int]) -> None:
    mesh = olympus.make_mesh(sizes, ("i", "j"))
    x = olympus.device_put(jnp.zeros((8, 8)), NamedSharding(mesh, P("i", "j")))
    text = x._repr_html_()
    assert text is not None
    assert len(set(re.findall(r"background:(#\w+)", text))) == 8


def test_neighbours_have_different_colours_where_there_are_not_enough() -> None:
    from olympus.displays import COLORS, color_number

    for columns in range(1, 30):
        def number(row: int, column: int, columns: int = columns) -> int:
            return color_number(row, column, 30 * columns, columns) % len(COLORS)

        for row in range(29):
            for column in range(columns):
                assert number(row, column) not in (number(row, column + 1), number(row + 1, column))
