# SPDX-License-Identifier: Apache-2.0
"""The runtime: placement, programs, operations, partitioning, arrays, processes, the plugin contract."""
