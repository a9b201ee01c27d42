"""Which refusal a task is the twin of: from now on the two are measured as one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tasks", sa.Column("twin_of", sa.Text(), nullable=True))
    op.create_index(op.f("ix_tasks_twin_of"), "tasks", ["twin_of"], unique=False)
