"""Tests of hearing and equipment before the trials, as a study's file asks for them: a file a test.

SPDX-License-Identifier: Apache-2.0
"""
