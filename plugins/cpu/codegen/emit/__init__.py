# SPDX-License-Identifier: Apache-2.0
"""From the loop-nest form to LLVM IR; imports nothing: what writes it is needed only for code that is not cached."""
