# SPDX-License-Identifier: Apache-2.0
"""Random device programs, compiled and by the reference: `python -m tools.fuzz --minutes 10`."""
