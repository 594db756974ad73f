"""Threads take turns sooner while one makes code, and as before afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from olympus_cpu.compiled.turns import short_turns


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_turns_are_short_inside_and_as_before_outside() -> None:
    sys.setswitchinterval(0.004)
    with short_turns():
        assert sys.getswitchinterval() < 0.001
        with short_turns():
            assert sys.getswitchinterval() < 0.001
        assert sys.getswitchinterval() < 0.001
    assert sys.getswitchinterval() == pytest.approx(0.004)


def test_shorter_turns_of_the_user_stay() -> None:
    sys.setswitchinterval(1e-4)
    users = sys.getswitchinterval()
    with short_turns():
        assert sys.getswitchinterval() == users
    assert sys.getswitchinterval() == users


def test_what_the_user_sets_meanwhile_stays() -> None:
    sys.setswitchinterval(0.004)
    with short_turns():
        sys.setswitchinterval(0.002)
    assert sys.getswitchinterval() == pytest.approx(0.002)


def test_an_error_inside_is_no_reason_to_keep_them_short() -> None:
    sys.setswitchinterval(0.004)
    with pytest.raises(ZeroDivisionError), short_turns():
        raise ZeroDivisionError
    assert sys.getswitchinterval() == pytest.approx(0.004)
