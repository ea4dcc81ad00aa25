"""The application: the tasks that sense, play, glow and talk; any board that is handed in."""
