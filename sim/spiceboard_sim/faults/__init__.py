"""What can be broken, worn or swapped on a simulated board."""
