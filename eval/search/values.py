"""Values that a search may give to a parameter, each with its cost: the lower, the sooner it is tried.

They come from the verifier's constants, from what the instruction says, from results seen so far, from enumerations
and from the world's clock. Costs are in bits, by rule of thumb: a constant of the verifier in a column of the
parameter's name costs nothing, one of many rows that a result listed as much as to choose it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import log2
from typing import Any, NamedTuple

from ...environments.keeping import kept_beside
from ...environments.kit import Kit
from ...environments.models import Param
from ...environments.package import Environment
from ...environments.plans import Plan
from .constants import Constants
from .said import Said

NAMED, SAID, CONSTANT, CHOICE, MADE, SEEN = 0.0, 0.5, 1.0, 2.0, 4.0, 1.0
UNSEEN = 3.0
_SAMPLE = 20
_MOST = 24
_KINDS: Mapping[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}


class Option(NamedTuple):
    """A value, and what it costs to choose it."""

    value: Any
    cost: float


class Values:
    """What is known. `rows_of` gives the values of a seed column (`table.column`); with `unseen` some of them are
    tried that no result has shown."""

    def __init__(
        self,
        environment: Environment,
        constants: Constants,
        said: Said,
        actor: tuple[str, int],
        rows_of: Callable[[str], frozenset[Any]],
        *,
        unseen: bool = False,
    ) -> None:
        self._unseen = unseen
        self._constants = constants
        self._said = said
        self._actor = actor
        self._rows_of = rows_of
        self._clock = environment.spec.clock
        self._targets = _targets(environment.kit)
        params = {name for plan in environment.plans.values() for name in plan.tool.params}
        self._wanted = {"id", *params, *self._targets}
        self._seen: dict[str, dict[Any, float]] = {}
        self._new: set[Any] = set()
        self._fit: dict[tuple[str, str, str], bool] = {}
        self._sorted: dict[tuple[str, int, int], list[Option]] = {}
        self.version = 0

    def see(self, result: Any, cost: float, *, made: bool = False) -> None:
        """Take in the scalars of a result; `cost` is that of the call that gave it. `made`: by a write, so that ids
        may be those of new rows."""
        for name, value, among in fields_of(result):
            if name not in self._wanted:
                continue
            known = self._seen.setdefault(name, {})
            price = SEEN + cost / 2 + log2(among)
            if value not in known:
                self.version += 1
                self._new |= {value} if made and name == "id" else set()
            known[value] = min(price, known.get(value, price))

    def options(self, name: str, param: Param) -> list[Option]:
        """The cheapest values for a parameter, cheapest first."""
        place = (name, id(param), self.version)
        if place not in self._sorted:
            self._sorted[place] = self._cheapest(name, param)
        return self._sorted[place]

    def is_unset(self, name: str) -> bool:
        """Whether the verifier asks that a column of this name be NULL, and for no value of it."""
        return name in self._constants.unset and name not in self._constants.values

    def fitting(self, plan: Plan, name: str) -> list[Option]:
        """The cheapest values that a tool's parameter may be given, whatever else is missing."""
        return [
            option for option in self.options(name, plan.tool.params[name]) if self._fits(plan, name, option.value)
        ]

    def _fits(self, plan: Plan, name: str, value: Any) -> bool:
        place = (plan.tool.name, name, repr(value))
        if place not in self._fit:
            problem = plan.arguments.problem({name: value})
            self._fit[place] = problem is None or problem.startswith("missing:")
        return self._fit[place]

    def _cheapest(self, name: str, param: Param) -> list[Option]:
        best: dict[Any, Option] = {}
        for option in self._options(name, param):
            # Lists cannot be keys; 1 and true are not the same.
            key = (type(option.value).__name__, repr(option.value))
            if key not in best or option.cost < best[key].cost:
                best[key] = option
        return sorted(best.values(), key=lambda option: option.cost)[:_MOST]

    def _options(self, name: str, param: Param) -> Iterator[Option]:
        if param.type == "array":
            yield from self._lists(name, param)
        elif param.type == "boolean":
            yield from (Option(value, CHOICE / 2) for value in (True, False))
        elif param.enum is not None:
            yield from self._choices(param.enum)
        elif param.ref is not None:
            yield from self._rows(name, param.ref)
        else:
            kinds = _KINDS.get(param.type, ())
            yield from (option for option in self._plain(name, param) if isinstance(option.value, kinds))

    def _lists(self, name: str, param: Param) -> Iterator[Option]:
        if param.items is None:
            return
        items = self.options(name, param.items)
        for cost in sorted({option.cost for option in items}):
            together = [option.value for option in items if option.cost <= cost]
            yield Option(together, cost)
        yield from (Option([option.value], option.cost + SAID) for option in items)

    def _choices(self, enum: Iterable[Any]) -> Iterator[Option]:
        wanted = {value for values in self._constants.values.values() for value in values}
        yield from (Option(value, SAID if value in wanted else CHOICE) for value in enum)

    def _rows(self, name: str, ref: str) -> Iterator[Option]:
        """Rows to point at."""
        yield from (Option(value, NAMED) for value in self._constants.rows.get(ref, ()))
        table, column = self._actor
        if ref == f"{table}.id":
            yield Option(column, CHOICE)
        own = self._rows_of(ref)
        for field, values in self._seen.items():
            # A field that is called `id` may be of any table.
            if ref in self._targets.get(field, ()):
                yield from (Option(value, cost) for value, cost in values.items())
            elif field in ("id", name):
                yield from (Option(value, cost) for value, cost in values.items() if value in own)
        yield from (Option(value, SEEN + CHOICE) for value in sorted(self._new) if value not in own)
        if self._unseen:
            rows = sorted(own, key=repr)
            yield from (Option(value, UNSEEN) for value in rows[:: 1 + len(rows) // _SAMPLE])

    def _plain(self, name: str, param: Param) -> Iterator[Option]:
        for column, values in self._constants.values.items():
            cost = NAMED if column == name else CONSTANT
            for value in values:
                yield from (Option(form, cost) for form in _forms(value, param))
        yield from (Option(value, SAID) for value in self._told(param))
        if param.type == "string" and param.format is None:
            cost = SAID if "name" in name or "contact" in name else CHOICE
            yield from (Option(value, cost) for value in self._said.names)
        yield from (Option(value, cost + CHOICE) for value, cost in self._seen.get(name, {}).items())
        yield from (Option(value, MADE) for value in self._made(param))

    def _told(self, param: Param) -> Iterator[Any]:
        told = self._said
        if param.type in ("integer", "number"):
            yield from told.numbers
        elif param.format == "email":
            yield from told.emails
        elif param.format == "date":
            yield from told.days
        elif param.format == "time":
            yield from told.times
        elif param.format == "date-time":
            yield from (f"{day} {time}:00" for day in told.days for time in told.times)
        else:
            yield from (*told.emails, *told.texts)

    def _made(self, param: Param) -> Iterator[Any]:
        if param.type in ("integer", "number"):
            yield int(param.minimum) if param.minimum is not None else 1
        if param.format == "date":
            today = dt.date.fromisoformat(self._clock[:10])
            yield from ((today + dt.timedelta(days=days)).isoformat() for days in (0, 1))


def known_values(constants: Constants, told: Said) -> frozenset[Any]:
    """Values that are asked about: what the verifier and the instruction name."""
    named = (value for group in (constants.values, constants.rows) for values in group.values() for value in values)
    return frozenset((*named, *told.texts, *told.names, *told.numbers, *told.days, True, False))


def _forms(value: Any, param: Param) -> Iterator[Any]:
    """A constant as a parameter may want it: an amount that is taken off is given without its sign, a day is that of
    a moment."""
    if isinstance(value, int | float):
        yield abs(value)
    elif param.format == "date":
        yield value[:10]
    elif param.format == "time":
        yield value[11:16] or value
    else:
        yield value


def fields_of(result: Any, among: int = 1, name: str = "value") -> Iterator[tuple[str, Any, int]]:
    """(field, value, how many items of its list) of each scalar in a result."""
    if isinstance(result, dict):
        for field, value in result.items():
            if isinstance(value, dict | list):
                yield from fields_of(value, among, field)
            elif value is not None:
                yield field, value, among
    elif isinstance(result, list):
        for value in result:
            yield from fields_of(value, among * len(result), name)
    elif result is not None:
        yield name, result, among


@kept_beside
def _targets(kit: Kit) -> Mapping[str, frozenset[str]]:
    """What columns of a name point at."""
    found: dict[str, set[str]] = {}
    for table in kit.built.tables.values():
        for column in table.columns:
            if column.references:
                found.setdefault(column.name, set()).add(column.references)
    return {name: frozenset(targets) for name, targets in found.items()}
