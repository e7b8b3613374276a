"""Studies: definition, allocation, presentation, vote.

SPDX-License-Identifier: Apache-2.0
"""
