"""Routes of kinds of trials, a file each; `registry` names them, and no other route knows any.

SPDX-License-Identifier: Apache-2.0
"""
