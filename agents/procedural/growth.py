"""Scenarios beyond those that ship: put together from what people do, by archetype, in the words of a trade.

Each stands in another place, or does other things, than any before: of several drafts the one is taken that says least
of what was said. They read plainly, but whether a service of that kind would do all that they say is not proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from ...environments.canonical import seed_from
from ..base import Scenario
from ..scenarios import scenario_of
from .data_files import packaged
from .library import Archetype, Lexicon, Library, library
from .naming import capitalized
from .telling import TwoMeanings, Words
from .trades import odd_in, own_of, trades_of_archetypes, usual_in
from .words_in_text import stems

_TOLD = (2, 3, 3)
"""How many archetypes a grown scenario speaks of."""
_RULES = (1, 1, 2)
_DRAFTS = 12
_TRIES_EACH = 20
_NEEDED = {"bookings": "resources", "orders": "catalogue"}
"""Archetypes whose acts name what another keeps."""
_NAMED = frozenset({"accounts", "approvals", "bookings", "catalogue", "memberships", "orders", "resources"})
"""Archetypes that are told of only where the trade itself has a word for what they keep."""
_FIRST = "tickets"
"""What any service can be told of."""
_OPENINGS = ("{setting}", "{setting}", "this is {setting}")


class _Draft(NamedTuple):
    scenario: Scenario
    said: frozenset[str]
    told: tuple[str, ...]
    """The archetypes that it speaks of."""


class _Common(NamedTuple):
    """How often scenarios of any category hold a stem, and speak of an archetype."""

    stems: Counter[str]
    told: Counter[str]


def grown(count: int, *, seed: int, known: Sequence[Scenario], source: Library | None = None) -> list[Scenario]:
    """Up to `count` scenarios unlike `known` and each other, spread over the categories."""
    source = source or library()
    random = Random(seed_from("growth", seed, len(known)))
    common = _Common(Counter(stem for scenario in known for stem in {*stems(scenario.text)}), Counter())
    grounds = {
        name: _Ground(lexicon, source, random, common) for name, lexicon in source.lexicons.items() if lexicon.trades
    }
    for scenario in known:
        if scenario.category in grounds:
            grounds[scenario.category].take(scenario)
    found: list[Scenario] = []
    for ground in _round(list(grounds.values()), random, count * _TRIES_EACH):
        if len(found) >= count:
            break
        if (fresh := ground.next()) is not None:
            found.append(fresh)
    return found


def _round(grounds: list[_Ground], random: Random, turns: int) -> Iterator[_Ground]:
    """Each category as often as any other."""
    for turn in range(turns):
        if turn % len(grounds) == 0:
            random.shuffle(grounds)
        yield grounds[turn % len(grounds)]


class _Ground:
    """One category: what is known in it, and what can still grow there."""

    def __init__(self, lexicon: Lexicon, source: Library, random: Random, common: _Common) -> None:
        """`common`: what is told here is added."""
        self._lexicon = lexicon
        self._source = source
        self._random = random
        self._common = common
        self._uses: Counter[str] = Counter()
        """Trade, or a setting of one, → scenarios that have it."""
        self._settings = {setting: name for name, trade in lexicon.trades.items() for setting in trade.settings}
        self._taken: set[str] = set()
        self._said: list[frozenset[str]] = []

    def take(self, scenario: Scenario) -> None:
        """Counts a scenario as known."""
        text = scenario.text.lower()
        for setting in [setting for setting in self._settings if setting.lower() in text]:
            self._uses[setting] += 1
            self._uses[self._settings[setting]] += 1
        self._taken |= {scenario.name, scenario.text}
        self._said.append(frozenset(stems(scenario.text)))

    def next(self) -> Scenario | None:
        """The least alike of some drafts in the place that was told of least; None if each is known."""
        name = self._rarest(self._lexicon.trades)
        setting = self._rarest(self._lexicon.trades[name].settings)
        made = [self._draft(name, setting) for _ in range(_DRAFTS)]
        drafts = [
            draft for draft in made if draft and self._taken.isdisjoint((draft.scenario.name, draft.scenario.text))
        ]
        self._uses[name] += 1
        if not drafts:
            return None
        chosen = min(drafts, key=lambda draft: self._overlap(draft.said))
        self._common.stems.update(chosen.said)
        self._common.told.update(chosen.told)
        self.take(chosen.scenario)
        return chosen.scenario

    def _overlap(self, said: frozenset[str]) -> float:
        """How much of it the most similar known one has too, 0 to 1; the rarer a word, the more it counts."""

        def weight(words: Iterable[str]) -> float:
            return sum(1.0 / (1 + self._common.stems[word]) for word in words)

        return max((weight(said & other) / weight(said | other) for other in self._said), default=0.0)

    def _rarest(self, names: Iterable[str]) -> str:
        """One of those told of least; empty if there is none."""
        listed = sorted(names)
        least = min((self._uses[name] for name in listed), default=0)
        return self._random.choice([name for name in listed if self._uses[name] == least] or [""])

    def _draft(self, trade: str, setting: str) -> _Draft | None:
        name = f"{self._place()} {' '.join(map(capitalized, trade.split()))}"
        told = _told_of(self._lexicon, trade, self._source, self._random, self._common.told)
        try:
            sentences = _sentences(told, self._lexicon, trade, self._source, self._random)
        except TwoMeanings:
            return None
        opening = [self._random.choice(_OPENINGS).format(setting=setting)] if setting else []
        text = " ".join(f"{capitalized(sentence)}." for sentence in (*opening, *sentences))
        scenario = scenario_of({"name": name, "category": self._lexicon.category, "text": text})
        return _Draft(scenario, frozenset(stems(text)), tuple(told))

    def _place(self) -> str:
        used = " ".join(self._taken)
        return self._random.choice([place for place in _places() if place not in used] or _places())


def _sentences(chosen: Sequence[str], lexicon: Lexicon, trade: str, source: Library, random: Random) -> list[str]:
    """What is done with the chosen archetypes and what is ruled of them there, as sentences. Raises TwoMeanings."""
    words = Words(lexicon, lexicon.trades[trade], source, random)
    own = lexicon.trades[trade].nouns.keys()

    def sayable(texts: Sequence[str], part: str) -> Sequence[str]:
        """Texts that name nothing of which the trade should have a word but has none."""
        named = {text: {key for key in words.keys(text, part) if key.partition(".")[0] in _NAMED} for text in texts}
        return [text for text in texts if named[text] <= own] or texts

    acts = _acts({name: sayable(source.archetypes[name].acts, name) for name in chosen}, random)
    ruled = {name: sayable(source.archetypes[name].rules, name) for name in chosen if source.archetypes[name].rules}
    rules = [
        words.filled(random.choice(ruled[name]), name)
        for name in random.sample(list(ruled), min(len(ruled), random.choice(_RULES)))
    ]
    return [*(words.filled(act, name) for name, act in zip(chosen, acts, strict=True)), *_joined(rules, random)]


def _acts(listed: Mapping[str, Sequence[str]], random: Random) -> list[str]:
    """An act of each archetype; not the same people do one after another as far as there is a choice, else they are
    `they`."""
    acts: list[str] = []
    before = ""
    for texts in listed.values():
        act = random.choice([text for text in texts if _people(text) != before] or texts)
        people = _people(act)
        acts.append(f"they{act.removeprefix(people)}" if people and people == before else act)
        before = people
    return acts


def _people(act: str) -> str:
    """The people whom an act begins with, in braces; empty if it begins with something else."""
    return next((people for people in ("{customers}", "{staff}") if act.startswith(people)), "")


def _joined(rules: list[str], random: Random) -> list[str]:
    """One sentence of rules that are short enough for one."""
    if len(rules) == 2 and not any("," in rule for rule in rules):
        return [random.choice((", and ", "; ")).join(rules)]
    return rules


def _told_of(lexicon: Lexicon, name: str, source: Library, random: Random, told: Mapping[str, int]) -> list[str]:
    """Archetypes that make sense together: one of the trade's own first, then such and what is usual in the category;
    the likelier, the fewer scenarios `told` of one."""
    sensible = _sensible(lexicon, name, source.archetypes)
    trade = lexicon.trades[name]
    own = sorted(own_of(trade) & sensible)
    usual = usual_in(lexicon, source) | trades_of_archetypes()["only_in_trades"].keys()
    likely = [*own, *sorted(usual & sensible - {*own})]

    def drawn(parts: Sequence[str]) -> str:
        return random.choices(parts, [1 / (1 + told[part]) for part in parts])[0]

    chosen = [drawn(own or [_FIRST])]
    for _ in range(random.choice(_TOLD) - 1):
        if left := [part for part in likely if part not in chosen]:
            chosen.append(drawn(left))
    return chosen


def _sensible(lexicon: Lexicon, trade: str, archetypes: Mapping[str, Archetype]) -> set[str]:
    senseless = {*lexicon.without, *lexicon.trades[trade].without, *odd_in(trade)}
    own = own_of(lexicon.trades[trade])
    return {
        name
        for name, part in archetypes.items()
        if part.acts
        and senseless.isdisjoint((name, _NEEDED.get(name, name)))
        and (name not in _NAMED or name in own)
        and (not part.only_in or lexicon.category in part.only_in)
    }


@lru_cache(maxsize=1)
def _places() -> list[str]:
    found: list[str] = packaged("places.yaml")["places"]
    return found
