# SPDX-License-Identifier: Apache-2.0
"""Functions of functions: jit, shard_map, pmap, and what they share."""
