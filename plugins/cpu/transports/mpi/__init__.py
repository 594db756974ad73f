"""MPI as a transport: one world, from plain processes or of a launcher."""
