"""How well archetypes suit a scenario: what its text says, its trade and category are about, and its neighbours lack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from ..base import Brief
from .design import BASE
from .library import Library
from .matching import archetype_scores
from .reading import GENERAL, Reading
from .trades import odd_in, own_of, usual_in

_FLOOR, _USUAL, _OWN, _DONE, _NAMED, _TOLD, _ASKED = 0.16, 0.3, 0.2, 0.8, 2.0, 2.0, 8.0
"""Added to the score of every archetype, of one that is usual in the scenario's category, in its trade, that verbs of
its text may mean, that the text names, of the one that most of the text's words are about (less for others, by the
square of their share), and of one that it asks for."""
_ODD, _BELOW = 0.1, 0.13
"""What words alone count for an archetype that would be odd in the trade, since they mean something else there, and
what is taken off. With words that count the same in every trade a quarter of the archetypes of grown scenarios' worlds
were odd."""


class Field(NamedTuple):
    """What is usual where a scenario plays. `usual`, `own`: archetypes that the category's and the trade's words are
    about; `odd`: those that a service of the trade would hardly have; `asked`, `named`, `done`: those that its text
    asks for, that it names, and that its verbs may mean; `variants`: `archetype.variant` → the choices that make sense;
    `without`: archetypes that make none; `known`: whether there is more to go by than the text."""

    usual: set[str]
    own: set[str]
    odd: Set[str]
    asked: frozenset[str]
    named: frozenset[str]
    done: frozenset[str]
    variants: dict[str, tuple[str, ...]]
    without: set[str]
    known: bool

    def weighed(self, scores: Mapping[str, float], *, first: bool) -> dict[str, float]:
        """The scores, more for what is usual, none to speak of for what makes no sense. What the text asks for
        counts most at the `first` attempt; later ones are to differ."""
        asked = _ASKED if first else _OWN
        best = max((score for name, score in scores.items() if name not in self.odd), default=0.0) or 1.0

        def weight(name: str, score: float) -> float:
            if name in self.without and (self.known or score < best):
                return -1.0
            if name in self.odd:
                return _NAMED if name in self.named else _ODD * score - _BELOW
            said = max(_DONE * (name in self.done), _NAMED * (name in self.named), asked * (name in self.asked))
            usual = _USUAL * (name in self.usual) + _OWN * (name in self.own)
            return score + _TOLD * (score / best) ** 2 + usual + said

        return {name: weight(name, score) for name, score in scores.items()}


def sensible_variants(said: Reading, source: Library) -> Mapping[str, tuple[str, ...]]:
    """`archetype.variant` → the only choices that make sense there."""
    return field_of(said, source).variants


def field_of(said: Reading, source: Library) -> Field:
    lexicon = source.lexicons[said.category]
    trade = lexicon.trades.get(said.trade)
    own = own_of(trade)
    return Field(
        usual=usual_in(lexicon, source),
        own=own,
        odd=odd_in(said.trade) - own - said.asked if said.trade else set(),
        asked=said.asked,
        named=said.named,
        done=said.done,
        variants={**lexicon.variants, **(trade.variants if trade else {}), **said.variants},
        without={*lexicon.without, *(trade.without if trade else ()), *_foreign(said.category, source)}
        - said.asked
        - said.done,
        known=said.category != GENERAL,
    )


def odds_of(brief: Brief, scores: Mapping[str, float], source: Library) -> dict[str, float]:
    """Odds by archetype: what suits, less what the neighbours are like."""
    told = " ".join(item.summary for item in brief.avoid)
    alike = archetype_scores(told, source) if told else dict.fromkeys(scores, 0.0)
    return {
        name: max(0.001, _FLOOR + score) ** 2 / (1 + 4 * alike[name])
        for name, score in scores.items()
        if name != BASE
    }


def _foreign(category: str, source: Library) -> Iterable[str]:
    """Archetypes that make sense in other categories only."""
    return (name for name, part in source.archetypes.items() if part.only_in and category not in part.only_in)
