"""The words of composed worlds: articles, doubled words, and what tasks, tools and rules say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable

import inflect
import pytest

from envolve.agents.procedural.inflection import article
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.formats import undoubled
from envolve.agents.procedural.tasks.grammar import fits, nests
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.models import Require
from envolve.environments.package import Environment

ENGINE = inflect.engine()
SAMPLE = shipped_scenarios()[::12]
QUOTED = re.compile(r'"[^"]*"')
ARTICLE = re.compile(r"\b([Aa]n?) ([A-Za-z][\w'-]*)")
DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)


@pytest.mark.parametrize("scenario", SAMPLE, ids=[scenario.id for scenario in SAMPLE])
def test_articles_fit_and_no_word_stands_twice(scenario: object, compose: Callable[..., Environment]) -> None:
    environment = compose(scenario, seed=2)
    tasks = asyncio.run(ProceduralTaskWriter().propose(environment, 5, seed=2))
    for text in (*(task.instruction for task in tasks), *_written(environment)):
        plain = QUOTED.sub('""', text)
        for said, word in ARTICLE.findall(plain):
            assert said.lower() == str(ENGINE.a(word)).split()[0], text
        assert not DOUBLED.search(plain), text


def _written(environment: Environment) -> Iterable[str]:
    """What an environment says in words of its own."""
    yield from environment.spec.requirements
    yield from environment.spec.policy.splitlines()
    for tool in environment.tools.values():
        yield tool.description
        yield from (param.description or "" for param in tool.params.values())
        yield from (step.error.message for step in tool.steps if isinstance(step, Require))


@pytest.mark.parametrize(
    ("noun", "wanted"), [("hour", "an"), ("university", "a"), ("honest mistake", "an"), ("x-ray", "an"), ("one", "a")]
)
def test_articles_go_by_sound(noun: str, wanted: str) -> None:
    assert article(noun) == wanted


def test_a_word_that_is_there_twice_is_said_once() -> None:
    assert undoubled("the full season season") == "the full season"
    assert undoubled('say "no no" to that that') == 'say "no no" to that'


def test_heavy_phrases_stand_last_within_others() -> None:
    heavy = {"who": "the member who joined on Friday 6 March"}
    assert nests("the booking of {who}", heavy)
    assert not nests("the booking of {who} on {at:date}", heavy)
    assert nests("the booking of {who} on {at:date}", {"who": "Ada Byron"})


def test_no_date_follows_a_date() -> None:
    assert not fits("book it for {who} on {at:date}", {"who": "the one that starts on Friday 6 March"})
    assert fits("book it for {who} on {at:date}", {"who": "the one named Byron"})
