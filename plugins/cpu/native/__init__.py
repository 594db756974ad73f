# SPDX-License-Identifier: Apache-2.0
"""Native code of the CPU platform: linking, the disk cache, threads, memory, and fast entries from Python."""
