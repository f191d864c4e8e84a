"""Judges records: pure functions from columns and layout to reasons, first ply at fault and outcome."""
