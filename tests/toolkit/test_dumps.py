# SPDX-License-Identifier: Apache-2.0
"""The folder for texts: they are written as they are, whatever they are called; that it cannot be is told once."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core import ops
from olympus_core.errors import DumpWarning
from olympus_core.program import ArrayType, Program, ProgramBuilder
from olympus_core.toolkit import ownership
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, plan
from olympus_core.toolkit.loops import kernel_key, print_kernel
from tests.support.patches import patched_here

from .programs import FLOAT, device_program, fake_devices


def program(name: str = "sines") -> Program:
    builder = ProgramBuilder(name)
    (y,) = builder.emit(ops.OPERATIONS["sin"], [builder.input(ArrayType((3,), FLOAT))])
    return builder.finish([y])


def test_nothing_is_written_where_nobody_asked() -> None:
    dump = Dump(None)
    assert not dump.is_wanted
    dump.leave("name.txt", "text")
    dump.program(device_program(program(), fake_devices(1)))


def test_a_program_lies_under_its_name_and_fingerprint(tmp_path: Path) -> None:
    inner = program()
    dump = Dump(str(tmp_path / "new" / "folder"))
    assert dump.is_wanted
    dump.program(device_program(inner, fake_devices(1)))
    (path,) = (tmp_path / "new" / "folder").iterdir()
    assert path.name == f"sines-{inner.fingerprint[:12]}.program.txt"
    assert path.read_text(encoding="utf-8") == inner.text + "\n"


def test_kernels_lie_beside_their_code(tmp_path: Path) -> None:
    traced = olympus.jit(lambda x: jnp.sum(x, axis=1)).trace(np.ones((4, 4), FLOAT)).program
    planned = plan(flatten(traced), lambda *_: True, FusionOptions(parallelism=1))
    kernels = [step.kernel for step in planned.steps if isinstance(step, KernelStep)]
    Dump(str(tmp_path)).kernels("sum", kernels, "code", "ll")
    stem = f"sum-{kernel_key(kernels[0])[:12]}"
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{stem}.kernels.txt", f"{stem}.ll"]
    assert (tmp_path / f"{stem}.ll").read_text(encoding="utf-8") == "code"
    assert print_kernel(kernels[0]) in (tmp_path / f"{stem}.kernels.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["a/b", "../up", "<lambda>", "größe", "x" * 1000])
def test_any_name_is_a_file_in_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Dump(str(folder)).leave(f"{name}-0123456789ab.program.txt", "µ")
    (path,) = folder.iterdir()
    assert path.name.endswith("-0123456789ab.program.txt") and path.read_text(encoding="utf-8") == "µ"
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_that_cannot_be_written_to_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("no folder")
    dump = Dump(str(path))
    with pytest.warns(DumpWarning, match="file"):
        dump.leave("name.txt", "text")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dump.leave("name.txt", "text")


def test_a_link_in_the_folder_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("as it was")
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "name.txt").symlink_to(tmp_path / "precious")
    Dump(str(folder)).leave("name.txt", "text")
    assert (tmp_path / "precious").read_text() == "as it was"
    assert (folder / "name.txt").read_text() == "text" and not (folder / "name.txt").is_symlink()


def test_a_folder_behind_another_user_s_link_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    patched_here(monkeypatch, ownership, "_is_trusted", lambda owner: False)
    with pytest.warns(DumpWarning, match="is a link of user"):
        Dump(str(tmp_path / "link")).leave("name.txt", "text")
    assert not list((tmp_path / "real").iterdir())
