"""The instruction holds neither the answer nor ids that should be looked up.

A number that is the id of a row that the task is about leaks it, unless the task needs that number as a quantity:
gold passes it as one, or a grounding or goal compares it with what is no key. The answer is leaked if all of it is
said; of a state task's answer a number that the task needs as a quantity does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....environments.models import Answer, GateResult
from ....environments.values import leaves
from ..base import AuditContext, shortest
from ..known_values import references, scalars
from ..language import Wording
from ..reach import key_tables
from ..resolving import resolved_phrases
from ..sql_literals import constants, owners


def gate(context: AuditContext) -> GateResult:
    wording = Wording(context.said, context.environment.spec.clock)
    quantities = set(_quantities(context))
    leaked: list[dict[str, Any]] = [
        {"problem": f"the instruction holds the id {id}", "id": id}
        for id in sorted((set(_ids(context)) & wording.bare_numbers) - quantities)
    ]
    answer = context.gold.submission.answer if context.gold.submission else None
    if _says_answer(context, wording, answer, quantities if context.changes_state else set()):
        leaked.append({"problem": "the instruction holds the answer", "answer": answer})
    if leaked:
        return GateResult(gate="leak", status="failed", message=leaked[0]["problem"], evidence=shortest(leaked))
    return GateResult(gate="leak", status="passed")


def _ids(context: AuditContext) -> Iterator[int]:
    """Integer keys of the rows that the task is about."""
    for phrase in context.once(resolved_phrases):
        yield from (id for id in phrase.ids if isinstance(id, int))
    for call in context.gold.steps:
        params = context.environment.params(call.call)
        for name, value in call.args.items():
            if name in params and references(params[name]):
                yield from (id for id in scalars(value) if isinstance(id, int))


def _quantities(context: AuditContext) -> Iterator[Any]:
    """Numbers that the task needs for what they are."""
    for call in context.gold.steps:
        params = context.environment.params(call.call)
        for name, value in call.args.items():
            if name in params and not references(params[name]):
                yield from scalars(value)
    tables = context.environment.tables()
    keys = key_tables(tables)
    columns = {name: frozenset(table.stored) for name, table in tables.items()}
    texts = [grounding.sql for grounding in context.task.grounding.values()]
    for sql in (*texts, context.task.goal.sql):
        for constant in constants(sql) if sql else ():
            compared = constant.compared
            named = owners(compared, columns) if compared else ()
            if compared is None or not any(f"{table}.{compared.column}" in keys for table in named):
                yield constant.value


def _says_answer(context: AuditContext, wording: Wording, answer: Any, quantities: set[Any]) -> bool:
    kind = context.task.verifier.answer.kind
    parts = [] if kind == "none" else list(_parts(context.task.verifier.answer, answer))
    return bool(parts) and all(_says(wording, part, quantities) for part in parts)


def _parts(answer: Answer, value: Any) -> Iterator[Any]:
    if answer.kind == "choice":
        # A question may name its options, as long as it names more than the right one.
        said = [option for option in answer.options if option != value]
        yield (value, tuple(said))
        return
    yield from leaves(value)


def _says(wording: Wording, part: Any, quantities: set[Any]) -> bool:
    if isinstance(part, tuple):
        right, others = part
        return wording.has_text(str(right)) and not any(wording.has_text(other) for other in others)
    if isinstance(part, bool):
        return False
    if isinstance(part, int | float):
        return part not in quantities and wording.has_number(part)
    return wording.says(part)
