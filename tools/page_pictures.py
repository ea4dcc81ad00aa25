"""Draw the pictures of the pages for docs/ and README: tools/page_pictures.py [NAME ...]

Needs Chromium.

A real server and the real rules on a board of rules, as the tests have it; so a picture shows what
a page shows.
"""

import importlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "firmware" / "lib")]
benches: Any = importlib.import_module("pagesbench")
Bench, people = benches.Bench, benches.people

PICTURES = ROOT / "docs" / "pictures"
DESKTOP, PHONE = {"width": 1360, "height": 860}, {"width": 360, "height": 740}
SMALL = {"width": 1100, "height": 760}
TALL = {"width": 1100, "height": 1040}
BOWLS = ("cardamom", "saffron", "mint")  # where the person's chips go
CROWD = 9  # chips on the board that are worth a picture
QUALITY = 82  # of JPEG: a third of the size of PNG, and letters stay sharp
LAST = 400  # looks after which a phase is given up


def opened(browser: Browser, url: str, size: Any, scheme: Any, locale: str) -> Page:
    """A page of its own."""
    context = browser.new_context(
        viewport=size,
        color_scheme=scheme,
        locale=locale,
        device_scale_factor=1,
    )
    context.add_init_script("localStorage.setItem('pref-guide', 'off')")
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(".person, #text h1, #replay h1")
    return page


def play_to(bench: Any, page: Page, phase: str) -> None:
    """Throw and decide on the page until the game is in this phase and asks the person."""
    bowls = list(BOWLS)
    for _ in range(LAST):
        game = bench.game
        if game["view"]["phase"][0] == phase and 0 in game["asked"]:
            break
        chip = page.query_selector(".in-rack.ready:not(.thrown)")
        if chip and (box := chip.bounding_box()):
            drop(page, box, bowls.pop(0) if bowls else "curry")
        else:
            button = page.query_selector("#seat .decisions button.large:enabled")
            if button:
                button.evaluate("b => b.click()")  # the page may have drawn it again
        page.wait_for_timeout(120)
    page.wait_for_timeout(600)


def shoot(page: Page, name: str) -> None:
    """The window as a picture."""
    page.screenshot(path=PICTURES / name, type="jpeg", quality=QUALITY)


def click(page: Page, selector: str, times: int = 1) -> None:
    """Click it if it is there; the page may draw it again at any moment."""
    for _ in range(times):
        page.evaluate("s => { const b = document.querySelector(s); if (b) b.click(); }", selector)


def drop(page: Page, box: Any, zone: str) -> None:
    """Drag a chip over a zone, and let go there without moving."""
    bowl = page.locator(f"[data-zone={zone}]").bounding_box()
    assert bowl is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(bowl["x"] + bowl["width"] / 2, bowl["y"] + bowl["height"] / 2, steps=4)
    page.wait_for_timeout(150)
    page.mouse.up()


def throw(page: Page, x: float, y: float) -> None:
    """A flick upwards."""
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x, y - 38 * step)
    page.mouse.up()


def safranito(browser: Browser) -> None:
    """The table in a sale; a seat on a phone, in French and dark."""
    bench = Bench(Path(tempfile.mkdtemp()), "safranito", people(1, 3), seed=10, chef=0)
    table = opened(browser, bench.table_url, DESKTOP, "light", "en-GB")
    play_to(bench, table, "choose")
    table.locator("#seat .decisions button.large").nth(1).click()
    table.wait_for_timeout(700)
    table.evaluate("document.getElementById('toast').classList.remove('shown')")
    table.wait_for_timeout(400)
    shoot(table, "page-table.jpg")
    bench.close()
    bench = Bench(Path(tempfile.mkdtemp()), "safranito", people(2, 2), seed=6, chef=0)
    code = bench.table.keys.invitations[1]
    phone = opened(browser, f"{bench.url}/seat#join={code}", PHONE, "dark", "fr-FR")
    phone.wait_for_selector("#seat .seat-name")
    table = opened(browser, bench.table_url, DESKTOP, "light", "en-GB")
    for _ in range(3):
        for page in (table, phone):
            chip = page.query_selector(".in-rack.ready:not(.thrown)")
            if chip and (box := chip.bounding_box()):
                throw(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(900)
    shoot(phone, "page-seat.jpg")
    bench.close()


def start_and_rules(browser: Browser) -> None:
    """The dialog of a new game, in French and dark; the rules on a phone, in French."""
    bench = Bench(Path(tempfile.mkdtemp()), "safranito", people(1, 1), seed=5)
    page = opened(browser, bench.table_url, SMALL, "dark", "fr-FR")
    page.click("[data-key=new]")
    page.wait_for_selector("dialog .begin")
    shoot(page, "page-start.jpg")
    page = opened(browser, f"{bench.url}/rules#safranito", PHONE, "light", "fr-FR")
    page.wait_for_timeout(300)
    shoot(page, "page-rules.jpg")
    bench.close()


def replay(browser: Browser) -> None:
    """A finished game of bots at its middle, with its charts."""
    bench = Bench(Path(tempfile.mkdtemp()), "safranito", people(0, 3), seed=6, chef=0)
    page = opened(browser, bench.url, TALL, "light", "en-GB")
    page.wait_for_selector(".standing", timeout=300_000)
    page.wait_for_timeout(1500)  # into the archive
    page.goto(bench.url + "/replay")
    page.click(".finished .game-card")
    page.wait_for_selector(".charts svg")
    slider = page.locator("input[type=range]")
    slider.evaluate("s => { s.value = 0.6 * s.max; s.dispatchEvent(new Event('input')); }")
    for _ in range(LAST):
        page.wait_for_timeout(30)
        if page.locator(".replay-board .chip").count() >= CROWD:
            break
        page.get_by_role("button", name="one on").click()
    page.wait_for_timeout(500)
    shoot(page, "page-replay.jpg")
    bench.close()


def other(browser: Browser, game: str, scheme: str) -> None:
    """A game with a stage of its own."""
    bench = Bench(Path(tempfile.mkdtemp()), game, people(1, 1), seed=5)
    page = opened(browser, bench.table_url, DESKTOP, scheme, "en-GB")
    end = time.monotonic() + (6 if game == "rathot" else 12)  # seconds: enough turns to be seen
    while time.monotonic() < end:
        if page.query_selector("[data-key=next]"):
            click(page, "[data-key=next]", times=2)
            click(page, "[data-key=lay]")
        else:
            click(page, "#seat .decisions button.large:enabled")
        page.wait_for_timeout(400)
    click(page, "[data-key=next]")
    page.wait_for_timeout(300)
    shoot(page, f"page-{game}.jpg")
    bench.close()


DRAWN: dict[str, Callable[[Browser], None]] = {
    "safranito": safranito,
    "jaipur": lambda browser: other(browser, "jaipur", "dark"),
    "rathot": lambda browser: other(browser, "rathot", "light"),
    "start": start_and_rules,
    "replay": replay,
}


def main() -> None:
    """All pictures, or those that were asked for."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        wanted = sys.argv[1:] or list(DRAWN)
        for name in wanted:
            DRAWN[name](browser)
        browser.close()


if __name__ == "__main__":
    main()
