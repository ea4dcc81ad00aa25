"""What a command tells a person: the cause, the way out, and an exit code."""


class UserError(Exception):
    """Ends a command with a sentence for its user, without a traceback."""

    exit_code = 2


class LinkError(UserError):
    """No board, more than one, a port that is busy or that went away."""

    exit_code = 3
