# SPDX-License-Identifier: Apache-2.0
"""Artefacts of JAX: portable artefacts of StableHLO, read as programs of ours."""

from .artefact import exported_from, is_artefact

__all__ = ["exported_from", "is_artefact"]
