"""What the board refuses, in the reader's language.

The board knows English and no other language: it has little memory. Its sentences are known here
by their form; the names in them (colours, zones, goods) are translated too. A sentence that is not
known stays as it is. A test finds the sentences of the firmware that are missing here.
"""

import re
from functools import cache

from spiceboard.words import ENGLISH, N_, _, language
from spiceboard.words.places import inside

FORMS = (
    # of every game
    N_("The game is over."),
    N_("That chip belongs to nobody in this game: lift it."),
    N_("It is the other player's turn."),
    N_("that changes nothing"),
    # Safranito
    N_("That is not possible now."),
    N_("That is for another player to decide."),
    N_("In doubt the head chef decides."),
    N_("The head chef accepts what lies on the board."),
    N_("The mill is never in doubt."),
    N_("There is a chip of {colour} that is not due: lift it, or accept it as it lies."),
    N_(
        "More than one throw at once: lift the chip of {colour} and let it be thrown in its turn, "
        "or accept the board as it lies."
    ),
    N_("Nothing may lie there now: lift the chip."),
    N_("The sale of that spice is closed: lift the chip."),
    N_("No chip lies in that bowl: choose another."),
    N_("You can sell at most {n}."),
    N_("You have declared already."),
    N_("It is not your turn to declare."),
    N_("Not all players have said yet whether they sell."),
    N_("You cannot pay {n}: decline."),
    N_("There are only {n} cards of a spice."),
    N_("You have not drawn that card."),
    N_("One open blend a round: you have decided about it."),
    N_("There is no such blend for you to put together."),
    N_("There is no open blend to do without."),
    N_("You do not hold the three spices of that blend."),
    N_("Lift the chips that still lie on the board first: {places}."),
    # Jaipur
    N_("This round is not over."),
    N_("The round is over: go on to the next round."),
    N_("The next round is opened by the one who starts it."),
    N_("A doubt is decided by the player whose turn it is."),
    N_("There is no {good} in the market."),
    N_("There is no camel in the market."),
    N_("You hold 7 goods already: sell or exchange instead."),
    N_("A sale shows at least one card."),
    N_("You hold {n} of {good}, not {m}."),
    N_("Diamond, gold and silver are sold at least two at a time."),
    N_("The tokens of {good} are used up, and this game buys no more."),
    N_("Camels are never taken in an exchange: take all of them, or none."),
    N_("An exchange gives as many cards as it takes."),
    N_("An exchange is at least two cards for two."),
    N_("You have {n} camels, not {m}."),
    N_("With {n} camels given you would hold more than 7 goods."),
    N_("{good} cannot be taken and given in one exchange."),
    N_("The market has {n} of {good}, not {m}."),
    # Rat Hot
    N_("Lay the strips that are turned up first."),
    N_("Turn up your strips first."),
    N_("Strip {n} is not turned up."),
    N_("Square {square} is far from every strip."),
    N_("Square {square} would lie on the table, but {other} on a strip."),
    N_("Below square {square} there would be a gap: it is lower than {other}."),
    N_("All of the strip at {square} would be covered by one other."),
    N_("No square from {square} to {other} has an edge in common with a strip."),
    N_("With square {square} the layout would be larger than {n} by {m}."),
    # Nine Bowls
    N_("One chip a turn: lift the others."),
    N_("It is the other player's turn: lift the chip."),
    N_("Lay your chip into one of the nine bowls."),
    N_("That bowl is occupied: choose an empty one."),
    N_("The game goes by its own bowls: put the chips right."),
    # the board itself
    N_("no game is on: start one first"),
    N_("that would tell secrets of the full game that is on"),
    N_("that is not the key of {colour}"),
    N_("the key of {colour} was given out already"),
    N_("a game of {game} is on: abort it first"),
    N_("the game is at step {n} by now"),
    N_("decide first whether the chip of {colour} counts in {zone}"),
    N_("decide first where a chip of {colour} lies that no reader hears"),
    N_("name chip and zone on a page, or lay it so that it is heard"),
    N_("where that chip lies is for {colour} to say"),
    N_("the reader of {zone} hears that chip well: lift it if it does not lie there"),
    N_("nobody said where that chip lies"),
    N_("throw first, or say that this throw missed; then say where the chip lies"),
    N_("there is nothing that may be taken back"),
    N_("{colour} decided that and may take it back; all together by the button undo"),
    N_("board and game agree"),
    N_("no doubt {n} is open"),
    N_("in doubt {colour} decides"),
    N_("the link was lost; it is back. Was `{do}` done?"),
    N_("{game} is played by {range}, not by {n}"),
    N_("{game} has no option {name}; there are: {list}"),
    N_("option {name} must be one of {list}, not {value}"),
    N_("the seed must be a whole number from 0 to {n}"),
)
OF_HOST = (  # what the programs say that `play` and `games` are made of
    N_("no game is called {name}; there are: {list}"),
    N_("no bot is called {name}; there are: {list}"),
    N_("no game has a number that begins with {name} (`spiceboard games list`)"),
    N_("several games have a number that begins with {name} (`spiceboard games list`)"),
    N_(
        "cannot use the archive {file}: {error}. Check that the disk is not full and that the "
        "file is an archive, or choose another one with --archive FILE"
    ),
    N_(
        "a simulated board needs packages that are not installed ({list}): run {do}, or use a "
        "real board with --port"
    ),
    N_("the bot strong needs compiled rules: run {do}, or choose sensible"),
    N_("the simulator did not start: {error}"),
    N_("the simulator has ended"),
    N_("the simulator does not answer `{do}`: {error}"),
    N_("connection to {name} lost: {why}"),
    # ports and boards behind them, which the pages tell of too
    N_("cannot open {url}: another command uses it; wait until it has ended"),
    N_("cannot open {url}: {why}"),
    N_("another program uses this port; close it first"),
    N_("there is no such port; check that the board is plugged in"),
    N_("no permission; add yourself to the group `dialout` and log in again"),
    N_("nothing listens there; check that the program of the board is running"),
    N_("the other side closed it or was unplugged"),
    N_("the other side is gone"),
    N_(
        "no board is plugged in; plug one in, name its port with --port, or play on a simulated "
        "board"
    ),
    N_("no board has the serial number {name}; plugged in:{list}"),
    N_(
        "no Spiceboard answers on {name}. Check that it is the right port and that the firmware "
        "is installed (`spiceboard flash`).{text}"
    ),
    N_(
        "the board did not answer `{do}` within {n} s. If it hangs, unplug it and plug it in "
        "again: the game continues where it was"
    ),
    N_(
        "the board speaks protocol {n}, but this program speaks {m} and the one before: update "
        "this program"
    ),
    N_(
        "the board speaks protocol {n}, but this program speaks {m} and the one before: update "
        "the board with `spiceboard flash`"
    ),
    # the pages and their server
    N_("the table stumbled and begins again"),
    N_(
        "the pages cannot be served on port {n}: {error}. Another table may be open there; choose "
        "a port by --http PORT (0: any free one)"
    ),
    N_(
        "another `spiceboard play` keeps its table in {file}: use its pages, end it, or give this "
        "one a folder of its own (--board FOLDER)"
    ),
    N_("{file} cannot be made: {error}"),
    N_("the game could not be put aside: {error}"),
    N_("the game could not be taken up: {error}"),
    N_(
        "the pages do not show the game {name}: play it with --terminal or --headless, or add it "
        "as docs/extending.md says"
    ),
    N_("{first}; and {why}"),  # last, for it fits many a sentence
)
AS_IT_IS = (
    "error",
    "file",
    "game",
    "do",
    "url",
    "text",
    "name",
    "list",
    "value",
    "range",
    "square",
    "other",
)  # in any language


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """(what matches a sentence of the form, the form)."""
    return tuple((re.compile(pattern(form), re.DOTALL), form) for form in FORMS + OF_HOST)


def pattern(form: str) -> str:
    """The regular expression of a form: its text, and a named group for each part."""
    parts = re.split(r"\{(\w+)\}", form)
    texts = [re.escape(text) for text in parts[::2]]
    names = [f"(?P<{name}>.+?)" for name in parts[1::2]] + [""]
    return "".join(text + name for text, name in zip(texts, names, strict=True)) + "$"


def said_by_board(sentence: str) -> str:
    """A sentence of the board, or of what talks to it, in the current language."""
    if language() == ENGLISH:
        return sentence
    if (told := _(sentence)) != sentence:
        return told
    for expression, form in _patterns():
        found = expression.match(sentence)
        if found:
            parts = {name: _part(name, text) for name, text in found.groupdict().items()}
            return _(form).format(**parts)
    return sentence


def _part(name: str, text: str) -> str:
    """What stands in a sentence: a number, a name that has a translation, a list of places."""
    if name in AS_IT_IS:
        return text
    if name in ("first", "why"):
        return said_by_board(text)
    if name == "zone":
        return inside(text)
    if name == "places":
        return ", ".join(_place(place) for place in text.split(", "))
    lower = _(text.lower().replace("_", " "))
    return lower[:1].upper() + lower[1:] if text[:1].isupper() else lower


def _place(text: str) -> str:
    """`red in extra_throw`."""
    colour, _in, zone = text.partition(" in ")
    return _("{colour} in {zone}").format(colour=_(colour), zone=inside(zone))
