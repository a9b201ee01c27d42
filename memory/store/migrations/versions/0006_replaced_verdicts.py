"""Verdicts that a later grading replaced: what was said of a rollout before, and under which version of its task."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "replaced_verdicts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rollout", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("replaced", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["rollout"],
            ["rollouts.id"],
            name=op.f("fk_replaced_verdicts_rollout_rollouts"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["version"],
            ["tasks.version"],
            name=op.f("fk_replaced_verdicts_version_tasks"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replaced_verdicts")),
    )
    op.create_index(op.f("ix_replaced_verdicts_rollout"), "replaced_verdicts", ["rollout"], unique=False)
