# SPDX-License-Identifier: Apache-2.0
"""Requirements of profile full."""
