// Windows over the table: start a game, invite, menu, help.

import { button, h, s } from "./dom.js";
import { SEATS, plan } from "./plan.js";
import { pref, setPref } from "./prefs.js";
import { _, language, languages, nameOf, ngettext, word } from "./words.js";

function open(title, ...content) {
  const dialog = h("dialog", { "aria-label": title },
    h("div", { class: "row" }, h("h2", {}, title), button("✕", () => dialog.close(), { class: "quiet icon", "aria-label": _("Close") })),
    ...content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function choice(label, values, chosen, change) {
  const select = h("select", { onchange: () => change(select.value), "aria-label": label },
    values.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

// -- a chip that no reader hears

// Its owner says which it is and where it lies.
export function openWhere(chips, say) {
  const said = { chip: chips[0], zone: plan.zones[0] };
  const dialog = open(_("My chip lies here…"),
    h("p", {}, _("Your chip lies in a bowl or on an action space, and no reader hears it. The head chef decides whether it counts.")),
    choice(_("Chip"), chips.map((chip) => [chip, chip.slice(1)]), said.chip, (value) => { said.chip = value; }),
    choice(_("Place"), plan.zones.map((zone) => [zone, word(zone)]), said.zone, (value) => { said.zone = value; }),
    button(_("It lies there"), () => { dialog.close(); say(said.chip, said.zone); }, { class: "large prime", "data-key": "liesthere" }));
}

// -- a new game

export async function openStart(app) {
  const { games } = await app.ask("games", {});
  const { games: kept } = await app.ask("saved", {});
  const saved = JSON.parse(localStorage.getItem("start") || "null");
  const plan = saved || { game: "safranito", mode: "full", chairs: [{ who: "person", level: "sensible" }, { who: "bot", level: "sensible" }], options: {} };
  const dialog = open(_("A new game"), h("div", { class: "start" }));
  const body = dialog.querySelector(".start");
  const draw = () => body.replaceChildren(...startForm(app, games, plan, draw, dialog).filter(Boolean), ...shelf(app, kept, dialog).filter(Boolean));
  draw();
}

// One line for each level that was chosen: what it thinks of, or what it lacks on this machine.
function levelHints(game, chairs) {
  const chosen = game.levels.filter((level) => chairs.some((chair) => chair.who === "bot" && chair.level === level.name));
  return chosen.map((level) => h("p", { class: level.lack ? "trouble" : "hint" }, level.lack || `${level.title}${_(": ")}${level.thinks}`));
}

function startForm(app, games, plan, draw, dialog) {
  const game = games.find((one) => one.name === plan.game) || games[0];
  const [low, high] = game.players;
  plan.chairs = plan.chairs.slice(0, high);
  while (plan.chairs.length < low) plan.chairs.push({ who: "bot", level: "sensible" });
  for (const chair of plan.chairs) if (!game.levels.some((level) => level.name === chair.level)) chair.level = "sensible";
  const colours = game.colours;
  const cards = h("div", { class: "game-cards", role: "radiogroup", "aria-label": _("Game") }, games.map((one) =>
    button([h("strong", {}, one.title), h("span", {}, one.about), h("small", {}, one.players[0] === one.players[1] ? _("{n} players", { n: one.players[0] }) : _("{a} to {b} players", { a: one.players[0], b: one.players[1] }))],
      () => { plan.game = one.name; plan.options = {}; plan.mode = "full"; draw(); },
      { class: `game-card ${one.name}`, role: "radio", "aria-checked": one.name === game.name ? "true" : "false" })));
  const chairs = plan.chairs.map((chair, seat) => h("li", { class: "chair" },
    h("span", { class: `dot ${SEATS[colours[seat]]}` }), h("span", { class: "chair-name" }, word(SEATS[colours[seat]])),
    choice(_("Who plays {name}", { name: word(SEATS[colours[seat]]) }), [["person", _("a person")], ...game.levels.map((level) => [level.name, `${_("bot")}${_(": ")}${level.title}`])],
      chair.who === "person" ? "person" : chair.level,
      (value) => { plan.chairs[seat] = value === "person" ? { who: "person", level: "sensible" } : { who: "bot", level: value }; draw(); }),
    plan.chairs.length > low ? button("−", () => { plan.chairs.splice(seat, 1); draw(); }, { class: "quiet icon", "aria-label": _("Remove {name}", { name: word(SEATS[colours[seat]]) }) }) : null));
  const options = [
    game.modes.length > 1 ? optionField(_("Who keeps cards and money"), [["full", _("The board and these pages. Hands are on each person's own page.")], ["referee", _("You do, with the printed game. The board referees chips, prices and turns.")]], plan.mode, (value) => { plan.mode = value; draw(); }) : null,
    ...game.options.map((option) => optionField(option.title, option.values, plan.options[option.name] ?? option.values[0][0], (value) => { plan.options[option.name] = value; draw(); })),
  ];
  const begin = async () => {
    localStorage.setItem("start", JSON.stringify(plan));
    const { chairs: seats, mode, options: chosen } = plan;
    await app.ask("new", { game: game.name, chairs: seats, mode, options: chosen });
    app.shown = null;
    app.covered = false;
    dialog.close();
  };
  const running = app.table && app.table.snapshot.game && !app.table.snapshot.game.over;
  return [cards, h("h3", {}, _("Players")), h("ul", { class: "chairs" }, chairs), ...levelHints(game, plan.chairs),
    plan.chairs.length < high ? button(_("Add a player"), () => { plan.chairs.push({ who: "bot", level: "sensible" }); draw(); }, { class: "quiet" }) : null,
    plan.mode === "referee" && plan.chairs.some((chair) => chair.who === "bot") ? h("p", { class: "trouble" }, _("A bot cannot see cards on your real table: choose people for all seats.")) : null,
    h("details", { class: "options" }, h("summary", {}, _("Options of the rules")), options),
    running ? h("p", { class: "hint" }, _("The current game ends without a winner.")) : null,
    button(_("Begin"), begin, { class: "large prime begin" })];
}

// Games that were put aside, and the one that is on.
function shelf(app, kept, dialog) {
  if (!app.table || !app.table.shelf) return [];
  const put = async (then) => { await app.ask("aside", { then }); app.shown = null; dialog.close(); };
  const rows = kept.map((game) => h("li", { class: "row" },
    h("span", {}, h("b", {}, game.title), " ", h("small", {}, `${game.round ? `${_("Round {n}.", { n: game.round })} ` : ""}${ngettext("{n} person", "{n} people", game.who.filter((who) => who === "person").length)}, ${game.when}`)),
    button(_("Continue it"), () => put(game.name), { class: "quiet" })));
  const running = app.table.snapshot.game && !app.table.snapshot.game.over;
  if (!running && !rows.length) return [];
  return [h("h3", {}, _("Games put aside")), rows.length ? h("ul", {}, rows) : h("p", { class: "hint" }, _("none yet")),
    running ? button(_("Put the current game aside"), () => put(null), { "data-key": "aside" }) : null];
}

function optionField(title, values, chosen, change) {
  return h("fieldset", {}, h("legend", {}, title), values.map(([value, text]) =>
    h("label", { class: "radio" }, h("input", { type: "radio", name: title, checked: value === chosen, onchange: () => change(value) }), h("span", {}, text))));
}

// -- inviting

function qr(rows, label) {
  const path = rows.map((row, y) => [...row].map((cell, x) => (cell === "1" ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  const size = rows.length;
  return s("svg", { viewBox: `-4 -4 ${size + 8} ${size + 8}`, class: "qr", role: "img", "aria-label": label },
    s("rect", { x: -4, y: -4, width: size + 8, height: size + 8, fill: "#fff" }), s("path", { d: path, fill: "#000" }));
}

export function openInvitations(app) {
  const free = app.table.invitations;
  const away = app.table.away;
  const here = /^http:\/\/(127\.|localhost)/.test(location.href); // no phone can reach that address: show no code
  open(_("Invite players"),
    h("p", {}, _("Scan the code of a free seat with a phone, or open its address in another window. Each code is good for one person; the hand is then on their page only.")),
    h("div", { class: "invitations" }, free.map(({ seat, url, qr: rows }) => h("section", {},
      h("h3", { class: `w-${SEATS[app.seatColour(seat)]}` }, app.seatName(seat)), here ? null : qr(rows, _("code of the seat {name}", { name: app.seatName(seat) })),
      h("a", { href: url, target: "_blank", rel: "noopener", class: "url" }, _("Open in another window"))))),
    away.length ? h("h3", {}, _("Seats that are played on their own page")) : null,
    h("ul", {}, away.map((seat) => h("li", { class: "row" }, h("span", {}, `${app.seatName(seat)}${_(": ")}${app.player(seat)}`),
      button(_("Take over"), () => app.ask("leave", { seat }), { class: "quiet" })))),
    here ? h("p", { class: "hint" }, _("Phones can reach this table only if it was started with --lan.")) : null);
}

// -- menu

export function openMenu(app) {
  const dialog = open(_("Menu"),
    choice(_("Language"), languages.map((code) => [code, nameOf(code)]), language, async (code) => { await app.speak(code); dialog.close(); }),
    choice(_("Colours"), [["auto", _("same as the device")], ["light", _("light")], ["dark", _("dark")]], pref("theme", "auto"), (value) => setPref("theme", value)),
    choice(_("Motion"), [["auto", _("same as the device")], ["off", _("off")]], pref("motion", "auto"), (value) => setPref("motion", value)),
    choice(_("Call me when it is my turn"), [["on", _("with a sound, and phones vibrate")], ["off", _("off")]], pref("call", "on"), (value) => setPref("call", value)),
    choice(_("Help for aiming"), [["on", _("on")], ["off", _("off")]], app.thrower.guided ? "on" : "off", (value) => { app.thrower.guided = value === "on"; localStorage.setItem("guide", value); }),
    app.table && app.table.hands ? choice(_("X-ray: what lies there, and what the readers read"), [["off", _("off")], ["on", _("on")]], app.xray ? "on" : "off", (value) => { app.xray = value === "on"; app.redraw(); }) : null,
    ...(app.who.table && app.table ? manners(app) : []),
    app.who.table && app.table && !app.table.hands ? button(_("Lend the board to another program"), async () => { await app.ask("lend", {}); dialog.close(); }, { "data-key": "lend" }) : null,
    choice(_("Guide through the first round"), [["on", _("on")], ["off", _("off")]], app.tour.on ? "on" : "off", (value) => app.tour.turn(value === "on")),
    app.who.table ? button(_("New game"), () => { dialog.close(); openStart(app); }, {}) : null,
    h("p", {}, h("a", { href: "/replay", target: "_blank" }, _("Finished games")), " · ", h("a", { href: "/tv", target: "_blank" }, _("Television: for everybody to watch")), " · ", h("a", { href: `/rules#${app.game ? app.game.name : "safranito"}`, target: "_blank" }, _("Rules"))),
    app.who.own !== null ? button(_("Give my seat back"), async () => { await app.ask("leave", { seat: app.who.own }); dialog.close(); }, { class: "quiet" }) : null);
}

// Settings of the table for everybody: how fast bots play, and who lifts chips on a simulated board.
function manners(app) {
  const now = app.table.manner;
  const tell = (change) => app.ask("manner", { ...app.table.manner, ...change });
  const paces = [["2", _("slowly")], ["1", _("normally")], ["0.3", _("fast")]];
  return [choice(_("Bots play"), paces, `${now.pace}`, (value) => tell({ pace: Number(value) })),
    app.table.hands ? choice(_("Chips that go home"), [["on", _("go by themselves")], ["off", _("are lifted by a click")]], now.lifts ? "on" : "off", (value) => tell({ lifts: value === "on" })) : null];
}

export function openHelp(app) {
  open(_("What is this?"), ...app.game.tour(app).map(([, text]) => h("p", {}, text)));
}
