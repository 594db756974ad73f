"""What to say to a connection that does not belong to the job."""

from __future__ import annotations

from .failure import failure
from .wire import MAGIC, PREAMBLE, PROTOCOL_VERSION, encode

_HTTP = (b"GET ", b"POST ", b"PUT ", b"HEAD ", b"OPTIONS ", b"DELETE ", b"CONNECT ", b"PATCH ")


def refusal_of_bytes(data: bytes, address: str) -> tuple[str, bytes]:
    """Why first bytes are not ours, and what to answer in a language that the sender may understand."""
    sentence = "This port is the coordinator of an olympus job and speaks no other protocol."
    if data.startswith(MAGIC) and len(data) >= len(PREAMBLE):
        theirs = data[len(MAGIC)]
        reason = f"the job speaks version {PROTOCOL_VERSION} of the protocol, this process version {theirs}"
        fact = failure("stranger", address=address, process=-1, reason=reason)
        reply = PREAMBLE + encode({"t": "refused", "failure": fact, "final": True})
        return f"speaks version {theirs} of the protocol, not {PROTOCOL_VERSION}", reply
    if data.startswith(_HTTP):
        head = f"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {len(sentence) + 1}"
        return "spoke HTTP", f"{head}\r\nConnection: close\r\n\r\n{sentence}\n".encode()
    return f"does not speak olympus (it sent {data[:24]!r})", f"{sentence}\n".encode()
