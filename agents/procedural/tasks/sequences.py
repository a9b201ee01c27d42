"""Errands that a person would ask for one after the other of the same row, and those that take each other back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .offers import Offers
from .speaking import Spoken
from .workflows import Workflow


def contrary(
    offers: Offers,
    workflow: Workflow,
    given: Mapping[str, Any],
    before: Sequence[Spoken],
    created: Mapping[tuple[int, str], int],
    *,
    named_by: int | None = None,
) -> bool:
    """Whether `workflow` on the rows `given` makes a change of a part `before` pointless, or is made so by it.

    Nobody has a booking moved and then cancelled, or handed to one colleague and then to another. The part that names
    the workflow as the next (`named_by`) is left aside.
    """
    rows = {(workflow.table(slot), row) for slot, row in given.items()}
    pointless = _keys(offers, workflow)
    return any(
        workflow.ends or said.workflow.ends or said.workflow.key in pointless
        for index, said in enumerate(before)
        if index != named_by and said.workflow.kind == "change" and rows & set(_rows(index, said, created))
    )


def _rows(index: int, said: Spoken, created: Mapping[tuple[int, str], int]) -> Iterable[tuple[str, int]]:
    """The rows that a part is about or has made; for sets, each."""
    for slot in said.workflow.slots:
        found = said.env.get(slot)
        for row in found if isinstance(found, tuple) else (found,):
            if isinstance(row, int):
                yield said.workflow.table(slot), row
    for slot in said.workflow.creates:
        if (index, slot) in created:
            yield said.workflow.table(slot), created[index, slot]


def _keys(offers: Offers, workflow: Workflow) -> set[str]:
    found = (offers.workflow(name, workflow) for name in workflow.not_after)
    return {other.key for other in found if other is not None}
