// Jaipur on the pages: market, token rows, and a turn composed by tapping cards.

import { button, h, s } from "../dom.js";
import { SEATS } from "../plan.js";
import { _, ngettext, word } from "../words.js";

const GOODS = ["diamond", "gold", "silver", "cloth", "spice", "leather"];
const KINDS = [...GOODS, "camel"];
// A sign for each ware: nobody has to tell colours apart.
const SIGNS = {
  diamond: "M12 3l8 7-8 11-8-11zM4 10h16M9 10l3-7 3 7-3 11z", gold: "M3 17l3-8h12l3 8zM6 9l2 8M18 9l-2 8",
  silver: "M12 4a8 8 0 1 0 .1 0zM12 8a4 4 0 1 0 .1 0z", cloth: "M4 6q4-3 8 0t8 0v5q-4 3-8 0t-8 0zM4 11v7q4 3 8 0t8 0v-7",
  spice: "M12 20v-9M12 11q-6 0-7-7 7 0 7 7zM12 11q6 0 7-7-7 0-7 7zM12 17q-4 0-5-4 4 0 5 4z", leather: "M6 4q6 3 12 0-2 4 2 8-4 3-2 8-6-3-12 0 2-5-2-8 4-4 2-8z",
  camel: "M3 20v-7q0-3 2.5-4 1.5-4 3.5 0 1-4 3.5-3t2 3h2l1-4 3-1.5 1.5 1.5-2 1-1 5q-1 3-3 3v6M8 20v-5",
};
const ZONES = ["curry", "ginger", "cardamom", "chili", "saffron", "garlic"];

const picked = { market: new Set(), hand: new Set(), camels: 0, key: "", answer: null };

function forget(key) {
  picked.market.clear();
  picked.hand.clear();
  picked.camels = 0;
  picked.key = key;
  picked.answer = null;
}

function labels(view) {
  const found = { mint: { name: word("camel") }, cumin: { name: _("market") }, cinnamon: { name: _("deck"), note: `${view.deck}` },
    extra_throw: { name: _("take") }, spice_card: { name: _("exchange") }, reserve: { name: _("camels") }, head_chef: { name: _("sell") } };
  ZONES.forEach((zone, index) => { found[zone] = { name: word(GOODS[index]), note: `${view.tokens[index].length}` }; });
  return found;
}

function ware(kind, attributes, tag = "span") {
  return h(tag, { class: `ware ${kind}`, ...attributes }, h("span", { class: "ware-sign", "aria-hidden": "true" }, s("svg", { viewBox: "0 0 24 24" }, s("path", { d: SIGNS[kind] }))), h("span", {}, word(kind)));
}

// The stage: market, deck, tokens.
function stage(app, frame) {
  const view = app.table.snapshot.game.view;
  const mine = frame && !app.hidden() && view.phase[0] === "turn" && view.phase[1] === frame.seat;
  const key = JSON.stringify([app.table.snapshot.game.step, frame && frame.seat]);
  if (picked.key !== key) forget(key);
  const market = view.market.map((kind, index) => ware(kind, {
    type: "button", disabled: !mine, "aria-pressed": picked.market.has(index) ? "true" : "false", "data-key": `m${index}`,
    onclick: () => { toggleMarket(view, index); changed(app, frame); },
  }, "button"));
  const rows = GOODS.map((good, index) => {
    const values = [...view.tokens[index]].reverse();
    return h("li", { class: `token-row ${good}` }, ware(good), h("span", { class: "tokens" }, values.length
      ? values.map((value, at) => h("span", { class: at ? "token" : "token top" }, `${value}`)) : h("small", {}, _("no token left"))));
  });
  return h("div", { class: "market-stage" },
    h("h2", {}, _("The market")),
    h("div", { class: "market" }, market, h("span", { class: "ware deck" }, h("b", {}, `${view.deck}`), h("span", {}, _("in the deck")))),
    h("h2", {}, _("Tokens: what a sale brings")),
    h("ul", { class: "token-rows" }, rows),
    h("p", { class: "bonuses" }, view.bonus.map((left, index) => h("span", { class: "bonus" }, _("{n} cards", { n: index + 3 }), h("b", {}, ngettext("{n} bonus", "{n} bonuses", left)))), h("span", { class: "bonus" }, _("larger herd"), h("b", {}, "5"))));
}

function toggleMarket(view, index) {
  const set = picked.market;
  if (view.market[index] === "camel") {
    const camels = view.market.flatMap((kind, at) => (kind === "camel" ? [at] : []));
    const on = set.has(index);
    set.clear();
    picked.hand.clear();
    picked.camels = 0;
    if (!on) camels.forEach((at) => set.add(at));
    return;
  }
  for (const at of [...set]) if (view.market[at] === "camel") set.delete(at);
  if (set.has(index)) set.delete(index);
  else set.add(index);
}

function sorted(cards) {
  return KINDS.flatMap((kind) => cards.filter((card) => card === kind));
}

// The event that the picked cards make, or null if they make none yet.
function event(view, seat) {
  const taken = [...picked.market].map((at) => view.market[at]);
  const given = [...[...picked.hand].map((at) => view.hand[at]), ...Array(picked.camels).fill("camel")];
  if (taken.includes("camel")) return ["camels", seat];
  if (taken.length === 1 && !given.length) return ["take", seat, taken[0]];
  if (taken.length) return given.length ? ["exchange", seat, sorted(taken), sorted(given)] : null;
  if (!given.length || picked.camels || new Set(given).size > 1) return null;
  return ["sell", seat, given[0], given.length];
}

// What is still missing if the picked cards do not make a turn.
function missing(view) {
  const taken = picked.market.size;
  const given = picked.hand.size + picked.camels;
  if (!taken && !given) return _("Tap cards: one in the market to take it, several to exchange them, a camel to take all camels, or cards in your hand to sell them.");
  if (taken > 1) return _("Now tap {n} cards in your hand, or camels, to give for them.", { n: taken - given });
  return _("You can only sell cards of one kind. To exchange, also tap cards in the market.");
}

async function changed(app, frame) {
  const now = event(frame.view, frame.seat);
  const key = picked.key;
  picked.answer = null;
  app.redraw();
  if (!now) return;
  const answer = await app.ask("why", { seat: frame.seat, event: now });
  if (picked.key === key && JSON.stringify(event(frame.view, frame.seat)) === JSON.stringify(now)) {
    picked.answer = answer;
    app.redraw();
  }
}

function decisions(app, frame) {
  const view = frame.view;
  if (view.phase[0] !== "turn" || view.phase[1] !== frame.seat) return null;
  const now = event(view, frame.seat);
  const answer = picked.answer;
  const may = now && answer && !answer.why;
  const text = now ? (answer ? answer.text : "…") : _("Your turn");
  return h("div", { class: "decisions" },
    button(text, () => app.act(frame.seat, now), { class: "large prime", disabled: !may, "data-key": "turn" }),
    h("p", { class: "hint", role: "status" }, !now ? missing(view) : answer && answer.why ? answer.why : ""),
    picked.market.size + picked.hand.size + picked.camels ? button(_("Start over"), () => { forget(picked.key); app.redraw(); }, { class: "quiet" }) : null);
}

function hand(app, frame) {
  const view = frame.view;
  const mine = view.phase[0] === "turn" && view.phase[1] === frame.seat;
  const cards = view.hand.map((kind, index) => ware(kind, {
    type: "button", disabled: !mine, "aria-pressed": picked.hand.has(index) ? "true" : "false", "data-key": `h${index}`,
    onclick: () => { if (picked.hand.has(index)) picked.hand.delete(index); else picked.hand.add(index); changed(app, frame); },
  }, "button"));
  const step = (n) => { picked.camels = Math.max(0, Math.min(view.herd, picked.camels + n)); changed(app, frame); };
  return h("div", { class: "hand" },
    h("h3", {}, _("Your hand ({n} of 7)", { n: view.hand.length })), h("div", { class: "market small" }, cards.length ? cards : h("p", { class: "hint" }, _("no goods"))),
    h("div", { class: "row herd" }, h("span", {}, ngettext("{n} camel in your herd", "{n} camels in your herd", view.herd)),
      mine && view.herd ? h("span", { class: "row" }, button("−", () => step(-1), { class: "icon", "aria-label": _("one camel less") }), h("b", {}, _("give {n}", { n: picked.camels })), button("+", () => step(1), { class: "icon", "aria-label": _("one camel more") })) : null),
    view.bonuses.length ? h("p", { class: "hint" }, _("Your bonus tokens:"), " ", view.bonuses.map(([size, value]) => _("{value} rupees for {n} cards", { value, n: size })).join(", ")) : null);
}

function people(app) {
  const view = app.table.snapshot.game.view;
  const rows = [0, 1].map((seat) => {
    const tokens = view.won[seat];
    return h("li", { class: `person ${SEATS[seat]}${app.table.snapshot.game.asked.includes(seat) ? " asked" : ""}` },
      h("span", { class: `dot ${SEATS[seat]}` }), h("span", { class: "person-name" }, word(SEATS[seat]), h("small", {}, app.player(seat))), h("span"),
      h("span", { class: "seals", role: "img", "aria-label": ngettext("{n} seal of excellence", "{n} seals of excellence", view.seals[seat]) }, "★".repeat(view.seals[seat]) + "☆".repeat(2 - view.seals[seat])),
      h("span", { class: "facts" }, h("span", {}, ngettext("{n} card", "{n} cards", view.hand_sizes[seat])),
        h("span", {}, _("{n} rupees in {m} tokens", { n: tokens.reduce((sum, [, value]) => sum + value, 0), m: tokens.length })),
        h("span", {}, ngettext("{n} bonus", "{n} bonuses", view.bonus_sizes[seat].length))));
  });
  return [h("ul", { class: "people" }, rows), view.result ? result(view) : null, h("p", { class: "hint" }, _("Round {n}.", { n: view.round }))];
}

// The end of a round, item by item.
function result(view) {
  const r = view.result;
  const line = (label, values) => h("tr", {}, h("th", { scope: "row" }, label), values.map((value) => h("td", {}, `${value}`)));
  const goods = view.won.map((list) => list.reduce((sum, [, value]) => sum + value, 0));
  const bonus = (r.bonuses || []).map((list) => list.map((pair) => pair[1]).join(" + ") || "0");
  return h("table", { class: "result" }, h("caption", {}, _("The round in rupees")),
    h("tr", {}, h("td"), [0, 1].map((seat) => h("th", { scope: "col" }, word(SEATS[seat])))),
    line(_("goods tokens"), goods), bonus.length ? line(_("bonus tokens"), bonus) : null,
    line(_("larger herd"), [0, 1].map((seat) => (r.camel_token === seat ? 5 : 0))), line(_("together"), r.rupees));
}

function why(view) {
  if (view.phase[1] === "aborted") return _("The game was ended without a winner.");
  return _("{name} has two seals of excellence.", { name: word(SEATS[view.phase[2]]) });
}

function tour(app) {
  if (app.table.snapshot.game.view.phase[0] === "scored") return [["#public", _("The richer player of a round gets a seal of excellence; two seals win.")]];
  return [
    [".market-stage .market", _("On your turn do one thing: take one good; exchange two or more goods for as many cards or camels of yours; take all camels; or sell cards of one kind. Tap cards here and in your hand to compose your turn.")],
    ["#seat", _("At most seven goods in hand. Diamond, gold and silver are sold two at a time at least. Three or more cards sold at once bring a bonus token.")],
    [".token-rows", _("What a sale brings: the dearest tokens first. The round ends when three rows are empty, or the market cannot be filled.")]];
}

function onBoard(app) {
  app.thrower.show(null, null);
  app.board.offer(null);
}

export default {
  name: "jaipur", labels, stage, people, hand, decisions, onBoard, why, tour,
  tap: () => {},
  elsewhere: (event) => event[0] !== "next_round",
};
