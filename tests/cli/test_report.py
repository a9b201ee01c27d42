"""report.html: whole, self-contained, and safe whatever a scenario or a task says."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from envolve.memory.records import EnvironmentRecord, PlannedItem
from envolve.memory.signatures import Signature
from envolve.memory.store import RunStore
from envolve.report.diversity import diversity
from envolve.report.writing import render

from .conftest import Cli
from .test_run_outputs import execute

HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>" onload="alert(3)\x1b[31m\u202e{{ 7*7 }}</style>'
VOID = {"meta", "br", "img", "link", "input", "hr"}
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "a", "h1", "h2", "h3", "p", "pre", "div"),
    *("span", "dl", "dt", "dd", "table", "tr", "th", "td", "details", "summary", "svg", "rect", "line", "path"),
    *("polyline", "br"),
}


class Page(HTMLParser):
    """Tags, attributes and text of a page; every tag must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags = list[str]()
        self.attributes = list[tuple[str, str | None]]()
        self.texts = list[str]()
        self.open = list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="session")
def page(finished: Path) -> str:
    return (finished / "report.html").read_text(encoding="utf-8")


def test_it_is_written_by_the_run_and_whole(page: str, finished: Path) -> None:
    (environment,) = (finished / "environments").iterdir()
    read = Page(page)
    assert not read.open
    assert set(read.tags) <= ALLOWED
    text = " ".join(read.texts)
    for words in ("From proposed to in the band", "Pass rates of confirmed tasks", environment.name, "done"):
        assert words in text
    assert "say nothing about models" in text
    assert page.count("<svg") >= 6


def test_it_needs_nothing_else(page: str) -> None:
    links = [value or "" for name, value in Page(page).attributes if name in {"href", "src", "action", "data"}]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"url\(|@import|https?:", page)


def test_its_policy_allows_its_own_style_and_nothing_more(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy[1] == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not [name for name, _ in Page(page).attributes if name == "style" or name.startswith("on")]


def test_it_is_light_and_dark_and_fits_a_phone(page: str) -> None:
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport" content="width=device-width' in page
    assert "@media (max-width" in page


def test_hostile_texts_stay_texts(cli: Cli, run_folder: Path) -> None:
    execute(run_folder, "UPDATE environments SET scenario = json_set(scenario, '$.name', ?)", HOSTILE)
    execute(
        run_folder,
        "UPDATE tasks SET reason = ?, operator = ?, task = json_set(task, '$.instruction', ?)",
        *[HOSTILE] * 3,
    )
    execute(run_folder, "UPDATE measurements SET solver = ?", HOSTILE)
    execute(run_folder, "UPDATE effects SET operator = ?", HOSTILE)
    written = cli("report", run_folder, "--json").json["report"]
    text = Path(written).read_text(encoding="utf-8")
    read = Page(text)
    assert set(read.tags) <= ALLOWED
    assert "img" not in read.tags
    assert not [name for name, _ in read.attributes if name.startswith("on")]
    assert "".join(read.texts).count("alert(1)") >= 4
    assert "{{ 7*7 }}" in text
    assert not set(text) & {"\x1b", "\u202e"}


def test_a_run_that_has_done_nothing_yet_has_a_report(cli: Cli, run_folder: Path) -> None:
    for table in ("measurements", "audits", "effects", "rollouts", "findings", "agent_steps"):
        execute(run_folder, f"DELETE FROM {table}")
    execute(run_folder, "UPDATE tasks SET fate = NULL, stage = 'proposed'")
    text = Path(cli("report", run_folder, "--json").json["report"]).read_text(encoding="utf-8")
    assert "No task is confirmed yet." in text
    assert "No operator was applied." in text


def test_many_tasks_are_cut_and_counted(cli: Cli, run_folder: Path) -> None:
    same = (
        "root, created_round, id, environment, stage, fate, reason, task, features, operator, generation, split,"
        " text, signature, item"
    )
    execute(
        run_folder,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
        f" INSERT INTO tasks (version, {same}) SELECT version || i, {same} FROM n, (SELECT * FROM tasks LIMIT 1)",
    )
    text = Path(cli("report", run_folder, "--json").json["report"]).read_text(encoding="utf-8")
    assert re.search(r"2\d\d more tasks are not listed", text)
    assert len(text) < 400_000


def test_it_goes_where_it_is_asked_to(cli: Cli, finished: Path, tmp_path: Path) -> None:
    done = cli("report", finished, "-o", tmp_path / "there.html")
    assert done.out == f"Written: {tmp_path / 'there.html'}\n"
    assert json.loads(cli("report", finished, "-o", tmp_path / "x.html", "--json").out)["run"] == str(finished)
    cli("report", finished, "-o", tmp_path / "no" / "x.html").refused(3, "x.html")
    cli("report", finished, "-o", tmp_path).refused(3, str(tmp_path))


def test_it_tells_how_varied_the_environments_are(tmp_path: Path) -> None:
    def record(number: int) -> EnvironmentRecord:
        return EnvironmentRecord(
            id=f"world-{number}",
            hash=f"{number:064d}",
            scenario={"name": f"World {number}", "text": "…"},
            category="retail" if number % 3 else "sports",
            fate="admitted",
            tables=6,
            tools=13,
            rows=80,
            text="",
            signature=Signature(parts={"schema": {"all": 1.0, f"own {number // 2}": 1.0}}),
        )

    with RunStore.create(tmp_path / "run", {"seed": 1}) as store:
        store.work.plan_round(0, {}, [PlannedItem(key=key, kind="new") for key in ("a", "b")])
        with store.commit("a") as tx:
            tx.add_environment(record(0))
        assert diversity(store) is None, "one environment is like nothing"
        with store.commit("b") as tx:
            for number in range(1, 12):
                tx.add_environment(record(number))
        found, text = diversity(store), render(store, tmp_path / "run")
    assert found is not None
    assert (found.n, found.categories) == (12, [("retail", 8), ("sports", 4)])
    (first, second) = found.curves["structure"]
    assert (first.size, second.size) == (10, 12)
    assert first.mean == pytest.approx(4 / 9 * 2 / 3)
    assert second.mean == pytest.approx(1 / 3)
    page = Page(text)
    assert page.tags.count("polyline") == 2
    assert set(page.tags) <= ALLOWED
    assert "in a pool of up to 12" in " ".join(page.texts)
