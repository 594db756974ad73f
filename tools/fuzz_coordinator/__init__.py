# SPDX-License-Identifier: Apache-2.0
"""A fuzzer of the coordinator's port: packets of strangers, of authenticated processes, and of members of the job."""
