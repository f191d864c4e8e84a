"""The data contract of recorded tic-tac-toe games: vocabulary, reason codes and Pandera schemas."""
