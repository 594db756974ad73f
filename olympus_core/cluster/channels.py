# SPDX-License-Identifier: Apache-2.0
"""Channels: a plain socket, or TLS over it; neither ever blocks."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from typing import TYPE_CHECKING, NamedTuple

from olympus_core.errors.authentication import TlsFileError

from .tcp_info import TcpInfo, keep_alive, tcp_info

if TYPE_CHECKING:
    import ssl

_PIECE = 1 << 14  # a TLS record
_MOST_WAITING = 1 << 18  # of what is encrypted already
_AT_ONCE = struct.pack("ii", 1, 0)  # to linger for no time


class TlsProblem(Exception):
    """The other side and this one do not agree on a secure connection."""


class TlsFiles(NamedTuple):
    """What TLS needs.

    Args:
        certificate: Path of this process's certificate, with those between it and the authority.
        key: Path of its private key.
        authority: Path of the authority's certificate, which all members' certificates are signed by.
    """

    certificate: str
    key: str
    authority: str

    def context(self, is_server: bool) -> ssl.SSLContext:
        """What connections of one side are made with; raises TlsFileError."""
        import ssl

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # Whoever the job's authority signed for is a member, whatever address it is reached by.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        for path in self:
            try:
                with open(path, "rb"):
                    pass
            except OSError as error:
                raise TlsFileError(path, error.strerror or "it cannot be read") from None
        try:
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except (ssl.SSLError, OSError) as error:
            raise TlsFileError(f"{self.certificate} with {self.key}", _words(error)) from None
        try:
            context.load_verify_locations(self.authority)
        except (ssl.SSLError, OSError) as error:
            raise TlsFileError(self.authority, _words(error)) from None
        return context


def _no_password() -> str:
    return ""  # else OpenSSL would ask the terminal


def _words(error: Exception) -> str:
    return str(getattr(error, "reason", None) or getattr(error, "strerror", None) or error).replace("_", " ").lower()


class Channel:
    """A socket that does not block."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            keep_alive(sock)
        self._socket = sock

    def fileno(self) -> int:
        """The file descriptor, for `select`."""
        return self._socket.fileno()

    @property
    def origin(self) -> str:
        """The other side's address without its port; empty for this process."""
        with contextlib.suppress(OSError):
            name = self._socket.getpeername()
            return str(name[0]) if isinstance(name, tuple) else ""
        return "?"

    def describe_peer(self) -> str:
        """The other side's address in words."""
        try:
            name = self._socket.getpeername()
        except OSError:
            return "a closed connection"
        return f"{name[0]}:{name[1]}" if isinstance(name, tuple) else "this process"

    def tcp_info(self) -> TcpInfo | None:
        """What the kernel knows of the connection, where it does."""
        return tcp_info(self._socket)

    def receive(self, size: int) -> bytes:
        """Received bytes, empty at the end; raises BlockingIOError, other OSErrors or TlsProblem."""
        return self._socket.recv(size)

    def send(self, data: bytes | bytearray | memoryview) -> int:
        """Sends; gives how many bytes were taken. Raises BlockingIOError, other OSErrors or TlsProblem."""
        return self._socket.send(data)

    def flush(self) -> bool:
        """Sends bytes that were taken but wait; gives whether none are left."""
        return True

    def end_sending(self) -> None:
        """Ends sending."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def end_receiving(self) -> None:
        """Ends a wait in another thread, as if the other side had closed."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        """Closes the socket."""
        with contextlib.suppress(OSError):  # somebody may have closed its descriptor
            self._socket.close()

    def abort(self) -> None:
        """Closes the socket with a reset: the other side is not told that all has been said."""
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.close()

    @property
    def endpoint(self) -> tuple[int, tuple[object, ...]] | None:
        """The other side's address, with its family, if it has one that can be dialled."""
        with contextlib.suppress(OSError):
            name = self._socket.getpeername()
            return (self._socket.family, name) if isinstance(name, tuple) else None
        return None

    def secured(self, context: ssl.SSLContext, is_server: bool, first: bytes = b"") -> TlsChannel:
        """TLS over this socket, which has received `first` already."""
        return TlsChannel(self._socket, context, is_server, first)


class TlsChannel(Channel):
    """TLS over a socket; what it has received is decrypted to the end, so nothing waits where no `select` sees it."""

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, is_server: bool, first: bytes) -> None:
        import ssl

        super().__init__(sock)
        self._ssl = ssl
        self._come, self._going = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._session = context.wrap_bio(self._come, self._going, server_side=is_server)
        self._waiting = bytearray()
        self._is_agreed = self._is_broken = False
        self._lock = threading.Lock()  # one thread receives, others send: the session takes one at a time
        self._come.write(first)
        if not is_server:
            with contextlib.suppress(OSError):  # a connection that has ended already says so when it is read
                self.flush()

    @property
    def is_agreed(self) -> bool:
        """Whether both sides have shown their certificates, as far as this one knows."""
        return self._is_agreed

    def receive(self, size: int) -> bytes:
        """Received bytes, decrypted."""
        try:
            data = self._socket.recv(size)
        except BlockingIOError:
            data = None
        if self._is_broken:
            if data == b"":
                return b""
            raise BlockingIOError
        with self._lock:
            if data:
                # The end is not told to the session: it would answer with an alert that says it was unexpected.
                self._come.write(data)
            found = self._decrypted()
        with contextlib.suppress(OSError):  # the end is met when all that has come is read
            self.flush()
        if not found and data != b"":
            raise BlockingIOError
        return found

    def _decrypted(self) -> bytes:
        pieces = []
        try:
            self._agree()
            while self._is_agreed:
                piece = self._session.read(_PIECE)
                if not piece:
                    break
                pieces.append(piece)
        except self._ssl.SSLWantReadError:
            pass
        except (self._ssl.SSLZeroReturnError, self._ssl.SSLEOFError):
            pass
        except self._ssl.SSLError as error:
            self._is_broken = True
            self._pump()
            raise TlsProblem(_words(error)) from None
        return b"".join(pieces)

    def _agree(self) -> None:
        if not self._is_agreed:
            self._session.do_handshake()
            self._is_agreed = True

    def send(self, data: bytes | bytearray | memoryview) -> int:
        """Encrypts as much as can be sent soon."""
        if not self.flush() and len(self._waiting) > _MOST_WAITING:
            raise BlockingIOError
        with self._lock:
            if not self._is_agreed:
                raise BlockingIOError
            try:
                taken = self._session.write(memoryview(data)[:_PIECE])
            except self._ssl.SSLError as error:
                raise TlsProblem(_words(error)) from None
        self.flush()
        return taken

    def flush(self) -> bool:
        """Sends encrypted bytes that wait, and the session's own messages."""
        with self._lock:
            if not self._is_agreed:
                with contextlib.suppress(self._ssl.SSLError):  # it is met again, and told, when it is read
                    self._agree()
            self._pump()
            return not self._waiting

    def _pump(self) -> None:
        self._waiting += self._going.read()
        with contextlib.suppress(BlockingIOError):
            while self._waiting:
                del self._waiting[: self._socket.send(self._waiting)]
