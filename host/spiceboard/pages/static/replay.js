// Finished games: the list, and one of them with the board at every moment and its course in charts.

import { Board } from "./board.js";
import { button, fill, h, pieces, s } from "./dom.js";
import * as keys from "./keys.js";
import { Link } from "./link.js";
import { SEATS } from "./plan.js";
import { apply } from "./prefs.js";
import { _, language, load, ngettext, wanted, word } from "./words.js";

apply();
await load(wanted());
const place = document.getElementById("replay");
const state = { games: [], open: null, at: 0, module: null, playing: null };

fill(document.getElementById("top"), h("a", { class: "brand", href: "/" }, "Spiceboard"), h("span", { class: "gap" }), h("a", { class: "quiet button", href: "/" }, _("To the table")));

const link = new Link(() => ({ key: keys.key(), lang: language }), () => {}, async (what) => {
  if (what !== "open") return;
  if (!state.open) await list();
});

async function list() {
  state.open = null;
  const { games } = await link.ask("finished", {});
  const rows = games.map((game) => h("li", {}, button([h("b", {}, game.title), h("span", {}, game.winners.length ? `${game.winners.map(word).join(", ")} ${_("won")}` : _("nobody won")), h("small", {}, `${game.ended.replace("T", " ").replace("Z", "")} · ${ngettext("{n} event", "{n} events", game.events)} · ${game.number}`)], () => open(game.number), { class: "game-card" })));
  fill(place, h("div", { class: "row" }, h("h1", {}, _("Finished games")), rows.length ? button(_("Statistics"), statistics, { class: "quiet", "data-key": "statistics" }) : null), rows.length ? h("ul", { class: "finished" }, rows) : h("p", {}, _("No game has been finished yet. Finished games are kept here automatically.")));
}

// What the games have in common; a zone with many doubts has a badly tuned reader.
async function statistics() {
  const { games } = await link.ask("statistics", {});
  const doubted = games.some((game) => game.doubts);
  fill(place, h("div", { class: "row" }, h("h1", {}, _("Statistics")), button(_("All games"), list, { class: "quiet" })),
    games.map((game) => h("section", { class: "people-box" }, h("h2", {}, game.title), h("p", {}, game.length),
      h("ul", { class: "plain" }, game.results.map((line) => h("li", {}, line))), game.zones.length ? zoneTable(game.zones) : null)),
    doubted ? h("p", { class: "hint" }, _("A zone with many doubts may have a badly tuned reader.")) : null);
}

function zoneTable(zones) {
  return h("table", { class: "result" }, h("caption", {}, _("Chips by zone")),
    h("thead", {}, h("tr", {}, [_("zone"), _("chips"), _("doubts")].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, zones.map(([name, chips, doubts]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, chips), h("td", {}, doubts)))));
}

async function open(number) {
  const found = await link.ask("replay", { number });
  const module = (await import(`./games/${found.game}.js`)).default;
  Object.assign(state, { open: found, at: 0, module }); // the game and its module at once
  layout();
  await go(0);
}

function colour(seat) {
  return SEATS[state.module.colours ? state.module.colours[seat] : seat];
}

function layout() {
  const svg = s("svg", { class: "replay-board", role: "img", "aria-label": _("board") });
  const last = state.open.lines.length - 1;
  state.slider = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": _("moment of the game"), oninput: () => go(Number(state.slider.value)) });
  state.said = h("p", { class: "prompt", "aria-live": "polite" });
  state.beside = h("div", {});
  state.people = h("div", { class: "people-box" });
  fill(place, h("div", { class: "row" }, h("h1", {}, state.open.title), button(_("All games"), list, { class: "quiet" })), state.said,
    h("div", { class: "replay-grid" }, h("div", {}, svg, state.beside, charts()), h("div", {}, state.people)),
    h("div", { class: "replay-controls" }, button("«", () => go(0), { "aria-label": _("to the beginning") }), button("◀", () => go(state.at - 1), { "aria-label": _("one back") }), state.slider,
      button("▶", () => go(state.at + 1), { "aria-label": _("one on") }), button(_("Play"), play, { class: "prime" })));
  state.board = new Board(svg, true);
}

function play() {
  if (state.playing) { clearInterval(state.playing); state.playing = null; return; }
  state.playing = setInterval(() => {
    if (!state.open || state.at >= state.open.lines.length - 1) { clearInterval(state.playing); state.playing = null; return; }
    go(state.at + 1);
  }, 900);
}

// Show the position after `at` events.
async function go(at) {
  const shown = state.open;
  const last = shown.lines.length - 1;
  state.at = Math.max(0, Math.min(last, at));
  state.slider.value = state.at;
  const wantedAt = state.at;
  const { view, seats, rings, chips } = await link.ask("moment", { number: shown.number, at: state.at });
  if (shown !== state.open || wantedAt !== state.at) return; // another game or moment is wanted by now
  fill(state.said, h("small", {}, `${state.at} / ${last}  `), pieces(shown.lines[state.at]));
  const app = stub(view, seats);
  state.board.setCounts(chips);
  state.board.setValues(view.zones || {});
  state.board.setLabels(state.module.labels(view));
  state.board.setRings(rings);
  fill(state.beside, state.module.stage ? state.module.stage(app, null) : null);
  fill(state.people, state.module.people(app), state.module.open ? null : seats.map((own, seat) => h("details", {}, h("summary", {}, _("What {name} held", { name: word(colour(seat)) })), state.module.hand(app, { seat, view: own, choices: [], legal: [] }))));
  for (const mark of place.querySelectorAll(".chart-now")) {
    const x = last ? (100 * state.at) / last : 0;
    mark.setAttribute("x1", x);
    mark.setAttribute("x2", x);
  }
}

// A stand-in for what a game's module needs of the table's page.
function stub(view, seats) {
  return {
    table: { snapshot: { game: { view, asked: [], step: state.at, over: true }, chips: {} }, waits: [], hands: false, away: [], here: [], chairs: [] },
    seats: {}, who: { seats: [] }, current: () => null, hidden: () => false, player: () => "", redraw: () => {},
    seatName: (seat) => word(colour(seat)), seatColour: (seat) => seat, all: seats,
  };
}

const NAMES = () => ({ blends: _("blends"), "chips in bowls": _("chips on the board"), rupees: _("rupees"), cards: _("cards"), tokens: _("tokens in rupees"), seals: _("seals"), points: _("points"), rats: _("rats in sight"), groups: _("groups in sight") });

function charts() {
  return h("div", { class: "charts" }, Object.entries(state.open.course).map(([what, lines]) => {
    const most = Math.max(1, ...lines.flat());
    const last = Math.max(1, lines[0].length - 1);
    return h("figure", { class: "chart" }, h("figcaption", {}, NAMES()[what] || what, h("small", {}, ` 0–${most}`)),
      s("svg", { viewBox: "0 -2 100 34", preserveAspectRatio: "none", role: "img", "aria-label": NAMES()[what] || what },
        lines.map((line, seat) => s("polyline", { class: `chart-line ${colour(seat)}`, points: line.map((value, n) => `${((100 * n) / last).toFixed(2)},${(30 - (30 * value) / most).toFixed(2)}`).join(" ") })),
        s("line", { class: "chart-now", x1: 0, x2: 0, y1: -2, y2: 32 })));
  }));
}
