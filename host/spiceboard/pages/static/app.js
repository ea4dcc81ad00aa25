// The page of a table or of a seat: it draws what the server says, and sends what people do.

import { Board } from "./board.js";
import { button, fill, h, pieces, s } from "./dom.js";
import * as keys from "./keys.js";
import { Link } from "./link.js";
import { SEATS } from "./plan.js";
import { apply, callPlayer, moving, pref } from "./prefs.js";
import { Thrower } from "./throwing.js";
import { openInvitations, openMenu, openStart, openHelp, openWhere } from "./dialogs.js";
import { Tour } from "./tour.js";
import { _, language, load, wanted, word } from "./words.js";

apply();
await load(wanted());

const $ = (id) => document.getElementById(id);
document.body.dataset.page = location.pathname.slice(1) || "table";
const seatPage = document.body.dataset.page === "seat";

export const app = {
  who: { table: false, seats: [], own: null },
  table: null, // the last public state
  seats: {}, // seat -> its private frame
  lines: [],
  eyes: {},
  game: null, // the module of the game that is on
  covered: false,
  shown: null, // the seat whose hand is shown at a table with several
  xray: false,
  link: null,
};

const board = new Board($("board"));
app.board = board;
const thrower = new Thrower(board, throwChip, () => drawSeat());
app.thrower = thrower;
app.tour = new Tour(app, $("guide"));

// -- asking the table

export async function ask(what, parts) {
  try {
    return await app.link.ask(what, parts);
  } catch (error) {
    toast(error.message === "lost" ? _("The table is not there. Waiting for it.") : error.message);
    error.told = true;
    throw error;
  }
}

// A refusal that the person has been told of (a button pressed once too often) is no fault of the page.
addEventListener("unhandledrejection", (event) => { if (event.reason?.told) event.preventDefault(); });

export function act(seat, event) {
  app.tour.pass();
  return ask("act", { seat, event, step: app.seats[seat] ? app.seats[seat].step : null });
}

function throwChip(chip, aim) {
  app.tour.pass();
  app.thrown = true;
  draw();
  return ask("throw", { seat: current(), chip, ...aim }).finally(() => { app.thrown = false; draw(); });
}

let toastTimer = null;
export function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $("toast").classList.remove("shown"), 5000);
}

// -- what the table tells

const TAKE = {
  you(frame) {
    app.who = frame;
    for (const seat of Object.keys(app.seats)) if (!frame.seats.includes(Number(seat))) delete app.seats[seat];
    draw();
  },
  async table(frame) {
    const on = frame.snapshot.game;
    const module = on ? await moduleOf(on.view.game) : app.game;
    const before = app.table;
    app.table = frame;
    app.who.seats = frame.seats;
    for (const [seat, own] of Object.entries(app.seats)) if (!on || own.view.game !== on.view.game) delete app.seats[seat];
    if (module !== app.game) change(module);
    if (before && asked(before).length === 0 && asked(frame).length) callPlayer();
    draw();
  },
  seat(frame) {
    if (!view() || frame.view.game !== view().game) return; // of another game than the table's; the right one comes after it
    app.seats[frame.seat] = frame;
    draw();
  },
  eyes(frame) {
    app.eyes = frame;
    drawEyes();
  },
  flight(frame) {
    if (moving()) board.follow(frame.bodies, frame.begun);
  },
  log(frame) {
    if (frame.anew) app.lines = [];
    const fresh = frame.lines.filter((line) => !app.lines.some((old) => old.n === line.n));
    app.lines.push(...fresh);
    if (!frame.anew) for (const line of fresh) tell(line);
    drawLog();
  },
  lost(frame) {
    app.lost = frame.text;
    app.lent = frame.lent;
    draw();
  },
  notice(frame) {
    const texts = {
      "undo-refused": _("Not everybody agreed to take that back."),
      "seat-gone": _("The table has taken this seat over. Ask for a new code to join again."),
    };
    if (frame.text === "seat-gone") keys.keep("");
    toast(texts[frame.text] || frame.text);
  },
  unknown(frame) { // the key, or the invitation, is good for nothing: said until the page is left
    if (frame.text !== "lost") app.trouble = frame.text;
    draw();
  },
  refused(frame) {
    toast(frame.text);
  },
};

// One frame after the other: while a game's module is on its way, later frames wait. So the module, the
// table and the seats that are drawn are always of one game.
let taken = Promise.resolve();
function take(frame) {
  const handler = TAKE[frame.is];
  if (!handler) return;
  const done = taken.then(() => handler(frame));
  taken = done.catch(() => {}); // `done` reports it
}

async function moduleOf(name) {
  return app.game && app.game.name === name ? app.game : (await import(`./games/${name}.js`)).default;
}

// Another game is on: what was drawn for the one before goes.
function change(module) {
  app.game = module;
  document.body.dataset.game = module.name;
  board.draw();
  thrower.key = null;
  board.rings = {};
  board.chips = [];
  drawEyes();
}

export function view() {
  return app.table && app.table.snapshot.game ? app.table.snapshot.game.view : null;
}

export function game() {
  return app.table && app.table.snapshot.game;
}

// Own seats that must do something now.
function asked(frame) {
  const on = frame.snapshot.game;
  if (!on || on.over) return [];
  return frame.seats.filter((seat) => on.asked.includes(seat) || frame.waits.includes(seat));
}

// The seat that this page plays now: the one that is asked, else the one that was shown last.
export function current() {
  const mine = app.who.seats;
  if (mine.length < 2) return mine[0] ?? null;
  const due = app.table ? asked(app.table) : [];
  if (app.shown !== null && mine.includes(app.shown) && (due.includes(app.shown) || !due.length)) return app.shown;
  return due[0] ?? mine[0];
}

// Is the hand of the current seat hidden, because others sit at this screen?
export function hidden() {
  if (app.game && app.game.open) return false;
  if (app.covered) return true;
  return app.who.seats.length > 1 && app.shown !== current();
}

function tell(line) {
  $("live").textContent = line.text.map((piece) => piece[0]).join("");
  if (line.zone) board.point(line.zone);
}

// -- drawing

let due = false;
export function draw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    drawTop();
    drawSaid();
    drawBoard();
    drawSeat();
    drawPublic();
    const frame = app.seats[current()];
    document.body.dataset.step = frame ? frame.step : "";
    app.tour.draw();
  });
}

function drawTop() {
  const table = app.who.table;
  const where = seatPage && app.who.own !== null ? h("span", { class: `badge ${SEATS[seatColour(app.who.own)]}` }, seatName(app.who.own)) : null;
  fill($("top"),
    h("a", { class: "brand", href: "/", "aria-label": "Spiceboard" }, s("svg", { viewBox: "0 0 64 64", "aria-hidden": "true" },
      s("circle", { cx: 32, cy: 32, r: 27, class: "brand-bowl" }), s("circle", { cx: 32, cy: 32, r: 19, class: "brand-heap" }),
      s("circle", { cx: 32, cy: 32, r: 26, class: "brand-ring" })), h("span", {}, "Spiceboard")),
    where,
    h("span", { class: "gap" }),
    table ? button(_("New game"), () => openStart(app), { class: "quiet", "data-key": "new" }) : null,
    table && app.table && app.table.invitations.length ? button(_("Invite"), () => openInvitations(app), { class: "quiet", "data-key": "invite" }) : null,
    h("a", { class: "quiet button wide-only", href: `/rules#${view() ? view().game : "safranito"}`, target: "_blank" }, _("Rules")),
    button("☰", () => openMenu(app), { class: "quiet icon", "aria-label": _("Menu"), "data-key": "menu" }));
}

function drawSaid() {
  const list = [];
  if (app.offline) list.push(h("p", { class: "trouble" }, _("The table does not answer. This page reconnects by itself.")));
  else if (app.lent) list.push(lent());
  else if (app.lost) list.push(h("p", { class: "trouble" }, `${_("The board is not there. Waiting for it.")} ${app.lost}`));
  if (app.trouble) list.push(h("p", { class: "trouble" }, sentence(app.trouble)));
  const on = app.table;
  if (on) {
    const mine = asked(on);
    const looks = mine.length && !on.snapshot.game.asked.includes(current());
    const prompt = looks ? [_("The round is over: look at it, then go on.")] : on.snapshot.game ? pieces(on.prompt) : [_("No game is on. Begin one with “New game”.")];
    list.push(h("p", { class: `prompt${mine.length ? " mine" : ""}` }, prompt,
      app.thrown ? h("strong", { class: "your-turn" }, _("Your chip is under way.")) : mine.length && current() !== null && !on.snapshot.game.over ? h("strong", { class: "your-turn" }, app.who.seats.length > 1 ? _("{name}, it is up to you.", { name: seatName(current()) }) : _("It is up to you.")) : null));
    if (!on.snapshot.game && on.snapshot.last) list.push(before(on.snapshot.last));
    list.push(...doubts(on), ...wrong(on), ...wish(on), ...undoQuestion(on));
  }
  fill($("said"), ...list);
}

// Another program has the board: a command of ours until it ends, any other one until the table takes the board back.
function lent() {
  if (app.lent === "command") {
    return h("p", { class: "trouble" }, _("The board is lent to `spiceboard flash` or another command; it comes back by itself."));
  }
  return h("div", { class: "request" }, h("p", { class: "trouble" }, _("The board is lent to another program; the game waits.")),
    app.who.table ? button(_("Done: continue the game"), () => ask("take_back", {}), { class: "large prime", "data-key": "takeback" }) : null);
}

// The result of the game before: the board remembers it through a power cut, too.
function before([game, standing]) {
  const places = [...standing].sort((a, b) => a[1] - b[1]).map(([seat, rank]) => `${rank}. ${seatName(seat)}`);
  return h("p", { class: "hint" }, _("The game before ({game}) ended: {places}.", { game: word(game), places: places.join(", ") }));
}

function doubts(on) {
  return on.snapshot.doubts.map(([number, colour, zone]) => {
    const judge = decider();
    const mine = app.who.seats.includes(judge);
    if (zone === null) return unheard(number, colour, judge, mine);
    return h("div", { class: "request" },
      h("p", {}, _("Does the {colour} chip count in {zone}?", { colour: word(colour), zone: word(zone) })),
      mine ? h("div", { class: "pair" },
        button(_("It counts"), () => ask("decide", { seat: judge, doubt: number, counts: true }), { class: "large yes", "data-key": "counts" }),
        button(_("It does not"), () => ask("decide", { seat: judge, doubt: number, counts: false }), { class: "large no", "data-key": "countsnot" }))
        : h("p", { class: "hint" }, _("{name} decides.", { name: seatName(judge) })));
  });
}

// Of this colour fewer chips are heard than were thrown: they lie nowhere, or their owner says where.
function unheard(number, colour, judge, mine) {
  const owner = app.who.seats.find((seat) => SEATS[seatColour(seat)] === colour);
  return h("div", { class: "request" },
    h("p", {}, _("{colour}: fewer chips are heard than were thrown. Does one lie in a bowl or on an action space?", { colour: sentence(word(colour)) })),
    h("div", { class: "pair" },
      owner === undefined ? null : button(_("My chip lies here…"), () => sayWhere(owner), { class: "large yes", "data-key": "lieshere" }),
      mine ? button(_("It lies nowhere"), () => ask("decide", { seat: judge, doubt: number, counts: false }), { class: "large no", "data-key": "liesnowhere" }) : null),
    mine ? null : h("p", { class: "hint" }, _("{name} decides.", { name: seatName(judge) })));
}

// The seat's chips that the board knows nowhere, of those that were thrown where eyes see throws.
function missing(seat) {
  const frame = app.seats[seat];
  const own = (frame && frame.view.you && frame.view.you.chips) || {};
  return app.table.hands ? (frame && frame.out) || [] : Object.keys(own).filter((chip) => own[chip] === null);
}

// "My chip lies here": the owner names chip and zone, the head chef decides.
function sayWhere(seat) {
  openWhere(missing(seat), (chip, zone) => ask("lies", { seat, chip, zone }));
}

// Who decides a doubt: the head chef, else whoever is on turn.
function decider() {
  const now = view();
  return "chef" in now ? now.chef : game().asked[0];
}

// Where board and game differ: one request at a time. Virtual hands put it right by themselves.
function wrong(on) {
  const list = on.snapshot.mismatch || [];
  if (list.length && on.hands && !on.manner.lifts) return byClick(list);
  if (!list.length || (on.hands && !app.patience)) {
    if (on.hands && list.length) { app.patience = false; clearTimeout(app.late); app.late = setTimeout(() => { app.patience = true; drawSaid(); app.patience = false; }, 8000); }
    return [];
  }
  const [colour, seen, due] = list[0];
  const parts = { colour: word(colour), seen: word(seen), due: word(due) };
  const text = due === null ? _("Please lift the {colour} chip from {seen}.", parts)
    : seen === null ? _("A {colour} chip belongs in {due}: please lay it there.", parts)
      : _("A {colour} chip lies in {seen} and belongs in {due}.", parts);
  return [h("div", { class: "request" }, h("p", {}, text, list.length > 1 ? h("small", {}, ` ${_("({n} more after this)", { n: list.length - 1 })}`) : null),
    app.who.seats.length ? button(_("Leave it as it lies"), () => confirmed(_("The game then accepts the board as it is. Are you sure?"), () => ask("accept", {})), { class: "quiet" }) : null)];
}

// On a simulated board whose chips do not go home by themselves, each goes by a click.
function byClick(list) {
  if (!app.who.seats.length) return [];
  return [h("div", { class: "request" }, h("p", {}, _("These chips go home or were moved: click them on the board, or here.")),
    h("div", { class: "row wrap" }, list.map(([colour, seen, due]) => button(due === null ? _("Lift {colour} from {zone}", { colour: word(colour), zone: word(seen) })
      : _("Lay {colour} into {zone}", { colour: word(colour), zone: word(due) }), () => ask("put_right", { colour, seen, due }), { "data-key": `p${colour}${seen}${due}` }))))];
}

// The first chip in a zone that a click puts right.
function misplaced(zone) {
  const on = app.table;
  if (!on || !on.hands || on.manner.lifts || !app.who.seats.length) return null;
  return (on.snapshot.mismatch || []).find(([, seen, due]) => (seen || due) === zone) || null;
}

function wish(on) {
  if (!on.wish) return [];
  return [h("div", { class: "request" }, h("p", {}, _("Please throw a chip for {name}, at {zone}, {how}.", {
    name: seatName(on.wish.seat), zone: word(on.wish.zone), how: on.wish.strength >= 0.4 ? _("hard") : _("softly") })),
    app.who.seats.length ? button(_("It missed"), () => ask("missed", {}), {}) : null)];
}

function undoQuestion(on) {
  if (!on.undo) return [];
  const mine = app.who.seats.find((seat) => on.undo.waits.includes(seat));
  const text = _("{name} would like to take back the last decision of {whose}.", { name: seatName(on.undo.by), whose: seatName(on.undo.of) });
  return [h("div", { class: "request" }, h("p", {}, text), mine === undefined ? null : h("div", { class: "pair" },
    button(_("Agree"), () => ask("answer_undo", { seat: mine, yes: true }), { class: "large yes" }),
    button(_("No"), () => ask("answer_undo", { seat: mine, yes: false }), { class: "large no" })))];
}

export function confirmed(text, action) {
  const dialog = h("dialog", { class: "small" }, h("p", {}, text), h("div", { class: "pair" },
    button(_("Yes"), () => { dialog.close(); action(); }, { class: "large" }), button(_("No"), () => dialog.close(), { class: "large" })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function drawEyes() {
  if (app.eyes.t) board.clock(app.eyes.t);
  if (app.eyes.rings) board.setRings(app.eyes.rings);
  if (app.eyes.chips) board.setChips(app.eyes.chips);
  if (app.xray) board.setXray(app.table ? app.table.snapshot.chips : {}, true);
}

function drawBoard() {
  if (!app.table || !view() || !app.game) return;
  if (!app.table.hands) board.setCounts(app.table.snapshot.chips);
  board.setValues(view().zones || {});
  board.setLabels(app.game.labels(view()));
  board.setXray(app.table.snapshot.chips, app.xray);
  const seat = current();
  const frame = seat === null ? null : app.seats[seat];
  app.game.onBoard(app, frame, hidden());
  const beside = app.game.stage ? app.game.stage(app, frame) : null;
  $("beside").hidden = !beside;
  if (beside) fill($("beside"), beside);
}

function drawSeat() {
  const seat = current();
  const frame = seat === null ? null : app.seats[seat];
  $("seat").hidden = false;
  if (!app.table || !app.game || !view()) { fill($("seat"), seatPage ? joinHint() : null); return; }
  if (game().over) { fill($("seat"), ending()); return; }
  if (seat === null || !frame) {
    fill($("seat"), h("p", { class: "hint" }, app.who.table || app.who.own !== null ? _("The seats are played on other pages, or by bots.") : _("You watch this table as a spectator: you see what everybody may see.")), seatPage ? joinHint() : null);
    return;
  }
  const name = h("h2", { class: `seat-name ${SEATS[seatColour(seat)]}` }, seatName(seat));
  const throwing = !hidden() && app.table.hands && frame.legal.some((event) => event[0] === "moved");
  document.body.classList.toggle("throwing", throwing);
  const several = app.who.seats.length > 1;
  if (hidden()) {
    fill($("seat"), name, h("p", {}, _("Give the screen to {name}.", { name: seatName(seat) })),
      button(_("I am {name}: show my hand", { name: seatName(seat) }), () => { app.covered = false; app.shown = seat; draw(); }, { class: "large", "data-key": "show" }));
    return;
  }
  const cover = app.game.open ? null : several || seatPage || pref("cover", "off") === "on"
    ? button(_("Cover"), () => { app.covered = true; app.shown = null; draw(); }, { class: "quiet", "data-key": "cover" }) : null;
  fill($("seat"), h("div", { class: "row" }, name, cover), decisions(seat, frame), app.game.hand(app, frame));
}

function joinHint() {
  return h("p", { class: "hint" }, _("To play, scan the code that the table page shows under “Invite”, or open the address that it gives."));
}

function decisions(seat, frame) {
  if (app.table.snapshot.doubts.length) return null;
  const waits = app.table.waits.includes(seat) && !game().asked.includes(seat);
  if (waits) {
    return h("div", { class: "decisions" }, h("p", {}, _("Take your time to look at the round.")),
      button(_("Go on"), () => ask("go_on", { seat }), { class: "large prime", "data-key": "goon" }), undoButton(seat));
  }
  const special = app.game.decisions(app, frame);
  const throws = special && !frame.view.bowl; // a throw comes first, else the first button does
  const chosen = frame.choices.filter(([event]) => !app.game.elsewhere(event, app));
  if (app.game.usual) chosen.sort((a, b) => app.game.usual(b[0], frame) - app.game.usual(a[0], frame));
  const [said, saying] = frame.said || [null, ""];
  const buttons = chosen.map(([event, text], index) => {
    const key = JSON.stringify(event);
    if (key === JSON.stringify(said)) return button(`✓ ${sentence(text)}`, null, { class: "large", "aria-pressed": "true", "aria-disabled": "true", "data-key": key });
    const main = index === 0 && !(special && throws) && !(said && said[0] === event[0]); // who has said it need not say anything else
    return button(sentence(text), () => act(seat, event), { class: main ? "large prime" : "large", "data-key": key });
  });
  const locked = frame.locked.map(([, text, why]) =>
    h("div", { class: "locked" }, h("span", {}, sentence(text)), h("small", {}, why)));
  if (!special && !said && !buttons.length && !locked.length) return h("div", { class: "decisions" }, undoButton(seat));
  return h("div", { class: "decisions" }, said ? standing(said, saying, chosen) : null, special, buttons, locked,
    game().asked.includes(seat) ? button(_("What is this?"), () => openHelp(app), { class: "quiet", "data-key": "help" }) : null,
    (app.table.hands || view().throws) && missing(seat).length ? button(_("My chip lies here…"), () => sayWhere(seat), { class: "quiet", "data-key": "lieshere" }) : null,
    undoButton(seat));
}

// What a seat has said, and whether it may say something else yet.
function standing(said, saying, chosen) {
  const others = chosen.some(([event]) => event[0] === said[0] && JSON.stringify(event) !== JSON.stringify(said));
  return h("p", { class: "do" }, _("You have said: {what}.", { what: saying }), others ? ` ${_("You may still change your mind.")}` : null);
}

export function sentence(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function undoButton(seat) {
  if (!app.table.undoable || app.table.undo) return null;
  return button(_("Take back"), () => ask("undo", { seat }), { class: "quiet", "data-key": "undo" });
}

// The end: who won, and why.
function ending() {
  const on = game();
  const rows = [...on.standing].sort((a, b) => a[1] - b[1]).map(([seat, rank, score]) =>
    h("li", {}, h("b", {}, `${rank}. `), h("span", { class: `w-${SEATS[seatColour(seat)]}` }, seatName(seat)), " ",
      h("small", {}, Object.entries(score).map(([what, n]) => `${n} ${_(what)}`).join(", "))));
  return [h("h2", {}, _("The game is over")), h("p", { class: "why" }, app.game.why(view())), h("ol", { class: "standing" }, rows),
    app.who.table ? button(_("Play again"), () => openStart(app), { class: "large prime", "data-key": "again" }) : null,
    h("a", { class: "button large", href: "/replay", target: "_blank" }, _("Look at the game again")),
    app.game.open ? null : Object.keys(app.seats).map((seat) => h("details", {}, h("summary", {}, _("What {name} held", { name: seatName(Number(seat)) })), app.game.hand(app, app.seats[seat])))];
}

function drawPublic() {
  if (!view() || !app.game) { fill($("public")); return; }
  fill($("public"), app.game.people(app));
}

// The colour of a seat is the game's own: Rat Hot seats red and green.
export function seatColour(seat) {
  return app.game && app.game.colours ? app.game.colours[seat] : seat;
}

export function seatName(seat) {
  return word(SEATS[seatColour(seat)]);
}

// Who plays a seat, in a word.
export function player(seat) {
  const chair = app.table.chairs[seat];
  if (!chair) return "";
  if (chair.who === "bot") return _("bot");
  if (app.who.seats.includes(seat)) return app.who.seats.length === 1 ? _("you") : _("here");
  return app.table.away.includes(seat) ? (app.table.here.includes(seat) ? _("on their own page") : _("away at the moment")) : _("at the table");
}

function drawLog() {
  const list = app.lines.slice(-120).reverse();
  fill($("log"), h("h2", {}, _("What has happened")), h("ol", { class: "lines" }, list.map((line) =>
    h("li", { class: line.effect && ["round", "dealt"].includes(line.effect[0]) ? "line chapter" : "line" },
      line.zone ? button(pieces(line.text), () => board.point(line.zone), { class: "line-button", "data-key": `l${line.n}` }) : h("span", {}, pieces(line.text))))));
}

board.onZone = (zone) => {
  const wrongly = misplaced(zone);
  if (wrongly) { ask("put_right", { colour: wrongly[0], seen: wrongly[1], due: wrongly[2] }); return; }
  if (thrower.at(zone)) return;
  const seat = current();
  const frame = seat === null ? null : app.seats[seat];
  if (frame && app.game && !hidden()) app.game.tap(app, frame, zone);
};

// -- beginning

import { plan } from "./plan.js";
app.plan = plan;
app.redraw = draw;
app.ask = ask;
app.act = act;
app.current = current;
app.hidden = hidden;
app.seatName = seatName;
app.seatColour = seatColour;
app.player = player;

export async function speak(code) {
  localStorage.setItem("language", code);
  await Promise.all([load(code), ask("language", { lang: code })]);
  board.labels.replaceChildren();
  thrower.key = null;
  draw();
  drawLog();
}
app.speak = speak;

const television = document.body.dataset.page === "tv"; // a screen for all: only what is public
app.link = new Link(() => ({ key: television ? "" : keys.key(), lang: language }), take, async (state) => {
  app.offline = state === "closed";
  draw();
  if (state === "open" && keys.invitation && !app.joined) {
    app.joined = true;
    try {
      const { key } = await app.link.ask("join", { code: keys.invitation });
      keys.keep(key);
    } catch (error) {
      if (!keys.key()) take({ is: "unknown", text: error.message });
    }
  }
});
