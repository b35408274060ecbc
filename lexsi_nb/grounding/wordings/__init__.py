"""Words that no name of the data has, and what they mean: slips, verbs, units, dates, codes, whose, by whom."""
