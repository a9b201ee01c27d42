"""What a refusal asks for can be had no other way: the world refuses the way round, and what does not is no refusal."""

from collections.abc import Iterator
from random import Random

import pytest

from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.planner import Planner
from envolve.agents.procedural.tasks.refusals import Refuser, Twins
from envolve.environments.models import Actor, Require, Tool
from envolve.environments.package import Environment

from .conftest import worlds_offering

RESOLVE = "tickets.resolve_others"


@pytest.fixture(scope="module")
def shop() -> Environment:
    """A world in which tickets are resolved by whoever handles them, or by a manager."""
    return next(world for world in worlds_offering(RESOLVE, name="helpdesk") if any(drawn(world, RESOLVE)))


def assigning(environment: Environment) -> str:
    flow = offers_of(environment).workflows["tickets.take"]
    return str(next(step["call"] for step in flow.gold if "call" in step))


def resolving(environment: Environment) -> str:
    flow = offers_of(environment).workflows["tickets.resolve"]
    return str(next(step["call"] for step in flow.gold if "call" in step))


def somebody_elses(environment: Environment) -> tuple[Actor, int]:
    """A member of staff, and a live ticket that a colleague handles."""
    role = offers_of(environment).roles["staff"]
    table = offers_of(environment).workflows["tickets.resolve"].table("ticket")
    with environment.open(actor=Actor(roles=(role,), id=staff_of(environment)[0])) as episode:
        found = episode.call(f"list_{table}", status="in_progress", limit=100).value["items"]
    ticket = found[0]
    other = next(person for person in staff_of(environment) if person != ticket["handler_id"])
    return Actor(roles=(role,), id=other), ticket["id"]


def staff_of(environment: Environment) -> list[int]:
    offers = offers_of(environment)
    return [actor.id for actor in Planner(environment, offers, Random(1)).actors("staff", 99)]


def test_nobody_resolves_a_colleagues_ticket_by_taking_it_first(shop: Environment) -> None:
    actor, ticket = somebody_elses(shop)
    name = next(iter(shop.tools[resolving(shop)].params))
    with shop.open(actor=actor) as episode:
        taken = episode.call(assigning(shop), **{name: ticket})
        resolved = episode.call(resolving(shop), **{name: ticket, "resolution": "done"})
        assert taken.error is not None
        assert "may pass it on" in taken.error.message
        assert resolved.error is not None
        assert resolved.error.code == "forbidden"
        assert not episode.changes().rows


def drawn(environment: Environment, refusal: str, attempts: int = 4) -> Iterator[Twins]:
    """Refusals of one kind that come to something."""
    offers = offers_of(environment)
    only = Offers(
        offers.workflows,
        {table: offers.refers(table) for table in environment.tables()},
        {table: offers.noun(table) for table in environment.tables()},
        offers.roles,
        refusals={refusal: offers.refusals[refusal]},
        rules=offers.rules,
    )
    rng = Random(3)
    refuser = Refuser(Planner(environment, only, rng), only, rng)
    yield from (twins for _ in range(attempts) if (twins := refuser.draw()))


def lenient(environment: Environment, name: str, said: str) -> Environment:
    """The world whose tool lacks the guard that says so."""
    tools = []
    for tool in environment.tools_file.tools:
        steps = [step for step in tool.steps if not (isinstance(step, Require) and said in step.error.message)]
        kept = tool.model_dump(by_alias=True, exclude_unset=True)
        tools.append(Tool.model_validate({**kept, "steps": steps}) if tool.name == name else tool)
    return Environment.build(
        spec=environment.spec,
        schema_sql=environment.schema_sql,
        seed_sql=environment.seed_sql,
        tools=environment.tools_file.model_copy(update={"tools": tuple(tools)}),
    )


def test_what_a_way_round_reaches_is_no_refusal(shop: Environment) -> None:
    assert list(drawn(shop, RESOLVE))
    assert not list(drawn(lenient(shop, assigning(shop), "may pass it on"), RESOLVE))


def test_a_customer_does_not_move_what_is_too_late_to_cancel() -> None:
    world = next(world for world in worlds_offering("bookings.late_move") if any(drawn(world, "bookings.late_move")))
    twins = next(drawn(world, "bookings.late_move"))
    assert twins.refusal.actor.roles == (offers_of(world).roles["customer"],)


@pytest.mark.parametrize(
    ("world", "refusal"),
    [
        ("gym", "bookings.for_suspended"),
        ("helpdesk", "ticket_about_resource.still_serious"),
        ("music-rooms", "bookings.too_far_ahead"),
        ("credit-union", "accounts.release_by_staff"),
    ],
)
def test_a_twin_is_said_as_its_refusal(world: str, refusal: str) -> None:
    environment = next(made for made in worlds_offering(refusal, name=world) if any(drawn(made, refusal)))
    planner = Planner(environment, offers_of(environment), Random(1))
    for twins in drawn(environment, refusal, 10):
        assert planner.trials.wordings(twins.refusal) == planner.trials.wordings(twins.twin)
        assert (twins.refusal.voice, twins.refusal.tone) == (twins.twin.voice, twins.twin.tone)
