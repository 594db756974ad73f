# SPDX-License-Identifier: Apache-2.0
"""Runs the own tests of libraries written for JAX, with JAX and with olympus behind the door `olympus.as_jax`."""
