// The guided first round: each phase is explained once, part by part, on the page itself. Bots wait
// while somebody reads; it can be left at any time, and turned on again in the menu.

import { button, fill, h } from "./dom.js";
import { pref, setPref } from "./prefs.js";
import { _ } from "./words.js";

const GAP = 14; // px between a part of the page and its explanation
const WIDE = 900; // px: in a narrower window the guide is at the bottom

export class Tour {
  constructor(app, place) {
    this.app = app;
    this.place = place;
    this.step = 0;
    this.phase = null; // the phase whose explanation is open
    addEventListener("resize", () => this.put());
    addEventListener("scroll", () => this.put(), { passive: true });
  }

  get on() {
    return pref("guide", "on") === "on";
  }

  turn(on) {
    setPref("guide", on ? "on" : "off");
    if (on) for (const name of ["safranito", "jaipur", "rathot", "ninebowls"]) setPref(`guided-${name}`, "");
    this.phase = null;
    this.draw();
  }

  seen() {
    return pref(`guided-${this.app.game.name}`, "").split(" ");
  }

  // What to explain now: [[selector, text], ...].
  steps() {
    const { app } = this;
    const game = app.table && app.table.snapshot.game;
    if (!this.on || !app.game || !game || game.over || app.current() === null || app.hidden()) return [];
    const phase = app.game.phase ? app.game.phase(app) : game.view.phase[0];
    if (this.seen().includes(phase)) return [];
    if (phase !== this.phase) this.step = 0;
    this.phase = phase;
    return app.game.tour(app).filter(([selector]) => document.querySelector(selector));
  }

  draw() {
    const steps = this.steps();
    const now = steps[Math.min(this.step, steps.length - 1)];
    this.read(Boolean(now));
    for (const part of document.querySelectorAll(".toured")) part.classList.remove("toured");
    this.target = now ? document.querySelector(now[0]) : null;
    if (!now) { this.key = null; this.place.hidden = true; return; }
    this.target.classList.add("toured");
    const key = JSON.stringify([now, this.step, steps.length]);
    if (key !== this.key) {
      this.say(now[1], steps.length);
      if (innerWidth < WIDE) this.target.scrollIntoView({ block: "nearest" });
    }
    this.key = key;
    this.put();
  }

  say(text, many) {
    const last = this.step >= many - 1;
    this.place.hidden = false;
    fill(this.place, h("p", {}, text), h("div", { class: "row" },
      h("small", {}, many > 1 ? `${this.step + 1} / ${many}` : ""), h("span", { class: "gap" }),
      button(_("Leave the guide"), () => this.turn(false), { class: "quiet", "data-key": "unguided" }),
      button(last ? _("I see") : _("Next"), () => this.next(last), { class: "prime", "data-key": "guided" })));
  }

  next(last) {
    if (last) this.pass();
    else this.step += 1;
    this.draw();
  }

  // Mark this phase as known: it was read to its end, or somebody did what it asks for.
  pass() {
    if (!this.phase || !this.app.game) return;
    const seen = this.seen();
    if (!seen.includes(this.phase)) setPref(`guided-${this.app.game.name}`, [...seen, this.phase].join(" ").trim());
    this.phase = null;
    this.draw();
  }

  // Bots wait while somebody reads.
  read(on) {
    if (on === Boolean(this.reads)) return;
    this.reads = on;
    this.app.link.ask("reading", { on }).catch(() => {});
  }

  // Put it beside its part of the page, where there is room.
  put() {
    if (this.place.hidden || !this.target) return;
    const style = this.place.style;
    const part = this.target.getBoundingClientRect();
    if (innerWidth < WIDE) {
      style.left = style.top = "";
      this.place.classList.toggle("above", part.top + Math.min(part.height, innerHeight) / 2 > innerHeight / 2);
      return;
    }
    const own = this.place.getBoundingClientRect();
    if (part.width > innerWidth / 1.6) { // a line over the page: below it
      style.left = `${Math.max(8, (innerWidth - own.width) / 2)}px`;
      style.top = `${part.bottom + GAP}px`;
      return;
    }
    const right = part.left + part.width / 2 < innerWidth / 2;
    const beside = right ? part.right + GAP : part.left - own.width - GAP;
    const top = part.top + Math.min(part.height, innerHeight - part.top) / 2 - own.height / 2;
    style.left = `${Math.max(8, Math.min(innerWidth - own.width - 8, beside))}px`;
    style.top = `${Math.max(8, Math.min(innerHeight - own.height - 8, top))}px`;
  }
}
