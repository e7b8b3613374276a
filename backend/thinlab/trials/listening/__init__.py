"""Trials that are heard: two recordings, or one that is judged alone.

SPDX-License-Identifier: Apache-2.0
"""
