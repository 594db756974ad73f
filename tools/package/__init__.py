# SPDX-License-Identifier: Apache-2.0
"""`make package`: the wheel and the source distribution, checked as a stranger gets them."""
