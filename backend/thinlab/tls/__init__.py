"""Certificates: the web server's, and those by which parts on several machines know each other.

SPDX-License-Identifier: Apache-2.0
"""
