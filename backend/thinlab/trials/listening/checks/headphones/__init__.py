"""The headphone test, which is part of the check of the sound.

SPDX-License-Identifier: Apache-2.0
"""
