# SPDX-License-Identifier: Apache-2.0
"""From the loop-nest form to LLVM IR."""

from .module import emit_kernel, emit_module
from .operations import supports

__all__ = ["emit_kernel", "emit_module", "supports"]
