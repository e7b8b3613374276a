"""A condition: how the sender behaves, and what the path does in each direction.

Studies, experiments and demos are ways to write it down; this is what they mean.

SPDX-License-Identifier: Apache-2.0
"""
