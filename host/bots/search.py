"""Information-set tree search: one tree over what a seat knows, each pass through a guessed world.

Single-observer ISMCTS (P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo
Tree Search", 2012). A game offers worlds (`World`); what is hidden is dealt anew for every pass,
so a node counts how often each move was available, not only how often it was tried.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

Move = Any  # hashable: a tuple of the game's model


class World(Protocol):
    """One guess of all that is hidden, to be played on. Values are of seat 0, 0.0 to 1.0."""

    turn: int
    over: bool

    def moves(self) -> Sequence[tuple[float, Move]]:
        """Moves of the seat on turn worth a look, with a first opinion of each, best first."""

    def play(self, move: Move) -> None:
        """Do a move; chance that it needs was settled when the world was guessed."""

    def value(self) -> float:
        """How well seat 0 stands, after playing on a little if the game is not over."""


class Node:
    """What is known of the moves after one line of play."""

    __slots__ = ("children", "seen", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Move, Node] = {}
        self.visits = 0
        self.seen = 0  # passes in which the move to this node was available
        self.total = 0.0  # of values, for the seat that moved here


def search(
    guess: Callable[[], World],
    passes: int,
    explore: float = 0.5,
    seconds: float | None = None,
    widen: float | None = None,
) -> Move:
    """The move that was tried most often in `passes` worlds (or within `seconds`).

    explore: how much a move seldom tried is favoured; widen: a node tried n times looks at its
    first 1 + widen * sqrt(n) moves only (None: at all), so that good opinions are followed deep.
    """
    root = Node()
    deadline = None if seconds is None else time.monotonic() + seconds
    for _ in range(passes):
        _pass(root, guess(), explore, widen)
        if deadline is not None and time.monotonic() > deadline:
            break
    return max(root.children.items(), key=lambda item: (item[1].visits, item[1].total))[0]


def _pass(root: Node, world: World, explore: float, widen: float | None) -> None:
    """Go down to a move not yet tried, value what follows, and count it on the way back."""
    path: list[tuple[Node, int]] = []
    node, fresh = root, False
    while not world.over and not fresh:
        seat = world.turn
        offered = world.moves()
        if widen is not None:
            offered = offered[: 1 + int(widen * math.sqrt(node.visits))]
        move, fresh = _choose(node, offered, explore)
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
