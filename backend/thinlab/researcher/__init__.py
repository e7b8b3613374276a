"""The researcher's account.

SPDX-License-Identifier: Apache-2.0
"""
