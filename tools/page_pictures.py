"""Draw the pictures of the pages for docs/ and README: tools/page_pictures.py (needs Chromium).

A real server and the real rules on a board of rules, as the tests have it; so a picture shows what
a page shows.
"""

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "firmware" / "lib")]
benches: Any = importlib.import_module("pagesbench")
Bench, people = benches.Bench, benches.people

PICTURES = ROOT / "docs" / "pictures"
DESKTOP, PHONE = {"width": 1360, "height": 860}, {"width": 360, "height": 740}
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
    page.wait_for_selector(".person, #text h1")
    return page


def play_to(bench: Any, page: Page, phase: str) -> None:
    """Throw and decide on the page until the game is in this phase and asks the person."""
    for _ in range(LAST):
        game = bench.game
        if game["view"]["phase"][0] == phase and 0 in game["asked"]:
            break
        chip = page.query_selector(".in-rack.ready:not(.thrown)")
        if chip and (box := chip.bounding_box()):
            throw(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        else:
            button = page.query_selector("#seat .decisions button.large:enabled")
            if button:
                button.evaluate("b => b.click()")  # it may be drawn anew meanwhile
        page.wait_for_timeout(120)
    page.wait_for_timeout(600)


def throw(page: Page, x: float, y: float) -> None:
    """A flick upwards."""
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x, y - 38 * step)
    page.mouse.up()


def safranito(browser: Browser) -> None:
    """The table in a sale; a seat on a phone, in French and dark."""
    bench = Bench(Path(tempfile.mkdtemp()), "safranito", people(1, 3), seed=6, chef=0)
    table = opened(browser, bench.table_url, DESKTOP, "light", "en-GB")
    play_to(bench, table, "choose")
    table.locator("#seat .decisions button.large").nth(1).click()
    table.wait_for_timeout(700)
    table.evaluate("document.getElementById('toast').classList.remove('shown')")
    table.wait_for_timeout(400)
    table.screenshot(path=PICTURES / "page-table.png")
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
    phone.screenshot(path=PICTURES / "page-seat.png")
    bench.close()


def other(browser: Browser, game: str, scheme: str) -> None:
    """A game with a stage of its own."""
    bench = Bench(Path(tempfile.mkdtemp()), game, people(1, 1), seed=5)
    page = opened(browser, bench.table_url, DESKTOP, scheme, "en-GB")
    for _ in range(10):
        if page.query_selector("[data-key=next]"):
            for _ in range(5):
                page.click("[data-key=next]")
            page.click("[data-key=lay]")
        elif button := page.query_selector("#seat .decisions button.large:enabled"):
            button.click()
        page.wait_for_timeout(400)
    if page.query_selector("[data-key=next]"):
        page.click("[data-key=next]")
    page.wait_for_timeout(300)
    page.screenshot(path=PICTURES / f"page-{game}.png")
    bench.close()


def main() -> None:
    """All pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        safranito(browser)
        other(browser, "jaipur", "dark")
        other(browser, "rathot", "light")
        browser.close()


if __name__ == "__main__":
    main()
