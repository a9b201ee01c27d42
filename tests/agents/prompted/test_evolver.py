"""The evolver as a model, over real HTTP, with replies written by hand as a capable model would write them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.llm import chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.prompted.evolver import PromptedEvolver
from envolve.agents.prompted.evolver.operators import all_operators
from envolve.agents.prompted.task_writer import PromptedTaskWriter
from envolve.environments.dataflow import structure_features
from envolve.environments.errors import InputError
from envolve.environments.gold import run_gold
from envolve.environments.models import ExpectedSubmission, Task
from envolve.eval.audit import audit

from ...scripted_model import ScriptedModel
from .task_scripts import SHRINK, Conversations, environment, reply, verified

HARDER, EASIER, REWORD = "so that it becomes harder", "so that it becomes easier", "You say a request in other words"
VERIFIER = "You write the verifier"


def _evolve(server: ScriptedModel, operator: str, *replies: Any, task: Task | None = None) -> Task | None:
    if replies:
        server.answer(Conversations({HARDER: replies, EASIER: replies, REWORD: replies}))
    evolver = PromptedEvolver(chat_with(server.name))
    return asyncio.run(evolver.evolve(environment(), task or verified(SHRINK), operator, seed=3))


def _sound(server: ScriptedModel, task: Task) -> Task:
    writer = PromptedTaskWriter(chat_with(server.name))
    done = asyncio.run(writer.write_verifier(environment(), task, run_gold(environment(), task)))
    report = audit(environment(), done, seed=5)
    assert report.grade == "sound", report
    return done


def test_a_deeper_child_is_audited_sound(model_server: ScriptedModel) -> None:
    child = _evolve(model_server, "deepen", reply("deepened"))
    assert child is not None
    parent = verified(SHRINK)
    assert child.lineage.model_dump() == {
        "parent": parent.id, "operator": "deepen", "generation": 1, "split": "train"
    }  # fmt: skip
    assert not child.verifier.require
    model_server.answer(Conversations({VERIFIER: [reply("deepened verifier")]}))
    done = _sound(model_server, child)
    before, after = (structure_features(environment(), one, run_gold(environment(), one)) for one in (parent, done))
    assert after["writes"] == before["writes"] + 1


def test_distractors_lie_in_the_setup_and_need_care(model_server: ScriptedModel) -> None:
    child = _evolve(model_server, "distract", reply("distracted"))
    assert child is not None
    assert child.setup == (
        "INSERT INTO bookings (id, confirmation_code, table_id, person_id, starts_at, ends_at, party_size, status, "
        "created_at) VALUES (1903, 'TB-3QWERT', 562, 209, '2026-03-06 12:00:00', '2026-03-06 14:00:00', 5, "
        "'confirmed', '2026-02-24 09:00:00')",
    )
    done = _sound(model_server, child)  # by its parent's verifier
    assert len(model_server.requests) == 1
    cleared = _evolve(model_server, "clear", {"reason": "taken out", "drop_rows": True}, task=done)
    assert cleared is not None
    assert cleared.setup == ()
    assert cleared.lineage.generation == 2


def _rows(**changes: Any) -> dict[str, Any]:
    draft: dict[str, Any] = reply("distracted")
    draft["rows"][0]["insert"] |= changes
    return draft


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        (_rows(table_id=999), "FOREIGN KEY"),
        (_rows(table_id=529, starts_at="2026-03-06 22:00:00", ends_at="2026-03-07 00:00:00"), "no double booking"),
        (_rows(guests=4), "bookings has no column 'guests'"),
        (reply("distracted") | {"rows": [{"table": "tips", "insert": {"id": 1}}]}, "no table 'tips'"),
        (
            reply("distracted") | {"rows": [{"table": "bookings", "key": {"id": 1819}}]},
            "give insert, or key with update",
        ),
        (
            _rows(
                person_id=213,
                party_size=2,
                table_id=576,
                starts_at="2026-03-10 12:00:00",
                ends_at="2026-03-10 14:00:00",
            ),
            "none of",
        ),
        (reply("distracted") | {"rows": []}, "reads like its parent"),
        (reply("distracted") | {"task": reply("deepened", "task")}, "instruction: distract leaves it as it is"),
    ],
)
def test_rows_and_children_that_cannot_be_go_back(
    model_server: ScriptedModel, draft: dict[str, Any], told: str
) -> None:
    assert _evolve(model_server, "distract", draft, reply("distracted")) is not None
    assert told in model_server.requests[1].text


def test_hostile_cells_are_text_and_nothing_else(model_server: ScriptedModel) -> None:
    child = _evolve(model_server, "distract", _rows(note="'); DELETE FROM people; --"))
    assert child is not None
    assert "'''); DELETE FROM people; --'" in child.setup[0]
    with environment().open(child) as episode:
        assert episode.call("get_my_profile").value["name"] == "Ben Okafor"


def test_other_operators_change_no_rows(model_server: ScriptedModel) -> None:
    child = _evolve(
        model_server, "deepen", reply("deepened") | {"rows": reply("distracted", "rows")}, reply("deepened")
    )
    assert child is not None
    assert not child.setup
    assert "deepen changes no rows" in model_server.requests[1].text


def test_a_child_that_is_none_goes_back(model_server: ScriptedModel) -> None:
    same = {"reason": "as it was", "task": reply(SHRINK)}
    assert _evolve(model_server, "deepen", {"reason": "forgot"}, same, reply("deepened")) is not None
    assert "the child is missing" in model_server.requests[1].text
    assert "reads like its parent" in model_server.requests[2].text


def test_a_child_that_is_no_deeper_goes_back(model_server: ScriptedModel) -> None:
    wordy = reply(SHRINK)
    wordy["instruction"] += " Thank you so much!"
    assert _evolve(model_server, "deepen", {"reason": "wordier", "task": wordy}, reply("deepened")) is not None
    assert "deepen: none of these rises: critical_path 3 -> 3" in model_server.requests[1].text


def test_a_paraphrase_keeps_all_but_the_words(model_server: ScriptedModel) -> None:
    parent = verified(SHRINK)
    unlike = reply("reworded") | {"phrases": []}
    child = _evolve(model_server, "paraphrase", unlike, reply("reworded"), task=parent)
    assert child is not None
    assert "is not in the instruction" in model_server.requests[1].text
    assert child.instruction == reply("reworded", "instruction")
    assert child.lineage.operator == "paraphrase"
    done = _sound(model_server, child)
    assert (done.gold, done.goal, done.verifier) == (parent.gold, parent.goal, parent.verifier)
    assert len(model_server.requests) == 2
    assert done.id != parent.id


def test_a_paraphrase_that_no_longer_says_a_number_goes_back(model_server: ScriptedModel) -> None:
    vague = reply("reworded")
    vague["instruction"] = vague["instruction"].replace("four of us", "a handful of us")
    assert _evolve(model_server, "paraphrase", vague, reply("reworded")) is not None
    assert "it no longer says 4" in model_server.requests[1].text


def test_what_does_not_apply_gives_no_child(model_server: ScriptedModel) -> None:
    assert _evolve(model_server, "branch", {"applies": False, "reason": "nothing to branch on"}) is None
    assert _evolve(model_server, "clear") is None  # there are no rows of its own
    with pytest.raises(Unusable):
        _evolve(model_server, "deepen", {"applies": True, "reason": "no child"})


def test_one_of_a_pair_is_left_alone(model_server: ScriptedModel) -> None:
    task = verified(SHRINK)
    twinned = task.verifier.model_copy(update={"submit": ExpectedSubmission(options=(1, 2, 3, 4))})
    assert _evolve(model_server, "widen", task=task.model_copy(update={"verifier": twinned})) is None
    assert not model_server.requests


def test_operators_are_named_as_the_pipeline_names_them(model_server: ScriptedModel) -> None:
    evolver = PromptedEvolver(chat_with(model_server.name))
    assert set(evolver.operators["harden"]) == {
        "deepen", "widen", "conceal", "constrain", "branch", "aggregate", "distract"
    }  # fmt: skip
    assert evolver.placebos == ("paraphrase",)
    with pytest.raises(InputError, match="Known: deepen"):
        asyncio.run(evolver.evolve(environment(), verified(SHRINK), "obfuscate", seed=1))


def test_every_operator_has_a_counterpart_and_moves_what_is_measured() -> None:
    task = verified(SHRINK)
    features = structure_features(environment(), task, run_gold(environment(), task))
    by_name = {operator.name: operator for operator in all_operators()}
    for operator in by_name.values():
        other = by_name[operator.counterpart]
        assert other.counterpart == operator.name
        assert {operator.direction, other.direction} in ({"harden", "soften"}, {None})
        assert set(operator.moves) <= set(features)
