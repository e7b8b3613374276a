"""The source clips that are sent, and how sound lies in files.

SPDX-License-Identifier: Apache-2.0
"""
