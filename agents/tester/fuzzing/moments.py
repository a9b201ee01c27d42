"""Dates and times worth trying: around the world's clock, and around those in the data."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

_FORMATS = {"date-time": "%Y-%m-%d %H:%M:%S", "date": "%Y-%m-%d", "time": "%H:%M"}
_SHAPES = {
    "date-time": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "time": re.compile(r"\d\d:\d\d"),
}
_STEPS = tuple(timedelta(minutes=minutes) for minutes in (0, 30, 60, 120, 24 * 60, 7 * 24 * 60))


def near_clock(rng: random.Random, now: str, form: str) -> str:
    """A moment within some weeks of `now`, on the half hour, most often in the future; now and then `now` itself."""
    clock = datetime.fromisoformat(now)
    if rng.random() < 0.08:
        return clock.strftime(_FORMATS[form])
    days = rng.choice((0, 1, 1, 2, 3, 5, 8, 13, 21, 45, -1, -3, -10))
    moment = clock.replace(hour=rng.randint(7, 21), minute=rng.choice((0, 30)), second=0) + timedelta(days=days)
    return moment.strftime(_FORMATS[form])


def at_edge(rng: random.Random, now: str, span: timedelta, form: str) -> str:
    """The moment a span away from `now`, or just before or after it."""
    step = timedelta(days=1) if form == "date" else timedelta(minutes=1)
    try:
        moment = datetime.fromisoformat(now) + rng.choice((1, 1, -1)) * span + rng.choice((-1, 0, 1)) * step
    except OverflowError:
        return near_clock(rng, now, form)
    return moment.strftime(_FORMATS[form])


def around(now: str, span: timedelta, form: str) -> Iterator[str]:
    """The moments a span before and after `now`, and just before and after each."""
    step = timedelta(days=1) if form == "date" else timedelta(minutes=1)
    for shift in (span - step, span, span + step, -span - step, -span, step - span):
        try:
            yield (datetime.fromisoformat(now) + shift).strftime(_FORMATS[form])
        except OverflowError:
            continue


def beside(rng: random.Random, value: str, form: str) -> str | None:
    """A moment of the data, or one a step away; None if `value` is no moment."""
    try:
        moment = datetime.strptime(value, "%H:%M") if len(value) == 5 else datetime.fromisoformat(value)
        moved = moment + rng.choice((1, -1)) * rng.choice(_STEPS)
        return moved.strftime(_FORMATS[form])
    except (ValueError, OverflowError):
        return None


def form_of(value: object) -> str | None:
    """The format that a text of the data is in: `date-time`, `date`, `time`, or None."""
    if not isinstance(value, str):
        return None
    form = next((name for name, shape in _SHAPES.items() if shape.fullmatch(value)), None)
    try:
        datetime.fromisoformat(f"2000-01-01 {value}" if form == "time" else value)
    except ValueError:
        return None
    return form
