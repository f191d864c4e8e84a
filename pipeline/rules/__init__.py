"""The rules of the game as Polars expressions over bitboards; none of them collects."""
