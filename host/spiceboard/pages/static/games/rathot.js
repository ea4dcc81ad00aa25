// Rat Hot on the pages: the layout from above, and the strip in hand that is moved over it.

import { button, fill, h, s } from "../dom.js";
import { SEATS } from "../plan.js";
import { _, ngettext, word } from "../words.js";

const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]];
const BOWLS = ["curry", "ginger", "cardamom", "chili", "garlic", "mint", "cumin", "cinnamon"];
const COLOURS = [1, 2]; // seats are red and green
const held = { strip: null, way: 0, x: null, y: null, key: "", why: "" };

function codeOf(letter) {
  const n = Number(letter);
  if (n) return n <= 4 ? `R${n}` : `G${n - 4}`;
  return { r: "RR", g: "GR", _: "__", s: "S" }[letter];
}

// A square of a strip as a picture: each spice has its own shape, rats have ears.
function face(letter, x, y) {
  const code = codeOf(letter);
  const owner = code[0] === "R" ? "red" : code[0] === "G" ? "green" : "plain";
  const signs = {
    1: s("circle", { r: 2.3 }), 2: s("path", { d: "M0-2.7L2.6 1.9H-2.6z" }), 3: s("rect", { x: -2.1, y: -2.1, width: 4.2, height: 4.2 }),
    4: s("path", { d: "M0-3L.9-.9 3-.9 1.3.5 2 2.7 0 1.4-2 2.7-1.3.5-3-.9-.9-.9z" }),
  };
  let sign = null;
  if (code.endsWith("R") && code.length === 2) sign = s("g", { class: "rat" }, s("path", { d: "M-3.4 1.7q-.4-3.6 3.2-3.6 1.6 0 2.5 1.1l1.9 1.9q.3.6-.6.6z" }), s("circle", { cx: 1, cy: -1.9, r: 1 }), s("path", { d: "M-3.3 1.5q-1-1.8.4-2.9", class: "tail" }), s("circle", { cx: 2.4, cy: -.1, r: .35, class: "eye" }));
  else if (code === "S") sign = s("text", { class: "square-text", y: 2 }, "S");
  else if (code !== "__") sign = signs[code[1]];
  return s("g", { transform: `translate(${x * 10} ${y * 10})`, class: `square ${owner}` },
    s("rect", { x: -4.8, y: -4.8, width: 9.6, height: 9.6, rx: 1 }), sign,
    code.length === 2 && code !== "__" && !code.endsWith("R") ? s("text", { class: "square-code", x: 3.9, y: 4.2 }, code) : null);
}

function cells([, x, y, way]) {
  return [0, 1, 2].map((n) => [x + n * STEPS[way][0], y + n * STEPS[way][1]]);
}

function strip(view, laid, kind, level) {
  const places = cells(laid);
  const xs = places.map((place) => place[0]);
  const ys = places.map((place) => place[1]);
  const box = { x: Math.min(...xs) * 10 - 5, y: Math.min(...ys) * 10 - 5, width: (Math.max(...xs) - Math.min(...xs)) * 10 + 10, height: (Math.max(...ys) - Math.min(...ys)) * 10 + 10, rx: 1.5 };
  return s("g", { class: `strip ${kind}`, transform: level ? `translate(${-0.7 * level} ${-0.9 * level})` : null },
    s("rect", { ...box, class: "strip-back" }), places.map(([x, y], n) => face(view.strips[laid[0]][n], x, y)));
}

function levels(view) {
  const tops = new Map();
  return view.laid.map((laid) => {
    const at = cells(laid).map(([x, y]) => `${x},${y}`);
    const level = tops.get(at[0]) || 0;
    for (const cell of at) tops.set(cell, level + 1);
    return level;
  });
}

function spots(frame) {
  return frame.legal.filter((event) => event[0] === "lay" && event[2] === held.strip).map((event) => event.slice(2));
}

function stage(app, frame) {
  const view = app.table.snapshot.game.view;
  const mine = frame && view.phase[0] === "lay" && view.phase[1] === frame.seat && frame.legal.length > 0;
  const key = JSON.stringify([app.table.snapshot.game.step, frame && frame.seat]);
  if (held.key !== key) Object.assign(held, { strip: mine ? view.held[0] : null, way: 0, x: null, y: null, key, why: "" });
  const [x1, y1, x2, y2] = view.box;
  const frameBox = [x1 * 10 - 40, y1 * 10 - 40, (x2 - x1) * 10 + 80, (y2 - y1) * 10 + 80];
  const heights = levels(view);
  const svg = s("svg", { viewBox: frameBox.join(" "), class: "layout", role: "application", tabindex: mine ? 0 : null, "data-key": "layout",
    "aria-label": _("The layout. Arrows move the strip, R turns it, N goes to the next place, Enter lays it.") },
    view.laid.map((laid, n) => strip(view, laid, n === view.laid.length - 1 ? "last" : "", heights[n])));
  if (mine) {
    const here = spots(frame).filter(([, , , way]) => way === held.way);
    svg.append(s("g", { class: "spots" }, here.map(([, x, y]) => s("circle", { cx: 10 * (x + STEPS[held.way][0]), cy: 10 * (y + STEPS[held.way][1]), r: 1.5 }))));
    const ghost = s("g", {});
    svg.append(ghost);
    const show = () => fill(ghost, held.x === null ? null : strip(view, [held.strip, held.x, held.y, held.way], isLegal(frame) ? "ghost may" : "ghost not", 0));
    show();
    const at = (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [Math.round(point.x / 10) - STEPS[held.way][0], Math.round(point.y / 10) - STEPS[held.way][1]];
    };
    svg.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") { [held.x, held.y] = at(event); show(); } });
    svg.addEventListener("click", (event) => {
      const [x, y] = at(event);
      const again = held.x === x && held.y === y;
      [held.x, held.y] = [x, y];
      if (again || event.pointerType === "mouse") lay(app, frame);
      else { held.why = ""; app.redraw(); }
    });
    svg.addEventListener("keydown", (event) => keyed(app, frame, event));
  }
  return h("div", { class: "rathot-stage" }, svg);
}

function isLegal(frame) {
  return spots(frame).some(([, x, y, way]) => x === held.x && y === held.y && way === held.way);
}

async function lay(app, frame) {
  const event = ["lay", frame.seat, held.strip, held.x, held.y, held.way];
  if (isLegal(frame)) { await app.act(frame.seat, event); return; }
  const { why } = await app.ask("why", { seat: frame.seat, event });
  held.why = why;
  app.redraw();
}

function turn(app) {
  // the middle square stays where it is
  const [mx, my] = held.x === null ? [null, null] : [held.x + STEPS[held.way][0], held.y + STEPS[held.way][1]];
  held.way = (held.way + 1) % 4;
  if (mx !== null) [held.x, held.y] = [mx - STEPS[held.way][0], my - STEPS[held.way][1]];
  held.why = "";
  app.redraw();
}

function nextPlace(app, frame) {
  const list = spots(frame).sort((a, b) => a[3] - b[3] || a[2] - b[2] || a[1] - b[1]);
  if (!list.length) return;
  const now = list.findIndex(([, x, y, way]) => x === held.x && y === held.y && way === held.way);
  [, held.x, held.y, held.way] = list[(now + 1) % list.length];
  held.why = "";
  app.redraw();
}

function keyed(app, frame, event) {
  const moves = { ArrowRight: 0, ArrowDown: 1, ArrowLeft: 2, ArrowUp: 3 };
  if (event.key in moves) {
    if (held.x === null) nextPlace(app, frame);
    else { held.x += STEPS[moves[event.key]][0]; held.y += STEPS[moves[event.key]][1]; held.why = ""; app.redraw(); }
  } else if (event.key.toLowerCase() === "r") turn(app);
  else if (["n", "g"].includes(event.key.toLowerCase())) nextPlace(app, frame); // g as at the terminal
  else if (event.key === "Enter") lay(app, frame);
  else return;
  event.preventDefault();
}

function stripPicture(view, number) {
  return s("svg", { viewBox: "-6 -6 32 12", class: "strip-picture", "aria-hidden": "true" }, strip(view, [number, 0, 0, 0], "", 0));
}

function stripName(view, number) {
  return [...view.strips[number]].map((letter) => ({ RR: _("red rat"), GR: _("green rat"), __: _("empty"), S: "S" })[codeOf(letter)] || codeOf(letter)).join(", ");
}

function decisions(app, frame) {
  const view = frame.view;
  if (view.phase[0] !== "lay" || view.phase[1] !== frame.seat || !frame.legal.length) return null;
  const may = held.x !== null && isLegal(frame);
  return h("div", { class: "decisions" },
    h("div", { class: "pair", role: "radiogroup", "aria-label": _("Which strip") }, view.held.map((number) => button(stripPicture(view, number), () => { held.strip = number; held.why = ""; app.redraw(); },
      { role: "radio", "aria-checked": held.strip === number ? "true" : "false", "aria-label": stripName(view, number), class: "strip-choice", "data-key": `s${number}` }))),
    h("div", { class: "pair" }, button(_("Turn it (R)"), () => turn(app), { "data-key": "turn" }), button(_("Next place (N)"), () => nextPlace(app, frame), { "data-key": "next" })),
    button(_("Lay it here"), () => lay(app, frame), { class: "large prime", disabled: held.x === null, "data-key": "lay" }),
    h("p", { class: "hint", role: "status" }, held.why || (held.x === null ? _("Point at a place in the layout; dots show where the middle of the strip may lie.") : may ? _("It may lie here.") : _("It may not lie here: press “Lay it here” to see why."))));
}

function points(view) {
  return [0, 1].map((seat) => view.chips[seat][0] + 2 * view.chips[seat][1] + view.noted[seat]);
}

function labels(view) {
  const found = { saffron: { name: _("strips"), note: `${view.pile + view.held.length}` }, spice_card: { name: "" }, reserve: { name: "" },
    extra_throw: { name: _("red rats"), note: `${view.rats[0]}` }, head_chef: { name: _("green rats"), note: `${view.rats[1]}` } };
  BOWLS.forEach((zone, index) => { found[zone] = { name: index < 4 ? `R${index + 1}` : `G${index - 3}`, note: [...view.groups[index]].sort((a, b) => b - a).join(" ") }; });
  return found;
}

function people(app) {
  const view = app.table.snapshot.game.view;
  const taken = points(view);
  const rows = [0, 1].map((seat) => {
    const colour = SEATS[COLOURS[seat]];
    const rats = view.rats[seat];
    return h("li", { class: `person ${colour}${app.table.snapshot.game.asked.includes(seat) ? " asked" : ""}` },
      h("span", { class: `dot ${colour}` }), h("span", { class: "person-name" }, word(colour), h("small", {}, app.player(seat))), h("span"),
      h("b", {}, ngettext("{n} point", "{n} points", taken[seat])),
      h("span", { class: "facts" }, h("span", { class: rats >= 2 ? "trouble" : "" }, ngettext("{n} rat in sight", "{n} rats in sight", rats), rats >= 2 ? ` – ${_("three lose the game")}` : "")));
  });
  const left = view.pile;
  return [h("ul", { class: "people" }, rows), h("p", { class: "hint" }, ngettext("{n} strip in the pile.", "{n} strips in the pile.", left), left <= 2 ? ` ${_("The last turns!")}` : "")];
}

function hand() {
  return h("p", { class: "hint" }, _("Only the pile is hidden in this game."));
}

function why(view) {
  const [, reason, winner] = view.phase;
  if (reason === "aborted") return _("The game was ended without a winner.");
  if (reason === "rats") return _("{loser} showed three rats at the end of a turn, so {name} wins.", { loser: word(SEATS[COLOURS[1 - winner]]), name: word(SEATS[COLOURS[winner]]) });
  return winner === null ? _("Both have the same points after the last count: both win.") : _("{name} has more points after the last count.", { name: word(SEATS[COLOURS[winner]]) });
}

// The guide treats turning up and laying as one turn.
function phase() {
  return "turn";
}

function tour() {
  return [
    ["#beside", _("A turn: turn up two strips, then lay both. A strip lies flat on the table beside others, or wholly on top of strips of one height.")],
    ["#seat", _("Each strip scores every group of alike spices that it changed: 1 point for two together, 2 points for three and more, for the owner of the colour.")],
    ["#public", _("Cover your own rats: three of your colour in sight at the end of your turn lose the game.")]];
}

function onBoard(app) {
  app.thrower.show(null, null);
  app.board.offer(null);
}

export default {
  name: "rathot", open: true, colours: COLOURS, labels, stage, people, hand, decisions, onBoard, why, tour, phase,
  tap: () => {},
  elsewhere: (event) => event[0] === "lay",
};
