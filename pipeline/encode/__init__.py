"""From the layouts that files use to the numbers that the rules judge."""
