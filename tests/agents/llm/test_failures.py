"""What may pass is tried again, what will not is told with its remedy."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from envolve.agents.llm import chat_with
from envolve.agents.llm.errors import ModelRefused, ModelUnavailable
from envolve.agents.llm.failures import seconds_to_wait, trouble_from
from envolve.eval.errors import InfraError

from ...scripted_model import ScriptedModel
from .conftest import HELLO, QUICK, Ask

PASSING: list[int | str] = [408, 409, 429, 500, 502, 503, "drop", "truncated", "malformed", "page"]


@pytest.mark.parametrize("kind", PASSING)
def test_what_may_pass_is_tried_again(model_server: ScriptedModel, ask: Ask, kind: int | str) -> None:
    model_server.fail(kind, times=2)
    model_server.say("at last")
    assert ask().text == "at last"
    assert len(model_server.requests) == 3


@pytest.mark.parametrize("kind", PASSING)
def test_what_does_not_pass_is_unavailable(model_server: ScriptedModel, ask: Ask, kind: int | str) -> None:
    model_server.fail(kind, times=50)
    with pytest.raises(ModelUnavailable) as caught:
        ask(patience=0.3, backoff=0.05)
    assert isinstance(caught.value, InfraError)
    assert model_server.name in caught.value.message
    assert caught.value.remedy
    assert len(model_server.requests) < 50


def test_a_call_that_hangs_is_cut_and_tried_again(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail("hang")
    model_server.say("at last")
    assert ask(timeout=0.5).text == "at last"


def test_a_server_that_always_hangs_is_unavailable(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail("hang", times=5)
    with pytest.raises(ModelUnavailable, match="in time"):
        ask(timeout=0.1, patience=0)


def test_a_server_that_comes_back_is_waited_for(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.say("back")
    model_server.down(0.5)
    assert ask(patience=60, backoff=0.1).text == "back"


def test_a_server_that_stays_down_is_told(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.down(60)
    with pytest.raises(ModelUnavailable, match="cannot be reached") as caught:
        ask(patience=0.2, backoff=0.05)
    assert model_server.url in caught.value.remedy


def test_a_page_for_people_is_not_tried_for_long(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail("page", times=50)
    with pytest.raises(ModelUnavailable, match="no chat completion") as caught:
        ask(patience=600)
    assert "wire format" in caught.value.remedy
    assert len(model_server.requests) < 10


def test_no_patience_means_one_call(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail(503, times=2)
    with pytest.raises(ModelUnavailable):
        ask(patience=0)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_will_not_pass_is_refused_at_once(model_server: ScriptedModel, ask: Ask, status: int) -> None:
    model_server.fail(status, message="so it is")
    with pytest.raises(ModelRefused) as caught:
        ask()
    assert f"HTTP {status}" in caught.value.message
    assert caught.value.remedy
    assert len(model_server.requests) == 1


def test_a_missing_key_names_its_variable(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.key = "sesame"
    with pytest.raises(ModelRefused, match=r"No key is set: put it into ENVOLVE_KEY_127_0_0_1_\d+ or OPENAI_API_KEY"):
        ask()


def test_a_provider_is_not_asked_without_a_key(ask: Ask) -> None:
    with pytest.raises(ModelRefused, match="put it into OPENAI_API_KEY"):
        ask(name="openai:gpt-5")


def test_what_a_providers_package_will_not_send_is_refused() -> None:
    assert not trouble_from(ValueError("`temperature` is not supported for this model"), None).passing


def test_what_nobody_foresaw_gets_little_patience() -> None:
    trouble = trouble_from(RuntimeError("odd"), None)
    assert trouble.passing
    assert not trouble.is_known


def test_a_wrong_key_names_its_variable(
    model_server: ScriptedModel, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    model_server.key = "sesame"
    monkeypatch.setenv("OPENAI_API_KEY", "barley")
    with pytest.raises(ModelRefused, match="OPENAI_API_KEY was not accepted"):
        ask()
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    model_server.say("Open.")
    assert ask().text == "Open."


def test_an_unknown_model_tells_near_ones(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.models = ["qwen3-8b", "qwen3-32b", "llama-3.3"]
    model_server.fail(404, message="no such model")
    with pytest.raises(ModelRefused) as caught:
        ask(name=f"openai:qwen3@{model_server.url}")
    assert "qwen3-8b" in caught.value.remedy
    assert "llama" not in caught.value.remedy


def test_an_unknown_model_of_a_server_that_lists_none(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.models = None
    model_server.fail(404)
    with pytest.raises(ModelRefused, match="URL ends in /v1"):
        ask()


def test_an_account_without_credit_is_not_waited_for(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail(429, code="insufficient_quota", message="You exceeded your current quota.")
    with pytest.raises(ModelRefused, match="no credit left"):
        ask()


def test_long_words_of_a_provider_are_cut(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail(400, message="too long " * 1000)
    with pytest.raises(ModelRefused) as caught:
        ask()
    assert len(caught.value.message) < 500


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_honoured(model_server: ScriptedModel, ask: Ask, form: str) -> None:
    then = datetime.now(UTC) + timedelta(seconds=3)
    model_server.fail(429, retry_after=1 if form == "seconds" else format_datetime(then, usegmt=True))
    model_server.say("now")
    start = time.monotonic()
    assert ask().text == "now"
    # A lower bound only: machines may be slow.
    assert time.monotonic() - start >= 1


def test_a_wait_beyond_patience_is_not_begun(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail(429, retry_after=3600)
    with pytest.raises(ModelUnavailable, match="HTTP 429") as caught:
        ask()
    assert "calls at once" in caught.value.remedy
    assert len(model_server.requests) == 1


def test_forms_of_retry_after() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert seconds_to_wait("7.5", now) == 7.5
    assert seconds_to_wait("Thu, 01 Jan 2026 00:01:00 GMT", now) == 60
    assert seconds_to_wait("Thu, 01 Jan 2026 00:01:00 -0000", now) == 60
    assert seconds_to_wait("Wed, 31 Dec 2025 00:00:00 GMT", now) == 0
    assert seconds_to_wait("-5", now) == 0
    assert [seconds_to_wait(text, now) for text in (None, "", "soon", "nan", "inf", "99999999999999")][:3] == [
        None
    ] * 3


def test_one_failing_call_does_not_hold_up_others(model_server: ScriptedModel) -> None:
    model_server.fail(500, times=3)
    model_server.answer(lambda body: "fine")

    async def many() -> list[str]:
        chat = chat_with(model_server.name, QUICK)
        return [reply.text for reply in await asyncio.gather(*(chat.ask(HELLO) for _ in range(20)))]

    assert asyncio.run(many()) == ["fine"] * 20
