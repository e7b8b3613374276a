"""Blocks whose trials all come once, in balanced orders that are drawn at the start.

SPDX-License-Identifier: Apache-2.0
"""
