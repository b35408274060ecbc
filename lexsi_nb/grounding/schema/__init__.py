"""What a dataset has: names and what they answer to, values, keys, joins, known facts, and one index of them."""
