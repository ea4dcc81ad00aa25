// Nine Bowls on the pages: tap a free bowl.

import { h } from "../dom.js";
import { SEATS } from "../plan.js";
import { _, ngettext, word } from "../words.js";

const BOWLS = ["curry", "ginger", "cardamom", "chili", "saffron", "garlic", "mint", "cumin", "cinnamon"];

function labels(view) {
  const found = { extra_throw: { name: "" }, spice_card: { name: "" }, reserve: { name: "" }, head_chef: { name: "" } };
  BOWLS.forEach((zone, index) => {
    const seat = view.bowls[index];
    found[zone] = { note: seat === null ? null : word(SEATS[seat]) };
  });
  return found;
}

function people(app) {
  const { view, asked } = app.table.snapshot.game;
  return h("ul", { class: "people" }, [0, 1].map((seat) => h("li", { class: `person ${SEATS[seat]}${asked.includes(seat) ? " asked" : ""}` },
    h("span", { class: `dot ${SEATS[seat]}` }), h("span", { class: "person-name" }, word(SEATS[seat]), h("small", {}, app.player(seat))), h("span"),
    h("b", {}, ngettext("{n} bowl", "{n} bowls", view.bowls.filter((owner) => owner === seat).length)))));
}

function bowlOf(event) {
  return event.find((part) => BOWLS.includes(part));
}

function onBoard(app, frame, hidden) {
  app.thrower.show(null, null);
  const free = frame && !hidden ? frame.choices.map(([event]) => bowlOf(event)).filter(Boolean) : [];
  app.board.offer(free.length ? free : null);
}

function tap(app, frame, zone) {
  const found = frame.choices.find(([event]) => bowlOf(event) === zone);
  if (found) app.act(frame.seat, found[0]);
}

function why(view) {
  const [, reason, winner] = view.phase;
  if (reason === "line") return _("{name} has three bowls in a line.", { name: word(SEATS[winner]) });
  return reason === "full" ? _("All bowls are taken, and nobody has a line.") : _("The game was ended without a winner.");
}

export default {
  name: "ninebowls", open: true, labels, people, onBoard, tap, why,
  hand: () => null,
  decisions: () => null,
  tour: () => [["#stage", _("Tap a free bowl. Three bowls in a line win.")]],
  elsewhere: () => false,
};
