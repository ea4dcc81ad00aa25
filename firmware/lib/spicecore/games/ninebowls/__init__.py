"""The rules of Nine Bowls: tic-tac-toe with chips. The smallest example of a game."""
