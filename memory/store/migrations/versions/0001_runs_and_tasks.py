"""Runs, their work, environments, tasks and what was measured."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "rounds",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("embedder", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_table(
        "items",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("fate", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["round"], ["rounds.number"], name=op.f("fk_items_round_rounds"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_items")),
    )
    op.create_index(op.f("ix_items_round"), "items", ["round"], unique=False)
    op.create_index(op.f("ix_items_status"), "items", ["status"], unique=False)
    op.create_table(
        "environments",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("fate", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("tools", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("lineage", sa.Text(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("created_round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_environments_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_environments")),
        sa.UniqueConstraint("id", name=op.f("uq_environments_id")),
    )
    op.create_index(op.f("ix_environments_fate"), "environments", ["fate"], unique=False)
    op.create_index(op.f("ix_environments_hash"), "environments", ["hash"], unique=False)
    op.create_table(
        "staging",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("index", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["key"], ["items.key"], name=op.f("fk_staging_key_items"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staging")),
        sa.UniqueConstraint("key", "kind", "index", name=op.f("uq_staging_key_kind_index")),
    )
    op.create_table(
        "tasks",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("fate", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("features", sa.Text(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("operator", sa.Text(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("created_round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["environment"],
            ["environments.id"],
            name=op.f("fk_tasks_environment_environments"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_tasks_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["parent"], ["tasks.version"], name=op.f("fk_tasks_parent_tasks"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["root"], ["tasks.version"], name=op.f("fk_tasks_root_tasks"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_tasks")),
        sa.UniqueConstraint("version", name=op.f("uq_tasks_version")),
    )
    op.create_index(op.f("ix_tasks_environment"), "tasks", ["environment"], unique=False)
    op.create_index(op.f("ix_tasks_fate"), "tasks", ["fate"], unique=False)
    op.create_index(op.f("ix_tasks_id"), "tasks", ["id"], unique=False)
    op.create_index(op.f("ix_tasks_parent"), "tasks", ["parent"], unique=False)
    op.create_index(op.f("ix_tasks_root"), "tasks", ["root"], unique=False)
    op.create_index(op.f("ix_tasks_stage"), "tasks", ["stage"], unique=False)
    op.create_table(
        "audits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("grade", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_audits_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["version"],
            ["tasks.version"],
            name=op.f("fk_audits_version_tasks"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audits")),
    )
    op.create_index(op.f("ix_audits_version"), "audits", ["version"], unique=False)
    op.create_table(
        "measurements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("solver", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("passes", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("excluded", sa.Integer(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("posterior", sa.Text(), nullable=False),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.Column("created_round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_measurements_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["version"],
            ["tasks.version"],
            name=op.f("fk_measurements_version_tasks"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_measurements")),
    )
    op.create_index(
        op.f("ix_measurements_version_profile_purpose"),
        "measurements",
        ["version", "profile", "purpose"],
        unique=False,
    )
    op.create_table(
        "rollouts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("solver", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reward", sa.Float(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("trace", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"], ["items.key"], name=op.f("fk_rollouts_item_items"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["version"],
            ["tasks.version"],
            name=op.f("fk_rollouts_version_tasks"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rollouts")),
        sa.UniqueConstraint(
            "version", "profile", "purpose", "index", name=op.f("uq_rollouts_version_profile_purpose_index")
        ),
    )
