"""Near-copies of one world, by kind: single transformations and some in a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from envolve.agents.base import Scenario
from envolve.environments.canonical import seed_from
from envolve.environments.package import Environment

from .leaving_out import subset
from .paraphrasing import paraphrased
from .renaming import renamed
from .reordering import reordered
from .reskinning import reskinned

Step = Literal["re-skinned", "subset", "renamed", "paraphrased", "re-ordered"]

KINDS: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {
        "renamed": ("renamed",),
        "re-skinned": ("re-skinned",),
        "re-ordered": ("re-ordered",),
        "paraphrased": ("paraphrased",),
        "subset": ("subset",),
        "renamed, re-ordered": ("renamed", "re-ordered"),
        "paraphrased, subset": ("subset", "paraphrased"),
        "re-skinned, subset": ("re-skinned", "subset"),
        "re-skinned, renamed, paraphrased": ("re-skinned", "renamed", "paraphrased"),
        "all five": ("re-skinned", "subset", "renamed", "paraphrased", "re-ordered"),
    }
)
"""Kind → its transformations in turn. A re-skinned copy has tasks of its own, from the same workflows; in all others
tasks are carried over. Nothing composes a world again once it was renamed, so that comes late."""


class Copy(NamedTuple):
    kind: str
    environment: Environment


def copies(environment: Environment, other: Scenario, seed: int) -> Iterator[Copy]:
    """A near-copy of each kind; `other` is the scenario in whose words re-skinned ones are told."""
    for kind, steps in KINDS.items():
        copy = environment
        for step in steps:
            copy = _applied(step, copy, other, seed_from("near-copy", seed, kind, step))
        yield Copy(kind, copy)


def _applied(step: Step, environment: Environment, other: Scenario, seed: int) -> Environment:
    if step == "re-skinned":
        return reskinned(environment, other, seed)
    plain = {"subset": subset, "renamed": renamed, "paraphrased": paraphrased, "re-ordered": reordered}
    return plain[step](environment, seed)
