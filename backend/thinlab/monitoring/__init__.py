"""What a researcher sees of a running study: places, balance, exclusions.

SPDX-License-Identifier: Apache-2.0
"""
