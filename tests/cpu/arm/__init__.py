# SPDX-License-Identifier: Apache-2.0
"""Code for ARM, run by an emulator in this process (`docs/decisions/0101`)."""
