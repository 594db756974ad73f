# SPDX-License-Identifier: Apache-2.0
"""The pages of `docs/`: their programs are run, their pictures are drawn, the site is built of them."""
