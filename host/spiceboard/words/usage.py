"""What argparse itself says, in the language of whoever calls `play` or `games`."""

import argparse

from spiceboard.words import N_, _

SAID = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("ignored explicit argument %r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
)


def translate() -> None:
    """Let argparse look its texts up in our catalogs. It asks gettext for a catalog file of the
    system, and offers no other way; a text that it has changed stays English."""
    vars(argparse)["_"] = _
