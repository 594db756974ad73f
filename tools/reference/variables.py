# SPDX-License-Identifier: Apache-2.0
"""The environment variables that are no options: who is who in a job, its secret, libraries to load."""

from __future__ import annotations

VARIABLES = {
    "OLYMPUS_COORDINATOR_ADDRESS": "Where process 0 listens, as host:port; `coordinator_address` of `initialize`.",
    "OLYMPUS_NUM_PROCESSES": "How many processes the job has.",
    "OLYMPUS_PROCESS_ID": "Which of them this is, from 0.",
    "OLYMPUS_LOCAL_INDEX": "Which of this machine's processes this is, from 0; it chooses the devices.",
    "OLYMPUS_SECRET": "The secret of the job's members: 32 random characters or more ([security](security.md)).",
    "OLYMPUS_JOB_ID": "A name that is different for each job: processes of another one are refused.",
    "OLYMPUS_RESTART": "How often the job was started before; `distributed.restart_count()`.",
    "OLYMPUS_CPU_LEVEL": "The instructions that code for CPUs may use: x86-64 (plain), x86-64-v2, -v3 (AVX2) or -v4 "
                         "(AVX-512); none for all that this processor has.",
    "OLYMPUS_CPU_VECTOR_BITS": "The width of vectors in that code: 128, 256 or 512; none for the widest there is.",
    "OLYMPUS_CPU_HUGE_PAGES": "1 or 0: whether the CPU platform asks for memory in pages of 2 MiB; none: where this is "
                              "no virtual machine whose host takes free ones away.",
    "OLYMPUS_PJRT_LIBRARY": "The PJRT plugin library that platform pjrt loads.",
    "OLYMPUS_PJRT_OPTIONS": "Options for it: name=value, several separated by commas.",
    "OLYMPUS_TPU_PRECISION": "How float32 products are computed on TPUs: highest (the default), high or default.",
    "OLYMPUS_NVRTC_LIBRARY": "Another file for NVIDIA's run-time compiler.",
    "OLYMPUS_CUBLASLT_LIBRARY": "Another file for cuBLASLt.",
    "OLYMPUS_NCCL_LIBRARY": "Another file for NCCL.",
}
# Handed down by olympus to processes that it starts; nobody sets them by hand.
INTERNAL = {
    "OLYMPUS_COORDINATOR_FD": "The socket that `olympus launch` has opened for process 0.",
    "OLYMPUS_CONFORMANCE_ADDRESS": "Where the conformance suite listens for its workers.",
    "OLYMPUS_CONFORMANCE_JOB": "The job that a worker of the suite was started for.",
    "OLYMPUS_CONFORMANCE_KEY": "The secret that they share.",
}
