"""Gold with its texts spelled otherwise: another first letter, capitals, spaces doubled, accents left out.

Who writes a text that a request asks for may spell it so, as far as the goal's own comparison takes it. Names and
options that a tool looks up, and texts of a set form, are not written freely; whether a tool knows a name in another
spelling shows when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from ...environments.functions import fold
from ...environments.gold import names_in
from ...environments.models import CallStep, Param
from .base import AuditContext
from .programs import Variant, calls, with_argument, with_step

KIND = "text spelled otherwise"
_MOST = 12
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text[:1].swapcase() + text[1:],
    str.upper,
    lambda text: text.replace(" ", "  "),
    lambda text: str(fold(text)),
)


def respelled(context: AuditContext) -> Iterator[Variant]:
    """Gold with one text argument of one write in another spelling; those of the first spelling come first."""
    yield from islice(_respelled(context), _MOST)


def _respelled(context: AuditContext) -> Iterator[Variant]:
    texts = list(_texts(context))
    for spell in _SPELLINGS:
        for index, step, name, param, sent in texts:
            value = _spelled(param, sent, spell)
            if value == sent:
                continue
            change = {"step": index, "call": step.call, "argument": name, "value": value}
            yield Variant(KIND, change, with_step(context.task.gold, index, with_argument(step, name, value)))


def _texts(context: AuditContext) -> Iterator[tuple[int, CallStep, str, Param, Any]]:
    """(place of the step, step, argument, its parameter, what gold sent) of gold's writes."""
    for index, step in calls(context.task.gold):
        if not context.environment.writes(step.call):
            continue
        params = context.environment.params(step.call)
        sent = next((call.args for call in context.gold.steps if call.step == index), {})
        for name in step.args:
            own = step.each is not None and "it" in names_in(step.args[name])
            if name in params and name in sent and not own:
                yield index, step, name, params[name], sent[name]


def _spelled(param: Param, value: Any, spell: Callable[[str], str]) -> Any:
    """A text, or the texts of a list, in another spelling; anything else as it is."""
    if isinstance(value, list) and param.items is not None:
        return [_spelled(param.items, item, spell) for item in value]
    free = param.type == "string" and not (param.enum or param.ref or param.format or param.pattern)
    return spell(value) if free and isinstance(value, str) else value
