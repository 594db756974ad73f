# SPDX-License-Identifier: Apache-2.0
"""Platform `tpu`: libtpu through the PJRT bindings, and ahead-of-time compilation without TPUs."""
