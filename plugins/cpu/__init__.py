# SPDX-License-Identifier: Apache-2.0
"""The CPU platform: NumPy arrays, MPI or sockets between processes."""
