"""Kinds of blocks: which of a block's trials a participant does, and when that is decided.

SPDX-License-Identifier: Apache-2.0
"""
