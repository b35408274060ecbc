"""From mentions to a draft to a reading: operation, conditions, groups, order, columns, joins."""
