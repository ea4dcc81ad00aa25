// Safranito on the pages: labels of the board, players, hand, decisions, help.

import { button, h, s } from "../dom.js";
import { SEATS } from "../plan.js";
import { _, ngettext, word } from "../words.js";

const BOWLS = ["curry", "ginger", "cardamom", "chili", "saffron", "garlic", "mint", "cumin", "cinnamon"];

function sums(chips) {
  const totals = {};
  for (const [seat, value] of chips) totals[seat] = (totals[seat] || 0) + value;
  return Object.entries(totals).map(([seat, total]) => [SEATS[seat], total]);
}

function labels(view) {
  const found = {};
  for (const zone of [...BOWLS, "extra_throw", "spice_card", "reserve", "head_chef"]) {
    const chips = view.zones[zone] || [];
    const open = chips.length && chips.every(([, value]) => value !== null);
    found[zone] = {
      cards: view.display ? view.display[zone] : 0,
      pills: open ? sums(chips) : null,
      price: zone === view.bowl && view.price ? _("{n} each", { n: view.price }) : null,
    };
  }
  return found;
}

function card(spice, n, extra) {
  return h("span", { class: `card ${spice}`, ...extra }, h("span", { class: "card-dot" }), h("span", {}, word(spice)), n > 1 ? h("b", {}, `×${n}`) : null);
}

// A blend, with what a hand has of it and what it lacks.
function blend([, spices], hand) {
  if (!spices.length) return h("div", { class: "blend" }, _("a blend of the real table"));
  return h("div", { class: "blend" }, spices.map((spice) => {
    const has = hand ? hand[spice] > 0 : null;
    return h("span", { class: `card ${spice}${has === false ? " lacking" : ""}` }, h("span", { class: "card-dot" }), h("span", {}, word(spice)),
      has === null ? null : h("span", { class: "has", "aria-label": has ? _("you have it") : _("you do not have it") }, has ? "✓" : "–"));
  }));
}

function people(app) {
  const view = app.table.snapshot.game.view;
  const own = app.seats[app.current()];
  const hand = own && !app.hidden() ? own.view.you.hand : null;
  const rows = SEATS.slice(0, view.players).map((colour, seat) => {
    const asked = app.table.snapshot.game.asked.includes(seat);
    const money = view.money && view.money[seat] !== null ? view.money[seat] : own && own.seat === seat && !app.hidden() ? own.view.you.money : null;
    const known = app.all ? app.all[seat].you.money : money; // a game that is over has no secrets
    const facts = [
      known !== null ? h("span", { title: _("rupees") }, `${known} ₹`) : view.mode === "full" ? h("span", { class: "secret", title: _("rupees: secret") }, "? ₹") : null,
      view.cards ? h("span", {}, ngettext("{n} card", "{n} cards", view.cards[seat])) : null,
      view.reserved[seat] ? h("span", {}, ngettext("{n} reserved", "{n} reserved", view.reserved[seat])) : null,
      view.missed[seat] ? h("span", {}, ngettext("{n} missed", "{n} missed", view.missed[seat])) : null,
    ];
    return h("li", { class: `person ${colour}${asked ? " asked" : ""}` },
      h("span", { class: `dot ${colour}` }), h("span", { class: "person-name" }, word(colour), h("small", {}, app.player(seat))),
      seat === view.chef ? h("span", { class: "mill", title: _("head chef: has the pepper mill") }, mill()) : h("span"),
      h("span", { class: "pots", role: "img", "aria-label": _("{n} of 3 blends cooked", { n: view.cooked[seat].length }) }, [0, 1, 2].map((n) => pot(n < view.cooked[seat].length))),
      h("span", { class: "facts" }, facts));
  });
  const open = view.open.map((each) => blend(each, hand));
  const display = Object.entries(view.display || {});
  return [
    h("ul", { class: "people" }, rows),
    h("h2", {}, _("Blends that anybody may cook")), open.length ? h("div", { class: "blends" }, open) : h("p", { class: "hint" }, _("none is left in this round")),
    view.mode === "full" ? [h("h2", {}, _("Spices for sale")), h("div", { class: "cards" }, display.length ? display.map(([spice, n]) => card(spice, n)) : h("p", { class: "hint" }, _("none")))] : null,
    h("p", { class: "hint" }, _("Round {n}.", { n: view.round }), " ", view.deck === null ? "" : _("{n} spice cards in the deck, {m} blends in the pile.", { n: view.deck, m: view.pile })),
  ];
}

function mill() {
  return s("svg", { viewBox: "0 0 20 20", "aria-label": _("head chef"), role: "img" },
    s("path", { d: "M7 18h6l-1.2-7q1.400-1.5 0-3h-3.600q-1.400 1.5 0 3zM10 7q2.5 0 2.5-2.500t-2.5-2.5-2.5 2.5 2.5 2.5" }));
}

function pot(full) {
  return s("svg", { viewBox: "0 0 20 20", class: full ? "pot full" : "pot" }, s("path", { d: "M3 8h14v5q0 4-4 4h-6q-4 0-4-4zM1 9h2M17 9h2M7 5q1-2 0-3M11 5q1-2 0-3" }));
}

function hand(app, frame) {
  const you = frame.view.you;
  const cards = Object.entries(you.hand || {});
  const lying = Object.entries(you.chips).filter(([, zone]) => zone);
  return h("div", { class: "hand" },
    you.money === null ? h("p", { class: "hint" }, _("Cards and money lie on your real table.")) : h("p", { class: "purse" }, h("b", {}, `${you.money}`), ` ${_("rupees")}`),
    you.hand ? h("div", { class: "cards" }, cards.length ? cards.map(([spice, n]) => card(spice, n)) : h("span", { class: "hint" }, _("no spice cards yet"))) : null,
    you.reserved.length ? [h("h3", {}, _("Reserved for you")), h("div", { class: "blends" }, you.reserved.map((each) => blend(each, you.hand)))] : null,
    lying.length ? h("p", { class: "hint" }, _("Your chips on the board:"), " ", lying.map(([chip, zone]) => `${chip.slice(1)} ${_("in {zone}", { zone: word(zone) })}`).join(", ")) : null);
}

function throwsOf(frame) {
  return frame.legal.filter((event) => event[0] === "moved").map((event) => event[2][0][0]);
}

function decisions(app, frame) {
  if (frame.view.phase[0] === "sale") return sale(frame.view);
  const chips = throwsOf(frame);
  if (!chips.length) return null;
  if (!app.table.hands) return h("p", { class: "do" }, _("Throw a chip with your hand. The board sees where it lands."));
  return h("div", {}, h("p", { class: "do" }, _("Flick one of your chips onto the board: drag it and let go while you move.")), byKeyboard(app, chips));
}

// Players who hold no card of the spice are asked too, so that nobody learns it.
function sale(view) {
  if (!view.you.hand || view.you.hand[view.bowl]) return null;
  return h("p", { class: "hint" }, _("You hold no {spice}. Everybody is asked, so that nobody knows who holds some.", { spice: word(view.bowl) }));
}

// A throw by form instead of by gesture: chip, zone, strength.
function byKeyboard(app, chips) {
  const old = app.form || {};
  const pick = (label, values, name) => {
    const select = h("select", { "aria-label": label, "data-key": name, onchange: () => { app.form = { ...app.form, [name]: select.value }; } },
      values.map(([value, text]) => h("option", { value, selected: value === old[name] }, text)));
    return select;
  };
  const chip = pick(_("Chip"), chips.map((each) => [each, each.slice(1)]), "chip");
  const zone = pick(_("At"), app.plan.zones.map((each) => [each, word(each)]), "zone");
  const power = pick(_("Strength"), [["0.15", _("softly, exact")], ["0.4", _("firmly")], ["0.9", _("hard, pushes others")]], "power");
  const go = () => {
    app.thrower.choose(chip.value);
    app.thrower.at(zone.value, Number(power.value));
  };
  return h("details", { class: "by-keyboard", open: app.formOpen || false, ontoggle: (event) => { app.formOpen = event.target.open; } },
    h("summary", { "data-key": "form" }, _("Or choose chip and place")), h("div", { class: "form" }, chip, zone, power, button(_("Throw"), go, { class: "prime", "data-key": "throw" })));
}

// What to show on the board itself: the rack, and the bowls that may be chosen.
function onBoard(app, frame, hidden) {
  if (!frame || hidden || !app.table.hands || app.table.snapshot.game.over) {
    app.thrower.show(null, null);
    app.board.offer(null);
    return;
  }
  const may = app.thrown ? [] : throwsOf(frame); // one chip after the other
  const you = frame.view.you;
  const rows = Object.keys(you.chips).filter((chip) => !you.chips[chip]).sort().map((chip) =>
    [chip, may.includes(chip), frame.out.includes(chip) ? _("missed") : null]);
  app.thrower.show(SEATS[frame.seat], rows.length ? rows : []);
  const bowls = frame.choices.filter(([event]) => event[0] === "choose").map(([event]) => event[2]);
  if (!app.thrower.chosen) app.board.offer(bowls.length ? bowls : null);
}

function tap(app, frame, zone) {
  const found = frame.choices.find(([event]) => event[0] === "choose" && event[2] === zone);
  if (found) app.act(frame.seat, found[0]);
}

// Why somebody won.
function why(view) {
  if (view.winner === null) return _("The game was ended without a winner.");
  const spices = view.cooked[view.winner].map(([, list]) => list.map(word).join(", ")).join(_("; "));
  return _("{name} cooked the third blend first: {blends}.", { name: word(SEATS[view.winner]), blends: spices });
}

// What the guide says of a phase, and where on the page: [[selector, text], ...].
function tour(app) {
  const view = app.table.snapshot.game.view;
  const phase = view.phase[0];
  const space = `[data-zone=${phase}]`;
  const bowl = view.bowl ? `[data-zone=${view.bowl}]` : "#board";
  const texts = {
    throw: [
      ["#said", _("This line always says what is expected, and of whom.")],
      ["#stage", _("The board from above. Where a chip lies counts: in a bowl it lets you buy that spice, and makes it dearer; on one of the four small action spaces it fights for that action.")],
      ["#public .blends", _("This is what you play for: cook three blends first. Each costs the three spices that it names, so aim at spices that you need.")],
      ["#stage", _("Players take turns to throw one chip. Its value stays hidden until its bowl is traded. You may push other chips away; a chip that lies in no bowl and on no space is out for this round.")],
      [".rack", _("Your chips. Drag one towards a bowl and let go while you move: it flies as you moved. Try it!")]],
    extra_throw: [[space, _("The player with the highest total on this space throws one more chip, or declines.")]],
    spice_card: [[space, _("The player with the highest total on this space looks at as many cards as the first digit of their highest chip there, and keeps one.")]],
    keep: [["#seat", _("Keep one of these cards; the others go under the deck. Look at which blends it fits.")]],
    reserve: [[space, _("The player with the highest total on this space takes the top blend of the pile. Only they can cook it, whenever they have its three spices.")]],
    head_chef: [[space, _("The player with the highest total on this space becomes head chef, chooses the order of the bowls and comes first in every tie.")]],
    choose: [["#stage", _("Now bowl after bowl is traded; the head chef chooses the next one. Its chips are turned up, and their sum is what a seller gets for a card of that spice.")]],
    sale: [[bowl, _("Everybody who holds cards of this spice may sell them now, each for the sum of all chips in the bowl. Whoever sells takes their chips out and cannot buy.")]],
    buy: [[bowl, _("The player with the highest total in the bowl buys first, and pays that total. Their highest chip goes home; then the next highest is asked, until no card is left.")]],
    cook: [["#public .blends", _("Pay the three spices of a blend to cook it: one of the open blends, and as many of your reserved ones as you can. Three cooked blends win.")]],
    round_over: [["#seat", _("That was a round. The mill goes to the left, new spices and blends are laid out, and all chips come back.")]],
  };
  return texts[phase] || [];
}

function cookable(app) {
  const frame = app.seats[app.current()];
  return Boolean(frame) && frame.legal.some((event) => event[0].startsWith("cook_"));
}

// Once somebody has said what they sell, the button closes the sale.
function usual(event, frame) {
  return event[0] === "close" && frame.view.offers[frame.seat] !== null ? 1 : 0;
}

export default {
  name: "safranito",
  labels, people, hand, decisions, onBoard, tap, why, tour, usual,
  // on a virtual board nobody needs to say that a throw missed: eyes see it
  elsewhere: (event, app) => (event[0] === "missed" && app.table.hands && event.length > 1)
    || (event[0] === "no_open" && !cookable(app)), // with nothing to cook, "done" says it all
};
