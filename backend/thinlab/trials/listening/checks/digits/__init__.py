"""Three digits at a time, in noise of their own spectrum, as deep as they are just understood.

SPDX-License-Identifier: Apache-2.0
"""
