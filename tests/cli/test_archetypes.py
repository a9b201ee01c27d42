"""`envolve archetypes`: what there is, and what is wrong with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envolve.agents.procedural import library as shelf
from envolve.agents.procedural.library import Archetype, library

from .conftest import Cli


def test_what_there_is_is_listed(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("archetypes", "list", "--json").json["archetypes"]}
    assert rows["bookings"]["kind"] == "archetype"
    assert rows["bookings"]["workflows"] > 0
    assert rows["booking_invoiced"]["kind"] == "link"
    assert {*rows} == {*library().archetypes, *library().links}


def test_a_sound_part_passes(cli: Cli) -> None:
    done = cli("archetypes", "check", "resources", "--quick", "--json")
    assert done.code == 0
    assert done.json == {"checked": ["resources"], "problems": []}


def test_a_broken_part_is_told_with_its_place(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    source = library()
    part = source.archetypes["resources"].model_dump(by_alias=True, exclude_unset=True)
    part["workflows"]["close"]["targets"]["resource"] = "SELECT id FROM nowhere"
    broken = replace(source, archetypes={**source.archetypes, "resources": Archetype.model_validate(part)})
    monkeypatch.setattr(shelf, "library", lambda: broken)
    done = cli("archetypes", "check", "resources", "--quick")
    assert done.code == 1
    assert "nowhere" in done.out
    assert "resources.close" in done.out


def test_an_unknown_name_is_refused(cli: Cli) -> None:
    cli("archetypes", "check", "unicorns").refused(2, "unicorns", "envolve archetypes list")
