"""A model as a critic, over real HTTP: reviews are written by hand, as a model would write them."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from envolve.agents.base import Dossier, PastDefect
from envolve.agents.critics import FAILED, Panel, critic_named
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import ModelUnavailable, Unusable
from envolve.agents.prompted.critic import PromptedCritic
from envolve.agents.prompted.critic.aspects import aspects
from envolve.agents.prompted.critic.drafts import ClaimDraft, ReviewDraft
from envolve.agents.prompted.critic.probing import finding_of, probe_problems
from envolve.agents.tester.probes import confirm
from envolve.environments.models import Finding
from envolve.environments.package import Environment

from ...scripted_model import ScriptedModel

PACKAGE = Path("tests/data/table-booking")
FAULTS = (
    ('      scope: {where: "person_id = :actor_id", roles: [diner]}\n', ""),
    ("cancelled_at = :now, note = coalesce(:reason, note)", "note = coalesce(:reason, note)"),
    ("t.seats >= :min_seats", "t.seats > :min_seats"),
)
SCOPE: dict[str, Any] = {
    "kind": "Scope missing",
    "severity": "blocker",
    "where": "tools.get_booking",
    "message": "A diner reads anybody's booking.",
    "probe": {
        "actor": {"roles": ["diner"], "id": 209},
        "calls": [{"call": "get_booking", "args": {"booking_id": 1806}}],
        "expect": [{"fails": ["forbidden"]}],
    },
}
QUIET = ModelSettings(patience=0.0, timeout=20.0)


@pytest.fixture(scope="module")
def sound() -> Environment:
    return Environment.load(PACKAGE)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The sample with three faults planted."""
    folder = tmp_path_factory.mktemp("faulty") / "package"
    shutil.copytree(PACKAGE, folder)
    text = (folder / "tools.yaml").read_text(encoding="utf-8")
    for old, new in FAULTS:
        assert old in text
        text = text.replace(old, new)
    (folder / "tools.yaml").write_text(text, encoding="utf-8")
    return Environment.load(folder)


def asked_for(body: dict[str, Any]) -> str:
    """The aspect that a request is about."""
    return next(each.name for each in aspects() if each.question in body["messages"][1]["content"])


def reviewer(**claims: list[Any]) -> Callable[[dict[str, Any]], dict[str, Any] | str]:
    """Answers with an aspect's claims, one list after the other for each time it is asked; with none otherwise."""
    left = {name: list(replies) for name, replies in claims.items()}

    def answer(body: dict[str, Any]) -> dict[str, Any] | str:
        replies = left.get(asked_for(body), [])
        reply = replies.pop(0) if len(replies) > 1 else (replies or [[]])[0]
        return reply if isinstance(reply, str) else {"claims": reply}

    return answer


def reviewed(server: ScriptedModel, environment: Environment, *defects: PastDefect) -> list[Finding]:
    critic = PromptedCritic(chat_with(server.name, QUIET))
    return asyncio.run(critic.review(Dossier(environment, {}, defects)))


def requests_for(server: ScriptedModel, aspect: str) -> list[str]:
    return [request.text for request in server.requests if asked_for(request.body) == aspect]


def test_a_claim_is_confirmed_by_its_probe(model_server: ScriptedModel, faulty: Environment) -> None:
    model_server.answer(reviewer(access=[[SCOPE]]))
    [finding] = reviewed(model_server, faulty)
    assert (finding.kind, finding.where, finding.severity) == ("scope_missing", "tools.get_booking", "blocker")
    assert finding.source == f"critic:{model_server.name}"
    assert finding.evidence == {"aspect": "access"}
    assert finding.confirmed is None
    assert [each.confirmed for each in confirm(faulty, [finding])] == [True]
    assert sorted(map(asked_for, (request.body for request in model_server.requests))) == sorted(
        each.name for each in aspects()
    )


def test_tasks_are_asked_about_only_where_there_are_any(model_server: ScriptedModel, sound: Environment) -> None:
    model_server.answer(reviewer())
    bare = Environment(sound.kit, sound.spec, sound.schema_sql, sound.seed_sql, sound.tools_file, {})
    assert reviewed(model_server, bare) == []
    asked = {asked_for(request.body) for request in model_server.requests}
    assert asked == {each.name for each in aspects()} - {"tasks"}


def test_a_false_claim_is_not_confirmed(model_server: ScriptedModel, sound: Environment) -> None:
    model_server.answer(reviewer(access=[[SCOPE]]))
    assert [each.confirmed for each in confirm(sound, reviewed(model_server, sound))] == [False]


def test_a_probe_that_cannot_run_goes_back_once(model_server: ScriptedModel, faulty: Environment) -> None:
    broken = SCOPE | {"probe": SCOPE["probe"] | {"calls": [{"call": "read_booking", "args": {}}]}}
    model_server.answer(reviewer(access=[[broken], [SCOPE]]))
    [finding] = reviewed(model_server, faulty)
    assert finding.probe is not None
    first, second = requests_for(model_server, "access")
    assert "claims[0].probe.calls[0].call: there is no tool 'read_booking'" in second
    assert "read_booking" not in first


def test_a_claim_that_nothing_can_show_is_kept_as_a_doubt(model_server: ScriptedModel, sound: Environment) -> None:
    claim = {"kind": "dead_end", "severity": "minor", "where": "requirements", "message": "Nobody can pay."}
    model_server.answer(reviewer(realism=[[claim]]))
    [finding] = confirm(sound, reviewed(model_server, sound))
    assert (finding.probe, finding.confirmed) == (None, None)
    assert "missing" in finding.evidence["no_probe"]
    assert len(requests_for(model_server, "realism")) == 2


def test_malformed_replies_fail_closed(model_server: ScriptedModel, sound: Environment) -> None:
    model_server.answer(reviewer(data=["All the rows look fine to me."]))
    with pytest.raises(Unusable):
        reviewed(model_server, sound)
    critic = PromptedCritic(chat_with(model_server.name, QUIET))
    [finding] = asyncio.run(Panel([critic]).review(Dossier(sound, {})))
    assert (finding.kind, finding.severity, finding.confirmed) == (FAILED, "blocker", True)


def test_a_malformed_reply_is_mended(model_server: ScriptedModel, faulty: Environment) -> None:
    unknown = SCOPE | {"confidence": 0.9}
    model_server.answer(reviewer(access=[[unknown], [SCOPE]]))
    assert len(reviewed(model_server, faulty)) == 1
    assert "confidence" in requests_for(model_server, "access")[1]


def test_a_provider_that_fails_says_nothing_of_the_environment(
    model_server: ScriptedModel, sound: Environment
) -> None:
    model_server.fail(503, times=50)
    critic = PromptedCritic(chat_with(model_server.name, QUIET))
    with pytest.raises(ModelUnavailable):
        asyncio.run(Panel([critic]).review(Dossier(sound, {})))


def test_the_ten_most_severe_are_kept(model_server: ScriptedModel, faulty: Environment) -> None:
    minor = [SCOPE | {"severity": "minor", "where": f"tools.number_{number}"} for number in range(14)]
    model_server.answer(reviewer(access=[[*minor, SCOPE]]))
    found = reviewed(model_server, faulty)
    assert len(found) == 10
    assert found[0].where == "tools.get_booking"


def test_past_defects_and_what_an_aspect_needs_are_shown(model_server: ScriptedModel, sound: Environment) -> None:
    model_server.answer(reviewer())
    defect = PastDefect(kind="stale_total", where="tools.pay", message="Old sum.", fix="steps.2: added `UPDATE`")
    assert reviewed(model_server, sound, defect) == []
    for aspect in aspects():
        [text] = requests_for(model_server, aspect.name)
        assert "stale_total at tools.pay: Old sum. What mended it: steps.2: added `UPDATE`" in text
        assert "UPDATE bookings SET status = 'cancelled'" in text
        assert ("move-the-anniversary-dinner" in text) is (aspect.name == "tasks")
        assert "31 | Osteria Lume | Harbour" in text
        assert "- bookings last two hours: SELECT id FROM bookings" in text


def test_the_example_of_the_prompt_is_right(sound: Environment, faulty: Environment) -> None:
    text = (files("envolve.agents.prompted.critic") / "prompts" / "example.json").read_text(encoding="utf-8")
    claims = ReviewDraft.model_validate(json.loads(text)).claims
    findings = [finding_of(sound, claim, critic="example", aspect="tools") for claim in claims]
    assert all(finding.probe for finding in findings)
    assert [finding.confirmed for finding in confirm(sound, findings)] == [False] * len(FAULTS)
    assert [finding.confirmed for finding in confirm(faulty, findings)] == [True] * len(FAULTS)


@pytest.mark.parametrize(
    ("probe", "problem"),
    [
        (None, "missing"),
        ({"expect": []}, "probe.expect: empty"),
        ({"expect": [{}]}, "no key is given"),
        ({"expect": [{"succeeds": True}]}, "there is none"),
        ({"task": "win", "expect": [{"sql": "SELECT 1"}]}, "there is no task 'win'; tasks: book-the"),
        ({"expect": [{"sql": "SELECT seat FROM before.bookings"}]}, "no such column: seat"),
        ({"expect": [{"sql": "DELETE FROM after.bookings"}]}, "cannot run|may not|not authorized"),
        ({"expect": [{"sql": "SELECT :booking"}]}, "booking"),
        (
            {"actor": {"roles": ["diner"], "id": 305}, "expect": [{"sql": "SELECT 1"}]},
            "probe.actor: No row of people",
        ),
        ({"actor": {"roles": ["chef"], "id": 305}, "expect": [{"sql": "SELECT 1"}]}, "There is no role 'chef'"),
        ({"actor": {"roles": ["Head Chef"], "id": 305}, "expect": [{"sql": "SELECT 1"}]}, "probe.actor"),
        (
            {"calls": [{"call": "get_booking", "args": {"id": 1806}}], "expect": [{"succeeds": True}]},
            "get_booking has no argument 'id'; it has: booking_id",
        ),
        (
            {"calls": [{"call": "get_my_profile"}], "expect": [{"result": "SELECT salary = 1 FROM result"}]},
            "no such column: salary",
        ),
        ({"calls": [{"call": "get_my_profile"}] * 31, "expect": [{"succeeds": True}]}, "31 calls; at most 30"),
    ],
)
def test_probes_that_cannot_run(probe: dict[str, Any] | None, problem: str, sound: Environment) -> None:
    claim = ClaimDraft.model_validate(SCOPE | {"probe": probe})
    with pytest.raises(AssertionError, match=problem):
        raise AssertionError("; ".join(probe_problems(sound, claim)))
    assert finding_of(sound, claim, critic="x", aspect="tools").probe is None


def test_critics_by_a_models_name() -> None:
    critic = critic_named("openai:gpt-5")
    assert isinstance(critic, PromptedCritic)
    assert critic.name == "openai:gpt-5"
