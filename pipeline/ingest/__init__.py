"""One way into each format: batches of records, and what could not be read."""
