"""Live demos: one stream in step over several lanes, for a presenter and an audience.

SPDX-License-Identifier: Apache-2.0
"""
