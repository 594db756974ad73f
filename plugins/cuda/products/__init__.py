# SPDX-License-Identifier: Apache-2.0
"""Matrix products, convolutions, sorts and large scatters: operations that are not loop nests of the toolkit."""
