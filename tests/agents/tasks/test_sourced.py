"""What a proposed task's verifier asks has its sources in the request and in rows."""

from itertools import islice

import pytest

from envolve.agents.procedural.tasks.derivation import write_verifier
from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.workflows import Choice, Say
from envolve.agents.procedural.tasks.writer import propose
from envolve.environments.gold import run_gold
from envolve.environments.package import Environment
from envolve.eval.audit import audit

from .conftest import worlds_offering

CLAIMS = "An insurance office with policies, covers and claims that are assessed and paid"


def test_what_is_due_on_a_claim_is_worked_out_of_its_rows() -> None:
    """What its items are assessed at, less the excess of its cover: a sum of rows less a number of another."""
    for environment in islice(worlds_offering("insurance.pay_all", text=CLAIMS), 3):
        offers = offers_of(environment)
        tasks = propose(environment, offers.narrowed(workflows={"insurance.pay_all"}), 6, seed=0, refusals=0)
        assert len(tasks) == 6
        for task in tasks:
            verified = write_verifier(environment, offers, task, run_gold(environment, task))
            found = audit(environment, verified, gates=["grounding"]).gates
            assert [gate.message for gate in found if gate.status == "failed"] == []


@pytest.mark.parametrize(
    ("wording", "proposed"),
    [('pay {amount:money} in on {account}, with the memo "{memo}"', 4), ('pay in on {account}, with "{memo}"', 0)],
)
def test_what_would_be_checked_without_being_said_is_not_proposed(
    composed: dict[str, Environment], wording: str, proposed: int
) -> None:
    union = composed["credit-union"]
    offers = offers_of(union).narrowed(workflows={"accounts.pay_in"}, refusals=set())
    choose = {**offers.workflows["accounts.pay_in"].choose, "amount": Choice(one_of=(31337,))}
    flow = offers.workflows["accounts.pay_in"].model_copy(update={"say": (Say(text=wording),), "choose": choose})
    said = Offers(
        {flow.key: flow},
        {table: offers.refers(table) for table in union.tables()},
        {table: offers.noun(table) for table in union.tables()},
        offers.roles,
    )
    assert len(propose(union, said, 4, seed=1)) == proposed
