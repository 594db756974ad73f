# SPDX-License-Identifier: Apache-2.0
"""Operations of linear algebra by cuSOLVER and cuBLAS, and by kernels of their own for small matrices."""
