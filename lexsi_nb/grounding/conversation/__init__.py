"""Follow-ups: a question that leans on the one before it, made whole."""
