"""The rules of Rat Hot (Michael Schacht, Queen Games 2005)."""
