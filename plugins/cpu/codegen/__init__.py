"""Generation of machine code: LLVM IR as text, vector mathematics, kernels."""
