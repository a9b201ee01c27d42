"""A model as a scout, over real HTTP. What it "thinks of" are scenarios that were written by hand, near-copies among
them."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from envolve.agents.base import Scenario
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import ModelUnavailable, Unusable
from envolve.agents.prompted.scout import PromptedScout
from envolve.agents.prompted.scout.balance import Balance
from envolve.agents.prompted.scout.pool import categories
from envolve.agents.scenarios import shipped_scenarios
from envolve.memory.embedders import Embedder, embedder_named
from envolve.memory.embedders.hashed import HashedNgrams

from ...scripted_model import ScriptedModel

_WANTED = re.compile(r"^- (\d+) of ([\w-]+) \(", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d+)\. ([^:\n]+): ", re.MULTILINE)
COPY = {
    "name": "Moonlit Inn",
    "category": "hospitality",
    "text": "At a hotel with forty rooms the clerks of the front desk assign the rooms, put charges for minibar and"
    " laundry on folios, split the bills of travellers and tell housekeeping which rooms to turn. A room that is still"
    " marked dirty is given to nobody, and late-cancellation fees are waived by the duty manager only.",
}
UNSUITABLE = {
    "name": "Skywatch forecasts",
    "category": "science",
    "text": "Forecasters look up live weather on the web and write funny stories of the coming week for their readers.",
}


class Thinker:
    """Offers what is asked for from a supply, at most `most` at once, and `extras` besides. Rates as told: by the
    supply's categories, or `label` for all."""

    def __init__(
        self, supply: Sequence[Scenario], *, extras: Sequence[dict[str, str]] = (), label: str = "", most: int = 24
    ) -> None:
        self._supply = {name: [each for each in supply if each.category == name] for name in categories()}
        self._home = {each.name: each.category for each in supply}
        self._extras = extras
        self._label = label
        self._most = most
        self._lock = threading.Lock()
        self.batches: list[str] = []

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][1]["content"]
        with self._lock:
            return self._batch(text) if _WANTED.search(text) else self._ratings(text)

    def _batch(self, text: str) -> dict[str, Any]:
        self.batches.append(text)
        offered = [
            {"name": each.name, "category": name, "text": each.text, "why": "bookings"}
            for count, name in _WANTED.findall(text)
            for each in self._supply[name][: int(count)]
            if f"\n- {each.name}: " not in text
        ]
        offered = offered[: self._most]
        for _, name in _WANTED.findall(text):
            self._supply[name] = [
                each for each in self._supply[name] if each.name not in {o["name"] for o in offered}
            ]
        return {"scenarios": [*offered, *self._extras]}

    def _ratings(self, text: str) -> dict[str, Any]:
        return {
            "ratings": [
                {
                    "number": int(number),
                    "suitable": name != UNSUITABLE["name"],
                    "category": self._label or self._home.get(name, "science"),
                    "reason": "" if name != UNSUITABLE["name"] else "needs live weather",
                }
                for number, name in _NUMBERED.findall(text)
            ]
        }


def scouted(
    server: ScriptedModel, count: int, known: Sequence[Scenario], seed: int = 3, embedder: Embedder | None = None
) -> list[Scenario]:
    chat = chat_with(server.name, ModelSettings(patience=0.0, timeout=20.0))
    return asyncio.run(PromptedScout(chat, embedder=embedder).scenarios(count, seed=seed, known=known))


@pytest.fixture(scope="module")
def known() -> list[Scenario]:
    """The first of each of some categories, the hotel that COPY retells among them."""
    first = {each.category: each for each in reversed(shipped_scenarios())}
    return [first[name] for name in ("hospitality", "health", "retail", "trades", "animals", "events")]


@pytest.fixture(scope="module")
def supply(known: list[Scenario]) -> list[Scenario]:
    return [each for each in shipped_scenarios() if each not in known]


def test_sixty_scenarios_without_near_copies(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    thinker = Thinker(supply, extras=[COPY, UNSUITABLE], most=10)
    model_server.answer(thinker)
    found = scouted(model_server, 60, known)
    assert len(found) == 60
    assert len({each.id for each in (*found, *known)}) == 66
    assert not {COPY["name"], UNSUITABLE["name"]} & {each.name for each in found}
    embedder = embedder_named()
    vectors = embedder.embed([each.text for each in (*known, *found)])
    alike = vectors @ vectors.T
    assert max(alike[row][:row].max() for row in range(1, len(alike))) < 0.65
    assert max(Counter(each.category for each in (*found, *known)).values()) <= 4
    assert len(model_server.requests) <= 20
    later = thinker.batches[-1]
    assert f"Moonlit Inn: too close to '{known[0].name}'" in later
    assert "Skywatch forecasts: not suitable: needs live weather" in later


def test_the_same_seed_gives_the_same_scenarios_in_the_same_order(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    runs = []
    for seed in (1, 1, 2):
        model_server.answer(Thinker(supply))
        runs.append([each.id for each in scouted(model_server, 30, known, seed, HashedNgrams())])
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_no_category_passes_its_cap(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    """Whatever the scenarios' own labels say, the second reading puts all of them into one category."""
    thinker = Thinker(supply, label="finance")
    model_server.answer(thinker)
    found = scouted(model_server, 60, known, embedder=HashedNgrams())
    assert [each.category for each in found] == ["finance"] * 4
    assert "there are enough of finance" in thinker.batches[-1]
    assert len(thinker.batches) <= 10
    assert len(model_server.requests) <= 20


def test_it_stops_when_batches_bring_nothing_new(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    thinker = Thinker(
        supply[:20], extras=[{"name": each.name, "category": "retail", "text": each.text} for each in known]
    )
    model_server.answer(thinker)
    found = scouted(model_server, 100, known, embedder=HashedNgrams())
    assert {each.id for each in found} <= {each.id for each in supply[:20]}
    assert 0 < len(found) <= 20
    assert len(model_server.requests) < 60


def test_replies_that_cannot_be_used(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    short = {"name": "A", "category": "retail", "text": "A shop."}
    model_server.answer(lambda body: {"scenarios": [short] * 3})
    with pytest.raises(Unusable):
        scouted(model_server, 10, known, embedder=HashedNgrams())
    assert "scenarios[0].text: 7 characters; give one to three sentences" in model_server.requests[1].text


def test_a_batch_that_cannot_be_used_leaves_the_others(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    thinker = Thinker(supply)
    model_server.answer(lambda body: "Sure!" if "of science" in body["messages"][1]["content"] else thinker(body))
    found = scouted(model_server, 60, known, embedder=HashedNgrams())
    assert len(found) >= 50
    assert not any(each.category == "science" for each in found)


def test_ratings_have_to_be_complete(
    model_server: ScriptedModel, known: list[Scenario], supply: list[Scenario]
) -> None:
    thinker, wrong = Thinker(supply), {"number": 1, "suitable": True, "category": "shops", "reason": ""}
    first = iter([True])

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        rating = not _WANTED.search(body["messages"][1]["content"])
        return {"ratings": [wrong]} if rating and next(first, False) else thinker(body)

    model_server.answer(answer)
    assert len(scouted(model_server, 3, known, embedder=HashedNgrams())) == 3
    assert "not exactly one for number 2" in model_server.requests[2].text
    assert "no such category: 'shops'" in model_server.requests[2].text


def test_a_provider_that_fails_is_told(model_server: ScriptedModel, known: list[Scenario]) -> None:
    model_server.fail(503, times=20)
    with pytest.raises(ModelUnavailable):
        scouted(model_server, 10, known, embedder=HashedNgrams())


def test_without_known_scenarios_shipped_ones_show_how(model_server: ScriptedModel, supply: list[Scenario]) -> None:
    """Those that are shown are not to be handed back."""
    model_server.answer(Thinker(supply))
    found = scouted(model_server, 5, [], embedder=HashedNgrams())
    assert len(found) == 5
    assert not any(f"\n- {each.name}: " in model_server.requests[0].text for each in found)


def test_a_thousand_in_bounded_calls(model_server: ScriptedModel, known: list[Scenario]) -> None:
    """Told apart by their words alone, which is all that this embedder sees."""
    rng = Random(0)

    def word() -> str:
        return "".join(rng.choice("abcdefghiklmnoprstu") for _ in range(7))

    names = [f"{word()} {word()}" for _ in range(1_500)]
    many = [
        Scenario(
            id=name, name=name, category=list(categories())[place % 25], text=" ".join(word() for _ in range(14))
        )
        for place, name in enumerate(names)
    ]
    model_server.answer(Thinker(many))
    found = scouted(model_server, 1_000, known, embedder=HashedNgrams())
    assert len(found) == 1_000
    assert len(model_server.requests) <= 130
    assert max(Counter(each.category for each in found).values()) <= 51


def test_what_there_is_least_of_is_asked_for() -> None:
    balance = Balance(("a", "b", "c"), ["a", "a", "b", "unlisted"], 8)
    assert balance.cap == 5
    assert balance.ask(4, Random(0)) in ({"b": 1, "c": 2, "a": 1}, {"b": 2, "c": 2}, {"b": 1, "c": 3})
    for _ in range(3):
        balance.take("a")
    assert balance.full("a")
    assert "a" not in balance.ask(5, Random(0))


def test_categories_that_have_no_more_give_way() -> None:
    balance = Balance(("a", "b"), ["a", "a", "a"], 20)
    asked = [balance.ask(2, Random(0)) for _ in range(4)]
    assert asked[0] == {"b": 2}
    assert asked[-1].get("a", 0) >= 1


def test_nothing_is_asked_for_above_the_cap() -> None:
    balance = Balance(("a", "b"), [], 4)
    assert balance.ask(50, Random(0)) == {"a": balance.cap, "b": balance.cap}


def test_every_shipped_category_is_listed() -> None:
    assert {each.category for each in shipped_scenarios()} == set(categories())
