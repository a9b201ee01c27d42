"""The check of a design: names, what goes together, nouns, size, and whether it builds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import ValidationError

from ....environments.errors import EnvolveError
from ...base import Brief
from ...procedural.coder import render
from ...procedural.design import Design
from ...procedural.library import Library
from ...procedural.naming import called
from ...procedural.structures import wanted
from ..clipping import clipped
from .drafts import DesignDraft
from .noun_checks import noun_problems, number_problems
from .structure_checks import far_too_large, fit_problems, name_problems, size_problems
from .structuring import design_of, structure_of

_ERROR = 400


class DesignCheck:
    """For one brief: the problems of a draft, as what must be mended and what had better be."""

    def __init__(self, brief: Brief, source: Library, categories: Sequence[str]) -> None:
        self._brief = brief
        self._source = source
        self._categories = categories

    def __call__(self, draft: DesignDraft) -> tuple[Sequence[str], Sequence[str]]:
        unknown = list(name_problems(draft, self._source, self._categories))
        if unknown:
            return unknown, list(number_problems(draft))
        structure = structure_of(self._brief, draft, self._source)
        hard = [
            *fit_problems(draft, structure, self._source),
            *noun_problems(draft, structure, self._source),
        ]
        goal = wanted(self._brief.size)
        soft = [*number_problems(draft), *size_problems(structure, self._source, goal)]
        if far_too_large(structure, self._source, goal):
            return [*hard, *soft], ()
        if not hard:
            hard = build_problems(design_of(self._brief, draft, self._source, structure), self._source)
        return hard, soft


def build_problems(design: Design, source: Library) -> list[str]:
    """What keeps a design from being built."""
    import apsw

    try:
        render(design, source=source)
    except (EnvolveError, ValidationError, apsw.Error) as error:
        told = clipped(str(error), _ERROR)
        return [f"The design does not build: {told}{_blamed(design, told)}"]
    return []


def _blamed(design: Design, told: str) -> str:
    """The nouns that an error may be about, a word of SQL or a column's name being one of them."""
    said = set(re.findall(r"\w+", told))
    everything: dict[str, str] = {**design.nouns, **dict(design.roles.items())}
    nouns = [
        f"{place} ({noun!r})"
        for place, noun in everything.items()
        if said & {called(place, noun).table, called(place, noun).one, called(place, noun).fk}
    ]
    return f" Choose another noun for {' or '.join(nouns)}." if nouns else ""
