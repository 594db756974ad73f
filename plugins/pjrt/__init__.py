# SPDX-License-Identifier: Apache-2.0
"""Any PJRT plugin as a platform of olympus: bindings of the C API, StableHLO emission, and the platform."""
