"""The one seam between the grounding and a language: its tables by name. No other module names a language.

The language is read once a process, when the grounding is first imported: the file that LEXSI_NB_LANGUAGE names, or
else English. What is built from the tables (the index of phrases, words in their singular) is built once as well.
"""

from __future__ import annotations

from lexsi_nb.grounding.language.file import chosen, read
from lexsi_nb.grounding.language.tables import Language

LANGUAGE: Language = read(chosen())
lexicon, vocabulary, turns = LANGUAGE.lexicon, LANGUAGE.vocabulary, LANGUAGE.turns
assumptions, passed_over = LANGUAGE.assumptions, LANGUAGE.passed_over
undefined, countries = LANGUAGE.undefined, LANGUAGE.countries
grammar = LANGUAGE.grammar
schema_words = LANGUAGE.schema_words
retold, row_words = LANGUAGE.retold, LANGUAGE.row_words
conversation = LANGUAGE.conversation
everyday = LANGUAGE.everyday

__all__ = [
    "LANGUAGE", "Language", "lexicon", "vocabulary", "turns", "assumptions", "passed_over", "undefined", "countries",
    "grammar", "row_words", "everyday",
]  # fmt: skip
