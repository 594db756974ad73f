# SPDX-License-Identifier: Apache-2.0
"""A fuzzer of the code cache: damages its files, and looks for wrong results and crashes."""
