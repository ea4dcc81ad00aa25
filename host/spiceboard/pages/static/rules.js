// The rules of each game in the project's own words, with pictures drawn by the pages themselves.

import { Board } from "./board.js";
import { button, fill, h, s } from "./dom.js";
import { apply } from "./prefs.js";
import { _, language, languages, load, nameOf, wanted } from "./words.js";
import jaipur from "./games/jaipur.js";
import ninebowls from "./games/ninebowls.js";
import rathot from "./games/rathot.js";
import safranito from "./games/safranito.js";

apply();
await load(wanted());

const MODULES = { safranito, jaipur, rathot, ninebowls };
const TITLES = { safranito: "Safranito", jaipur: "Jaipur", rathot: "Rat Hot", ninebowls: "Nine Bowls" };

// A picture of the board: chips in their places, values that were turned up, labels.
function board(chips, zones, labels, text) {
  const svg = s("svg", { class: "picture", role: "img", "aria-label": text });
  const drawn = new Board(svg, true);
  drawn.setLabels(labels || {});
  drawn.setValues(zones || {});
  drawn.setChips(chips);
  return h("figure", {}, svg, h("figcaption", {}, text));
}

function safranitoText() {
  return [
    h("p", { class: "lead" }, _("Cooks flick chips into bowls of spices, sell and buy what lies there, and cook. Whoever cooks three blends first wins.")),
    h("h2", {}, _("What everybody has")),
    h("p", {}, _("Six chips with the values 10 to 60, and 200 rupees. Some spices lie open for sale, some blends are open for everybody. One player has the pepper mill and is head chef.")),
    h("h2", {}, _("1. Throw")),
    h("p", {}, _("Clockwise from the head chef, everybody flicks one chip onto the board, then a second one, and so on: four chips each, or three if there are four players. Values stay hidden. Push others out of your way!")),
    h("p", {}, _("A chip counts where its middle lies: in a bowl or on one of the four action spaces. If the edge shows through the hole of the chip, it counts; in doubt the head chef decides. Anything else is out for this round.")),
    board([["blue", 178, 170], ["blue", 190, 196], ["red", 160, 186], ["green", 60, 66], ["orange", 300, 180], ["red", 119, 119]], {}, {}, _("Two chips of Blue and one of Red in saffron; Red alone on the extra throw.")),
    h("h2", {}, _("2. Action spaces")),
    h("p", {}, _("The chips on each space are turned up. The player with the highest total may use it. In a tie it is the player nearest to the head chef, clockwise, starting with the head chef.")),
    h("ul", { class: "plain" },
      h("li", {}, h("b", {}, _("Extra throw")), _(": "), _("throw one more chip, at once.")),
      h("li", {}, h("b", {}, _("Spice card")), _(": "), _("look at as many cards as the first digit of your highest chip there, keep one.")),
      h("li", {}, h("b", {}, _("Reserve")), _(": "), _("take the top blend of the pile; only you may cook it.")),
      h("li", {}, h("b", {}, _("Head chef")), _(": "), _("take the pepper mill and be head chef from now on."))),
    h("h2", {}, _("3. Sell and buy")),
    h("p", {}, _("The head chef chooses the bowls one after another. All chips in the bowl are turned up: their sum is the price of a card for sellers.")),
    board([["blue", 178, 170], ["blue", 190, 196], ["red", 160, 186]], { saffron: [[0, 40], [0, 20], [1, 30]] }, { saffron: { pills: [["blue", 60], ["red", 30]], price: "90", cards: 2 } }, _("Saffron brings sellers 90 a card. Blue may buy first and pays 60; then Blue's 40 goes home and Red is next with 30.")),
    h("p", {}, _("First everybody who holds that spice may sell, even without a chip there. Whoever sells takes their chips out and cannot buy. Then the player with the highest total buys one card for exactly that total, and takes their highest chip home; then whoever is highest now, until no card or no chip is left. Whoever cannot or does not want to buy takes their chips home.")),
    h("h2", {}, _("4. Cook")),
    h("p", {}, _("Starting with the head chef, everybody may cook one of the open blends, and as many reserved ones as they can, by paying the three spices. The third blend wins at once.")),
    h("p", {}, _("Then the mill goes to the left, open blends are filled up, and new spices are laid out.")),
  ];
}

function jaipurText() {
  return [
    h("p", { class: "lead" }, _("Two merchants trade at a market of five cards. The richer one of a round gets a seal of excellence; two seals win.")),
    h("h2", {}, _("Your turn: take or sell")),
    h("ul", { class: "plain" },
      h("li", {}, h("b", {}, _("Take one good")), _(": "), _("the deck fills its place. At most seven goods in hand.")),
      h("li", {}, h("b", {}, _("Exchange")), _(": "), _("take two or more goods for as many cards of your hand or camels of your herd.")),
      h("li", {}, h("b", {}, _("Take all camels")), _(": "), _("they go to your herd, the deck fills the market.")),
      h("li", {}, h("b", {}, _("Sell")), _(": "), _("any number of one good. Take as many tokens of it, the dearest first. Diamond, gold and silver need two cards at least. Three, four, five and more cards bring a bonus token."))),
    board([], {}, MODULES.jaipur.labels({ deck: 24, tokens: [[5, 5], [5, 5, 6], [5, 5, 5], [1, 1, 2], [1, 1, 2, 3], [1, 1, 1]] }), _("On the board the bowls are goods, market and deck; their rings show how many tokens are left.")),
    h("h2", {}, _("The end of a round")),
    h("p", {}, _("When three rows of tokens are empty, or the market cannot be filled. The larger herd gets 5 rupees. Tokens and bonus tokens are counted; the richer player gets the seal, and the other one begins the next round.")),
  ];
}

function rathotText() {
  return [
    h("p", { class: "lead" }, _("Red and Green lay strips of spices on and beside each other. Groups of your spices bring points, your rats must not be seen.")),
    h("h2", {}, _("Your turn")),
    h("p", {}, _("Turn up two strips and lay both, one after the other. A strip lies on the table beside others, or wholly on top of at least two strips of one height, without a gap below.")),
    h("p", {}, _("After each strip every group of two or more alike spices that it formed or changed scores for the owner of its colour, whoever laid it: 1 point for two, 2 points for three and more.")),
    h("h2", {}, _("Rats")),
    h("p", {}, _("Three or more rats of your own colour in sight at the end of your own turn lose the game at once. Cover them in time, or make the other player's rats visible.")),
    h("h2", {}, _("The end")),
    h("p", {}, _("After the last strip every group in sight counts once more. The most points win.")),
  ];
}

function ninebowlsText() {
  const view = { bowls: [0, 1, 1, null, 0, null, null, null, 0] };
  const chips = [["blue", 60, 60], ["red", 178, 60], ["red", 296, 60], ["blue", 178, 178], ["blue", 296, 296]];
  return [
    h("p", { class: "lead" }, _("Two players lay chips into the nine bowls, in turn. Three of one player in a line win.")),
    board(chips, {}, MODULES.ninebowls.labels(view), _("Blue has a line from curry over saffron to cinnamon.")),
    h("p", {}, _("When all bowls are taken and nobody has a line, it is a draw.")),
  ];
}

const TEXTS = { safranito: safranitoText, jaipur: jaipurText, rathot: rathotText, ninebowls: ninebowlsText };

function draw() {
  const game = location.hash.slice(1) in TEXTS ? location.hash.slice(1) : "safranito";
  document.title = `${TITLES[game]}${_(": ")}${_("rules")}`;
  fill(document.getElementById("top"), h("a", { class: "brand", href: "/" }, "Spiceboard"), h("span", { class: "gap" }),
    h("nav", { "aria-label": _("Game") }, Object.keys(TEXTS).map((name) => h("a", { class: "quiet button", href: `#${name}`, "aria-current": name === game ? "page" : null }, TITLES[name]))),
    languages.map((code) => button(nameOf(code), async () => { localStorage.setItem("language", code); await load(code); draw(); }, { class: "quiet", "aria-pressed": code === language ? "true" : "false" })));
  fill(document.getElementById("text"), h("article", { class: "rules" }, h("h1", {}, TITLES[game]), TEXTS[game]()));
}

addEventListener("hashchange", draw);
draw();
