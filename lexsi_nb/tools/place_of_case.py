"""Where the case of a question for reasons stands among those scored, and whether it is as high or low as was said."""

from __future__ import annotations

import re
from typing import Any

from lexsi_nb.grounding.language import lexicon
from lexsi_nb.grounding.words import place as place_said
from lexsi_nb.modeling.backend import Explained


def place_of_case(question: str, explained: Explained | None, frame: Any, score: str, entity: str, form: str) -> str:
    """Return the score and the place of the one case that was asked about; "" where several are told of.

    `why is 260 high?` takes for granted that it is: held against the mean of all that were scored, and said where
    it is not so.
    """
    words = re.findall(r"\w+", question.casefold())
    if explained is None or len(explained.cases) != 1:
        return ""
    case = explained.cases[0].case_id
    asked = set(words) & {*lexicon.REASONS, str(case).casefold()}  # "and 4972?", "and the third?" after another's
    if not asked and not any(map(place_said, words)):
        return ""
    if not hasattr(frame, "iloc"):
        frame = frame.to_pandas()
    rows = frame.loc[frame[entity] == case]
    if len(rows) != 1 or frame[score].isna().any():
        return ""
    value, mean, n = float(rows[score].iloc[0]), float(frame[score].mean()), len(frame)
    if n == 1:
        return f"{case} scores {form.format(value)}; no other case was scored to hold it against."
    place = int((frame[score] > value).sum()) + 1
    said = f"{case} scores {form.format(value)}, place {place:,} of {n:,}; the mean is {form.format(mean)}."
    above = value > mean
    if set(words) & lexicon.SAID_HIGH and not above:
        return f"{said} So it is not high."
    if set(words) & lexicon.SAID_LOW and above:
        return f"{said} So it is not low."
    return said
