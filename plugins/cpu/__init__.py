"""The CPU platform: NumPy arrays, MPI or sockets between processes."""
