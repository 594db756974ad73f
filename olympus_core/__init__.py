"""The runtime: placement, programs, operations, partitioning, arrays, processes, the plugin contract."""
