"""Experiments as researchers see them in their browsers.

The web server reads small files only. What computes (Parquet, figures, a
session that is made again) is an errand: a process of its own, one at a time.

SPDX-License-Identifier: Apache-2.0
"""
