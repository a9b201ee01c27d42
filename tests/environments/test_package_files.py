"""Packages are written whole, read back equal, and named by their content."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment, task_version
from envolve.environments.errors import InputError, PackageError, ServiceError
from envolve.environments.models import Lineage, Provenance, Task

from .conftest import MakeEnvironment

TASK = "move-the-anniversary-dinner"


def test_reload_equals(table_booking: Environment, tmp_path: Path) -> None:
    folder = table_booking.save(tmp_path)
    again = Environment.load(folder)
    assert folder.name == again.id == table_booking.id
    assert again.hash == table_booking.hash
    assert again.spec == table_booking.spec
    assert again.tools_file == table_booking.tools_file
    assert dict(again.tasks) == dict(table_booking.tasks)
    assert again.image == table_booking.image
    assert sorted(path.name for path in tmp_path.iterdir()) == [folder.name], "no temporary folder stays"


def test_saving_twice_changes_nothing(table_booking: Environment, tmp_path: Path) -> None:
    folder = table_booking.save(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert table_booking.save(tmp_path) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_tasks_are_added_beside(table_booking: Environment, tmp_path: Path) -> None:
    folder = table_booking.without_tasks().save(tmp_path)
    assert not (folder / "tasks").exists()
    task = table_booking.tasks[TASK]
    assert table_booking.without_tasks().with_tasks([task]).save(tmp_path) == folder
    assert dict(Environment.load(folder).tasks) == {TASK: task}
    told = task.model_copy(update={"instruction": "Do it."})
    table_booking.with_tasks([told]).save(tmp_path)
    assert Environment.load(folder).tasks[TASK] == told


def test_id_ends_in_the_hash_of_the_content(table_booking: Environment) -> None:
    assert table_booking.id.startswith("table-booking-")
    assert table_booking.hash.startswith(table_booking.id.removeprefix("table-booking-"))


def rebuilt(
    environment: Environment, *, schema: str | None = None, seed: str | None = None, **spec: object
) -> Environment:
    return Environment.build(
        spec=environment.spec.model_copy(update=spec),
        schema_sql=schema or environment.schema_sql,
        seed_sql=seed or environment.seed_sql,
        tools=environment.tools_file,
        tasks=environment.tasks.values(),
    )


def test_lineage_provenance_and_tasks_are_no_part_of_the_hash(table_booking: Environment) -> None:
    other = rebuilt(
        table_booking,
        lineage=Lineage(parents=("a-1234567",), operator="x", generation=3),
        provenance=Provenance(cost_usd=2.5, design={"a": [1]}),
    )
    assert other.id == table_booking.id
    assert other.without_tasks().hash == table_booking.hash


def test_comments_and_order_of_seed_rows_are_no_part_of_the_hash(make_environment: MakeEnvironment) -> None:
    rows = ["INSERT INTO users VALUES (11, 'a');", "INSERT INTO users VALUES (12, 'b');"]
    first = make_environment(seed="\n".join(rows))
    assert make_environment(seed="-- the users\n" + " ".join(reversed(rows))).id == first.id
    assert make_environment(seed=rows[0]).id != first.id


@pytest.mark.parametrize("field", ["policy", "scenario", "summary"])
def test_other_content_is_another_environment(field: str, table_booking: Environment) -> None:
    assert rebuilt(table_booking, **{field: "something else"}).id != table_booking.id


def test_another_seed_row_is_another_environment(table_booking: Environment) -> None:
    seed = table_booking.seed_sql.replace("'Osteria Lume'", "'Osteria Luna'")
    assert rebuilt(table_booking, seed=seed).id != table_booking.id


def test_changed_content_under_an_old_id_is_refused(table_booking: Environment, tmp_path: Path) -> None:
    folder = table_booking.save(tmp_path)
    path = folder / "seed.sql"
    path.write_text(path.read_text(encoding="utf-8").replace("Osteria Lume", "Osteria Luna"), encoding="utf-8")
    with pytest.raises(PackageError, match="not of this content") as caught:
        Environment.load(folder)
    assert caught.value.field == "id"
    assert "id: table-booking" in caught.value.remedy


def test_ids_keep_one_suffix(table_booking: Environment) -> None:
    again = rebuilt(table_booking)
    assert again.id == table_booking.id
    long = rebuilt(table_booking, id="a" * 90)
    assert len(long.id) <= 96
    assert rebuilt(table_booking, id="cafe-facade").id.startswith("cafe-facade-"), "a word of hex letters is no hash"


def test_seed_database(table_booking: Environment, package: Path) -> None:
    (package / "seed.sql").unlink()
    connection = apsw.Connection(str(package / "seed.db"))
    connection.execute(table_booking.schema_sql)
    connection.execute(table_booking.seed_sql)
    connection.close()
    loaded = Environment.load(package)
    assert loaded.id == table_booking.id
    assert loaded.open().call("get_my_profile") == table_booking.open().call("get_my_profile")


def test_seed_database_of_another_schema(table_booking: Environment, package: Path) -> None:
    (package / "seed.sql").unlink()
    connection = apsw.Connection(str(package / "seed.db"))
    connection.execute(table_booking.schema_sql.replace("'no_show'))", "'no_show', 'late'))", 1))
    connection.close()
    with pytest.raises(PackageError, match=r"seed\.db.*'bookings' is not as schema\.sql"):
        Environment.load(package)


def test_seed_database_that_is_none(package: Path) -> None:
    (package / "seed.sql").unlink()
    (package / "seed.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    with pytest.raises(PackageError, match="no sound SQLite database"):
        Environment.load(package)


def test_two_seeds(package: Path) -> None:
    (package / "seed.db").write_bytes(b"")
    with pytest.raises(PackageError, match=r"seed\.sql too"):
        Environment.load(package)


def test_a_disk_that_refuses_is_a_service_error(table_booking: Environment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ServiceError, match="Cannot write"):
        table_booking.save(tmp_path / "file")


def test_saved_at_once_by_several(table_booking: Environment, tmp_path: Path) -> None:
    threads = [threading.Thread(target=table_booking.save, args=(tmp_path,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.name for path in tmp_path.iterdir()] == [table_booking.id]
    assert Environment.load(tmp_path / table_booking.id).hash == table_booking.hash


def test_pickles_by_content(table_booking: Environment) -> None:
    again: Environment = pickle.loads(pickle.dumps(table_booking))
    assert (again.id, dict(again.tasks)) == (table_booking.id, dict(table_booking.tasks))


def test_task_version(table_booking: Environment) -> None:
    task = table_booking.tasks[TASK]

    def version(**update: object) -> str:
        return task_version(table_booking, task.model_copy(update=update))

    same = version()
    assert version(lineage=task.lineage.model_copy(update={"generation": 4})) == same
    assert version(gold=(), plan={"a": 1}) == same
    assert version(verifier=task.verifier.model_copy(update={"frozen": "sha256:1"})) == same
    assert version(instruction="Another.") != same
    assert version(setup=("DELETE FROM waitlist",)) != same
    assert version(actor=task.actor.model_copy(update={"id": 311})) != same
    assert version(verifier=task.verifier.model_copy(update={"require": ()})) != same
    assert version(faults=({"tool": "get_booking", "kind": "error"},)) != same
    assert task_version(rebuilt(table_booking, policy="1. No."), task) != same
    assert task_version(rebuilt(table_booking, lineage=Lineage(generation=2)), task) == same


def test_unknown_task(table_booking: Environment) -> None:
    with pytest.raises(InputError, match=r"no task 'x'.*Tasks: "):
        table_booking.open("x")


def test_setup_that_fails_names_the_statement(table_booking: Environment) -> None:
    task = table_booking.tasks[TASK].model_copy(update={"setup": ("DELETE FROM waitlist", "DELETE FROM people")})
    with pytest.raises(PackageError, match=r"setup.*FOREIGN KEY"):
        table_booking.open(task)
    hostile = task.model_copy(update={"setup": ("ATTACH ':memory:' AS x",)})
    with pytest.raises(PackageError, match=r"setup\.0.*ATTACH"):
        table_booking.open(hostile)


def test_setup_is_part_of_the_seed_state(table_booking: Environment) -> None:
    task = table_booking.tasks[TASK].model_copy(update={"setup": ("UPDATE restaurants SET rating = 1.5",)})
    with table_booking.open(task) as episode:
        found = episode.call("find_restaurants", name="lume")
        assert found.value["items"][0]["rating"] == 1.5
        assert not episode.changes()
    assert table_booking.image_for(task) != table_booking.image


scalars = st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.text(max_size=20)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)


@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    plan=st.dictionaries(st.text(max_size=8), values),
)
@settings(derandomize=True, database=None, max_examples=150, deadline=None)
def test_any_text_survives_the_file(text: str, plan: dict[str, object]) -> None:
    from envolve.environments.writing import model_yaml
    from envolve.environments.yaml_text import parse_yaml

    written = Task.model_validate(
        {
            "id": "t",
            "instruction": text,
            "actor": {"roles": ["user"], "id": 1},
            "goal": {"text": text},
            "gold": [{"call": "nothing", "args": {"a": text}}, {"submit": {}}],
            "plan": plan,
        }
    )
    read = Task.model_validate(parse_yaml(model_yaml(written), "t.yaml").value)
    assert read == written


@pytest.mark.parametrize(
    "plain", ["yes", "no", "on", "12:30", "2026-03-02", "1e3", "0x1f", "007", "=", "<<", ".5", "1_000"]
)
def test_plain_texts_stay_texts(plain: str) -> None:
    from envolve.environments.yaml_text import dump_yaml, parse_yaml

    assert parse_yaml(f"a: {plain}\n", "x.yaml").value == {"a": plain}
    assert parse_yaml(dump_yaml({"a": plain}), "x.yaml").value == {"a": plain}
