# SPDX-License-Identifier: Apache-2.0
"""This machine without LLVM: its processor, and object code in memory (docs/decisions/0089)."""
