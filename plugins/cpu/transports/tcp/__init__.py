"""TCP as a transport, used where MPI is not available."""

from .world import TcpWorld

__all__ = ["TcpWorld"]
