"""Scenarios from texts, mappings and files."""

from __future__ import annotations

import pytest

from envolve.agents.scenarios import read_scenarios, scenario_of
from envolve.environments.errors import InputError


def test_an_id_that_was_given_is_kept() -> None:
    """The `config.yaml` of a run names its scenarios so, and random choices depend on it."""
    told = scenario_of({"id": "wall-2", "name": "Wall", "category": "sports", "text": "A climbing wall."})
    assert (told.id, told.name, told.category) == ("wall-2", "Wall", "sports")
    assert scenario_of({"name": "Climbing wall", "text": "A climbing wall."}).id == "climbing-wall"
    assert read_scenarios("scenarios: [{id: wall-2, text: A wall.}]", "list.yaml")[0].id == "wall-2"


@pytest.mark.parametrize("wrong", ["", "A b", "../x", "-a", 3, ["a"]])
def test_an_id_must_be_a_slug(wrong: object) -> None:
    with pytest.raises(InputError, match="is no id of a scenario"):
        scenario_of({"id": wrong, "text": "A climbing wall."})
