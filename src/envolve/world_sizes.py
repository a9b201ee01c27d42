"""How large worlds are to be, as a user says it: a word, or numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envolve.display import shortened
from envolve.environments.errors import InputError

WORDS: Mapping[str, Mapping[str, int]] = {
    "tiny": {"tables": 4, "tools": 6, "rows": 40},
    "small": {"tables": 9, "tools": 18, "rows": 120},
    "usual": {"tables": 18, "tools": 35},
    "large": {"tables": 32, "tools": 70, "rows": 3_000},
    "huge": {"tables": 60, "tools": 120, "rows": 20_000},
}
"""Word → what a world has at least. `usual` is what Agent World Model's worlds have in the mean (18.5 tables, 35.1
tools; arXiv 2602.10090)."""
_MOST = {"tables": 80, "tools": 200, "rows": 50_000}
"""With more rows calls reach their limit of processor time."""
_REMEDY = f"Write one of {', '.join(WORDS)}, or numbers such as tables=24,tools=50,rows=1000."


def completed_size(named: Mapping[str, int], *, composed: bool) -> dict[str, int]:
    """What worlds are to have at least where `named` is said. Without tables and tools these are as usual if worlds are
    composed procedurally; a model that designs them decides by itself. Of tables and tools, one that is named alone
    leaves the other to the architect."""
    usual = WORDS["usual"] if composed and not {"tables", "tools"} & named.keys() else {}
    return {**usual, **named}


def world_size(said: Any) -> dict[str, int]:
    """The numbers that are named of `tables`, `tools` and `rows`: what worlds are to have at least.

    `said`: a word, `tables=24,rows=1000`, or a mapping of such numbers. Errors: InputError.
    """
    if isinstance(said, Mapping):
        return {str(name): _number(str(name), number) for name, number in said.items()}
    text = str(said).strip().lower()
    if text in WORDS:
        return dict(WORDS[text])
    named = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in named):
        raise InputError(f"size {shortened(repr(said), 40)} is none.", remedy=_REMEDY)
    numbers = {name.strip(): _number(name.strip(), number) for name, _, number in named}
    if len(numbers) < len(named):
        raise InputError(f"size {shortened(repr(said), 40)} names one thing twice.", remedy=_REMEDY)
    return numbers


def _number(name: str, said: Any) -> int:
    if name not in _MOST:
        raise InputError(f"size: worlds have tables, tools and rows, no {shortened(name, 40)}.", remedy=_REMEDY)
    try:
        number = int(str(said))
    except ValueError as error:
        raise InputError(f"size: {name} {shortened(repr(said), 40)} is no whole number.", remedy=_REMEDY) from error
    if not 1 <= number <= _MOST[name]:
        raise InputError(f"size: {name} must lie in 1..{_MOST[name]} (got {number}).", remedy=_REMEDY)
    return number
