"""The application: the tasks that sense, play, glow and talk. The board is an argument."""
