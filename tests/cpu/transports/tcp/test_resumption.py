# SPDX-License-Identifier: Apache-2.0
"""Links that outlive their connections: right numbers whatever is reset, cut or late, and memory that may change."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import pytest

from olympus_core.errors.platform import ProcessConnectionError, TransportError
from olympus_core.toolkit import Members, Phase, Steps, collectives
from olympus_cpu.transports.tcp import engine as engine_module
from olympus_cpu.transports.tcp import request as request_module
from olympus_cpu.transports.tcp.connector import Limits
from olympus_cpu.transports.tcp.link import COPIED_BYTES
from tests.support.proxy import Proxy

from .engines import Engines

MARKS = [1, 7, 1000, COPIED_BYTES // 4 - 1, COPIED_BYTES // 4, COPIED_BYTES // 4 + 1, 300_000]


@contextmanager
def resetting(count: int, seed: int, most: int) -> Iterator[tuple[Engines, list[Proxy]]]:
    """Engines whose connections are reset after random numbers of bytes, up to the most."""
    with ExitStack() as stack:
        proxies: list[Proxy] = []

        def through(address: tuple[str, int]) -> tuple[str, int]:
            proxies.append(stack.enter_context(Proxy(address[1], 10 * seed + len(proxies), most)))
            return "127.0.0.1", proxies[-1].port

        yield stack.enter_context(Engines(count, through=through)), proxies


def sums(values: list[np.ndarray]) -> Any:
    """The steps of an all-reduce of one array of each process."""
    return lambda members, p: collectives.all_reduce(members, [values[p]], "sum")


@pytest.mark.parametrize("seed", range(3))
def test_connections_that_are_reset_change_no_bit(seed: int) -> None:
    """Each process overwrites its inputs as soon as it has its result: nothing is sent again from them."""
    random_ = random.Random(seed)
    with resetting(3, seed, 400_000) as (engines, proxies):
        for number in range(20):
            size = random_.choice(MARKS)
            values = [np.random.default_rng([seed, number, p]).integers(0, 1 << 20, size).astype(np.float32)
                      for p in range(3)]
            expected = (values[0] + values[1] + values[2]).tobytes()
            for p, request in enumerate(engines.begin(sums(values))):
                (result,) = request.wait(time.monotonic() + 30)
                values[p].fill(np.nan)
                assert result.tobytes() == expected, (number, size, p)
        assert sum(proxy.resets for proxy in proxies) > 10


def test_several_communications_under_way_survive_resets() -> None:
    with resetting(2, 5, 100_000) as (engines, proxies):
        begun = []
        for number in range(40):
            values = [np.full(MARKS[number % 5], number + 100 * p, np.float32) for p in range(2)]
            begun.append((number, values, engines.begin(sums(values))))
        for number, values, requests in reversed(begun):
            for p in (1, 0):
                (result,) = requests[p].wait(time.monotonic() + 30)
                assert (result == 2 * number + 100).all() and result.shape == values[p].shape
        assert sum(proxy.resets for proxy in proxies) > 3


def one_way(sizes: list[int], values: list[np.ndarray]) -> Any:
    """The steps that send blocks from process 0 to process 1, one after another."""

    def steps(members: Members, p: int) -> Steps:
        received = []
        for size, value in zip(sizes, values, strict=True):
            phase = Phase()
            if p == 0:
                phase.send(1, value)
            else:
                received.append(np.empty(size, np.uint8))
                phase.receive(0, received[-1])
            yield phase
        return received

    return steps


@pytest.mark.parametrize("size", [100, COPIED_BYTES, COPIED_BYTES + 1])
def test_a_result_is_there_when_the_memory_may_change(size: int) -> None:
    """The sender has no result before it has no need of the memory, though what its kernel has taken is lost again."""
    with resetting(2, size, 20 * size) as (engines, proxies):
        value = np.arange(size, dtype=np.uint8)
        expected = value.tobytes()
        sender, receiver = engines.begin(one_way([size] * 40, [value] * 40))
        sender.wait(time.monotonic() + 20)
        value.fill(255)
        assert [block.tobytes() for block in receiver.wait(time.monotonic() + 20)] == [expected] * 40
        assert proxies[0].resets


def test_a_large_block_counts_as_sent_when_it_has_been_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    with Engines(2) as engines:
        value = np.ones(COPIED_BYTES + 1, np.uint8)
        steps = one_way([value.size], [value])
        engines.begin(lambda members, p: collectives.barrier(members))[0].wait(time.monotonic() + 10)
        with engines.engines[1]._lock:  # the receiver takes nothing in
            request = engines.engines[0].begin(steps(None, 0), "a test", 99)
            with pytest.raises(TimeoutError):
                request.wait(time.monotonic() + 0.1)
            link = engines.engines[0]._links[1]
            assert not link._outgoing and not link._wire  # the system has taken all of it
        engines.engines[1].begin(steps(None, 1), "a test", 99).wait(time.monotonic() + 10)
        request.wait(time.monotonic() + 10)


def test_a_communication_that_fails_leaves_the_others_what_it_had_begun_to_send() -> None:
    with Engines(2) as engines:
        value = np.arange(8 << 20, dtype=np.uint8)
        expected = value.tobytes()

        def failing() -> Steps:
            phase = Phase()
            phase.send(1, value)
            yield phase
            raise ValueError("a collective's own error")

        request = engines.engines[0].begin(failing(), "a test", 7)
        with pytest.raises(ValueError, match="own error"):
            request.wait(time.monotonic() + 10)
        value.fill(0)
        (block,) = engines.engines[1].begin(one_way([value.size], [value])(None, 1), "a test", 7).wait(
            time.monotonic() + 10)
        assert block.tobytes() == expected


def test_a_failure_sends_nothing_more() -> None:
    with Engines(2) as engines:
        value = np.ones(32 << 20, np.uint8)
        request = engines.engines[0].begin(one_way([value.size], [value])(None, 0), "a test", 1)
        engines.engines[0].fail(TransportError("tcp", "a test", "a failure"))
        with pytest.raises(TransportError, match="a failure"):
            engines.engines[0].is_abandoned = True
            request.wait(time.monotonic() + 5)
        link = engines.engines[0]._links[1]
        assert link.socket is None and not link._outgoing and not link._kept and not link._wire


def test_a_silent_connection_is_made_anew_beside_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a reset: what is sent is lost, and nothing comes. The kernel itself would try for minutes."""
    silent: list[socket.socket] = []
    monkeypatch.setattr(engine_module, "silence_of", lambda connection: 9.0 if connection in silent else 0.0)
    monkeypatch.setattr(engine_module, "_LOOK_PERIOD", 0.05)
    with Engines(2) as engines:
        engines.run(lambda members, p: collectives.barrier(members))
        links = [engines.engines[0]._links[1], engines.engines[1]._links[0]]
        before = links[0].socket
        silent.append(before)
        deadline = time.monotonic() + 10
        while links[0].socket in (before, None) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert links[0].socket is not before
        for result in engines.run(sums([np.ones(9, np.float32)] * 2)):
            assert (result[0] == 2).all()


def test_a_connection_that_lives_again_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with Engines(2) as engines:
        engines.run(lambda members, p: collectives.barrier(members))
        one = engines.engines[0]
        before = one._links[1].socket
        with one._lock:
            one._connector.dial(1, is_first=False, delay=60)
            one._look_at_links(time.monotonic())
            assert not one._connector._dials and one._links[1].socket is before


def test_a_link_that_is_not_made_again_in_time_is_an_error_that_names_address_and_option(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_module, "_LOOK_PERIOD", 0.05)
    monkeypatch.setattr(request_module, "await_cause", lambda *_: None)
    with Engines(2, Limits(5, 0.3)) as engines:
        engines.run(lambda members, p: collectives.barrier(members))
        engines.engines[1]._connector.close()  # nobody listens there any more
        late = engines.engines[1].begin(_receiving(0), "a test", 60)
        early = engines.engines[0].begin(_receiving(1), "a test", 60)
        connection = engines.engines[0]._links[1].socket
        connection.shutdown(socket.SHUT_RDWR)
        host, port = engines.addresses[1]
        with pytest.raises(ProcessConnectionError, match=f"process 1 at {host}:{port}.*refused") as caught:
            early.wait(time.monotonic() + 10)
        assert caught.value.option == "olympus_reconnect_timeout" and "OLYMPUS_RECONNECT_TIMEOUT" in str(caught.value)
        with pytest.raises(ProcessConnectionError, match="process 0.*its connection has ended"):
            late.wait(time.monotonic() + 10)


def _receiving(source: int) -> Steps:
    phase = Phase()
    block = np.empty(9, np.uint8)
    phase.receive(source, block)
    yield phase
    return [block]


def test_what_moves_is_counted() -> None:
    moved = [0]
    with Engines(2, moved=lambda count: moved.__setitem__(0, moved[0] + count)) as engines:
        engines.run(one_way([5 << 20], [np.ones(5 << 20, np.uint8)]))
    assert 2 * (5 << 20) < moved[0] < 2 * (5 << 20) + 10_000


def test_closing_waits_until_what_was_sent_has_been_taken_in() -> None:
    """The process that sends ends at once; the one that receives dials only later, being the smaller index."""
    with Engines(2) as engines:
        def steps(p: int) -> Steps:
            phase = Phase()
            block = np.full(100, 7, np.uint8)
            if p == 1:
                phase.send(0, block)
            else:
                phase.receive(1, block)
            yield phase
            return [block]

        sent = engines.engines[1].begin(steps(1), "a test", 5)
        sent.wait(time.monotonic() + 5)  # copied, and not connected yet
        closing = threading.Thread(target=engines.engines[1].close)
        closing.start()
        (block,) = engines.engines[0].begin(steps(0), "a test", 5).wait(time.monotonic() + 10)
        assert (block == 7).all()
        closing.join(10)
        assert not closing.is_alive()


def test_a_process_that_has_closed_is_told_apart_from_one_that_cannot_be_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_module, "await_cause", lambda *_: None)
    with Engines(2) as engines:
        engines.run(lambda members, p: collectives.barrier(members))
        waiting = engines.engines[0].begin(_receiving(1), "a test", 70)
        engines.engines[1].close()
        with pytest.raises(TransportError, match="process 1 has closed the transport"):
            waiting.wait(time.monotonic() + 10)
        for steps in (_receiving(1), one_way([9], [np.ones(9, np.uint8)])(None, 0)):
            with pytest.raises(TransportError, match="process 1 has closed the transport"):
                engines.engines[0].begin(steps, "a test", 71).wait(time.monotonic() + 10)
        assert not engines.engines[0]._connector._dials
