"""Bounds on what strangers may make the server do: rates, turns, and who is who without a name.

SPDX-License-Identifier: Apache-2.0
"""
