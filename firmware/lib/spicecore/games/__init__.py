"""The games of a board: the only list of them, and the contract that each of them fulfils.

A game is a package of this folder with a module `rules`: plain data in and out, no I/O, no clock,
and only the random generator in its state. All other code uses a game only through the names
below; a test checks the games and their users against this table. docs/extending.md says how to
add one.

    NAME                            its name in GAMES
    SEATS                           colours of the seats, in seat order; their chips have them
    PHYSICAL                        kinds of effects that only tell where chips lie: a decision
                                    before them can still be taken back
    new(options)                    the first state; ValueError says what is wrong with an option
    text(state)                     the whole state as one line, secrets included
    parse(line)                     the state of such a line; ValueError says what is wrong
    step(state, event)              (state after it, effects); never raises
    legal(state, seat)              the events that the seat may send now
    view(state, seat)               what the seat may know; seat None: what everybody may know
    seats_asked(state)              the seats that the game waits for
    over(state)                     has the game ended?
    standing(state)                 [[seat, rank from 1, {what: points}], ...] by rank
    undoable(state, event)          may this event, taken in this state, be taken back?
    arbiter(state)                  the seat that decides where a doubtful chip lies; None: any
    sensed(state, moves)            the event for chips that settled elsewhere, or None
    press(state, button)            the event that "ok" or "no" means now, or None
    mismatch(state, seen)           [[chip, zone seen, zone expected], ...] that differ; None:
                                    nowhere; `seen` is {chip: zone}
    public_mismatch(state, wrong)   the same rows with colours in the place of chips
    show(state)                     {zone: shape} of all rings, shapes as in lights/rings.py

and, together or not at all, where `legal` may be too long for one line of the wire:

    packed(state, seat)             the same list in short, as plain data; None: nothing is legal
    unpacked(brief)                 the events that this stands for

and, where chips are thrown and may lie nowhere:

    absent(state)                   how many chips each seat has thrown that lie in no zone, when
                                    all throws are made; []: some are still to be made; None: it
                                    is not the time of throws

An event is a list [kind, seat, ...]. Decisions have the game's own kinds. Events from the board
are the same in every game: ["moved", None, [[chip, zone or None], ...]] (chips settled),
["judged", seat, chip, zone or None] (a doubt was decided), ["accept", seat or None, [[chip, zone
or None], ...]] (take the board as it lies), ["abort", seat or None]. Where chips are thrown,
`legal` lists ["moved", None, [[chip, None]]] for each chip that may be, and ["missed", seat].

An effect is a list [audience, kind, ...]; audience None: everybody, else a seat. If the rules
refuse an event, the state is unchanged and there is one effect, made by `refused`. All games use
the same codes for the same reasons: "malformed" and "unknown_event" (no event of this game),
"unknown_chip", "unknown_zone", "over", "not_now" (another phase), "not_you" (another seat). For
other reasons a game has codes of its own.

A view is a dict with at least "game" (NAME) and "phase" (a list that begins with a word);
"players" and "mode" where they may differ from len(SEATS) and "full"; "round" where there are
rounds, after which all chips go home. Events and views share lists with the state, so nobody
changes a list that the rules gave them; and no step writes into one.

The options of every game are "players", "mode" and "seed", and what its table CHOICES lists, in
its module `on_demand/options`; `checked` in the module `on_demand/options` here checks them.
"""

GAMES = {  # name: lowest and highest number of players
    "safranito": (2, 4),
    "jaipur": (2, 2),
    "rathot": (2, 2),
    "ninebowls": (2, 2),
}
# (name, mode) of the games that a board starts and plays by buttons and chips, without a host.
# In the others players hold cards that only a page shows.
BY_BUTTONS = (("safranito", "referee"), ("ninebowls", "full"))


def load(name: str):  # type: ignore[no-untyped-def]
    """The rules of a game, imported when first needed: a board has little heap.

    KeyError for a name that is not in GAMES.
    """
    if name not in GAMES:
        raise KeyError(name)
    return __import__(package(name) + ".rules", None, None, ("step",))


def package(name: str) -> str:
    """The import name of a game's package."""
    return "spicecore.games." + name


def refused(event: object, players: int, code: str, sentence: str) -> list:
    """The effects of an event that the rules refuse: one, for the seat that sent it.

    code: a word for programs; sentence: for people, says why and ends with a full stop. If the
    event names no seat of the game, the effect is public.
    """
    seat = event[1] if isinstance(event, list) and len(event) > 1 else None
    audience = seat if type(seat) is int and 0 <= seat < players else None
    return [[audience, "refused", code, sentence]]
