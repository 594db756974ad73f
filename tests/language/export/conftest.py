# SPDX-License-Identifier: Apache-2.0
"""What makes the artefacts needs JAX, and is no module of tests."""

collect_ignore = ["make_jax_artefacts.py"]
