"""Communication between processes: shared memory, MPI and TCP, and the choice among them."""
