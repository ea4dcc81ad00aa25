"""The live terminal table: draws what the board says, sends what a person chooses."""
