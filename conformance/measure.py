# SPDX-License-Identifier: Apache-2.0
"""Figures of a platform's speed: bandwidths and latencies beside those of the device's own copy, without a verdict."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median, quantiles
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Buffer, Executable
from olympus_core.program import ProgramBuilder, Value

from .context import Context
from .harness.worker import open_here
from .programs import array_type, program_of

SIZES = (4 << 10, 256 << 10, 16 << 20, 64 << 20)
_COPY = "copy on the device (two halves put together)"
_SMALL_COPY = "copy of 8 elements on the device"
_FEW, _MANY = 8, 100  # elements of a small operand; launches in a row


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Args:
        what: What was timed.
        nbytes: Size of the array.
        moved: How many bytes it reads and writes at the least; 0 where latency is all that counts.
        seconds: The median.
        fastest: The least.
        slow: The ninth of ten.
        times: How often it was timed.
        copies: How many times the bandwidth of the device's own copy of this size that is; of latencies, how many times
            its duration.
    """

    what: str
    nbytes: int
    moved: int
    seconds: float
    fastest: float
    slow: float
    times: int
    copies: float = 0.0

    @property
    def bandwidth(self) -> float:
        """Bytes per second."""
        return self.moved / self.seconds


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a platform.

    Args:
        platform: Its name.
        distribution: What brings it, with the version.
        device: The device that was measured.
        kind: Its kind.
        figures: The figures.
    """

    platform: str
    distribution: str
    device: str
    kind: str
    figures: tuple[Figure, ...]

    def json(self) -> str:
        """The figures as JSON."""
        return json.dumps(asdict(self), indent=1) + "\n"

    def markdown(self) -> str:
        """Two tables: bandwidths by size, latencies."""
        lines = [f"# Figures of platform {self.platform} ({self.distribution}): {self.device}, {self.kind}", "",
                 "Numbers without a verdict. Bandwidths are of the bytes that are read and written at the least; the",
                 "last column is how many times the bandwidth of the device's own copy of this size that is. Far",
                 "beyond it nothing was copied: the platform has shared the memory.", "",
                 "| what | size | median | fastest | GB/s | of the copy's |", "|---|--:|--:|--:|--:|--:|"]
        lines += [
            f"| {f.what} | {_size(f.nbytes)} | {_span(f.seconds)} | {_span(f.fastest)} | {f.bandwidth / 1e9:.2f} "
            f"| {f.copies:.2f} |" for f in self.figures if f.moved]
        lines += ["", "| latency | median | fastest | ninth of ten | times the copy's |", "|---|--:|--:|--:|--:|"]
        lines += [
            f"| {f.what} | {_span(f.seconds)} | {_span(f.fastest)} | {_span(f.slow)} | {f.copies:.2f} |"
            for f in self.figures if not f.moved]
        return "\n".join(lines) + "\n"


def measure(platform: str, sizes: Sequence[int] = SIZES, seconds: float = 0.3, devices: int = 1) -> Figures:
    """Opens a platform in this process and measures its first device.

    Args:
        platform: The platform's name, or an alias.
        sizes: Sizes of the arrays in bytes.
        seconds: How long each figure is measured for, about.
        devices: How many devices the platform is opened with; the copy between two needs them.

    Returns:
        The figures.

    Raises:
        OlympusError: The platform cannot be opened.

    Example:
        >>> found = measure("cpu", sizes=(4096,), seconds=0.01)
        >>> found.platform, found.figures[0].nbytes
        ('cpu', 4096)
    """
    session, brought = open_here(platform, devices)
    try:
        context = Context(session, "measure")
        found = [f for size in sizes for f in _bandwidths(context, size, seconds)]
        found += _latencies(context, seconds)
        device = context.devices[0]
        return Figures(session.platform.name, brought or "unknown distribution", str(device), device.device_kind,
                       tuple(found))
    finally:
        session.close()


def _bandwidths(context: Context, size: int, seconds: float) -> Iterator[Figure]:
    """Of the device's own copy, of copies to and from it, and of programs that a copy bounds."""
    count = max(size // 8, 1) * 2  # two halves of float32
    nbytes, value = 4 * count, np.ones(count, np.float32)
    x, half = context.put(value), context.put(value[: count // 2])
    programs = {
        "negation": (_program(context, "neg", count, 1), [x], 2), "sum of two": (_program(context, "add", count, 2),
                                                                                [x, x], 3),
        "sum of all elements": (_program(context, "reduce_sum", count, 1, {"dimensions": (0,)}), [x], 1),
    }
    own = _timed(_COPY, nbytes, 2, _executing(_copying(context, count), [half, half]), seconds)
    yield _beside(own, own)
    yield _beside(_timed("copy to the device", nbytes, 1, lambda: _wait([context.put(value)]), seconds), own)
    yield _beside(_reading(context, value, seconds), own)
    if len(context.devices) > 1:
        other = context.devices[1]
        yield _beside(_timed("copy to another device", nbytes, 2, lambda: _wait([x.copy_to(other)]), seconds), own)
    for what, (executable, operands, passes) in programs.items():
        yield _beside(_timed(what, nbytes, passes, _executing(executable, operands), seconds), own)


def _reading(context: Context, value: np.ndarray, seconds: float) -> Figure:
    """Copies to the host: each of a buffer of its own, since what has been read may be kept."""
    spans: list[float] = []
    until = time.perf_counter() + seconds
    while len(spans) < 5 or (time.perf_counter() < until and len(spans) < 1000):
        buffer = context.put(value)
        buffer.block_until_ready()
        started = time.perf_counter()
        buffer.to_host()
        spans.append(time.perf_counter() - started)
        buffer.delete()
    return _figure("copy to the host", value.nbytes, 1, spans[1:])


def _latencies(context: Context, seconds: float) -> Iterator[Figure]:
    """Of programs of one operation on a few elements."""
    small = context.put(np.ones(_FEW, np.float32))
    half = context.put(np.ones(_FEW // 2, np.float32))
    negation = _program(context, "neg", _FEW, 1)
    own = _timed(_SMALL_COPY, 4 * _FEW, 0, _executing(_copying(context, _FEW), [half, half]), seconds)
    yield _beside(own, own)
    yield _beside(_timed("launch, until the result is ready", 4 * _FEW, 0, _executing(negation, [small]), seconds), own)
    calls: list[float] = []
    until = time.perf_counter() + seconds
    while len(calls) < 20 or time.perf_counter() < until:
        started = time.perf_counter()
        columns = negation.execute([[small]])
        calls.append(time.perf_counter() - started)
        _wait(columns[0])
    yield _beside(_figure("launch, until the call returns", 4 * _FEW, 0, calls[1:]), own)

    def in_a_row() -> None:
        buffer = small
        for _ in range(_MANY):
            ((buffer,),) = negation.execute([[buffer]])
        buffer.block_until_ready()

    row = _timed(f"one of {_MANY} launches in a row", 4 * _FEW, 0, in_a_row, seconds)
    one = replace(row, seconds=row.seconds / _MANY, fastest=row.fastest / _MANY, slow=row.slow / _MANY)
    yield _beside(one, own)
    to_host = _timed("a few elements to the device and back", 4 * _FEW, 0,
                     lambda: context.put(np.ones(_FEW, np.float32)).to_host(), seconds)
    yield _beside(to_host, own)


def _program(
    context: Context, name: str, count: int, operands: int, attributes: dict[str, Any] | None = None
) -> Executable:
    def body(builder: ProgramBuilder, *inputs: Value) -> Sequence[Value]:
        return builder.emit(ops.OPERATIONS[name], inputs, attributes or {})

    return context.compile(program_of(name, [array_type(count)] * operands, body))


def _copying(context: Context, count: int) -> Executable:
    """A copy that no platform can save by sharing memory: of two arrays into one."""
    def body(builder: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        return builder.emit(ops.concatenate, [x, y], {"dimension": 0})

    return context.compile(program_of("copy", [array_type(count // 2)] * 2, body))


def _executing(executable: Executable, operands: Sequence[Buffer]) -> Callable[[], None]:
    columns = [[x] for x in operands]
    return lambda: _wait(executable.execute(columns)[0])


def _wait(buffers: Sequence[Buffer]) -> None:
    for buffer in buffers:
        buffer.block_until_ready()


def _timed(what: str, nbytes: int, passes: int, work: Callable[[], Any], seconds: float) -> Figure:
    """Runs of some work, after two that are not counted: five at least."""
    work()
    work()
    spans: list[float] = []
    until = time.perf_counter() + seconds
    while len(spans) < 5 or (time.perf_counter() < until and len(spans) < 100_000):
        started = time.perf_counter()
        work()
        spans.append(time.perf_counter() - started)
    return _figure(what, nbytes, passes, spans)


def _figure(what: str, nbytes: int, passes: int, spans: Sequence[float]) -> Figure:
    return Figure(what, nbytes, passes * nbytes, median(spans), min(spans), quantiles(spans, n=10)[-1], len(spans))


def _beside(figure: Figure, own: Figure) -> Figure:
    """The figure with its ratio to the device's own copy: of bandwidths, or of times."""
    ratio = figure.bandwidth / own.bandwidth if figure.moved else figure.seconds / own.seconds
    return replace(figure, copies=round(ratio, 4))


def _size(nbytes: int) -> str:
    return f"{nbytes / (1 << 20):g} MiB" if nbytes >= 1 << 20 else f"{nbytes / (1 << 10):g} KiB"


def _span(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.2f} µs"
