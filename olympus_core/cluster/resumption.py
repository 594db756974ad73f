# SPDX-License-Identifier: Apache-2.0
"""Whether a connection may go on with a member's session, and what answers it."""

from __future__ import annotations

from .peer import Peer
from .schema import Message
from .wire import body

_STAGES = ("joined", "closing", "left")


def taken_up(member: Peer | None, newcomer: Peer, message: Message) -> list[bytes] | None:
    """The frames that answer a right resumption: the answer, and what the member has not received.

    Args:
        member: The process that the newcomer says it is; None if there is none.
        newcomer: The connection, which has proven that it knows the job's secret.
        message: What it says.

    Returns:
        None for one that is not right; nothing has changed then.
    """
    if member is None or member.session is None or member.stage not in _STAGES:
        return None
    session, process, nonces = member.session, message["process"], newcomer.challenge.nonces
    received, attempt = message["received"], message["attempt"]
    if not session.is_proof(message["proof"], "member", nonces, process, received, attempt):
        return None
    if attempt <= session.attempt or not session.can_resume_at(received):
        return None  # given up by the member meanwhile; or not its own account
    session.attempt = attempt
    proof = session.proof("coordinator", nonces, process, session.received, attempt)
    answer = body({"t": "resumed", "received": session.received, "proof": proof})
    return [*answer.pieces(), *session.resume(received)]
