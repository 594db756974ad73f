# SPDX-License-Identifier: Apache-2.0
"""Portable artefacts of StableHLO beside those of JAX."""
