"""A study to take away: its data as a Psych-DS dataset, with an analysis that needs nothing else.

SPDX-License-Identifier: Apache-2.0
"""
