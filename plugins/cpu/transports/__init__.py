# SPDX-License-Identifier: Apache-2.0
"""Communication between processes: shared memory, MPI and TCP, and the choice among them."""
