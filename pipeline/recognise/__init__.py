"""Tells how a file is laid out: header, columns, alphabet and label, by names, values and options."""
