"""Bands, the sequential test, confirmation, intervals, pass@k: exact against simulation."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution
from scipy.stats import binom

from envolve.environments.errors import InputError
from envolve.eval.bands import Band
from envolve.eval.confirmation import ConfirmationTest
from envolve.eval.effects import difference, probability_below
from envolve.eval.intervals import beta_interval, binomial, probability_in_band, wilson
from envolve.eval.occupancy import band_occupancy
from envolve.eval.passk import mean_pass_at_k, pass_at_k, pass_hat_k
from envolve.eval.sequential import BATCH, SequentialTest, fixed_design_accepts

DEFAULT = Band.parse("0.2:0.6")
BANDS = [DEFAULT, Band.parse("0.4:0.6"), Band.parse("0:0.2"), Band.parse("0.8:1"), Band.parse("0.05:0.95")]
fixed = settings(derandomize=True, database=None, deadline=None, max_examples=60)


@pytest.mark.parametrize(
    "text", ["", "0.2", "0.2:0.6:0.8", "a:b", "0.6:0.2", "0.3:0.3", "-0.1:0.5", "0.5:1.2", "nan:1"]
)
def test_what_is_no_band_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Band.parse(text)
    assert caught.value.remedy


def test_narrow_bands_are_refused_inside_and_taken_at_the_edges() -> None:
    with pytest.raises(InputError, match=r"narrower than 0\.2"):
        Band.parse("0.4:0.59")
    assert Band.parse("0.4:0.6").middle == pytest.approx(0.5)
    assert Band.parse("0:0.1").high == 0.1
    assert Band.parse("0.9:1").low == 0.9


@pytest.mark.parametrize("text", ["0:0.01", "0.995:1"])
def test_a_band_that_no_number_of_rollouts_can_show_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="Widen"):
        SequentialTest.for_band(Band.parse(text))


def test_the_default_band_costs_what_the_readme_says() -> None:
    test = SequentialTest.for_band(DEFAULT)
    assert test.cap == 30
    assert 20 < test.expected_rollouts() < 20.3


@pytest.mark.parametrize("band", BANDS, ids=str)
def test_the_cap_is_the_smallest_that_has_the_power(band: Band) -> None:
    test = SequentialTest.for_band(band)
    assert test.cap % BATCH == 0
    assert test.operating_point(band.middle).accept >= 0.8
    if test.cap > BATCH:
        assert SequentialTest(band, test.cap - BATCH).operating_point(band.middle).accept < 0.8


@pytest.mark.parametrize(("band", "rate"), [(BANDS[0], 0.1), (BANDS[0], 0.62), (BANDS[1], 0.5), (BANDS[2], 0.25)])
def test_operating_points_agree_with_simulation(band: Band, rate: float) -> None:
    test, tries = SequentialTest.for_band(band), 4000
    generator = np.random.default_rng(7)
    decisions, rollouts = [], []
    for _ in range(tries):
        passes = n = 0
        decision = None
        while decision is None:
            passes, n = passes + int(generator.binomial(BATCH, rate)), n + BATCH
            decision = test.decide(passes, n)
        decisions.append(decision)
        rollouts.append(n)
    point = test.operating_point(rate)
    for name in ("accept", "too_easy", "too_hard", "undecided"):
        chance = getattr(point, name)
        assert decisions.count(name) / tries == pytest.approx(chance, abs=4 * (chance * (1 - chance) / tries) ** 0.5)
    assert np.mean(rollouts) == pytest.approx(point.expected_rollouts, abs=4 * np.std(rollouts) / tries**0.5)


@pytest.mark.parametrize("band", BANDS, ids=str)
def test_operating_points_are_distributions(band: Band) -> None:
    for point in SequentialTest.for_band(band).table():
        assert sum(point[1:5]) == pytest.approx(1)
        assert BATCH <= point.expected_rollouts <= SequentialTest.for_band(band).cap + 1e-9


def test_decisions_lie_where_the_mass_lies() -> None:
    test = SequentialTest.for_band(DEFAULT)
    assert test.decide(6, 6) == "too_easy"
    assert test.decide(0, 6) is None
    assert test.decide(0, 12) == "too_hard"
    assert test.decide(7, 18) == "accept"
    assert test.decide(17, 30) == "undecided"
    with pytest.raises(ValueError, match="whole batches"):
        test.decide(1, 7)


def test_a_fixed_design_of_eight_is_as_poor_as_the_documents_say() -> None:
    assert fixed_design_accepts(DEFAULT, 8, 0.7) == pytest.approx(0.19, abs=0.005)
    assert fixed_design_accepts(DEFAULT, 8, 0.4) == pytest.approx(0.72, abs=0.005)
    assert fixed_design_accepts(DEFAULT, 48, 0.7) == pytest.approx(0.06, abs=0.005)
    assert fixed_design_accepts(DEFAULT, 48, 0.4) > 0.99


@pytest.mark.parametrize("band", BANDS, ids=str)
def test_confirmation_is_the_smallest_from_sixteen_that_has_the_power(band: Band) -> None:
    test = ConfirmationTest.for_band(band)
    confirming = [k for k in range(test.size + 1) if test.confirms(k)]
    by_hand = sum(binom.pmf(k, test.size, band.middle) for k in confirming)
    assert test.probability(band.middle) == pytest.approx(by_hand)
    assert by_hand >= 0.8
    assert test.size == 16 or ConfirmationTest(band, test.size - 1).probability(band.middle) < 0.8


@fixed
@given(st.integers(1, 200), st.data())
def test_posterior_and_intervals_agree_with_scipy(n: int, data: st.DataObject) -> None:
    passes = data.draw(st.integers(0, n))
    posterior = beta_distribution(passes + 1, n - passes + 1)
    assert probability_in_band(DEFAULT, passes, n) == pytest.approx(posterior.cdf(0.6) - posterior.cdf(0.2), abs=1e-9)
    low, high = beta_interval(passes, n)
    assert (low, high) == pytest.approx(posterior.ppf([0.025, 0.975]), abs=1e-9)
    low, high = wilson(passes, n)
    assert 0 <= low <= passes / n <= high <= 1


@fixed
@given(st.integers(0, 300), st.sampled_from([0.0, 1.0]) | st.floats(0.001, 0.999))
def test_binomial_agrees_with_scipy(n: int, rate: float) -> None:
    assert binomial(n, rate) == pytest.approx(binom.pmf(range(n + 1), n, rate), abs=1e-9)


def test_wilson_against_published_values() -> None:
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe 1998
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson(0, 0) == (0, 1)
    with pytest.raises(InputError):
        wilson(3, 2)


def test_difference_against_published_values() -> None:
    low, high = difference(48, 80, 56, 70).interval  # Newcombe 1998, method 10
    assert (low, high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    found = difference(8, 10, 3, 10)
    assert found.difference == pytest.approx(-0.5)
    assert found.probability_harder > 0.95
    assert probability_below(4, 9, 4, 9) == pytest.approx(0.5)


@fixed
@given(st.integers(1, 9), st.data())
def test_pass_k_counts_every_choice_of_rollouts(n: int, data: st.DataObject) -> None:
    passes, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    choices = list(combinations([True] * passes + [False] * (n - passes), k))
    assert pass_at_k(n, passes, k) == pytest.approx(np.mean([any(choice) for choice in choices]))
    assert pass_hat_k(n, passes, k) == pytest.approx(np.mean([all(choice) for choice in choices]))


def test_pass_k_refuses_what_it_cannot_estimate() -> None:
    with pytest.raises(InputError):
        pass_at_k(4, 2, 5)
    with pytest.raises(InputError):
        mean_pass_at_k([], 1)
    assert mean_pass_at_k([(4, 4), (4, 0)], 2) == 0.5


def test_occupancy_covers_the_true_share() -> None:
    generator = np.random.default_rng(3)
    truth = beta_distribution(4, 5)
    share = truth.cdf(0.65) - truth.cdf(0.15)
    covered, errors = 0, []
    for seed in range(40):
        rates = generator.beta(4, 5, size=30)
        counts = [(int(passes), 64) for passes in generator.binomial(64, rates)]
        found = band_occupancy(counts, DEFAULT, seed=seed)
        covered += found.interval.low <= share <= found.interval.high
        errors.append(found.share - share)
    assert covered >= 36
    assert abs(np.mean(errors)) < 0.05


def test_few_tasks_give_a_wide_interval_and_the_same_one_each_time() -> None:
    few = band_occupancy([(25, 64)] * 3, DEFAULT)
    many = band_occupancy([(25, 64)] * 100, DEFAULT)
    assert few == band_occupancy([(25, 64)] * 3, DEFAULT)
    assert few.interval.low < 0.8 < 0.95 < many.interval.low
    with pytest.raises(InputError):
        band_occupancy([], DEFAULT)
