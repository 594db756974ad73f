# SPDX-License-Identifier: Apache-2.0
"""Memory: who holds it, files for pprof read back by a reader of this test's own, and programs that do not fit."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, lax, profiler
from olympus_core.config import config
from olympus_core.runtime import memory_needs
from olympus_core.runtime.memory_needs import Holder, holders
from olympus_cpu.available_memory import available_memory


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data: bytes) -> dict[int, list[Any]]:
    """The fields of a message of protocol buffers: numbers, or bytes."""
    found: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2)
        if key & 7 == 0:
            value, at = varint(data, at)
            found.setdefault(key >> 3, []).append(value)
        else:
            size, at = varint(data, at)
            found.setdefault(key >> 3, []).append(data[at:at + size])
            at += size
    assert at == len(data)
    return found


def numbers(data: bytes) -> list[int]:
    found, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def samples(content: bytes) -> dict[tuple[str, int, str], list[int]]:
    """By file, line and type the values of a profile."""
    profile = fields(gzip.decompress(content))
    strings = [s.decode() for s in profile[6]]
    assert strings[0] == ""
    kinds = [(strings[f[1][0]], strings[f[2][0]]) for f in map(fields, profile[1])]
    assert kinds == [("allocations", "count"), ("space", "bytes")]
    functions = {f[1][0]: strings[f[4][0]] for f in map(fields, profile.get(5, []))}
    places = {}
    for location in map(fields, profile.get(4, [])):
        line = fields(location[4][0])
        places[location[1][0]] = functions[line[1][0]], line[2][0]
    found = {}
    for sample in map(fields, profile.get(2, [])):
        (place,), label = numbers(sample[1][0]), fields(sample[3][0])
        assert strings[label[1][0]] == "type"
        found[(*places[place], strings[label[2][0]])] = numbers(sample[2][0])
    return found


def test_a_memory_profile_can_be_read_back(tmp_path: Path) -> None:
    line = test_a_memory_profile_can_be_read_back.__code__.co_firstlineno
    x = olympus.device_put(np.zeros((300, 7), np.float32), olympus.devices()[0])
    y = olympus.device_put(np.zeros((300, 7), np.float32), olympus.devices()[0])
    profiler.save_device_memory_profile(tmp_path / "memory.prof")
    found = samples((tmp_path / "memory.prof").read_bytes())
    assert found[__file__, line + 2, "float32[300,7]"] == found[__file__, line + 3, "float32[300,7]"] == [1, 8400]
    x.delete()
    assert (__file__, line + 2, "float32[300,7]") not in samples(profiler.device_memory_profile("cpu"))
    del y


def test_lines_of_all_arrays_are_known_while_a_profile_is_recorded(tmp_path: Path) -> None:
    line = test_lines_of_all_arrays_are_known_while_a_profile_is_recorded.__code__.co_firstlineno
    profiler.start_trace(tmp_path)
    kept = [jnp.ones((257, 3)) * i for i in range(3)]
    found = {(one.line, one.kind): (one.size, one.arrays) for one in holders("cpu")}
    profile = profiler._stopped()
    assert found[f"{__file__}:{line + 3}", "float32[257,3]"] == (3 * 257 * 3 * 4, 3)
    assert any(one.line == f"{__file__}:{line + 3}" for one in profile.peak)
    assert kept[1] is not None


def test_shards_count_once_each_and_shared_buffers_once() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    x = olympus.device_put(np.zeros((40, 11), np.int16), olympus.sharding.NamedSharding(mesh, olympus.P("i")))
    (found,) = [one for one in holders() if one.kind == "int16[40,11]"]
    assert (found.size, found.arrays) == (40 * 11 * 2, 1)
    assert x.sum() == 0


@pytest.mark.parametrize("make", [
    lambda: jnp.ones((10**5, 10**6)), lambda: olympus.jit(lambda: jnp.zeros((10**6, 10**6), jnp.int8))(),
    lambda: jnp.linspace(0.0, 1.0, 10**12), lambda: jnp.full((10**12,), 1.0) + 1,
])
def test_what_does_not_fit_fails_where_it_stands(make: Any) -> None:
    with pytest.raises(errors.OutOfMemoryError, match="bytes of results") as caught:
        make()
    assert isinstance(caught.value, MemoryError)
    assert caught.value.asked >= 4e11 and f"{__file__}:" in str(caught.value)


def test_a_range_of_floats_that_does_not_fit() -> None:
    with pytest.raises(errors.OutOfMemoryError, match="32,000,000,000,000 bytes"):
        jnp.arange(4e12)


def test_the_error_names_the_line_the_plan_and_the_holders(monkeypatch: pytest.MonkeyPatch) -> None:
    held = olympus.device_put(np.zeros((1 << 20,), np.float32), olympus.devices()[0])
    line = test_the_error_names_the_line_the_plan_and_the_holders.__code__.co_firstlineno
    made = holders()
    monkeypatch.setattr(memory_needs, "holders", lambda: [one for one in made if one.line.startswith(__file__)])
    monkeypatch.setattr(type(memory_needs.get_world().client(olympus.devices()[0])), "memory_stats",
                        lambda self, device: {"bytes_available": 1000})
    plan, device = "1,500 bytes of results, 500 bytes of temporary memory", olympus.devices()[0]
    with pytest.raises(errors.OutOfMemoryError) as caught:
        memory_needs.refuse_what_does_not_fit("f", 2000, plan, device)
    text = str(caught.value)
    assert text.startswith(f"Out of memory: f at {__file__}:{line + 9} needs 2,000 bytes, and 1,000 are free.")
    assert "1,500 bytes of results, 500 bytes of temporary memory" in text
    assert f"4,194,304 bytes in 1 float32[1048576] made at {__file__}:{line + 1}" in text
    memory_needs.refuse_what_does_not_fit("f", 1000, "", olympus.devices()[0])
    with config.override("olympus_memory_check", False):
        memory_needs.refuse_what_does_not_fit("f", 2000, plan, device)
    assert held is not None


def test_temporary_memory_counts() -> None:
    def chain(x: Any) -> Any:
        return jnp.sort(jnp.sin(x) @ x) @ x

    f = olympus.jit(chain).lower(jnp.ones((256, 256))).compile()
    assert f is not None
    x = jnp.ones((256, 256))
    olympus.jit(chain)(x).block_until_ready()
    loaded = [p for p in memory_needs_programs() if p.name == "chain"]
    assert loaded and max(p.executable.scratch_bytes for p in loaded) >= 256 * 256 * 4


RESULTS: dict[str, tuple[int, Any]] = {  # how many certainly take memory of their own
    "given_back": (0, lambda x: (x, x.reshape(2, -1), lax.bitcast_convert_type(x, jnp.int32), x[None], x[:])),
    "once": (1, lambda x: ((y := x + 1), y, y.reshape(2, -1))),
    "alike": (2, lambda x: (x + 1, x + 1, x + 2)),
    "constants": (1, lambda x: (jnp.zeros_like(x), jnp.zeros_like(x))),
    "loop": (0, lambda x: lax.fori_loop(0, 2, lambda i, c: (c[0], c[1] + 1), (x, x))),
    "steps": (2, lambda x: lax.scan(lambda c, y: (c, (2 * y, y + 1)), jnp.float32(0), x)[1]),
    "branches": (0, lambda x: lax.cond(x[0] > 0, lambda x: x, lambda x: x + 1, x)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_only_what_is_certainly_needed_counts(name: str) -> None:
    expected, function = RESULTS[name]
    function.__name__ = name
    device, x = olympus.devices()[0], jnp.ones(1 << 20) * 2
    before = device.memory_stats()["bytes_in_arrays"]
    others = memory_needs_programs()  # of tests before this one some may be left, of the same name
    results = olympus.block_until_ready(olympus.jit(function)(x))
    taken = device.memory_stats()["bytes_in_arrays"] - before
    (loaded,) = (p for p in memory_needs_programs() if p.name == name and all(p is not other for other in others))
    found = memory_needs.allocated(loaded.partitioned.device_program.program)
    assert sum(found) == expected and expected * x.nbytes <= taken and results is not None


def memory_needs_programs() -> Any:
    from olympus_core.runtime import execution

    return tuple(execution._programs)


def test_available_memory_follows_the_container(tmp_path: Path) -> None:
    system = tmp_path / "meminfo"
    system.write_text("MemTotal: 1000 kB\nMemAvailable:     500 kB\nSwapFree: 100 kB\n")
    group = tmp_path / "group"
    assert available_memory(system, group) == 600 * 1024
    group.mkdir()
    (group / "memory.max").write_text("300000\n")
    (group / "memory.current").write_text("200000\n")
    (group / "memory.stat").write_text("anon 1\ninactive_file 50000\n")
    assert available_memory(system, group) == 150000
    (group / "memory.stat").write_text("anon 1\ninactive_file 50000\nactive_file 20000\nslab_reclaimable 5000\n")
    assert available_memory(system, group) == 175000
    (group / "memory.max").write_text("max\n")
    assert available_memory(system, group) == 600 * 1024
    assert available_memory(tmp_path / "none", group) is None
    assert Holder("a:1", "int8[1]", 1, 1).size == 1


@pytest.mark.parametrize(("spec", "parts"), [((), 1), (("i",), 4), (("j",), 2), ((("i", "j"),), 8)])
def test_what_devices_share_counts_once(spec: Any, parts: int) -> None:
    mesh = olympus.make_mesh((4, 2), ("i", "j"))
    out = olympus.sharding.NamedSharding(mesh, olympus.P(*spec))

    def spread_out(x: Any) -> Any:
        return x * 2

    olympus.jit(spread_out, out_shardings=out)(olympus.device_put(np.zeros(24, np.float32), out))
    found = {p.out_layouts[0].dims: p for p in memory_needs_programs() if p.name == "spread_out"}
    loaded = found[out.layout(1).dims]
    from olympus_core.runtime.execution import bytes_needed

    results, needs = bytes_needed(loaded.partitioned, loaded.out_layouts, 100)
    (own,) = loaded.partitioned.device_program.program.output_types
    assert (results, needs, own.size) == (96, 196, 24 // parts)
