"""How the tools of an environment look from outside: the one door between a player and the canonical form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..failures import CallFailed
from ..models import CallResult, ShownCall, ShownResult, Surface, ToolFailure
from ..plans import Plan
from .base import Inexpressible, Unfit
from .certainty import certain_tables
from .errors import ERROR_FORMS
from .ids import Ids, ids_of
from .names import respelled, tool_spellings
from .results import ResultForm
from .rows import RowForm
from .tool_look import Tables, ToolLook


class Typed(NamedTuple):
    """A call as a player typed it, and what it comes to: the canonical tool and arguments, or why it has none."""

    tool: str
    args: Mapping[str, Any]
    look: ToolLook | None = None
    refusal: CallFailed | None = None


class Look:
    """Immutable, and shared by all episodes of an environment. `actors` are the tables whose rows can act; `key` is the
    environment's own.

    Every answer has the form of the surface, those of `submit` and `say` too; these two keep their names and arguments.
    """

    def __init__(
        self, surface: Surface, plans: Mapping[str, Plan], tables: Tables, actors: frozenset[str], key: str
    ) -> None:
        ids: Ids = {}
        if surface.ids == "prefixed":
            ids = ids_of(tables, certain_tables(plans, tables, actors))
        self._ids = ids
        self._tables = tables
        names = tool_spellings(plans, surface)
        looks = {name: ToolLook(plan, names, surface, tables, ids, f"{key}/{name}") for name, plan in plans.items()}
        self._names = {
            name: spelled for look in looks.values() for name, spelled in look.arguments.names.items()
        } | names
        self.tools: Mapping[str, ToolLook] = looks
        """By canonical name."""
        self._typed = {look.name: look for look in looks.values()}
        self._errors = ERROR_FORMS[surface.errors]
        self._other = ResultForm("nothing", RowForm(()), None, wrapped=surface.results == "wrapped")

    def definition(self, tool: str) -> dict[str, Any]:
        """The MCP definition of a tool, by its canonical name."""
        return self.tools[tool].definition

    def text(self, text: str) -> str:
        """A text for players (a policy) with tools and parameters as they are spelled."""
        return respelled(text, self._names)

    def actor(self, table: str, id: int) -> str:
        """The id of an actor as players write it."""
        number = self._tables[table].number
        prefix = self._ids.get((table, number)) if number else None
        return str(id) if prefix is None else str(prefix.written(id))

    def typed(self, name: str, args: Mapping[str, Any]) -> Typed:
        """A player's call in canonical form."""
        look = self._typed.get(name) if isinstance(name, str) else None
        if look is None:
            return Typed(name, args)
        try:
            return Typed(look.plan.tool.name, look.arguments.inward(args), look)
        except Unfit as unfit:
            problem = str(unfit) or look.arguments.shown.problem(args) or "the arguments do not fit"
            return Typed(look.plan.tool.name, args, look, CallFailed("invalid_argument", problem))

    def seen(
        self, typed: Typed, args: Mapping[str, Any], result: CallResult, failed: CallFailed | None = None
    ) -> ShownResult:
        """What the player sees of the canonical result of a call that was typed with `args`; `failed` is what ended
        it in the world."""
        look = typed.look
        if result.error is None:
            value = (look.result if look else self._other).shown(result.value, typed.args)
            return ShownResult(ok=True, value=value, seen=value)
        error = result.error
        if look is not None and typed.refusal is None:
            error = _reworded(error, look, args, failed)
        return ShownResult(ok=False, error=error, detail=result.detail, seen=self._errors.shown(error))

    def answer(self, result: CallResult) -> ShownResult:
        """An answer of the runtime itself, as a player sees it."""
        return self.seen(Typed("", {}), {}, result)

    def shown(
        self, tool: str, args: Mapping[str, Any], result: CallResult, failed: CallFailed | None = None
    ) -> ShownCall | None:
        """A canonical call as a player would have made it; None if none could have."""
        look = self.tools.get(tool)
        if look is None:
            return ShownCall(tool=tool, args=dict(args), payload=self.answer(result).seen)
        try:
            typed = look.arguments.outward(args)
        except Inexpressible:
            return None
        return ShownCall(
            tool=look.name, args=typed, payload=self.seen(Typed(tool, args, look), typed, result, failed).seen
        )

    def canonical(self, tool: str, payload: Any, *, ok: bool) -> CallResult:
        """Undo `seen`: the canonical result of a tool, by its canonical name, from what a player saw. Messages of
        errors stay as they were shown."""
        if not ok:
            return CallResult(ok=False, error=self._errors.read(payload))
        form = self.tools[tool].result if tool in self.tools else self._other
        return CallResult(ok=True, value=form.read(payload))


def _reworded(error: ToolFailure, look: ToolLook, args: Mapping[str, Any], failed: CallFailed | None) -> ToolFailure:
    """The error in the words of the player."""
    problem = look.arguments.shown.problem(args) if error.code == "invalid_argument" else None
    return ToolFailure(code=error.code, message=problem or look.message(error.message, failed))
