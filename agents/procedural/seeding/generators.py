"""Values for one column of one row, from the short forms of the library files.

A generator is a mapping with one of the keys in `GENERATORS`; `chance` beside it makes the value NULL otherwise.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from ....environments.errors import InputError
from ..countries import Country
from ..wordlists import WordLists
from .names import Names

Row = dict[str, Any]
Query = Callable[[str, Mapping[str, Any]], list[tuple[Any, ...]]]


class Generators:
    """Draws values. `words`: the word lists; `query` reads the rows made so far; `now` is the world's time."""

    def __init__(self, random: Random, *, words: WordLists, query: Query, now: datetime, country: Country) -> None:
        self._random = random
        self._lists = words.lists
        self._heads = words.heads
        self._query = query
        self._now = now
        self._country = country
        self._names = Names(random, country.names)
        self._seen: dict[str, list[Any]] = {}
        self._decks: dict[str, list[str]] = {}

    def value(self, place: str, spec: Any, row: Row) -> Any:
        """A value for the column `place` (`table.column`) of `row`, whose earlier columns are known."""
        if not isinstance(spec, dict):
            return spec
        if "chance" in spec and self._random.random() > spec["chance"]:
            return spec.get("otherwise")
        kind = next((key for key in spec if hasattr(self, f"_{key}_value")), None)
        if kind is None:
            raise InputError(f"seed of {place}: no generator in {spec!r}")
        value = getattr(self, f"_{kind}_value")(spec[kind], spec, row, place)
        self._seen.setdefault(place, []).append(value)
        return value

    def _choice_value(self, options: dict[Any, float] | list[Any], spec: Row, row: Row, place: str) -> Any:
        if isinstance(options, dict):
            return self._random.choices(list(options), list(options.values()))[0]
        return self._random.choice(options)

    def _cycle_value(self, options: list[Any], spec: Row, row: Row, place: str) -> Any:
        """The options in turn, so that each is present."""
        return options[len(self._seen.get(place, ())) % len(options)]

    def _list_value(self, name: str, spec: Row, row: Row, place: str) -> Any:
        """From a word list, without repeats until it is used up; with `unique`, None then. `:head` is what the word
        belongs to, for the columns after it."""
        deck = self._decks.get(place)
        if not deck and not (spec.get("unique") and deck is not None):
            words = list(self._lists[name])
            self._random.shuffle(words)
            deck = self._decks[place] = words
        word = deck.pop() if deck else None
        row["head"] = self._heads.get(name, {}).get(word or "")
        return word

    def _int_value(self, bounds: list[int], spec: Row, row: Row, place: str) -> int:
        step = spec.get("step", 1)
        return self._near(
            place, spec, lambda: bounds[0] + step * self._random.randint(0, (bounds[1] - bounds[0]) // step)
        )

    def _money_value(self, bounds: list[int], spec: Row, row: Row, place: str) -> int:
        return self._int_value(bounds, {"step": 50, "near": 0.15, **spec}, row, place)

    def _datetime_value(self, bounds: Row, spec: Row, row: Row, place: str) -> str:
        """`days` from today, `hours` of the day (the last excluded), `step` minutes. Days repeat often."""
        day = self._day(bounds["days"], place, spec.get("near", 0.3))
        step = bounds.get("step", 30)
        first, last = bounds.get("hours", [9, 18])
        minutes = first * 60 + step * self._random.randrange((last - first) * 60 // step)
        return f"{day:%Y-%m-%d} {minutes // 60:02d}:{minutes % 60:02d}:00"

    def _date_value(self, days: list[int], spec: Row, row: Row, place: str) -> str:
        return f"{self._day(days, place, spec.get('near', 0.2)):%Y-%m-%d}"

    def _past_value(self, days: list[int], spec: Row, row: Row, place: str) -> str:
        """A moment from `days[0]` to `days[1]` days ago, with seconds, never later than now."""
        seconds = self._random.randint(days[0] * 86400 + 600, days[1] * 86400)
        moment = self._now - timedelta(seconds=seconds)
        if moment.hour < 7:
            moment += timedelta(hours=8) if moment + timedelta(hours=8) < self._now else timedelta(hours=-10)
        return f"{moment:%Y-%m-%d %H:%M:%S}"

    def _from_value(self, table: str, spec: Row, row: Row, place: str) -> Any:
        """The id of a row of `table` for which `where` holds; some rows are drawn more often than others."""
        ids = self._query(f"SELECT id FROM {table} WHERE {spec.get('where', 'true')} ORDER BY id", row)
        if not ids:
            return None
        skew = spec.get("skew", 1.4)
        return ids[int(len(ids) * self._random.random() ** skew)][0]

    def _sql_value(self, sql: str, spec: Row, row: Row, place: str) -> Any:
        """The first value of a query that may use the row's earlier columns and `:random` (0 to 999999)."""
        rows = self._query(sql, {**row, "random": self._random.randrange(1_000_000)})
        return rows[0][0] if rows else None

    def _name_value(self, _: Any, spec: Row, row: Row, place: str) -> str:
        return self._names.draw()

    def _email_value(self, column: str, spec: Row, row: Row, place: str) -> str:
        """An address made from the name in `column`."""
        plain = unicodedata.normalize("NFKD", row[column]).encode("ascii", "ignore").decode().lower()
        local = ".".join("".join(char for char in word if char.isalpha()) for word in plain.split())
        return f"{local}@example.{self._random.choice(('com', 'net', 'org'))}"

    def _phone_value(self, _: Any, spec: Row, row: Row, place: str) -> str:
        return self._marked(self._country.phone)

    def _postcode_value(self, _: Any, spec: Row, row: Row, place: str) -> str:
        return self._marked(self._country.postcode)

    def _town_value(self, _: Any, spec: Row, row: Row, place: str) -> str:
        return self._random.choice(self._country.towns)

    def _street_value(self, _: Any, spec: Row, row: Row, place: str) -> str:
        """A number and a street."""
        return f"{self._random.randint(1, 180)} {self._random.choice(self._country.streets)}"

    def _marked(self, pattern: str) -> str:
        """`pattern` with a digit for each `#` and a capital letter for each `@`."""
        marks = {"#": "0123456789", "@": "ABCDEFGHJKLMNPRSTUVWXY"}
        return "".join(self._random.choice(marks[char]) if char in marks else char for char in pattern)

    def _code_value(self, prefix: str, spec: Row, row: Row, place: str) -> str:
        letters = "".join(self._random.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=6))
        return f"{prefix}-{letters}"

    def _text_value(self, text: str, spec: Row, row: Row, place: str) -> str:
        """`{column}` is the row's value; `{list:name}` a word of a list; `{n:low-high}` a number."""
        return self._filled(text, row, place)

    def _texts_value(self, texts: list[str], spec: Row, row: Row, place: str) -> str:
        return self._filled(self._random.choice(texts), row, place)

    def _filled(self, text: str, row: Row, place: str) -> str:
        pieces = text.split("{")
        filled = [pieces[0]]
        for piece in pieces[1:]:
            name, _, rest = piece.partition("}")
            filled += [self._named(name, row, place), rest]
        return "".join(filled)

    def _named(self, name: str, row: Row, place: str) -> str:
        kind, _, argument = name.partition(":")
        if kind == "list":
            return str(self._list_value(argument, {}, row, f"{place}:{argument}"))
        if kind == "n":
            low, high = argument.split("-")
            return str(self._random.randint(int(low), int(high)))
        return str(row[name])

    def _near(self, place: str, spec: Row, draw: Callable[[], int]) -> int:
        seen = self._seen.get(place)
        if seen and self._random.random() < spec.get("near", 0):
            return int(self._random.choice(seen))
        return draw()

    def _day(self, days: list[int], place: str, near: float) -> datetime:
        seen = self._seen.get(place)
        if seen and self._random.random() < near:
            return datetime.fromisoformat(self._random.choice(seen)[:10])
        return datetime(self._now.year, self._now.month, self._now.day) + timedelta(days=self._random.randint(*days))
