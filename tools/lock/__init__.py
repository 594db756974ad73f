# SPDX-License-Identifier: Apache-2.0
"""The lock file of CI, with hashes, and the software bill of materials (SBOM): both made of what pip would install."""
