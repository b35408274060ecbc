"""What a language's file holds, table by table: english.toml has the words, with what each table is for.

A table is named in capitals in its class and in small letters in the file, in the section named after the class.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.grounding.language.everyday_tables import Everyday
from lexsi_nb.grounding.language.following import Conversation
from lexsi_nb.grounding.language.grammar_tables import Grammar
from lexsi_nb.grounding.language.lexicon_tables import Lexicon
from lexsi_nb.grounding.language.schema_tables import SchemaWords
from lexsi_nb.grounding.language.small_tables import Assumptions, Countries, PassedOver, Retold, RowWords, Undefined
from lexsi_nb.grounding.language.speech import Turns
from lexsi_nb.grounding.language.vocabulary_tables import Vocabulary


@dataclass(frozen=True)
class Language:
    """All tables of one language. `name` is the file's."""

    name: str
    lexicon: Lexicon
    vocabulary: Vocabulary
    turns: Turns
    assumptions: Assumptions
    passed_over: PassedOver
    undefined: Undefined
    countries: Countries
    grammar: Grammar
    schema_words: SchemaWords
    retold: Retold
    row_words: RowWords
    conversation: Conversation
    everyday: Everyday
