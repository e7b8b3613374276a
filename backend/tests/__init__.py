"""The backend's tests: a real PostgreSQL always, a real host in e2e/.

SPDX-License-Identifier: Apache-2.0
"""
