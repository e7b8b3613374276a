"""Backup and restore: all that an installation must not lose, in one file.

SPDX-License-Identifier: Apache-2.0
"""
