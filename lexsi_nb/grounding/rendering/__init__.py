"""What a reading is shown as: SQL, names of output columns, a sentence, a chart."""
