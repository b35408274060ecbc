"""What people add to what is known of a dataset: choices kept, meanings given, a first draft inferred."""
