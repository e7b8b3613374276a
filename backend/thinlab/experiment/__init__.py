"""Experiments: a grid of conditions × runs → sessions in virtual time → tables and figures.

SPDX-License-Identifier: Apache-2.0
"""
