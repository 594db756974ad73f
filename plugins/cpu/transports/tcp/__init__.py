"""Plain sockets as a transport, for where MPI cannot be had."""

from .world import TcpWorld

__all__ = ["TcpWorld"]
