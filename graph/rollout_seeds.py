"""From which seed the episode of a stored rollout was opened: what `ItemWorker` and the task graph give their steps."""

from __future__ import annotations

from ..environments.canonical import seed_from
from ..environments.models import Rollout
from ..eval.rollouts import episode_seed

_STEPS = {"measure": "measure", "confirm": "confirm", "effect": "compare"}
"""The step that takes rollouts of a purpose, by which the task graph seeds it."""


def rollout_seed(run_seed: int, item: str, rollout: Rollout, *, ran_as: str) -> int:
    """`item` is the key of the item that took the rollout, `ran_as` the task version that it was run as."""
    kind = item.split("/")[1]
    seed = seed_from(run_seed, item)
    if kind != "rate":
        seed = seed_from(seed, _STEPS.get(rollout.purpose, rollout.purpose))
    return episode_seed(seed, ran_as, rollout.profile, rollout.purpose, rollout.index)
