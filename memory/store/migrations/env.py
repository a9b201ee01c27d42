"""Runs migrations on the connection it is given (Alembic loads this file by path)."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
