"""Kinds of trials, a folder each; `registry` names them, and no room below knows any by name.

SPDX-License-Identifier: Apache-2.0
"""
