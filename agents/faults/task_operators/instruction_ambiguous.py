"""A phrase that means one row and lost what it is known by: several rows fit what is left of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Grounding, Task
from ....environments.package import Environment
from ...tester.trees import conjuncts, parse, render
from ..base import TaskChange

_QUALIFIER = re.compile(
    r" (?:in|on|at|of|for|from|with|that|which|who|called|named|by|whose|under|about|to|since|dated|due|number)\b|[ ,]*\""
)


class InstructionAmbiguous:
    kind = "instruction_ambiguous"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        for phrase, one in task.grounding.items():
            head = _head(phrase)
            sql = _without_conditions(one)
            if head is None or sql is None or phrase not in task.instruction or _shared(phrase, task):
                continue
            grounding = {
                (head if each == phrase else each): (one.model_copy(update={"sql": sql}) if each == phrase else other)
                for each, other in task.grounding.items()
                if each == phrase or each not in phrase
            }
            changed = task.model_copy(
                update={"instruction": task.instruction.replace(phrase, head), "grounding": grounding}
            )
            yield TaskChange(f"tasks.{task.id}.instruction", f"{phrase!r} became {head!r}", changed)


def _shared(phrase: str, task: Task) -> bool:
    """Whether the phrase stands within another one."""
    return any(phrase != each and phrase in each for each in task.grounding)


def _head(phrase: str) -> str | None:
    """`the product` of `the product in the range "Equipment" that costs $99`; None without such a qualifier."""
    found = _QUALIFIER.search(phrase)
    head = phrase[: found.start()] if found is not None else ""
    return head if re.match(r"(the|a|an|my|our|that) \w+", head) else None


def _without_conditions(one: Grounding) -> str | None:
    """The phrase's query with what is said of the asker alone."""
    tree = parse(one.sql or "")
    if one.expect != "one" or not isinstance(tree, exp.Select) or tree.args.get("where") is None:
        return None
    copied = tree.copy()
    kept = [
        part.copy()
        for part in conjuncts(copied.args["where"])
        if any(each.name == "actor_id" for each in part.find_all(exp.Placeholder))
    ]
    copied.set("where", None)
    for part in kept:
        copied = copied.where(part)
    return render(copied)
