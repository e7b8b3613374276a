"""Trials that are typed: one task in two sessions, each over a lane of its own.

SPDX-License-Identifier: Apache-2.0
"""
