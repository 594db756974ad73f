# SPDX-License-Identifier: Apache-2.0
"""The metadata server of a cloud machine: its attributes in one request, within half a second."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from pathlib import Path

# The address that such machines have for it: looking up its name could take longer than asking it.
_ADDRESS = "169.254.169.254"
_PATH = "/computeMetadata/v1/instance/attributes/?recursive=true&alt=json"
_FLAVOR = "Metadata-Flavor"
_SECONDS = 0.5
_MOST_BYTES = 1 << 20


def attributes(environ: Mapping[str, str]) -> dict[str, str] | None:
    """The machine's attributes by name; None where nobody answers, or somebody else does.

    Args:
        environ: The environment variables; ``GCE_METADATA_HOST`` names another server.
    """
    host = environ.get("GCE_METADATA_HOST") or environ.get("GCE_METADATA_IP") or _ADDRESS
    end = time.monotonic() + _SECONDS
    connection = http.client.HTTPConnection(host, timeout=_SECONDS)
    watch: threading.Timer | None = None
    try:
        connection.connect()
        # A connection's timeout holds for each piece of an answer, and pieces may come one by one.
        watch = threading.Timer(end - time.monotonic(), _end, (connection.sock,))
        watch.start()
        connection.request("GET", _PATH, headers={_FLAVOR: "Google"})
        answer = connection.getresponse()
        if answer.status != http.client.OK or answer.getheader(_FLAVOR) != "Google":
            return None
        found = json.loads(answer.read(_MOST_BYTES))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        if watch is not None:
            watch.cancel()
        connection.close()
    return {name: str(value) for name, value in found.items()} if isinstance(found, dict) else None


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended already
        connection.shutdown(socket.SHUT_RDWR)


def has_accelerator(root: Path = Path("/")) -> bool:
    """Whether the machine's files are those of one with TPUs: only there the server is asked without being told to.

    Args:
        root: Where the machine's files begin.
    """
    nodes = [*root.glob("dev/accel[0-9]*"), *root.glob("dev/vfio/[0-9]*")]
    # Other vendors' accelerators have such files, too: the bus tells whose they are.
    return bool(nodes) and any(_is_google(file) for file in root.glob("sys/bus/pci/devices/*/vendor"))


def _is_google(file: Path) -> bool:
    try:
        return file.read_text().strip() == "0x1ae0"
    except OSError:
        return False
