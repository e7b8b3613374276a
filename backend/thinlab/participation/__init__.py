"""What a participant goes through: joining, checks, trials, votes, withdrawal.

SPDX-License-Identifier: Apache-2.0
"""
