"""Checks recorded tic-tac-toe data and says of every record that cannot have happened why."""
