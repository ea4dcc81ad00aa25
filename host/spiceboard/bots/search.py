"""Information-set tree search: one tree over what a seat knows, each pass through a guessed world.

Single-observer ISMCTS (P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo
Tree Search", 2012). A game offers worlds (`World`); hidden cards are dealt again for every pass,
so a node counts how often each move was available, not only how often it was tried.

`search` chooses by upper bounds everywhere. `halve` shares its passes out among the first moves by
sequential halving, each guess being given to all of them, so that the luck of the guess is the
same for all (T. Pepels et al., "Minimizing Simple and Cumulative Regret in MCTS", 2014).
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

Move = Any  # hashable: a tuple of the game's model


class World(Protocol):
    """One guess of everything hidden, to play on. Values are seat 0's, 0.0 to 1.0."""

    @property
    def turn(self) -> int:
        """The seat on turn, 0 or 1."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    def moves(self) -> Sequence[tuple[float, Move]]:
        """Moves of the seat on turn worth a look, with a first opinion of each, best first."""

    def play(self, move: Move) -> None:
        """Do a move; chance that it needs was settled when the world was guessed."""

    def value(self) -> float:
        """How well seat 0 stands, after playing on a little if the game is not over."""


class Node:
    """What is known of the moves after one line of play."""

    __slots__ = ("children", "seen", "total", "visits")

    def __init__(self, visits: int = 0, total: float = 0.0) -> None:
        self.children: dict[Move, Node] = {}
        self.visits = visits
        self.seen = 0  # passes in which the move to this node was available
        self.total = total  # of values, for the seat that moved here


def search(
    guess: Callable[[], World],
    passes: int,
    explore: float = 0.5,
    seconds: float | None = None,
) -> Move:
    """The move that was tried most often in `passes` worlds (or within `seconds`).

    explore: how much a move seldom tried is favoured.
    """
    root = Node()
    deadline = None if seconds is None else time.monotonic() + seconds
    for _ in range(passes):
        _pass(root, guess(), explore)
        if deadline is not None and time.monotonic() > deadline:
            break
    return max(root.children.items(), key=lambda item: (item[1].visits, item[1].total))[0]


def halve(
    deal: Callable[[], Callable[[], World]],
    moves: Sequence[tuple[float, Move]],
    passes: int,
    trust: int = 1,
    explore: float = 0.5,
) -> Move:
    """The best of `moves` (with a first opinion of each, 0.0 to 1.0 for the seat on turn).

    deal: guesses what is hidden, and returns a maker of worlds that are equal in it. After each of
    log2(moves) rounds of equally many passes the worse half of the moves is given up.
    trust: of how many passes a first opinion is worth.
    """
    alive = [(move, Node(trust, trust * score)) for score, move in moves]
    rounds = max(1, math.ceil(math.log2(len(moves))))
    while len(alive) > 1:
        for _ in range(max(1, passes // (rounds * len(alive)))):
            make = deal()
            for move, node in alive:
                world = make()
                seat = world.turn
                world.play(move)
                value = _pass(node, world, explore)
                node.total += value if seat == 0 else 1.0 - value
        alive.sort(key=lambda item: -item[1].total / item[1].visits)
        alive = alive[: (len(alive) + 1) // 2]
    return alive[0][0]


def _pass(root: Node, world: World, explore: float) -> float:
    """Go down to a move not yet tried, value what follows, and count it on the way back."""
    path: list[tuple[Node, int]] = []
    node, fresh = root, False
    while not world.over and not fresh:
        seat = world.turn
        move, fresh = _choose(node, world.moves(), explore)
        child = node.children.get(move)
        if child is None:
            child = node.children[move] = Node()
            child.seen = 1
        world.play(move)
        path.append((child, seat))
        node = child
    value = world.value()
    root.visits += 1
    for child, seat in path:
        child.visits += 1
        child.total += value if seat == 0 else 1.0 - value
    return value


def _choose(
    node: Node, offered: Sequence[tuple[float, Move]], explore: float
) -> tuple[Move, bool]:
    """The first offered move that was never tried, else the one of the best upper bound."""
    best, best_bound = offered[0][1], -math.inf
    fresh: Move | None = None
    for _, move in offered:
        child = node.children.get(move)
        if child is None:
            if fresh is None:
                fresh = move
            continue
        child.seen += 1
        bound = child.total / child.visits + explore * math.sqrt(
            math.log(child.seen + 1) / child.visits
        )
        if bound > best_bound:
            best, best_bound = move, bound
    return (best, False) if fresh is None else (fresh, True)
