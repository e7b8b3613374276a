"""The lab agent, as the backend sees it.

SPDX-License-Identifier: Apache-2.0
"""
