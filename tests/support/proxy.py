# SPDX-License-Identifier: Apache-2.0
"""A proxy between processes of a test that resets connections, ends them in order, or lets nothing pass for a while."""

from __future__ import annotations

import contextlib
import random
import selectors
import socket
import struct
import threading
import time

_PIECE = 1 << 14


class Proxy:
    """Forwards each connection to a port of this machine; a context manager.

    Args:
        port: Where to.
        seed: Of the numbers of bytes after which a connection is reset.
        most: The most bytes that a connection carries before it is reset; None to reset none.
    """

    def __init__(self, port: int, seed: int = 0, most: int | None = None) -> None:
        self._target, self._choice, self._most = port, random.Random(seed), most
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.resets = 0
        self.made = 0
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._left: dict[socket.socket, int] = {}
        self._held = False
        self._lock = threading.Lock()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._thread.join(10)
        for sock in [self._listener, *self._pairs]:
            sock.close()

    def reset(self) -> None:
        """Resets all connections in both directions."""
        with self._lock:
            for sock in list(self._pairs):
                self._end(sock, True)

    def end(self) -> None:
        """Ends all connections in order, in both directions."""
        with self._lock:
            for sock in list(self._pairs):
                self._end(sock, False)

    def hold(self, is_held: bool) -> None:
        """Lets nothing pass, and takes no new connection, until it is told otherwise."""
        with self._lock:
            self._held = is_held

    def _run(self) -> None:
        while not self._is_over:
            with self._lock:
                if not self._held:
                    self._serve()
            time.sleep(0.001)

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            for sock in self._pairs:
                selector.register(sock, selectors.EVENT_READ)
            ready = [key.fileobj for key, _ in selector.select(0.01)]
        for sock in ready:
            if sock is self._listener:
                self._accept()
            elif sock in self._pairs:
                self._forward(sock)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self._target), 10)
        except OSError:
            _reset(near)
            return
        self.made += 1
        self._pairs[near], self._pairs[far] = far, near
        left = self._choice.randrange(1, self._most) if self._most is not None else 1 << 60
        self._left[near] = self._left[far] = left

    def _forward(self, sock: socket.socket) -> None:
        other = self._pairs[sock]
        try:
            data = sock.recv(min(_PIECE, self._left[sock]))
            if data:
                other.sendall(data)
        except OSError:
            self._end(sock, True)
            return
        self._left[sock] -= len(data)
        if not data:
            self._end(sock, False)
        elif not self._left[sock]:
            self.resets += 1
            self._end(sock, True)

    def _end(self, sock: socket.socket, is_reset: bool) -> None:
        for end in (sock, self._pairs.get(sock)):
            if end is None or end not in self._pairs:
                continue
            del self._pairs[end], self._left[end]
            if is_reset:
                _reset(end)
            else:
                end.close()


def _reset(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
