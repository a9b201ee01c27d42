"""A phrase that was shortened is grounded as the instruction says it."""

from __future__ import annotations

from envolve.agents.procedural.tasks.repetition import Phrase, as_said, without_repeats

PERSON = Phrase("the only Howard among our clients", "client")
OLDEST = Phrase("the oldest open matter of the only Howard among our clients", "matter")
STATEMENT = Phrase("the statement for the oldest open matter of the only Howard among our clients", "document")


def test_a_phrase_within_a_phrase_is_grounded_as_it_was_shortened() -> None:
    phrases = (PERSON, OLDEST, STATEMENT)
    text = without_repeats(f"Write to {PERSON.text}. Then file {STATEMENT.text}.", phrases)
    assert text.endswith("Then file the statement for the oldest open matter of the same client.")
    assert all(said in text for said in as_said(dict.fromkeys(phrase.text for phrase in phrases), text, phrases))


def test_a_phrase_stays_whole_where_others_of_its_kind_were_spoken_of() -> None:
    case = Phrase("the oldest open matter of Ada Howard", "matter")
    plain = without_repeats(f"Close {case.text}. Then write a note on {case.text}.", [case])
    assert plain == "Close the oldest open matter of Ada Howard. Then write a note on the same matter."
    text = f"Close {case.text}. Find the first deadline among all matters of Bo Lee. Put off that of {case.text}."
    assert without_repeats(text, [case]) == text
    again = f"Read {case.text}, write on {case.text} and close {case.text}."
    assert without_repeats(again, [case]).count("the same matter") == 2
