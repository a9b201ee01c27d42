"""A guard that refuses what it should let pass, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.trees import parse, render
from ..base import Change
from ..slots import slots

_INVERSE: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.GTE: exp.LT,
    exp.GT: exp.LTE,
    exp.LTE: exp.GT,
}


class GuardNegated:
    kind = "guard_negated"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                negated = _negated(slot.sql) if slot.kind == "require" else None
                if negated is not None:
                    yield Change(slot.where, f"negated: {slot.sql}", slot.put(negated))


def _negated(sql: str) -> str | None:
    parsed = parse(sql)
    if not isinstance(parsed, exp.Select) or len(parsed.selects) != 1:
        return None
    tree = parsed.copy()
    tested = tree.selects[0]
    inner = tested.this if isinstance(tested, exp.Alias) else tested
    inverse = _INVERSE.get(type(inner))
    if inverse is not None:
        changed: exp.Expr = inverse(this=inner.this.copy(), expression=inner.expression.copy())
    elif isinstance(inner, exp.Not):
        changed = inner.this.copy()
    else:
        changed = exp.Not(this=exp.Paren(this=inner.copy()))
    inner.replace(changed)
    return render(tree)
