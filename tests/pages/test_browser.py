"""The pages in a real Chromium: whole games, throws by mouse and finger, reloads, access."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from finishedgames import played
from pagesbench import PATIENCE_S, Bench, people, to_a_sale
from spiceboard.archive import counts
from spiceboard.bots import bot

sync_api = pytest.importorskip("playwright.sync_api", reason="pip install 'spiceboard[test]'")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: tools/setup.sh test")
DESKTOP, PHONE = {"width": 1360, "height": 860}, {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def pages(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page in a context of its own; whatever goes wrong in one fails the test."""
    contexts: list[Any] = []
    faults: list[str] = []

    def opened(
        url: str, size: dict[str, int] = DESKTOP, guide: bool = False, **options: Any
    ) -> Any:
        context = browser.new_context(**{"viewport": size, "locale": "en-GB", **options})
        if not guide:
            context.add_init_script("localStorage.setItem('pref-guide', 'off')")
        context.set_default_timeout(1000 * PATIENCE_S)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: m.type == "error" and "socket" not in m.text
                and faults.append(m.text))  # fmt: skip
        page.goto(url)
        page.wait_for_selector("#public .person, #text, #replay h1")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Marked with `game(name, people, bots)`; a person against a bot at Safranito, else."""
    mark = request.node.get_closest_marker("parametrize_game")
    name, seats, bots = mark.args if mark else ("safranito", 1, 1)
    made = Bench(
        tmp_path, name, people(seats, bots), **({"chef": 0} if name == "safranito" else {})
    )
    yield made
    made.close()


def until(true: Callable[[], Any], page: Any) -> Any:
    """Wait until it is true, letting the pages live."""
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end, page.inner_text("body")
        page.wait_for_timeout(20)
    return found


def flick(page: Any, chip: Any) -> None:
    """Drag a chip upwards with the mouse and let go while it moves."""
    box = chip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x, y - 40 * step)
    page.mouse.up()


def drop(page: Any, chip: str, zone: str) -> bool:
    """Drag a chip over a zone and let go there without moving; False if it is not ready yet."""
    found = page.query_selector(f".in-rack.ready:not(.thrown)[data-chip={chip}]")
    box = found and found.bounding_box()
    goal = page.query_selector(f"[data-zone={zone}]").bounding_box()
    if not box or not goal:
        return False
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
    page.wait_for_timeout(130)
    page.mouse.up()
    return True


def press(page: Any, event: list[Any]) -> bool:
    """Press the button of a decision, if it is there."""
    key = json.dumps(event, separators=(",", ":"))
    return bool(page.evaluate(
        "key => { const b = document.querySelector(`#seat [data-key='${key}']`);"
        " if (b) b.click(); return Boolean(b); }", key))  # fmt: skip


def play(
    bench: Bench, pages: dict[int, Any], made: dict[int, bot.Bot], most_s: float = 600
) -> None:
    """Play a game to its end through its seats' pages, each seat as its bot would."""
    first = next(iter(pages.values()))
    hub = bench.table.server.hub
    done: set[Any] = set()
    end = time.monotonic() + most_s
    while time.monotonic() < end:
        game = bench.game
        if game["over"]:
            return
        waits = [seat for seat in hub.table["waits"] if seat in pages]
        due = [seat for seat in [*game["asked"], *waits] if seat in pages]
        own = hub.seats.get(due[0]) if due else None
        key = (game["step"], tuple(waits), due[0] if due else None)
        if own is None or key in done or own["step"] != game["step"]:
            first.wait_for_timeout(10)
            continue
        if decide(pages[due[0]], due[0], own, made[due[0]], game):
            done.add(key)
            stepped = game["step"]
            until(lambda: bench.game["step"] != stepped or hub.table["waits"] != waits, first)  # noqa: B023
    raise AssertionError("the game does not end: " + first.inner_text("#said"))


def decide(page: Any, seat: int, own: Any, mind: bot.Bot, game: Any) -> bool:
    """One decision on a page; False when the page does not show it yet."""
    if page.evaluate("document.body.dataset.step") != str(own["step"]):
        return False
    if seat not in game["asked"]:
        return click(page, "[data-key=goon]")
    legal = own["legal"]
    if any(event[0] == "moved" for event in legal):
        aim = mind.aim(own["view"], legal)
        return drop(page, aim["chip"], aim["zone"])
    event = mind.decide(own["view"], legal)
    if event[0] == "no_open" and not any(each[0].startswith("cook_") for each in legal):
        event = ["done", seat]  # the page has one button where there is nothing to cook
    if event[0] == "lay":
        click(page, "[data-key=next]")
        return click(page, "[data-key=lay]:enabled")
    if event[0] in ("take", "sell", "exchange", "camels") and "market" in own["view"]:
        return trade(page, own["view"], event)
    return press(page, event)


def click(page: Any, selector: str) -> bool:
    """Click it, if it is there."""
    return bool(page.evaluate(
        "s => { const b = document.querySelector(s); if (b) b.click(); return Boolean(b); }",
        selector))  # fmt: skip


def trade(page: Any, view: Any, event: list[Any]) -> bool:
    """Compose a turn of Jaipur by tapping cards, and take it."""
    taken = {"take": lambda: [event[2]], "camels": lambda: ["camel"], "sell": list,
             "exchange": lambda: list(event[2])}[event[0]]()  # fmt: skip
    given = {"exchange": lambda: list(event[3]), "sell": lambda: [event[2]] * event[3]}.get(
        event[0], list
    )()
    for place, cards, wanted in (("m", view["market"], taken), ("h", view["hand"], given)):
        left = list(wanted)
        for index, card in enumerate(cards):
            if card in left:
                left.remove(card)
                if not click(page, f"[data-key={place}{index}]"):
                    return False
        for _ in left:  # camels of the herd
            page.get_by_role("button", name="one camel more").click()
    until(lambda: page.query_selector("[data-key=turn]:enabled"), page)
    return click(page, "[data-key=turn]:enabled")


def test_a_newcomer_throws_and_the_bot_answers(bench: Bench, pages: Any) -> None:
    page = pages(bench.table_url)
    assert bench.table.keys.table not in page.url  # the key leaves the address bar
    flick(page, page.wait_for_selector(".in-rack.ready"))
    until(lambda: bench.game["view"]["throws"]["made"] >= 2, page)
    page.wait_for_selector(".line")
    assert "Blue" in page.inner_text("#log")


def test_a_finger_throws_too_and_a_tap_chooses(bench: Bench, pages: Any) -> None:
    page = pages(bench.table_url, PHONE, has_touch=True, is_mobile=True)
    chip = page.wait_for_selector(".in-rack.ready")
    box = chip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    points = lambda dy: [{"x": x, "y": y - dy}]  # noqa: E731
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points(0)})
    for dy in (30, 70, 120):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points(dy)})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(lambda: bench.game["view"]["throws"]["made"] >= 2, page)
    page.locator(".in-rack.ready").first.tap()
    page.wait_for_selector(".zone.offered")
    page.tap("[data-zone=mint]")
    until(lambda: bench.game["view"]["throws"]["made"] >= 4, page)


class Keyboard:
    """A person who has no mouse: everything is reached with Tab and done with Enter."""

    def __init__(self, page: Any) -> None:
        self.page, self.presses = page, 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.presses += 1

    def to(self, key: str, most: int = 80) -> bool:
        """Tab on to the control of this key; False if it is not reached (any more)."""
        for _ in range(most):
            if self.page.evaluate("document.activeElement.dataset.key") == key:
                return True
            self.press("Tab")
        return False

    def enter(self, key: str) -> bool:
        if there := self.to(key):
            self.press("Enter")
        return there

    def choose(self, key: str, value: str) -> bool:
        """Choose a value of a list with its arrows."""
        if not self.to(key):
            return False
        self.press("Home")
        values = self.page.eval_on_selector(
            f"[data-key={key}]", "list => [...list.options].map(option => option.value)"
        )
        for _ in range(values.index(value)):
            self.press("ArrowDown")
        return bool(self.page.input_value(f"[data-key={key}]") == value)

    def throw(self, chip: str, zone: str) -> bool:
        """A throw by the form: chip, place, and as strong as it stands there."""
        if not self.page.query_selector("[data-key=throw]"):
            return False
        if not self.page.is_visible("[data-key=throw]") and not self.enter("form"):
            return False
        return self.choose("chip", chip) and self.choose("zone", zone) and self.enter("throw")

    def decide(self, own: Any, mind: bot.Bot, game: Any) -> bool:
        """One decision; False when the page does not show it yet."""
        if self.page.evaluate("document.body.dataset.step") != str(own["step"]):
            return False
        if 0 not in game["asked"]:
            return self.enter("goon")
        legal = own["legal"]
        if any(event[0] == "moved" for event in legal):
            aim = mind.aim(own["view"], legal)
            return self.throw(aim["chip"], aim["zone"])
        event = mind.decide(own["view"], legal)
        if event[0] == "no_open" and not any(each[0].startswith("cook_") for each in legal):
            event = ["done", 0]
        return self.enter(json.dumps(event, separators=(",", ":")))


MICE = """window.mice = 0;
for (const kind of ["mousedown", "pointerdown", "touchstart"])
  addEventListener(kind, () => { window.mice += 1; }, true);"""


@pytest.mark.slow
def test_a_round_by_keyboard_alone(bench: Bench, pages: Any) -> None:
    page = pages(bench.table_url)
    page.evaluate(MICE)
    keys, mind = Keyboard(page), bot.load("safranito", "sensible")(0, 1)
    hub = bench.table.server.hub
    decided = 0
    while bench.game["view"]["round"] == 1 or hub.table["waits"]:
        game, waits = bench.game, list(hub.table["waits"])
        own = hub.seats.get(0)
        if (0 in game["asked"] or 0 in waits) and own and own["step"] == game["step"]:
            until(lambda: keys.decide(own, mind, game) or bench.game["step"] != game["step"], page)  # noqa: B023
            until(lambda: bench.game["step"] != game["step"] or hub.table["waits"] != waits, page)  # noqa: B023
            decided += 1
        page.wait_for_timeout(10)
    assert bench.game["view"]["round"] == 2 and decided >= 6
    assert page.evaluate("window.mice") == 0
    assert keys.presses < 30 * decided, "too far to go with Tab"


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("jaipur", marks=pytest.mark.soak),
        pytest.param("rathot", marks=pytest.mark.slow),
        "ninebowls",
    ],
)
def test_a_whole_game_against_a_bot(game: str, tmp_path: Path, pages: Any) -> None:
    bench = Bench(tmp_path, game, people(1, 1), seed=2)
    try:
        page = pages(bench.table_url)
        play(bench, {0: page}, {0: bot.load(game, "sensible")(0, 1)})
        page.wait_for_selector(".standing")
        until(lambda: bench.table.server.archive.rows(), page)
        page.goto(bench.url + "/replay")
        page.click(".finished .game-card")
        page.wait_for_selector(".charts svg")
        page.get_by_role("button", name="one on").click()
        page.wait_for_selector("text=/^1 \\/ /")
    finally:
        bench.close()


def test_a_refusal_is_shown_and_is_no_fault_of_the_page(bench: Bench, pages: Any) -> None:
    """As when a button is pressed once too often. `pages` would name an uncaught error."""
    page = pages(bench.table_url)
    page.evaluate("import('/static/app.js').then((app) => { app.act(0, ['reveal', 0]); })")
    page.wait_for_selector("#toast.shown")
    page.wait_for_timeout(100)


@pytest.mark.parametrize("scheme,locale", [("light", "en-GB"), ("dark", "fr-FR")])
def test_statistics_of_finished_games(bench: Bench, pages: Any, scheme: str, locale: str) -> None:
    """Anybody may see them: those games are over. The figures are those of `games stats`."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    scores = [played("safranito", seed) for seed in (1, 2)] + [played("jaipur")]
    for score in scores:
        bench.table.server.archive.add(score)
    page = pages(bench.url + "/replay", PHONE, color_scheme=scheme, locale=locale)
    page.click("[data-key=statistics]")
    page.wait_for_selector("table.result")
    found = counts.together(scores[:2])
    shown = page.inner_text("#replay section >> nth=0")
    assert ("parties" if locale == "fr-FR" else "games") in shown
    assert str(found["events"]["most"]) in shown
    cells = page.locator("table.result td").all_inner_texts()
    assert sum(map(int, cells[::2])) == found["throws"] - found["misses"] > 50
    assert sum(map(int, cells[1::2])) == sum(found["doubts"].values())
    assert page.locator("#replay section").count() == 2
    check_access(axe, page)
    page.get_by_role("button", name="Toutes" if locale == "fr-FR" else "All games").click()
    page.wait_for_selector(".finished .game-card >> nth=2")


@pytest.mark.soak
def test_four_people_on_four_pages_play_safranito(tmp_path: Path, pages: Any) -> None:
    bench = Bench(tmp_path, "safranito", people(4), seed=4)
    try:
        codes = dict(bench.table.keys.invitations)
        seats = {n: pages(f"{bench.url}/seat#join={code}", PHONE) for n, code in codes.items()}
        table = pages(bench.url)
        until(lambda: len(bench.table.keys.seats) == 4, table)
        minds = {seat: bot.load("safranito", "sensible")(seat, 1) for seat in range(4)}
        play(bench, seats, minds, most_s=3600)
        for page in [*seats.values(), table]:
            page.wait_for_selector(".standing")
    finally:
        bench.close()


@pytest.mark.soak
def test_a_reload_in_every_phase_shows_the_same(bench: Bench, pages: Any) -> None:
    page = pages(bench.table_url)
    mind = bot.load("safranito", "sensible")(0, 1)
    seen: set[str] = set()
    hub = bench.table.server.hub
    for _ in range(400):
        game = bench.game
        if game["over"] or len(seen) >= 7:
            break
        due = 0 in game["asked"] or 0 in hub.table["waits"]
        own = hub.seats.get(0)
        if not due or own is None or own["step"] != game["step"]:
            page.wait_for_timeout(10)
            continue
        phase = game["view"]["phase"][0]
        if phase not in seen:
            seen.add(phase)
            page.reload()
            page.wait_for_selector(".prompt")
            page.wait_for_selector("#seat .hand, #seat .decisions")
        if decide(page, 0, own, mind, game):
            step, waits = game["step"], list(hub.table["waits"])
            until(lambda: bench.game["step"] != step or hub.table["waits"] != waits, page)  # noqa: B023
    assert len(seen) >= 5, seen


def test_two_pages_of_one_seat_agree(bench: Bench, pages: Any) -> None:
    one, two = pages(bench.table_url), pages(bench.table_url)
    flick(one, one.wait_for_selector(".in-rack.ready"))
    until(lambda: bench.game["view"]["throws"]["made"] >= 2, one)
    for page in (one, two):
        until(lambda page=page: "3 of 8" in page.inner_text("#said"), page)


def test_the_guide_explains_each_phase_and_can_be_left(bench: Bench, pages: Any) -> None:
    page = pages(bench.table_url, guide=True)
    page.wait_for_selector("#guide:not([hidden])")
    assert bench.in_loop(bench.table.server.hub.reading)
    steps = page.inner_text("#guide small").split(" / ")[1]
    for _ in range(int(steps) - 1):
        said = page.inner_text("#guide p")
        page.click("[data-key=guided]")
        page.wait_for_function(
            "said => document.querySelector('#guide p').textContent !== said", arg=said
        )
    assert page.query_selector(".toured")
    page.click("[data-key=guided]")  # the phase is known
    page.wait_for_selector("#guide", state="hidden")
    mind = bot.load("safranito", "sensible")(0, 1)
    until(lambda: not bench.in_loop(bench.table.server.hub.reading), page)
    while bench.game["view"]["phase"][0] == "throw" or page.query_selector("#guide[hidden]"):
        own = bench.table.server.hub.seats.get(0)
        if own and 0 in bench.game["asked"] and own["step"] == bench.game["step"]:
            decide(page, 0, own, mind, bench.game)
        page.wait_for_timeout(50)
    page.click("[data-key=unguided]")
    page.wait_for_selector("#guide", state="hidden")
    page.reload()
    page.wait_for_selector(".prompt")
    assert page.query_selector("#guide[hidden]")


def test_television_shows_what_everybody_sees(bench: Bench, pages: Any) -> None:
    page = pages(bench.url + "/tv")
    page.wait_for_selector(".prompt")
    assert not page.query_selector(".in-rack") and not page.is_visible("#seat")


def test_french_at_once(bench: Bench, pages: Any) -> None:
    page = pages(bench.table_url)
    page.click("[data-key=menu]")
    page.select_option("dialog select >> nth=0", "fr")
    page.wait_for_selector("text=Nouvelle partie")
    assert page.evaluate("document.documentElement.lang") == "fr"
    until(lambda: "jeton" in page.inner_text("#said"), page)  # in the server's next frame
    page.reload()
    page.wait_for_selector("text=Nouvelle partie")


def test_my_chip_lies_here_in_french(bench: Bench, pages: Any) -> None:
    """The first throw is heard nowhere; its owner says where it lies, and decides as head chef."""
    page = pages(bench.table_url)
    page.click("[data-key=menu]")
    page.select_option("dialog select >> nth=0", "fr")
    page.wait_for_selector("text=Nouvelle partie")
    page.keyboard.press("Escape")
    bench.board.flat.throw = lambda chip, zone, strength: []  # type: ignore[method-assign]
    flick(page, page.wait_for_selector(".in-rack.ready"))
    until(lambda: bench.game["view"]["missed"] == [1, 1], page)
    page.click("text=Mon jeton est ici")
    page.select_option("dialog select >> nth=1", "garlic")
    page.click("dialog [data-key=liesthere]")
    page.wait_for_selector("text=Le jeton bleu dans ail compte-t-il")
    page.click("[data-key=counts]")
    until(lambda: bench.game["view"]["zones"] == {"garlic": [[0, None]]}, page)


@pytest.mark.parametrize(
    "game,scheme", [("safranito", "light"), ("jaipur", "dark"), ("rathot", "light")]
)
def test_axe_finds_nothing_serious(game: str, scheme: str, tmp_path: Path, pages: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    bench = Bench(tmp_path, game, people(2))
    try:
        key = bench.table.keys.invitations[1]
        table = pages(bench.table_url, color_scheme=scheme)
        seat = pages(f"{bench.url}/seat#join={key}", PHONE, color_scheme=scheme)
        seat.wait_for_selector("#seat .seat-name")
        rules = pages(f"{bench.url}/rules#{game}", color_scheme=scheme)
        replay = pages(f"{bench.url}/replay", color_scheme=scheme)
        check_access(axe, table, seat, rules, replay)
        for button in ("New game", "Invite", "☰") if game == "safranito" else ():
            table.click(f"#top button:has-text('{button}')")
            table.wait_for_selector("dialog h2")
            check_access(axe, table)
            table.keyboard.press("Escape")
    finally:
        bench.close()


def check_access(axe: Any, *pages: Any) -> None:
    """No violation that axe calls serious or critical, and nothing wider than the window."""
    for page in pages:
        found = axe.run(page).response["violations"]
        bad = [(v["id"], [n["html"][:160] for n in v["nodes"][:3]])
               for v in found if v["impact"] in ("serious", "critical")]  # fmt: skip
        assert not bad, (page.url, bad)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url


def test_the_pages_are_small(bench: Bench) -> None:
    files = bench.table.server.files
    assert sum(len(content) for _, content in files.values()) < 500_000


def test_a_key_that_is_good_for_nothing_is_named(bench: Bench, pages: Any) -> None:
    page = pages(bench.url + "/#key=wrong")
    page.wait_for_selector("#said .trouble:has-text('not good any more')")
    seat = pages(bench.url + "/seat#join=used")
    seat.wait_for_selector("#said .trouble:has-text('ask for the code')")


@pytest.mark.slow
def test_a_page_goes_from_game_to_game(tmp_path: Path, pages: Any) -> None:
    """Each game's module is only ever given its own game. `pages` would name an uncaught error."""
    bench = Bench(tmp_path, "safranito", people(1, 1))
    try:
        page = pages(bench.table_url)
        order = ["jaipur", "safranito", "rathot", "ninebowls"]
        for game in [*order, *reversed(order), "jaipur", "ninebowls", "jaipur"]:
            page.click("[data-key=new]")
            page.click(f"dialog .game-card.{game}")
            page.click("dialog .begin")
            page.wait_for_selector(f"body[data-game={game}] #public .person")
            page.wait_for_selector("#seat .seat-name")
    finally:
        bench.close()


def test_what_a_seller_has_said_is_shown_and_not_said_again(tmp_path: Path, pages: Any) -> None:
    bench = Bench(tmp_path, "safranito", people(2), chef=0)
    try:
        to_a_sale(bench)
        page = pages(f"{bench.url}/seat#join={bench.table.keys.invitations[1]}", PHONE)
        none, one = ("[data-key='[\"sell\",1,0]']", "[data-key='[\"sell\",1,1]']")
        for chosen, other, text in ((none, one, "sell none"), (one, none, "sell 1 for")):
            page.focus(chosen)
            page.keyboard.press("Enter")
            page.wait_for_selector(f"#seat .do:has-text('You have said: {text}')")
            for _ in range(3):
                page.keyboard.press("Enter")  # it keeps the focus
            page.click(f"{chosen}[aria-pressed=true]", force=True)
            assert not page.query_selector(f".prime{other}, .prime{chosen}, {other}[aria-pressed]")
        until(lambda: bench.game["view"]["offers"] == [None, 1], page)
        page.wait_for_timeout(200)
        asked = [m["event"] for m in bench.board.log if m["do"] == "act"]
        assert asked[-2:] == [["sell", 1, 0], ["sell", 1, 1]]
    finally:
        bench.close()


def test_one_bowl_is_no_bowls(tmp_path: Path, pages: Any) -> None:
    bench = Bench(tmp_path, "ninebowls", people(2), first=0)
    try:
        page = pages(bench.table_url)
        page.click("[data-zone=curry]")
        page.wait_for_selector("#public .blue b:text-is('1 bowl')")
        page.wait_for_selector("#public .red b:text-is('0 bowls')")
    finally:
        bench.close()
