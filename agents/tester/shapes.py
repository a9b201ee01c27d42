"""Whether a result is what its tool declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...environments.canonical import canonical_json
from ...environments.plans import Plan

_PAGE_FIELDS = {"items", "total", "next_offset"}


def shape_problem(plan: Plan, value: Any) -> str | None:
    """What is wrong with a successful call's value; None if nothing is."""
    if plan.result is None:
        return None if value == {"ok": True} else 'the result is not {"ok": true}'
    if plan.result.kind == "value":
        return None if isinstance(value, dict) and set(value) == {"value"} else "the result is no {value}"
    if plan.result.kind == "one":
        return _row_problem(value, plan.result.columns)
    return _list_problem(plan, value)


def repeated_items(value: Any) -> bool:
    """Whether a list shows an item with an id twice, alike in every field."""
    items = value.get("items") if isinstance(value, dict) else None
    if not isinstance(items, list) or not items or "id" not in items[0]:
        return False
    return len({canonical_json(item) for item in items}) < len(items)


def _list_problem(plan: Plan, value: Any) -> str | None:
    if not isinstance(value, dict) or not isinstance(value.get("items"), list):
        return "the result has no list of items"
    assert plan.result is not None
    for item in value["items"]:
        problem = _row_problem(item, plan.result.columns)
        if problem is not None:
            return problem
    return _page_problem(plan, value) if plan.tool.page is not None else None


def _page_problem(plan: Plan, value: dict[str, Any]) -> str | None:
    page = plan.tool.page
    assert page is not None
    if set(value) != _PAGE_FIELDS or not isinstance(value["total"], int):
        return "a page needs items, total and next_offset"
    if len(value["items"]) > page.max:
        return f"a page holds {len(value['items'])} items, more than {page.max}"
    if value["total"] < len(value["items"]):
        return "total is less than the items shown"
    return None


def _row_problem(row: Any, columns: Sequence[str]) -> str | None:
    if not isinstance(row, dict):
        return "a row is no object"
    if list(row) != list(columns):
        return f"a row has the fields {', '.join(row)} instead of {', '.join(columns)}"
    return None
