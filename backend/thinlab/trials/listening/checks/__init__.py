"""What is checked before trials that are heard, a folder a check; `registry.py` has the tests.

SPDX-License-Identifier: Apache-2.0
"""
