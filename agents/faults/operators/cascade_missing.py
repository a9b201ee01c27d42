"""Rows that depend on a changed or deleted row are left as they were."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import without_step
from .effect_missing import side_effects, written_table


class CascadeMissing:
    kind = "cascade_missing"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for effect in side_effects(anatomy):
            table = written_table(effect.query)
            if table is None or not isinstance(effect.query.tree, exp.Update | exp.Delete):
                continue
            others = {
                written_table(query)
                for query in anatomy.queries[effect.tool.name]
                if query.kind == "do" and query is not effect.query
            }
            if any(reference.table in others for reference in anatomy.tables[table].references):
                yield Change(effect.where, f"dropped: {effect.sql}", without_step(effect.tool, effect.number))
