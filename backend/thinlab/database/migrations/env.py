"""Runs migrations on the connection that `migrate` hands over.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import context

from thinlab.database.schema import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
