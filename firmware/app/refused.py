"""A request that cannot be done, and why."""


class Refused(Exception):
    """A request that cannot be done: code of docs/protocol.md, sentence, the game's own code."""

    def __init__(self, code, text, why=None):
        super().__init__(text)
        self.code = code
        self.text = text
        self.why = why
