// Texts of the page in its language; the English text is the key.

let texts = {};
export let language = "en";
export let languages = ["en"];
let names = {}; // of the languages, each in its own words
const BROWSERS = "any"; // the server reads which languages the browser asks for

export function nameOf(code) {
  return names[code] || code;
}

// The text in the page's language; {name} in it is replaced by what `parts` has of that name.
export function _(text, parts) {
  const found = texts[text] || text;
  return parts ? found.replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? parts[name] : whole)) : found;
}

// `one` or `many`, whichever the language uses for {n} things.
export function ngettext(one, many, n) {
  const single = new Intl.PluralRules(language).select(n) === "one";
  const key = single ? one : `${one}|many`;
  return _(texts[key] ? key : single ? one : many, { n });
}

export async function load(code) {
  const reply = await fetch(`/words/${code}.json`);
  if (!reply.ok) return;
  const found = await reply.json();
  texts = found.texts;
  names = found.languages;
  languages = Object.keys(names);
  language = found.language;
  document.documentElement.lang = language;
}

// The language chosen on this device, or else the one that the browser asks for.
export function wanted() {
  return localStorage.getItem("language") || BROWSERS;
}

// Texts of the page's own markup: <span data-say="...">.
export function translate(root) {
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = _(element.dataset.say);
  for (const element of root.querySelectorAll("[data-title]")) {
    element.title = _(element.dataset.title);
    element.setAttribute("aria-label", _(element.dataset.title));
  }
}

// Words for zones, colours and spices; they come over the wire in English.
export const WORDS = () => ({
  curry: _("curry"), ginger: _("ginger"), cardamom: _("cardamom"), chili: _("chili"),
  saffron: _("saffron"), garlic: _("garlic"), mint: _("mint"), cumin: _("cumin"),
  cinnamon: _("cinnamon"), extra_throw: _("extra throw"), spice_card: _("spice card"),
  reserve: _("reserve"), head_chef: _("head chef"), blue: _("Blue"), red: _("Red"),
  green: _("Green"), orange: _("Orange"), mill: _("pepper mill"), unknown: _("unknown"), _lies: _("lies"), _reads: _("read"),
  diamond: _("diamond"), gold: _("gold"), silver: _("silver"), cloth: _("cloth"),
  spice: _("spice"), leather: _("leather"), camel: _("camel"),
});

export function word(key) {
  return WORDS()[key] || key;
}
