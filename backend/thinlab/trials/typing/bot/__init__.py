"""Simulated participants at the keyboard: the page's side of a link, keys, and what was felt.

SPDX-License-Identifier: Apache-2.0
"""
