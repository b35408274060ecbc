"""A table's name that is said as a verb: `customers ordered tea` asks for customers, `customer orders` for orders."""

from __future__ import annotations

from lexsi_nb.grounding.language import grammar, vocabulary
from lexsi_nb.grounding.language import passed_over as passed
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import plural, singular

_VERBS = passed.PARTICIPLES | vocabulary.BEGINNINGS | vocabulary.JOINING | vocabulary.DONE | vocabulary.NOUNS.keys()


def told_by_verb(noun: Mention, after: Mention, index: SchemaIndex) -> bool:
    """Whether the second of two tables' names is what the rows of the first one do, and no noun of its own.

    A name is a verb in the forms of one (`ordered`, `buying`, `sold`), and in the singular after a plural, where
    a noun after "how many" would be a plural itself: `patients visit ward A`.
    """
    if grammar.DOES & set(noun.gap):
        return False  # "what did customers order" asks for what they ordered
    word, before = after.words.casefold().split()[-1], noun.words.casefold().split()[-1]
    direct = any(e.kind == "table" for w in (word, singular(word)) for e in index.entries.get((w,), ()))
    if not direct:
        return word.endswith(grammar.RESPELT_VERB_ENDS if after.respelt else grammar.VERB_ENDS) or word in _VERBS
    return singular(before) != before and singular(word) == word and plural(word) != word
