"""Experience: operators' effects, findings with their fixes, agents' steps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "agent_steps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("implementation", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("inputs_hash", sa.Text(), nullable=False),
        sa.Column("inputs", sa.LargeBinary(), nullable=False),
        sa.Column("outputs", sa.LargeBinary(), nullable=False),
        sa.Column("findings", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_agent_steps_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_steps")),
        sa.UniqueConstraint("item", "index", name=op.f("uq_agent_steps_item_index")),
    )
    op.create_index(op.f("ix_agent_steps_role"), "agent_steps", ["role"], unique=False)
    op.create_index(op.f("ix_agent_steps_subject"), "agent_steps", ["subject"], unique=False)
    op.create_table(
        "findings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("where", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=True),
        sa.Column("finding", sa.Text(), nullable=False),
        sa.Column("fix", sa.Text(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("created_round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_findings_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_findings")),
    )
    op.create_index(op.f("ix_findings_environment"), "findings", ["environment"], unique=False)
    op.create_index(op.f("ix_findings_item"), "findings", ["item"], unique=False)
    op.create_index(op.f("ix_findings_kind"), "findings", ["kind"], unique=False)
    op.create_table(
        "effects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("operator", sa.Text(), nullable=False),
        sa.Column("placebo", sa.Boolean(), nullable=False),
        sa.Column("declared", sa.Text(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=False),
        sa.Column("child", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("parent_passes", sa.Integer(), nullable=False),
        sa.Column("parent_n", sa.Integer(), nullable=False),
        sa.Column("child_passes", sa.Integer(), nullable=False),
        sa.Column("child_n", sa.Integer(), nullable=False),
        sa.Column("created_round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["child"], ["tasks.version"], name=op.f("fk_effects_child_tasks"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_effects_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["parent"], ["tasks.version"], name=op.f("fk_effects_parent_tasks"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_effects")),
    )
    op.create_index(op.f("ix_effects_operator"), "effects", ["operator"], unique=False)
