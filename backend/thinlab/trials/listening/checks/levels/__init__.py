"""Which of two tones is the louder one.

SPDX-License-Identifier: Apache-2.0
"""
