"""A prompt's hash is of all that is said with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from envolve.agents.llm import prompts
from envolve.agents.llm.prompts import PromptFolder

FILES = {
    "write.md.j2": 'You write.\n---\n{% include "rules.md" %}\n{{ example }}',
    "mend.md.j2": "You mend.\n---\nMend.",
    "rules.md": "Be brief.",
    "examples/one.json": '{"a": 1}',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "prompts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "prompts"


@pytest.mark.parametrize("name", FILES)
def test_every_text_of_the_folder_counts(folder: Path, name: str) -> None:
    before = PromptFolder(folder, "role").hash("write")
    assert PromptFolder(folder, "role").hash("write") == before
    (folder / name).write_text(f"{FILES[name]} Really.", encoding="utf-8")
    assert PromptFolder(folder, "role").hash("write") != before


def test_what_is_no_text_of_it_does_not_count(folder: Path) -> None:
    before = PromptFolder(folder, "role").hash("write")
    (folder / ".write.md.j2.swp").write_bytes(b"\xff")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"\xff")
    assert PromptFolder(folder, "role").hash("write") == before


def test_shared_texts_count_where_they_are_shown(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "shared"
    shutil.copytree(prompts._SHARED, own)
    monkeypatch.setattr(prompts, "_SHARED", own)
    shaped, plain = (PromptFolder(folder, "role", shaped=each).hash("write") for each in (True, False))
    (own / "repair.md.j2").write_text("Mend it.", encoding="utf-8")
    assert PromptFolder(folder, "role").hash("write") != shaped
    assert PromptFolder(folder, "role", shaped=False).hash("write") == plain


def test_two_prompts_of_a_folder_differ(folder: Path) -> None:
    both = PromptFolder(folder, "role")
    assert both.hash("write") != both.hash("mend")
    assert both.render("mend").hash == both.hash("mend")
