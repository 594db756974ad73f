# SPDX-License-Identifier: Apache-2.0
"""MPI as a transport: one world, from plain processes or of a launcher."""
