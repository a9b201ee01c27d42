"""The architect as a model that composes: it chooses from the library of the procedural agents and gives the words.

The design is one that the procedural coder renders, and the procedural task writer and evolver understand.
"""

from __future__ import annotations

from pathlib import Path

from ...base import Blueprint, Brief
from ...llm.base import Chat
from ...llm.errors import Unusable
from ...procedural.architect import blueprint_of
from ...procedural.composition import Composition
from ...procedural.design import Design
from ...procedural.library import Library, library
from ...procedural.structures import wanted
from ...procedural.wordlists import GENERAL
from ..architect.remembered import defect_lines, neighbours_lines
from ..asking import Asking
from ..leniency import Leniently
from .catalogue import archetype_lines, category_lines, link_lines
from .checking import DesignCheck, build_problems
from .drafts import DesignDraft, WordsDraft
from .structuring import design_of, structure_of
from .word_checks import entries, word_problems
from .word_lists import lists_of


class PromptedComposer:
    """`Architect` by a model, for the procedural coder: two calls, the second for word lists.

    Word lists that come to nothing leave those of the library. Errors: Unusable when no design comes of it; those of
    `Chat.ask`.
    """

    def __init__(self, chat: Chat, *, source: Library | None = None) -> None:
        self._chat = chat
        self._source = source

    async def design(self, brief: Brief) -> Blueprint:
        source = self._source or library()
        asking = Asking(self._chat, "composer", Path(__file__).parent, brief.seed)
        design = await _worded(asking, brief, source, await _designed(asking, brief, source))
        return _signed(blueprint_of(Composition(design, source)), asking)


async def _designed(asking: Asking, brief: Brief, source: Library) -> Design:
    categories = _categories(brief, source)
    check = Leniently(DesignCheck(brief, source, categories))
    draft = await check.settled(
        asking.ask(
            "design",
            DesignDraft,
            check,
            scenario=brief.scenario,
            size=wanted(brief.size),
            archetypes=archetype_lines(source),
            links=link_lines(source),
            categories=category_lines(source, categories),
            neighbours=neighbours_lines(brief.avoid),
            defects=defect_lines(brief.defects),
        )
    )
    return design_of(brief, draft, source, structure_of(brief, draft, source))


async def _worded(asking: Asking, brief: Brief, source: Library, design: Design) -> Design:
    """The design with the word lists that a model gives for it."""
    lists = lists_of(design, source)

    def check(draft: WordsDraft) -> list[str]:
        return list(word_problems(draft, lists)) or build_problems(with_words(design, draft), source)

    try:
        draft = await asking.ask(
            "words",
            WordsDraft,
            check,
            scenario=brief.scenario,
            roles=design.roles,
            lists=lists,
        )
    except Unusable:
        return design
    return with_words(design, draft)


def _categories(brief: Brief, source: Library) -> tuple[str, ...]:
    """Those to choose from: the scenario's own, if the library has words of it."""
    given = brief.scenario.category
    return (given,) if given in source.lexicons and given != GENERAL else tuple(source.lexicons)


def with_words(design: Design, draft: WordsDraft) -> Design:
    """The design with the lists of a draft in place of the library's."""
    grouped = {name: entries(groups) for name, groups in draft.grouped.items()}
    return design.model_copy(update={"words": {**design.words, **draft.lists, **grouped}})


def _signed(blueprint: Blueprint, asking: Asking) -> Blueprint:
    """The blueprint, saying which model made it with which prompts."""
    made = {"agents": {"architect": asking.model}, "prompts": dict(asking.used)}
    provenance = blueprint.spec.provenance.model_copy(update=made)
    return blueprint.model_copy(update={"spec": blueprint.spec.model_copy(update={"provenance": provenance})})
