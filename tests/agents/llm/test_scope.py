"""Kept replies are not paid for again; budgets are asked before, and settled after, each call."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from envolve.agents.llm import ChatReply, ChatRequest, ModelSettings, chat_with
from envolve.agents.llm.errors import BudgetReached, ModelRefused, ModelUnavailable
from envolve.agents.llm.estimating import most_prompt_tokens
from envolve.agents.llm.scope import Scope, within
from envolve.environments.errors import InputError
from envolve.eval.usage import metered

from ...scripted_model import ScriptedModel
from .conftest import HELLO, QUICK

USAGE = {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500}


class Shelf:
    """Keeps replies in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.paid: list[tuple[int, float]] = []

    def get(self, place: str) -> Any | None:
        return self.kept.get(place)

    def put(self, place: str, payload: Any, *, tokens: int, cost_usd: float) -> None:
        self.kept[place] = payload
        self.paid.append((tokens, cost_usd))


class Purse:
    """A budget in tokens and money."""

    def __init__(self, *, tokens: int = 10**9, usd: float | None = None) -> None:
        self.tokens = tokens
        self.usd = usd
        self.reserved: list[tuple[int, float]] = []
        self.settled: list[tuple[int, float]] = []

    @property
    def limits_money(self) -> bool:
        return self.usd is not None

    async def reserve(self, *, tokens: int, cost_usd: float) -> Purse:
        if tokens > self.tokens or (self.usd is not None and cost_usd > self.usd):
            raise BudgetReached("The next call could pass the budget.")
        self.reserved.append((tokens, cost_usd))
        return self

    def settle(self, *, tokens: int, cost_usd: float) -> None:
        self.settled.append((tokens, cost_usd))


def ask(
    server: ScriptedModel, scope: Scope, request: ChatRequest = HELLO, settings: ModelSettings = QUICK
) -> ChatReply:
    async def once() -> ChatReply:
        with within(scope):
            return await chat_with(server.name, settings).ask(request)

    return asyncio.run(once())


@pytest.fixture
def priced(model_server: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """The scripted model at one dollar for a thousand tokens read, two for a thousand written."""
    Path("prices.yaml").write_text(
        f'models: {{"{model_server.name}": {{input: 1000, output: 2000}}}}', encoding="utf-8"
    )
    monkeypatch.setenv("ENVOLVE_PRICES", "prices.yaml")
    model_server.answer(lambda body: {"content": "fine", "usage": USAGE})
    return model_server


def test_a_kept_reply_is_given_again(priced: ScriptedModel) -> None:
    shelf = Shelf()
    with metered() as usage:
        first = ask(priced, Scope(replies=shelf))
        again = ask(priced, Scope(replies=shelf))
    assert first == again
    assert first.cost_usd == pytest.approx(2.0)
    assert len(priced.requests) == 1
    assert shelf.paid == [(1500, 2.0)]
    assert (usage.tokens, usage.cost_usd) == (3000, 4.0)


def test_a_kept_reply_needs_no_budget_and_no_server(priced: ScriptedModel) -> None:
    shelf = Shelf()
    ask(priced, Scope(replies=shelf))
    priced.down(60)
    purse = Purse(tokens=0)
    assert ask(priced, Scope(replies=shelf, budget=purse)).text == "fine"
    assert not purse.reserved


@pytest.mark.parametrize(
    ("request_", "settings"),
    [
        (HELLO.model_copy(update={"sample": "2"}), QUICK),
        (HELLO.model_copy(update={"max_output_tokens": 7}), QUICK),
        (HELLO.model_copy(update={"json_schema": {"type": "object"}}), QUICK),
        (HELLO, QUICK.model_copy(update={"temperature": 0.3})),
        (HELLO, QUICK.model_copy(update={"effort": "high"})),
    ],
)
def test_another_question_has_another_reply(
    priced: ScriptedModel, request_: ChatRequest, settings: ModelSettings
) -> None:
    shelf = Shelf()
    ask(priced, Scope(replies=shelf))
    ask(priced, Scope(replies=shelf), request_, settings)
    assert len(priced.requests) == len(shelf.kept) == 2


def test_how_patient_one_is_changes_no_reply(priced: ScriptedModel) -> None:
    shelf = Shelf()
    ask(priced, Scope(replies=shelf))
    ask(priced, Scope(replies=shelf), settings=ModelSettings(patience=1, concurrency=1))
    assert len(priced.requests) == 1


def test_a_kept_reply_of_another_form_is_asked_for_anew(priced: ScriptedModel) -> None:
    shelf = Shelf()
    ask(priced, Scope(replies=shelf))
    shelf.kept = {place: {"words": "of old"} for place in shelf.kept}
    assert ask(priced, Scope(replies=shelf)).text == "fine"


def test_the_worst_case_is_set_aside_and_the_cost_settled(priced: ScriptedModel) -> None:
    purse = Purse(usd=100)
    ask(priced, Scope(budget=purse), settings=QUICK.model_copy(update={"max_output_tokens": 4000}))
    (tokens, cost) = purse.reserved[0]
    assert tokens > 4000
    assert cost > 8
    assert purse.settled == [(1500, 2.0)]


def test_a_long_prompt_is_set_aside_generously(priced: ScriptedModel) -> None:
    purse = Purse()
    text = 'naïve 漢字 {"key": 1}\n' * 1000
    ask(priced, Scope(budget=purse), ChatRequest(messages=({"role": "user", "content": text},), max_output_tokens=1))
    assert purse.reserved[0][0] > 10_000


def test_what_could_pass_the_budget_is_not_sent(priced: ScriptedModel) -> None:
    with pytest.raises(BudgetReached):
        ask(priced, Scope(budget=Purse(usd=1.0)))
    assert not priced.requests


def test_a_failed_call_is_settled_with_nothing(model_server: ScriptedModel) -> None:
    purse = Purse()
    model_server.fail(403)
    with pytest.raises(ModelRefused):
        ask(model_server, Scope(budget=purse))
    assert purse.settled == [(0, 0.0)]


def test_a_cancelled_call_may_have_cost_its_worst(model_server: ScriptedModel) -> None:
    purse = Purse()
    model_server.fail("hang")

    async def cut() -> None:
        with within(Scope(budget=purse)):
            call = asyncio.create_task(chat_with(model_server.name, QUICK).ask(HELLO))
            while not model_server.requests:
                await asyncio.sleep(0.01)
            call.cancel()
            await asyncio.wait([call])

    asyncio.run(cut())
    assert purse.settled == purse.reserved


@pytest.mark.parametrize("kind", ["hang", "drop", "truncated", "malformed", 408, 504])
def test_a_call_that_broke_off_may_have_cost_its_worst(priced: ScriptedModel, kind: int | str) -> None:
    purse = Purse()
    priced.fail(kind)
    with pytest.raises(ModelUnavailable):
        ask(priced, Scope(budget=purse), settings=QUICK.model_copy(update={"patience": 0, "timeout": 0.5}))
    assert purse.settled == purse.reserved
    assert purse.settled[0][1] > 0


@pytest.mark.parametrize("kind", ["page", "down", 429, 500, 503])
def test_a_call_that_was_not_taken_cost_nothing(priced: ScriptedModel, kind: int | str) -> None:
    purse = Purse()
    if kind == "down":
        priced.down(60)
    else:
        priced.fail(kind)
    with pytest.raises(ModelUnavailable):
        ask(priced, Scope(budget=purse), settings=QUICK.model_copy(update={"patience": 0}))
    assert purse.settled == [(0, 0.0)]


@pytest.mark.parametrize("text", ["7" * 10_000, "+-" * 5_000, "漢" * 10_000, "\ud800" * 10_000, "qzx" * 3_000])
def test_no_tokenizer_makes_more_of_a_prompt(text: str) -> None:
    request = ChatRequest(messages=({"role": "user", "content": text},))
    assert most_prompt_tokens(request) >= len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", ["openai:unheard-of", "openai:unheard-of@https://gateway.invalid/v1"])
def test_a_budget_in_money_needs_a_price(name: str) -> None:
    async def once(purse: Purse) -> None:
        with within(Scope(budget=purse)):
            await chat_with(name, QUICK).ask(HELLO)

    with pytest.raises(InputError, match="ENVOLVE_PRICES"):
        asyncio.run(once(Purse(usd=5)))
