# SPDX-License-Identifier: Apache-2.0
"""What lives in this process, and what a report of a fault names."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import OlympusError


def lives(x: olympus.Array) -> bool:
    return any(one is x for one in olympus.live_arrays())


def test_arrays_live_while_something_refers_to_them() -> None:
    x, y = jnp.ones(3), olympus.device_put(np.arange(8.0), olympus.devices()[-1])
    assert lives(x) and lives(y)
    number = id(y)
    del y
    assert not any(id(one) == number and one.shape == (8,) for one in olympus.live_arrays())
    x.delete()
    assert not lives(x)


def test_a_device_s_memory_holds_what_its_arrays_take() -> None:
    device = olympus.devices()[0]
    x = olympus.jit(lambda: jnp.arange(1 << 22))().block_until_ready()
    stats = device.memory_stats()
    assert stats is not None and x.nbytes < stats["bytes_in_use"] <= stats["bytes_limit"]
    assert device.local_hardware_id == 0


def test_arrays_of_a_jitted_call_and_of_one_platform() -> None:
    results = olympus.jit(lambda v: {"a": v + 1, "b": [v * 2]})(jnp.arange(2.0))
    assert all(map(lives, olympus.tree.leaves(results)))
    platform = olympus.devices()[0].platform
    assert any(one is results["a"] for one in olympus.live_arrays(platform))
    assert all(isinstance(one, olympus.Array) for one in olympus.live_arrays())
    with pytest.raises(OlympusError):
        olympus.live_arrays("abacus")


def test_the_environment_in_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = olympus.print_environment_info(return_string=True)
    assert capsys.readouterr().out == "" and text is not None
    assert f"olympus: {olympus.__version__}" in text and f"numpy:   {np.__version__}" in text
    assert f"{olympus.local_device_count()} of this process" in text and "process: 0 of 1" in text
    assert olympus.print_environment_info() is None
    assert capsys.readouterr().out == text + "\n"
