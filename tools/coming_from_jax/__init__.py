# SPDX-License-Identifier: Apache-2.0
"""What differs between JAX and olympus, as a list that is run, and the page that is made of it."""
