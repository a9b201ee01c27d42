"""Critics by name."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from envolve.agents.base import Dossier
from envolve.agents.critics import GROUP, as_critic, critic_named
from envolve.environments.errors import InputError
from envolve.environments.models import Finding
from envolve.environments.package import Environment

from .conftest import Shop

_MODULE = """
from envolve.environments.models import Finding

def finding(message):
    return Finding(kind="opinion", severity="minor", where="tools.look", message=message, source="critic:mine")

class Careful:
    name = "careful"
    async def review(self, dossier):
        return [finding(dossier.environment.spec.scenario)]

careful = Careful()

def plain(dossier):
    return [finding("plain")]

async def later(dossier):
    return [finding("later")]

number = 7
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_critics.py").write_text(_MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_critics", raising=False)
    return "my_critics"


@pytest.fixture(scope="module")
def environment(shop: Shop) -> Environment:
    return shop('[{name: look, description: Look., kind: read, returns: {many: "SELECT id FROM people", order: id}}]')


def _messages(name: str, environment: Environment) -> list[str]:
    found: list[Finding] = asyncio.run(critic_named(name).review(Dossier(environment, {})))
    return [finding.message for finding in found]


def test_rules_are_built_in(environment: Environment) -> None:
    assert critic_named("rules").name == "rules"
    assert _messages("rules", environment) == []


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("Careful", "A shop"),
        ("careful", "A shop"),
        ("plain", "plain"),
        ("later", "later"),
        ("careful.review", "A shop"),
    ],
)
def test_classes_objects_and_functions_will_do(
    attribute: str, message: str, module: str, environment: Environment
) -> None:
    assert _messages(f"{module}:{attribute}", environment) == [message]


def test_entry_points_are_found_by_name(module: str, environment: Environment, tmp_path: Path) -> None:
    info = tmp_path / "my_critics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-critics\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nmine = {module}:Careful\n", encoding="utf-8")
    assert _messages("mine", environment) == ["A shop"]
    with pytest.raises(InputError, match=r"Critics: rules, openai:MODEL\[@URL\], mine"):
        critic_named("theirs")


@pytest.mark.parametrize("name", ["nobody", "no_such_module:x", "my_critics:nothing", "my_critics:number"])
def test_what_is_no_critic_is_refused(name: str, module: str) -> None:
    with pytest.raises(InputError) as raised:
        critic_named(name)
    assert raised.value.remedy


def test_critic_without_name_takes_the_one_it_was_asked_for() -> None:
    class Nameless:
        async def review(self, dossier: Dossier) -> list[Finding]:
            return []

    assert as_critic(Nameless, "nameless").name == "nameless"
