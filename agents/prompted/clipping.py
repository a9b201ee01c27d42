"""Bounds on what goes into a prompt: texts, values and lists are cut, and say so."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


def clipped(text: str, most: int) -> str:
    """`text` in at most `most` characters, with a sign at the end where it was cut."""
    return text if len(text) <= most else f"{text[: max(0, most - 1)]}…"


def one_line(text: str) -> str:
    return " ".join(text.split())


def value_text(value: Any, most: int = 80) -> str:
    """A value as JSON on one line. What JSON cannot hold shows as Python has it."""
    return clipped(json.dumps(value, ensure_ascii=False, default=repr), most)


def lines_within(lines: Iterable[str], most: int) -> str:
    """As many of the lines as `most` characters hold; the last one says how many are left out."""
    kept: list[str] = []
    left, dropped = most, 0
    for line in lines:
        if dropped or len(line) + 1 > left:
            dropped += 1
            continue
        kept.append(line)
        left -= len(line) + 1
    if dropped:
        kept.append(f"({dropped} more lines left out)")
    return "\n".join(kept)
