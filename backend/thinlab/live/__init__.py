"""Typing sessions: from the participant's browser to the lab agent's terminal and back.

SPDX-License-Identifier: Apache-2.0
"""
