"""What a cell of SQLite holds."""

from __future__ import annotations

SQLiteValue = None | int | float | str | bytes
