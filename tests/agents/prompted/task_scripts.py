"""Replies for the tests of task writer and evolver, written by hand as a capable model would write them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from envolve.environments.gold import run_gold
from envolve.environments.models import Actor, Task
from envolve.environments.package import Environment

PACKAGE = Path(__file__).parents[2] / "data" / "table-booking"
SHRINK, NOBODY, LAST = "Shrink the late dinner", "Nobody came last night", "Who arrives last on Friday"


@cache
def environment() -> Environment:
    return Environment.load(PACKAGE)


def reply(*path: str) -> Any:
    """A reply by its place in the file, as an object of one's own."""
    text = (Path(__file__).parent / "task_replies" / "replies.yaml").read_text(encoding="utf-8")
    found = yaml.safe_load(text)
    for name in path:
        found = found[name]
    return json.loads(json.dumps(found))


class Conversations:
    """Answers each request by what its first user message says: the first of a key's replies, then the next."""

    def __init__(self, replies: Mapping[str, Sequence[Any]]) -> None:
        self._replies = replies

    def __call__(self, body: dict[str, Any]) -> str:
        messages = body["messages"]
        asked = "\n".join(str(message["content"]) for message in messages[:2])
        turn = sum(message["role"] == "assistant" for message in messages)
        for said, replies in self._replies.items():
            if said in asked:
                return json.dumps(replies[min(turn, len(replies) - 1)])
        raise AssertionError(f"nobody wrote a reply to: {asked[:200]}")


def proposed(title: str = SHRINK) -> Task:
    """A task as the writer proposes it."""
    from envolve.agents.prompted.task_writer.building import task_of
    from envolve.agents.prompted.task_writer.drafts import IdeaDraft, TaskDraft

    ideas = [IdeaDraft.model_validate(idea) for idea in reply("ideas", "ideas")]
    idea = next(idea for idea in ideas if idea.title == title)
    actor = Actor(roles=(idea.role,), id=idea.actor_id)
    return task_of(TaskDraft.model_validate(reply(title)), environment(), actor=actor)


def verified(title: str = SHRINK, *, without: str = "") -> Task:
    """A task with the verifier written for it, or with one that lacks a check."""
    from envolve.agents.prompted.task_writer.drafts import VerifierDraft
    from envolve.agents.prompted.task_writer.verifying import with_verifier

    task = proposed(title)
    draft = reply("verifiers", title)
    draft["require"] = [check for check in draft["require"] if check["name"] != without]
    run = run_gold(environment(), task)
    return with_verifier(environment(), task, run, VerifierDraft.model_validate(draft))
