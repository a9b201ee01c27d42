"""Every workflow that an environment offers: its gold runs, its verifier passes gold and fails without it."""

from random import Random

import pytest
from pydantic import ValidationError

from envolve.agents.procedural.tasks.candidates import NoCandidate, PartDrawer
from envolve.agents.procedural.tasks.derivation import write_verifier
from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.plans import Plan
from envolve.agents.procedural.tasks.references import Referrer
from envolve.agents.procedural.tasks.trials import Trial, Trials
from envolve.agents.procedural.tasks.workflows import Choice, Refer, Workflow
from envolve.environments.errors import InputError
from envolve.environments.gold import run_gold
from envolve.environments.models import Actor, Submission, Task
from envolve.environments.package import Environment

TRIES = 6


def trial_of(
    environment: Environment, offers: Offers, workflow: Workflow, *, says: int | None = None
) -> Trial | None:
    """A task of one workflow, for one of its actors."""
    trials = Trials(environment, offers)
    for attempt in range(TRIES):
        rng = Random(attempt)
        role = rng.choice(workflow.actors)
        name = offers.roles[role]
        spec = environment.spec.roles[name]
        world = trials.world(Actor(roles=(name,), id=0))
        ids = [row[0] for row in world.rows(f"SELECT id FROM {spec.table} WHERE {spec.where} ORDER BY id")]
        for row in rng.sample(ids, min(5, len(ids))):
            actor = Actor(roles=(name,), id=row)
            referrer = Referrer(offers, trials.world(actor), role, workflow.choose)
            try:
                part = PartDrawer(referrer, rng, level=attempt % 3).draw(workflow)
            except NoCandidate:
                continue
            found = trials.trial(Plan(actor=actor, role=role, parts=(part,)))
            if found is not None:
                return found
    return None


def passes(environment: Environment, task: Task, submission: Submission | None = None) -> bool:
    """Whether gold (or, with a submission, doing nothing else) passes."""
    with environment.open(task) as episode:
        if submission is None:
            run_gold(environment, task, episode=episode)
        else:
            episode.submit(submission.status, submission.reason, submission.answer)
        return episode.verify().passed


def test_gold_passes_and_nothing_does_not(environment: Environment) -> None:
    offers = offers_of(environment)
    found: dict[str, Trial] = {}
    for key, workflow in offers.workflows.items():
        trial = trial_of(environment, offers, workflow)
        if trial is None:
            continue
        found[key] = trial
        task = write_verifier(environment, offers, trial.task, trial.run)
        environment.with_tasks([task])
        assert passes(environment, task), key
        assert not passes(environment, task, Submission()), key
        if workflow.kind == "change":
            assert task.verifier.require or task.verifier.bind, key
            assert task.verifier.allow, key
            gold = trial.run.submission
            assert gold is not None
            assert not passes(environment, task, gold), key
    changes = [key for key, workflow in offers.workflows.items() if workflow.kind == "change"]
    missing = [key for key in changes if key not in found]
    assert len(missing) <= len(changes) // 6, missing


def test_checks_are_named_in_plain_words(environment: Environment) -> None:
    offers = offers_of(environment)
    for workflow in list(offers.workflows.values())[:8]:
        trial = trial_of(environment, offers, workflow)
        if trial is not None:
            task = write_verifier(environment, offers, trial.task, trial.run)
            names = [check.name for check in task.verifier.require]
            assert len(names) == len(set(names))
            assert not any("_" in name for name in names), names


def test_environments_that_were_not_composed_are_refused() -> None:
    environment = Environment.load("tests/data/table-booking")
    with pytest.raises(InputError, match="not composed"):
        offers_of(environment)


@pytest.mark.parametrize(
    ("model", "raw", "problem"),
    [
        (Refer, {"phrase": "x", "sql": "SELECT 1", "find": [{"call": "x"}]}, "ends in a pick"),
        (Refer, {"phrase": "x", "sql": "SELECT 1", "find": [{"pick": "x"}], "expect": "first"}, "order goes with"),
        (Choice, {"one_of": [1], "int": [1, 2]}, "exactly one"),
        (Choice, {"one_of": [1], "optional": True}, "goes with add"),
        (Workflow, {"key": "a.b", "actors": ["staff"], "say": ["x"]}, "goal"),
        (Workflow, {"key": "a.b", "kind": "question", "actors": ["staff"], "say": ["x"]}, "questions have an answer"),
        (Workflow, {"key": "a.b", "kind": "refusal", "actors": ["staff"], "say": ["x"]}, "refusals have a rule"),
    ],
)
def test_malformed_workflows_are_refused(model: type[Workflow], raw: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        model.model_validate(raw)
