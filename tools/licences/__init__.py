# SPDX-License-Identifier: Apache-2.0
"""`docs/licences.md`: what olympus needs, and under which licences."""
