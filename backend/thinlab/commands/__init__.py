"""The groups of the `thinlab` command, one module each.

SPDX-License-Identifier: Apache-2.0
"""
