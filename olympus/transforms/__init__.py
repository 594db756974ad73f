"""Functions of functions: jit, shard_map, pmap, and what they share."""
