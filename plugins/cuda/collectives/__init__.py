# SPDX-License-Identifier: Apache-2.0
"""Communication between GPUs: NCCL, and copies among the virtual devices of one."""
