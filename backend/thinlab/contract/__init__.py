"""The contract with the lab agents: its messages in Python, and what people are told of them.

SPDX-License-Identifier: Apache-2.0
"""
