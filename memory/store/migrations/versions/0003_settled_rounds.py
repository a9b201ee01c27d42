"""The round in which the fate of an environment or a task was last set: what a round's snapshot knew of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_MEASURED_LAST = (
    "(SELECT max(created_round) FROM measurements"
    " WHERE measurements.version = tasks.version AND measurements.purpose = 'measure')"
)


def upgrade() -> None:
    for table in ("environments", "tasks"):
        column = sa.Column("settled_round", sa.Integer(), nullable=False, server_default="0")
        op.add_column(table, column)
        op.execute(f"UPDATE {table} SET settled_round = created_round")
        op.create_index(op.f(f"ix_{table}_settled_round"), table, ["settled_round"], unique=False)
    # Until now a task's fate was set after its own commit by the item that measured it, and by nothing else.
    op.execute(f"UPDATE tasks SET settled_round = coalesce({_MEASURED_LAST}, created_round)")
