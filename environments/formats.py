"""Formats of text parameters: what fits, and how solvers are told."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

_DATE_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$"
_TIME = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]+(?:\.[^@\s.]+)+")
_LONGEST_EMAIL = 254


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_date_time(value: str) -> bool:
    try:
        return value[10:11] == " " and datetime.fromisoformat(value).isoformat(sep=" ") == value
    except ValueError:
        return False


def _is_time(value: str) -> bool:
    return len(value) == 5 and re.match(_TIME, value) is not None


def _is_email(value: str) -> bool:
    return len(value) <= _LONGEST_EMAIL and _EMAIL.fullmatch(value) is not None


FORMATS: dict[str, tuple[Callable[[str], bool], str]] = {
    "date": (_is_date, "a date (YYYY-MM-DD)"),
    "date-time": (_is_date_time, "a date and time (YYYY-MM-DD HH:MM:SS)"),
    "time": (_is_time, "a time (HH:MM, 24 hours)"),
    "email": (_is_email, "an email address"),
}
"""Name → (whether a text fits, what it is)."""


def visible_format(name: str, description: str, pattern: str | None) -> dict[str, Any]:
    """JSON Schema keywords for a format. Its own date-time and time are other notations than the worlds', so
    these two show as a pattern and a hint in the description."""
    if name in ("date", "email"):
        return {"format": name}
    shown, hint = (_DATE_TIME, "YYYY-MM-DD HH:MM:SS") if name == "date-time" else (_TIME, "HH:MM")
    described = description if hint in description else f"{description} ({hint})".strip()
    return {"pattern": pattern or shown, "description": described}
