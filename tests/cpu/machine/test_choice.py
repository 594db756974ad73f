# SPDX-License-Identifier: Apache-2.0
"""The level of instructions and the width of vectors that are chosen, and what is told of a wrong choice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from olympus_core.errors.config import OptionValueError
from olympus_cpu.codegen.target import Target
from olympus_cpu.machine import choice as room
from olympus_cpu.machine.description import description, has_level

LINUX = "x86_64-unknown-linux-gnu"
AVX2 = ",".join(f"+{name}" for name in ("64bit", "sse2", *room.LEVELS["x86-64-v3"])) + ",-avx512f"


@pytest.fixture(autouse=True)
def read_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test's variables are read, and forgotten after it."""
    monkeypatch.setattr(room, "_is_reproducible", False)
    room._from_environment.cache_clear()
    yield
    monkeypatch.undo()
    room._from_environment.cache_clear()


def test_a_level_is_its_features_and_no_others() -> None:
    assert room.features_of("x86-64", LINUX, AVX2) == "+sse2"
    assert set(room.features_of("x86-64-v3", LINUX, AVX2).split(",")) == set(AVX2.split(",")) - {"+64bit", "-avx512f"}


@pytest.mark.parametrize(("level", "triple", "what"), [
    ("x86-64-v4", LINUX, "no avx512f, avx512bw"), ("x86-64-v3", "aarch64-unknown-linux-gnu", "is aarch64")])
def test_a_level_that_the_machine_lacks_is_an_error(level: str, triple: str, what: str) -> None:
    with pytest.raises(OptionValueError, match=what):
        room.features_of(level, triple, AVX2)


@pytest.mark.parametrize(("name", "value"), [(room.LEVEL_VARIABLE, "pentium"), (room.WIDTH_VARIABLE, "100")])
def test_a_wrong_name_is_an_error(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(OptionValueError, match=value):
        room.choice()


def test_code_is_for_what_was_chosen_and_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = description()
    monkeypatch.setenv(room.WIDTH_VARIABLE, "512")
    room._from_environment.cache_clear()
    assert Target.host().vector_bits == 512 and Target.host(128).vector_bits == 128
    narrow = description()
    room.use_reproducible(True)
    exact = description()
    assert len({found.identity for found in (whole, narrow, exact)}) == 3
    assert Target.host().is_reproducible


@pytest.mark.skipif(not Target.host().is_x86, reason="levels are those of x86-64")
def test_plain_code_has_narrow_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_level("x86-64")
    monkeypatch.setenv(room.LEVEL_VARIABLE, "x86-64")
    room._from_environment.cache_clear()
    target = Target.host()
    assert (target.cpu, target.vector_bits, target.has_fma, target.has_half) == ("x86-64", 128, False, False)
