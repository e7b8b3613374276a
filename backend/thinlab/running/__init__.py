"""`thinlab run`: everything started, watched and stopped together.

SPDX-License-Identifier: Apache-2.0
"""
