"""Blocks whose next trial is chosen by what was answered: staircases over a quantity of the path.

SPDX-License-Identifier: Apache-2.0
"""
