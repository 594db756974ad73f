"""MPI as a transport: one world from plain processes, or the launcher's."""
