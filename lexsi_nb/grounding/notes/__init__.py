"""What is said beside a figure: rows left out, groups without a row, rows that share a name."""
