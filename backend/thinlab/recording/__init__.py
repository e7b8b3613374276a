"""Recordings: clips, conditions, and making what a participant hears.

SPDX-License-Identifier: Apache-2.0
"""
