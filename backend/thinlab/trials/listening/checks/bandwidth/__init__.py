"""Which of three noises is the brighter one.

SPDX-License-Identifier: Apache-2.0
"""
