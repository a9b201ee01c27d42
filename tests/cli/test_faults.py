"""Every command against every kind of fault: a message, a remedy, an exit code; no traceback."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import SAMPLE, Cli, without_privilege
from .test_help import COMMANDS
from .test_run_outputs import execute

TASK = "count-fridays-guests"
READERS = {
    "status": ["status", "@"],
    "report": ["report", "@"],
    "check": ["check", "@"],
    "audit": ["audit", "@"],
    "serve": ["serve", "@"],
    "solve": ["solve", "@", TASK, "--solver", "gold"],
    "solve by a script": ["solve", str(SAMPLE), TASK, "--script", "@"],
    "measure": ["measure", "@", "--solver", "gold"],
    "evolve": ["evolve", "@", TASK, "--operator", "widen"],
    "memory search": ["memory", "@", "search", "x"],
    "memory rebuild": ["memory", "@", "rebuild"],
    "lineage": ["lineage", "@", "x"],
    "scenarios": ["scenarios", "-n", "1", "--seeds", "@"],
    "run with a config": ["run", "new", "--config", "@"],
    "run with scenarios": ["run", "new", "--scenarios", "@"],
}
"""Commands by what they read; `@` is where."""
WRITERS = {
    "run": ["run", "@", "--scenario", "A bakery"],
    "new": ["new", "A bakery", "-o", "@", "--tasks", "0"],
    "scenarios": ["scenarios", "-n", "1", "-o", "@/list.yaml"],
    "doctor": ["doctor", "--folder", "@"],
}
"""Commands by what they write."""
PLAIN = {"memory search": ["memory", "RUN", "search", "x"], "status": ["status", "RUN"], "solve": READERS["solve"]}
REDIRECTED = [
    *(("solve", redirection) for redirection in ("| head -1", ">&-", "2>&-", ">/dev/full", "| true")),
    *(("status", redirection) for redirection in ("| true", ">/dev/full")),
    *(("memory search", redirection) for redirection in ("| head -1", ">&-")),
]
"""All of them for lines, some for tables, some for what loads the index."""


def at(words: list[str], place: Path) -> list[str]:
    return [word.replace("@", str(place)) for word in words]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def shut(here: Path) -> Iterator[Path]:
    """A folder without any rights."""
    folder = here / "shut"
    folder.mkdir()
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


@pytest.mark.parametrize("command", READERS)
def test_a_place_that_is_not_there(cli: Cli, here: Path, command: str) -> None:
    done = cli(*at(READERS[command], here / "no" / "where"))
    done.refused(2, "where")
    assert not done.out
    assert not (here / "no").exists()


@pytest.mark.parametrize("command", [name for name in READERS if name != "scenarios" and "scenarios" not in name])
def test_a_file_that_is_something_else(cli: Cli, here: Path, command: str) -> None:
    (here / "afile").write_text("hello\n", encoding="utf-8")
    done = cli(*at(READERS[command], here / "afile"))
    done.refused(2)
    assert not done.out


@pytest.mark.parametrize("command", ["run", "new", "scenarios"])
def test_a_file_where_a_folder_should_be(cli: Cli, here: Path, command: str) -> None:
    (here / "afile").write_text("hello\n", encoding="utf-8")
    done = cli(*at(WRITERS[command], here / "afile"))
    assert done.code in {2, 3}
    done.refused(done.code, str(here / "afile"))
    assert (here / "afile").read_text(encoding="utf-8") == "hello\n"


@pytest.mark.parametrize("command", ["status", "check", "solve", "memory rebuild", "run with a config"])
def test_a_folder_without_rights(cli: Cli, shut: Path, command: str) -> None:
    words = at(READERS[command], shut if command != "run with a config" else shut / "x.yaml")
    with without_privilege():
        cli(*words).refused(3, str(shut), "permission")


@pytest.mark.parametrize("command", ["run", "new", "scenarios"])
def test_a_place_that_may_not_be_written(cli: Cli, shut: Path, command: str) -> None:
    with without_privilege():
        cli(*at(WRITERS[command], shut)).refused(3, str(shut))


def test_doctor_tells_of_a_folder_without_rights(cli: Cli, shut: Path) -> None:
    with without_privilege():
        done = cli("doctor", "--folder", shut)
    assert done.code == 3
    assert "Choose another --folder" in done.out


@pytest.mark.parametrize("command", [*READERS, *WRITERS])
def test_an_empty_word_is_refused(cli: Cli, here: Path, command: str) -> None:
    """It would mean the working folder."""
    done = cli(*["" if "@" in word else word for word in {**READERS, **WRITERS}[command]])
    done.refused(2, "empty")
    assert not done.out
    assert not list(here.iterdir())


@pytest.mark.parametrize("words", [["--scenario", ""], ["--scenario="], ["--band="], ["--solver", ""]])
def test_an_empty_option_is_refused(cli: Cli, here: Path, words: list[str]) -> None:
    cli("run", here / "run", *words).refused(2, "empty")


@pytest.mark.parametrize("place", [".", "/", ".."])
def test_a_report_is_a_file(cli: Cli, finished: Path, here: Path, place: str) -> None:
    cli("report", finished, "-o", place).refused(3, "folder")
    assert not list(here.iterdir())


@pytest.mark.parametrize("text", ["", "[1", "environments: many\n", "a: &a [1]\nb: *a\n", "\x00", "- 1\n"])
def test_a_broken_config_of_a_run(cli: Cli, run_folder: Path, text: str) -> None:
    (run_folder / "config.yaml").write_text(text, encoding="utf-8")
    cli("run", run_folder).refused(2, "config.yaml")
    assert cli("status", run_folder, "--json").json["state"] == "done"


@pytest.mark.parametrize(
    "command",
    [name for name, words in READERS.items() if name in {"status", "report", "lineage"} or words[0] == "memory"],
)
def test_a_store_of_another_version(cli: Cli, run_folder: Path, command: str) -> None:
    execute(run_folder, "UPDATE alembic_version SET version_num = '9999'")
    cli(*at(READERS[command], run_folder)).refused(2, "9999", "version")
    cli("run", run_folder).refused(2, "9999", "version")


@pytest.mark.parametrize("command", READERS)
def test_with_json_an_error_leaves_standard_output_empty(cli: Cli, here: Path, command: str) -> None:
    done = cli(*at(READERS[command], here / "nowhere"), "--json")
    done.refused(2)
    assert not done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_usage_says_where_help_is(cli: Cli, command: str) -> None:
    done = cli(*command.split(), "--no-such-option")
    assert done.code == 2
    assert not done.out
    assert f"'envolve {command} --help'" in done.err


def test_rebuilding_takes_no_text(cli: Cli, run_folder: Path) -> None:
    cli("memory", run_folder, "rebuild", "all").refused(2, "'all'")


@pytest.mark.parametrize(("command", "redirection"), REDIRECTED)
def test_wherever_output_goes(finished: Path, command: str, redirection: str) -> None:
    words = [str(finished) if word == "RUN" else word for word in at(PLAIN[command], SAMPLE)]
    shell = f'set -o pipefail; "$@" {redirection}'
    done = subprocess.run(
        ["bash", "-c", shell, "-", sys.executable, "-m", "envolve", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert "fault in Envolve" not in done.stderr
    if redirection == ">/dev/full":
        assert done.returncode == 3
        assert "disk is full" in done.stderr
    else:
        assert not done.stderr
    if redirection in {">&-", "2>&-"}:
        assert done.returncode == 0
    if redirection.startswith("|"):
        assert done.returncode in {0, 141}, "0 if all was written before the reader left"


def test_no_colour_where_none_is_wanted(cli: Cli, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[3" not in cli("status", finished).out


def interrupted(words: list[str], mark: str) -> tuple[int, str]:
    """Exit code and errors of a Python process that is sent Ctrl-C when it prints `mark`."""
    with subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert mark in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        return process.wait(), process.stderr.read()


def test_ctrl_c_during_a_bench(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from envolve.bench.runtime import worlds as runtime\n"
        "timed = runtime.timed\n"
        "def told(action, times):\n"
        "    print('measuring', flush=True)\n"
        "    return timed(action, 10**9)\n"
        "runtime.timed = told\n"
        "from envolve.cli import main\n"
        "main(['bench', 'runtime'])\n"
    )
    (tmp_path / "bench.py").write_text(code, encoding="utf-8")
    assert interrupted([str(tmp_path / "bench.py")], "measuring") == (130, "")


def test_ctrl_c_while_the_program_loads(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'envolve.cli.app':\n"
        "            print('loading', flush=True)\n"
        "            time.sleep(60)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "from envolve.cli import main\n"
        "main(['--help'])\n"
    )
    (tmp_path / "slow.py").write_text(code, encoding="utf-8")
    assert interrupted([str(tmp_path / "slow.py")], "loading") == (130, "")


def test_a_run_in_a_folder_of_other_things(cli: Cli, here: Path) -> None:
    shutil.copytree(SAMPLE, here / "table-booking")
    cli("run", here / "table-booking", "--scenario", "A bakery").refused(2, "other files")
