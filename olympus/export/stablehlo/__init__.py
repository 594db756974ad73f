# SPDX-License-Identifier: Apache-2.0
"""Artefacts of JAX, read as programs of ours; portable artefacts of StableHLO, which are written as well."""

from .artefact import exported_from, is_artefact

__all__ = ["exported_from", "is_artefact"]
