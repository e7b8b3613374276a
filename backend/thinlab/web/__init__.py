"""HTTP: routes in, domain call, routes out.

SPDX-License-Identifier: Apache-2.0
"""
