"""PostgreSQL: tables, connections, migrations.

SPDX-License-Identifier: Apache-2.0
"""
