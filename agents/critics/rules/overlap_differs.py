"""A test for overlapping spans that treats spans that touch in another way than all the others do.

Stands for off-by-one boundaries in time: an invariant and two tools let one booking begin when the other ends, a
third does not. The tests of all tools and invariants over the same pair of columns are counted; one that stands alone
against two or more is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Finding
from ...tester.anatomy import Anatomy
from ...tester.conditions import Comparison, comparison
from ...tester.trees import ColumnPlace, conjuncts, parse, place_of
from ..reading.base import Context, again, finding

KIND = "overlap_differs"


class _Bound(NamedTuple):
    """A column compared with something: `touching` if equal counts."""

    place: ColumnPlace
    below: bool
    touching: bool


class _Test(NamedTuple):
    where: str
    tool: str
    touching: tuple[bool, bool]


def check(context: Context) -> Iterator[Finding]:
    tests: dict[tuple[ColumnPlace, ColumnPlace], list[_Test]] = defaultdict(list)
    for where, tool, tree in _trees(context.anatomy):
        for pair, touching in _overlaps(tree, context.anatomy):
            tests[pair].append(_Test(where, tool, touching))
    for (start, end), found in sorted(tests.items()):
        counts = Counter(test.touching for test in found)
        usual, most = counts.most_common(1)[0]
        for test in found:
            if test.touching != usual and counts[test.touching] == 1 and most >= 2 and test.tool:
                message = f"{test.tool} tests overlaps of {start.column} and {end.column} unlike {most} other places."
                yield finding(KIND, "major", test.where, message, probe=again(KIND))


def _trees(anatomy: Anatomy) -> Iterator[tuple[str, str, exp.Expr]]:
    for query in anatomy.all_queries():
        if query.tree is not None:
            yield query.where, query.tool, query.tree
    for index, invariant in enumerate(anatomy.spec.invariants):
        tree = parse(invariant.sql)
        if tree is not None:
            yield f"environment.invariants.{index}", "", tree


def _overlaps(
    tree: exp.Expr, anatomy: Anatomy
) -> Iterator[tuple[tuple[ColumnPlace, ColumnPlace], tuple[bool, bool]]]:
    """Pairs of conditions `start < x` and `end > y` on two columns of one table, side by side."""
    for select in tree.find_all(exp.Select):
        joins = [join.args.get("on") for join in select.args.get("joins") or ()]
        parts = [part for source in (select.args.get("where"), *joins) for part in conjuncts(source)]
        bounds = [bound for part in parts for bound in _bounds(comparison(part), anatomy)]
        below = {bound.place: bound for bound in bounds if bound.below}
        above = {bound.place: bound for bound in bounds if not bound.below}
        for start, low in below.items():
            for end, high in above.items():
                if start.table == end.table and start.column.startswith("start") and end.column.startswith("end"):
                    yield (start, end), (low.touching, high.touching)


def _bounds(found: Comparison | None, anatomy: Anatomy) -> Iterator[_Bound]:
    for each in (found, found.flipped()) if found is not None else ():
        place = place_of(each.left, anatomy.tables)
        if place is not None and each.operator in ("<", "<=", ">", ">="):
            yield _Bound(place, each.operator in ("<", "<="), each.operator in ("<=", ">="))
