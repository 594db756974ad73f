# SPDX-License-Identifier: Apache-2.0
"""NVIDIA GPUs as a platform of olympus: CuPy's memory, kernels generated as CUDA C++, cuBLASLt, NCCL."""
