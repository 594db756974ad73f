# SPDX-License-Identifier: Apache-2.0
"""Generation of machine code: LLVM IR as text, vector mathematics, kernels."""
