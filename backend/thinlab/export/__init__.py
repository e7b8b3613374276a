"""What leaves for the statistics: one row a vote, and what each column means.

SPDX-License-Identifier: Apache-2.0
"""
