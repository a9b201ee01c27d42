"""What an earlier part was about is called "that one" only where no other of its kind was spoken of."""

import asyncio

from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.offers import offers_of
from envolve.agents.procedural.tasks.plans import plan_of
from envolve.agents.procedural.tasks.speaking import speak
from envolve.agents.procedural.tasks.trials import Trials
from envolve.environments.package import Environment


def test_that_one_is_the_only_one_spoken_of(composed: dict[str, Environment]) -> None:
    said: list[str] = []
    others: list[str] = []
    for environment in composed.values():
        offers, trials = offers_of(environment), Trials(environment, offers_of(environment))
        for task in asyncio.run(ProceduralTaskWriter().propose(environment, 60, seed=8)):
            plan = plan_of(task)
            if plan is None or plan.twinned:
                continue
            parts = speak(offers, trials.world(plan.actor), plan)
            for place, spoken in enumerate(parts):
                for slot in spoken.part.taken:
                    table = spoken.workflow.table(slot)
                    rows = {row for part in parts[:place] for held, row in part.rows() if held == table}
                    phrase = str(spoken.text[slot])
                    said.append(phrase)
                    if phrase.startswith("that ") and len(rows | {spoken.env[slot]}) > 1:
                        others.append(task.instruction)
    assert sum(phrase.startswith("that ") for phrase in said) >= 10
    assert others == []
