"""Versions of tasks in whose place a mended one stands have a fate of their own."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute(
        "UPDATE tasks SET fate = 'replaced' WHERE stage = 'proposed' AND reason LIKE 'its verifier was changed: %'"
    )
