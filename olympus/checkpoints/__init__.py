# SPDX-License-Identifier: Apache-2.0
"""Checkpoints: trees of arrays on disk, saved by all processes of a job and restored onto any others.

Needs the extra ``checkpoints``, which has TensorStore: ``pip install "olympus-runtime[checkpoints]"``.
"""

from olympus_core.deferred import listed

from .manager import Manager
from .restoring import restore
from .saving import save

__all__ = ["Manager", "restore", "save"]
__dir__ = listed(__all__)
