# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from olympus.debug import visualize_array_sharding, visualize_sharding
from olympus.visualize import sharding_table, sharding_text
from olympus_core.errors import ArgumentError, IndivisibleError, NotShardedError, VisualizeRankError
from olympus_core.placement import (
    AxisType,
    Mesh,
    NamedSharding,
    PositionalSharding,
    SingleDeviceSharding,
    make_mesh,
)
from olympus_core.placement import (
    PartitionSpec as P,
)

from .devices import plain, slice_of_16

GPUS = plain(8, "cuda")
WIDE = "┌───────────────────────┐", "├───────────────────────┤", "└───────────────────────┘"


def column(*texts: str) -> str:
    """A drawing of one column, each text as the documents print it."""
    top, between, bottom = WIDE
    return "\n".join([top, f"\n{between}\n".join(f"│{text}│" for text in texts), bottom])


def test_slice_of_16_in_one_column() -> None:
    mesh = make_mesh((16,), ("a",), devices=slice_of_16())
    assert sharding_text((32, 32), NamedSharding(mesh, P("a"))) == column(
        "         TPU 0         ", "         TPU 1         ", "         TPU 4         ", "         TPU 5         ",
        "         TPU 2         ", "         TPU 3         ", "         TPU 6         ", "         TPU 7         ",
        "         TPU 8         ", "         TPU 9         ", "        TPU 12         ", "        TPU 13         ",
        "        TPU 10         ", "        TPU 11         ", "        TPU 14         ", "        TPU 15         ",
    )


def test_pairs_that_hold_the_same() -> None:
    mesh = make_mesh((8, 2), ("a", "b"), devices=slice_of_16())
    assert sharding_text((4096, 4096), NamedSharding(mesh, P("a"))) == column(
        "        TPU 0,1        ", "        TPU 4,5        ", "        TPU 8,9        ", "       TPU 12,13       ",
        "        TPU 2,3        ", "        TPU 6,7        ", "       TPU 10,11       ", "       TPU 14,15       ",
    )


def test_half_of_the_slice() -> None:
    mesh = make_mesh((8,), ("a",), devices=slice_of_16()[8:], axis_types=(AxisType.Explicit,))
    assert sharding_text((8, 8), NamedSharding(mesh, P("a"))) == column(
        "         TPU 8         ", "         TPU 9         ", "        TPU 10         ", "        TPU 11         ",
        "        TPU 15         ", "        TPU 14         ", "        TPU 13         ", "        TPU 12         ",
    )


def test_one_device_holds_a_square() -> None:
    blank = ["│                       │"] * 4
    expected = [WIDE[0], *blank, "│         GPU 0         │", *blank, WIDE[2]]
    assert sharding_text((4096, 4096), SingleDeviceSharding(GPUS[0])).splitlines() == expected


def test_positional_two_by_two() -> None:
    assert sharding_text((4096, 4096), PositionalSharding(GPUS[:4]).reshape(2, 2)) == """\
┌──────────┬──────────┐
│          │          │
│  GPU 0   │  GPU 1   │
│          │          │
│          │          │
├──────────┼──────────┤
│          │          │
│  GPU 2   │  GPU 3   │
│          │          │
│          │          │
└──────────┴──────────┘"""


def test_positional_in_one_row() -> None:
    blank = "│       │       │       │       │"
    assert sharding_text((4096, 4096), PositionalSharding(GPUS[:4]).reshape(1, 4)).splitlines() == [
        "┌───────┬───────┬───────┬───────┐", *[blank] * 4, "│ GPU 0 │ GPU 1 │ GPU 2 │ GPU 3 │", *[blank] * 4,
        "└───────┴───────┴───────┴───────┘",
    ]


def test_positional_in_one_column() -> None:
    assert sharding_text((4096, 4096), PositionalSharding(GPUS[:4]).reshape(4, 1)) == column(
        "         GPU 0         ", "         GPU 1         ", "         GPU 2         ", "         GPU 3         ")


@pytest.mark.parametrize("shape", [(1,), (8,)])
def test_one_dimension_on_one_device(shape: tuple[int, ...]) -> None:
    assert sharding_text(shape, SingleDeviceSharding(GPUS[1])) == """\
┌───────────────┐
│     GPU 1     │
└───────────────┘"""


def test_one_dimension_over_eight_devices() -> None:
    assert sharding_text((8,), NamedSharding(Mesh(GPUS, "x"), P("x"))) == """\
┌───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┐
│ GPU 0 │ GPU 1 │ GPU 2 │ GPU 3 │ GPU 4 │ GPU 5 │ GPU 6 │ GPU 7 │
└───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┘"""


def test_pencils_and_their_transpose() -> None:
    # Blocks of one size on each device: the whole is twice as high as wide, and transposed twice as wide as high.
    mesh = Mesh(np.array(GPUS, dtype=object).reshape(4, 2), ("a", "b"))
    assert sharding_text((32768, 16384), NamedSharding(mesh, P("a", "b"))) == """\
┌───────┬───────┐
│ GPU 0 │ GPU 1 │
├───────┼───────┤
│ GPU 2 │ GPU 3 │
├───────┼───────┤
│ GPU 4 │ GPU 5 │
├───────┼───────┤
│ GPU 6 │ GPU 7 │
└───────┴───────┘"""
    assert sharding_text((16384, 32768), NamedSharding(mesh, P("b", "a"))) == """\
┌──────────┬──────────┬──────────┬──────────┐
│          │          │          │          │
│  GPU 0   │  GPU 2   │  GPU 4   │  GPU 6   │
│          │          │          │          │
│          │          │          │          │
├──────────┼──────────┼──────────┼──────────┤
│          │          │          │          │
│  GPU 1   │  GPU 3   │  GPU 5   │  GPU 7   │
│          │          │          │          │
│          │          │          │          │
└──────────┴──────────┴──────────┴──────────┘"""


def test_replicated_over_groups_in_one_dimension() -> None:
    mesh = Mesh(np.array(plain(8), dtype=object).reshape(2, 4), ("x", "y"))
    middle = sharding_text((8,), NamedSharding(mesh, P("y"))).splitlines()[1]
    assert middle == "│CPU 0,4│CPU 1,5│CPU 2,6│CPU 3,7│"


def test_a_long_text_widens_its_box() -> None:
    drawn = sharding_text((8, 8), NamedSharding(Mesh(plain(64), "x"), P()), max_width=80)
    lines = drawn.splitlines()
    assert ",".join(map(str, range(64))) in drawn and len({len(line) for line in lines}) == 1


def test_a_drawing_fits_the_width_where_its_texts_do() -> None:
    lines = sharding_text((2, 400), NamedSharding(Mesh(plain(8), "x"), P(None, "x")), max_width=60).splitlines()
    assert {len(line) for line in lines} == {57}


def test_scale_and_min_width() -> None:
    sharding = SingleDeviceSharding(GPUS[0])
    assert len(sharding_text((8, 8), sharding, scale=2.0).splitlines()) == 21
    assert len(sharding_text((8, 8), sharding, scale=0.1).splitlines()[0]) == 9
    assert len(sharding_text((8,), sharding, min_width=40).splitlines()[0]) == 40


def test_an_array_without_elements_shows_all_parts() -> None:
    text = sharding_text((0, 8), NamedSharding(Mesh(plain(4), "x"), P("x")))
    assert [f"CPU {i}" in text for i in range(4)] == [True] * 4


@pytest.mark.parametrize("shape", [(), (2, 2, 2)])
def test_other_ranks_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(VisualizeRankError, match=f"array of {len(shape)} dimensions") as info:
        visualize_sharding(shape, SingleDeviceSharding(GPUS[0]))
    assert ("x.reshape(1)" if not shape else "slices of two dimensions") in str(info.value)


def test_a_shape_that_does_not_divide_is_refused() -> None:
    with pytest.raises(IndivisibleError):
        sharding_text((6, 8), NamedSharding(Mesh(plain(4), "x"), P("x")))


def test_a_file_or_pipe_gets_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    sharding = NamedSharding(Mesh(plain(4), "x"), P("x"))
    visualize_sharding((8, 8), sharding)
    assert capsys.readouterr().out == sharding_text((8, 8), sharding) + "\n"


def test_a_terminal_gets_colour_unless_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    sharding = NamedSharding(Mesh(plain(4), "x"), P("x"))
    visualize_sharding((8, 8), sharding)
    coloured = capsys.readouterr().out
    assert "\x1b[" in coloured and all(f"CPU {i}" in coloured for i in range(4)) and "│" not in coloured
    visualize_sharding((8, 8), sharding, use_color=False)
    assert capsys.readouterr().out == sharding_text((8, 8), sharding) + "\n"


def test_fields_of_a_table_are_as_wide_and_high_as_boxes() -> None:
    from rich.console import Console

    sharding = PositionalSharding(GPUS[:4]).reshape(2, 2)
    console = Console(width=80, color_system=None, record=True, file=open("/dev/null", "w"))
    with console.file:
        console.print(sharding_table((8, 8), sharding))
        lines = console.export_text().splitlines()
    assert len(lines) == 12 and {len(line) for line in lines} == {24}
    assert [line.split() for line in lines if line.strip()] == [["GPU", "0", "GPU", "1"], ["GPU", "2", "GPU", "3"]]


def test_a_colour_map_chooses_the_fields_colours() -> None:
    sharding = NamedSharding(make_mesh((2,), ("a",), devices=GPUS[:2]), P("a"))

    def colours(color_map: Any) -> list[str]:
        table = sharding_table((8,), sharding, color_map=color_map)
        return [str(cell.style).rpartition(" ")[2] for column in table.columns for cell in column.cells]

    first, second = colours(lambda place: (place, 0.5, 2.0, 1.0))
    assert first == "#0080ff" and second != first and second.endswith("80ff")
    with pytest.raises(ArgumentError, match="gives no colour"):
        colours(lambda place: "red")


def test_a_value_without_sharding_is_refused() -> None:
    with pytest.raises(NotShardedError, match="a ndarray") as info:
        visualize_array_sharding(np.zeros((2, 2)))
    assert isinstance(info.value, TypeError)
