// The board from above: bowls, rings of lights, chips as they lie, and what a game writes on it.

import { s } from "./dom.js";
import { Flight } from "./flight.js";
import { plan, SEATS, zoneAt } from "./plan.js";
import { word } from "./words.js";

export const MARGIN = 16; // mm of rim that is drawn around the plan
export const RACK = 58; // and below it, for the chips in hand
const LETTERS = { blue: "B", red: "R", green: "G", orange: "O", mill: "M" };
const STEP = 17; // mm between chips that are laid out neatly

function parts(hex) {
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// Draw tilts larger than they are: from above one sees little of them.
function leanSeen(tilt) {
  return tilt < 30 ? 2.2 * tilt : 66 + 0.3 * (Math.min(90, tilt) - 30);
}

function strength(hex) {
  return Math.max(...parts(hex)) / 255;
}

// The colour of a light at full brightness; its opacity shows how bright it is.
function hue(hex) {
  const list = parts(hex);
  const most = Math.max(...list);
  return `rgb(${list.map((part) => Math.round(255 * (part / most) ** 0.6)).join(",")})`;
}

// A chip: a ring of wood in its owner's colour, textured, with its letter or its value.
export function chipShape(colour, value) {
  const face = value ? `${value}` : LETTERS[colour] || "?";
  return [
    s("circle", { r: 16, class: "chip-shade", cy: 1.4, cx: 0.8 }),
    s("circle", { r: 16, class: "chip-body" }),
    s("circle", { r: 15.2, class: `chip-texture t-${colour}` }),
    s("circle", { r: 12.4, class: "chip-face" }),
    s("circle", { r: 15.4, class: "chip-edge" }),
    s("circle", { r: 3, cy: -6.4, class: "chip-hole" }),
    s("text", { y: 7.4, class: "chip-text", text: face }),
    s("circle", { r: 16, class: "chip-lean", fill: "url(#lean)" }),
  ];
}

export class Board {
  // `picture`: only to look at; its zones are not buttons.
  constructor(svg, picture = false) {
    this.svg = svg;
    this.picture = picture;
    this.chips = []; // {colour, x, y, element, value}
    this.lamps = {};
    this.rings = {};
    this.flying = null;
    this.onZone = () => {};
    this.draw();
  }

  draw() {
    const width = plan.size + 2 * MARGIN;
    this.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width} ${width}`);
    this.zones = s("g", {}, plan.zones.map((zone) => this.zone(zone)));
    this.marks = s("g", { class: "marks" });
    this.lying = s("g", { class: "lying" });
    this.labels = s("g", { class: "labels" });
    this.over = s("g", { class: "labels" });
    this.guide = s("g", { class: "guide" });
    this.rack = s("g", { class: "rack" });
    this.svg.replaceChildren(
      this.defs(),
      s("rect", { x: -MARGIN, y: -MARGIN, width, height: width, rx: 14, class: "rim" }),
      s("rect", { x: -4, y: -4, width: plan.size + 8, height: plan.size + 8, rx: 7, class: "plate" }),
      this.zones, this.labels, this.lying, this.over, this.marks, this.guide, this.rack,
    );
  }

  defs() {
    const heap = plan.bowls.map((bowl) =>
      s("radialGradient", { id: `heap-${bowl}`, cx: "52%", cy: "58%" },
        s("stop", { offset: "0%", class: `spice-light ${bowl}` }),
        s("stop", { offset: "78%", class: `spice-mid ${bowl}` }),
        s("stop", { offset: "100%", class: `spice-dark ${bowl}` })));
    const patterns = [
      s("pattern", { id: "texture-red", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("rect", { width: 2.2, height: 5, fill: "#fff", "fill-opacity": 0.55 })),
      s("pattern", { id: "texture-green", width: 5, height: 5, patternUnits: "userSpaceOnUse" },
        s("circle", { cx: 2.5, cy: 2.5, r: 1.4, fill: "#fff", "fill-opacity": 0.65 })),
      s("pattern", { id: "texture-orange", width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        s("path", { d: "M0 0L6 6M6 0L0 6", stroke: "#fff", "stroke-opacity": 0.65, "stroke-width": 1.2 })),
    ];
    // the low side of a leaning chip is darker
    const lean = s("linearGradient", { id: "lean" }, s("stop", { offset: "35%", "stop-color": "#000", "stop-opacity": 0 }), s("stop", { offset: "100%", "stop-color": "#000", "stop-opacity": 0.75 }));
    return s("defs", {}, heap, patterns, lean);
  }

  zone(zone) {
    const [x, y] = plan.centres[zone];
    const radius = plan.radius[zone];
    const bowl = plan.bowls.includes(zone);
    const lamps = Array.from({ length: plan.leds[zone] }, (_, index) => {
      const angle = (2 * Math.PI * index) / plan.leds[zone];
      const at = [x + (radius + 5) * Math.sin(angle), y - (radius + 5) * Math.cos(angle)];
      return s("circle", { cx: at[0], cy: at[1], r: bowl ? 2.5 : 2.3, class: "lamp" });
    });
    this.lamps[zone] = lamps;
    const group = s("g", {
      class: `zone ${bowl ? "bowl" : "action"}`, "data-zone": zone, tabindex: this.picture ? null : -1, role: this.picture ? null : "button",
      "aria-label": this.picture ? null : word(zone),
      onclick: () => this.onZone(zone),
      onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.onZone(zone); }
      },
    },
      s("circle", { cx: x, cy: y, r: radius + 8.5, class: "groove" }),
      s("circle", { cx: x, cy: y, r: radius, class: "hollow" }),
      s("circle", { cx: x, cy: y, r: radius - 1, class: "heap", fill: bowl ? `url(#heap-${zone})` : null }),
      bowl ? null : this.sign(zone, x, y),
      lamps);
    return group;
  }

  // A sign for what an action space does.
  sign(zone, x, y) {
    const signs = {
      extra_throw: "M-8 5Q0 -12 8 3M8 3l-5 -.8M8 3l.6 -5",
      spice_card: "M-6 -8h9v14h-9zM-2 -5.5l8 2 -3 12 -3 -.8",
      reserve: "M-7 -2h14q0 8 -7 8t-7 -8M-4 -5q1 -2 0 -4M0 -5q1 -2 0 -4M4 -5q1 -2 0 -4",
      head_chef: "M-5 7h10v-4h-10zM-5 3q-5 -3 -2 -7q2 -2 4 -.5q0 -4 3 -4t3 4q2 -1.5 4 .5q3 4 -2 7",
    };
    return s("path", { d: signs[zone], transform: `translate(${x} ${y})`, class: "sign" });
  }

  // Colours of all rings: {zone: "rrggbb..."}.
  setRings(rings) {
    // scale to the brightest light, as eyes do: the board dims all lights alike to limit its current
    const most = Math.max(...Object.values(rings).flatMap((ring) => ring.match(/.{6}/g).map(strength)));
    this.peak = Math.max(0.02, most, (this.peak || 0) * 0.98);
    for (const [zone, colours] of Object.entries(rings)) {
      if (this.rings[zone] === colours) continue;
      this.rings[zone] = colours;
      this.lamps[zone].forEach((lamp, index) => {
        const hex = colours.slice(6 * index, 6 * index + 6);
        const bright = Math.sqrt(Math.min(1, strength(hex) / this.peak));
        const colour = bright ? hue(hex) : "";
        lamp.style.fill = lamp.style.stroke = colour;
        lamp.style.fillOpacity = bright ? 0.25 + 0.75 * bright : "";
        lamp.style.strokeOpacity = bright ? 0.45 * bright : 0;
      });
    }
  }

  // Chips where eyes see them: [[colour, x, y, height, tilt, towards, face up], ...].
  setChips(seenChips) {
    this.seen = seenChips;
    if (this.flight) return; // drawn when it has ended
    const left = [...this.chips];
    const now = seenChips.map(([colour, x, y, height = 0, tilt = 0, towards = 0]) => {
      let best = null;
      for (const chip of left) {
        const gap = Math.hypot(chip.x - x, chip.y - y);
        if (chip.colour === colour && (!best || gap < best.gap)) best = { chip, gap };
      }
      const chip = best ? best.chip : this.newChip(colour, x, y);
      left.splice(left.indexOf(chip), best ? 1 : 0);
      return Object.assign(chip, { x, y, height, tilt, towards });
    });
    for (const chip of left) this.goHome(chip);
    this.chips = now;
    now.forEach((chip, index) => {
      if (this.lying.children[index] !== chip.element) this.lying.insertBefore(chip.element, this.lying.children[index] || null);
      this.place(chip, this.above(chip, now.slice(0, index)));
    });
    this.setValues(this.values || {});
  }

  newChip(colour, x, y) {
    const element = s("g", { class: `chip ${colour}` }, s("g", { class: "tilt" }, chipShape(colour, null)));
    this.lying.append(element);
    const from = this.flying && this.flying.colour === colour ? this.flying : { x, y };
    const chip = { colour, x, y, element, shown: null };
    this.put(element, from.x, from.y);
    if (this.flying && this.flying.colour === colour) this.land();
    element.getBoundingClientRect(); // makes the browser animate the move from there
    return chip;
  }

  // Draw a chip as it lies: leaning, on its edge, and `above` millimetres over what is below it.
  place(chip, above = 0) {
    this.put(chip.element, chip.x, chip.y);
    const shape = chip.element.firstChild;
    const tilt = chip.tilt || 0;
    const angle = chip.towards || 0;
    const wide = Math.max(0.16, Math.cos((leanSeen(tilt) * Math.PI) / 180));
    const scale = 1 + Math.min(0.8, above / 160);
    shape.style.transform = tilt > 1 || scale > 1.01
      ? `scale(${scale.toFixed(3)}) rotate(${angle}deg) scaleX(${wide.toFixed(3)}) rotate(${-angle}deg)` : "";
    const [shade] = shape.children;
    shade.style.transform = above > 0.5 ? `translate(${(0.35 * above).toFixed(1)}px, ${(0.6 * above).toFixed(1)}px)` : "";
    const low = shape.lastChild;
    low.style.transform = tilt > 1 ? `rotate(${angle}deg)` : "";
    low.style.opacity = tilt > 1 ? Math.min(0.8, 0.2 + tilt / 40) : 0;
  }

  // How far a chip lies above the lowest of those that it lies on.
  above(chip, lower) {
    const below = lower.filter((other) => Math.hypot(other.x - chip.x, other.y - chip.y) < 30).map((other) => chip.height - other.height);
    return Math.max(0, ...below);
  }

  put(element, x, y) {
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  goHome(chip) {
    chip.element.classList.add("gone");
    setTimeout(() => chip.element.remove(), 350);
  }

  // A thrown chip leaves the hand here; it waits there until its course is known, or eyes see it.
  release(colour, [x, y]) {
    this.land();
    const element = s("g", { class: `chip ${colour} moving` }, s("g", { class: "tilt" }, chipShape(colour, null)));
    this.guide.append(element);
    this.flying = { colour, x, y, element };
    this.place({ element, x, y }, 40);
    const mine = this.flying;
    setTimeout(() => { if (this.flying === mine) this.land(); }, 3000);
  }

  land() {
    if (this.flying) this.flying.element.remove();
    this.flying = null;
  }

  // Show a throw along its course: [{colour, way: [[ms, x, y, height, tilt, towards], ...], rest}],
  // the thrown chip first; `begun` is in the board's time.
  follow(bodies, begun) {
    if (this.flight) this.flight.end();
    this.flight = new Flight(this, bodies, begun, () => {
      this.flight = null;
      if (this.seen) this.setChips(this.seen);
    });
    this.land();
  }

  // The board's time, in ms.
  clock(ms) {
    if (this.flight) this.flight.clock(ms);
  }

  // Values that were turned up: {zone: [[seat, value or null], ...]}.
  setValues(zones) {
    this.values = zones;
    const left = Object.fromEntries(Object.entries(zones).map(([zone, chips]) => [zone, chips.map((chip) => [...chip])]));
    for (const chip of this.chips) {
      const list = left[zoneAt(chip.x, chip.y)] || [];
      const index = list.findIndex(([seat]) => SEATS[seat] === chip.colour);
      const value = index < 0 ? null : list.splice(index, 1)[0][1];
      if (value !== chip.shown) {
        chip.shown = value;
        chip.element.firstChild.replaceChildren(...chipShape(chip.colour, value));
        chip.element.classList.toggle("open", Boolean(value));
      }
    }
  }

  // Chips of a real board, whose positions are not known: laid out neatly by zone, {zone: {colour: number}}.
  setCounts(counts) {
    const placed = [];
    for (const [zone, colours] of Object.entries(counts)) {
      const chips = Object.entries(colours).flatMap(([colour, n]) => Array(n).fill(colour));
      const [x, y] = plan.centres[zone];
      const wide = Math.ceil(Math.sqrt(chips.length));
      const high = Math.ceil(chips.length / wide);
      chips.forEach((colour, index) => {
        const row = Math.floor(index / wide);
        const inRow = Math.min(wide, chips.length - row * wide);
        placed.push([colour, x + ((index % wide) - (inRow - 1) / 2) * STEP, y + (row - (high - 1) / 2) * STEP]);
      });
    }
    this.setChips(placed);
  }

  // Zones that may be tapped now; null: none.
  offer(zones) {
    for (const group of this.zones.children) {
      const may = Boolean(zones && zones.includes(group.dataset.zone));
      group.classList.toggle("offered", may);
      group.setAttribute("tabindex", may ? 0 : -1);
    }
  }

  // Light a zone up for a moment because a line of the log mentions it.
  point(zone) {
    for (const group of this.zones.children) group.classList.toggle("pointed", group.dataset.zone === zone);
    clearTimeout(this.pointing);
    if (zone) this.pointing = setTimeout(() => this.point(null), 2200);
  }

  // Words at the zones: {zone: {name, above, below, cards}}.
  setLabels(labels) {
    if (!this.picture) for (const group of this.zones.children) group.setAttribute("aria-label", (labels[group.dataset.zone] || {}).name || word(group.dataset.zone));
    const names = [];
    const over = [];
    for (const zone of plan.zones) {
      const label = labels[zone] || {};
      const [x, y] = plan.centres[zone];
      const reach = plan.radius[zone];
      const bowl = plan.bowls.includes(zone);
      const name = label.name === undefined ? word(zone) : label.name;
      names.push(s("text", { x, y: y + reach + (bowl ? 17 : 15), class: bowl ? "zone-name" : "zone-name small", text: name }));
      if (label.cards) names.push(this.cards(zone, x + reach * 0.78, y - reach * 0.86, label.cards));
      if (label.pills) over.push(...this.pills(x, y - reach - 10, label.pills));
      if (label.note) over.push(s("text", { x, y: y + 4, class: bowl ? "zone-note" : "zone-note small", text: label.note }));
      if (label.price) over.push(s("rect", { x: x - 27, y: y + reach + 5, width: 54, height: 16, rx: 8, class: "price-box" }), s("text", { x, y: y + reach + 16.5, class: "price", text: label.price }));
    }
    this.labels.replaceChildren(...names);
    this.over.replaceChildren(...over);
  }

  // Totals of the players in a bowl: [[colour, number], ...].
  pills(x, y, list) {
    const wide = 20;
    const start = x - ((list.length - 1) * wide) / 2;
    return list.map(([colour, n], index) => s("g", { class: `pill ${colour}` },
      s("rect", { x: start + index * wide - 9.3, y: y - 5.5, width: 18.6, height: 11, rx: 5.5 }),
      s("text", { x: start + index * wide, y: y + 3, text: `${n}` })));
  }

  // Cards that are for sale beside their bowl.
  cards(zone, x, y, n) {
    return s("g", { class: `for-sale ${zone}` },
      Array.from({ length: Math.min(3, n) }, (_, index) =>
        s("rect", { x: x - 7 + 2.2 * index, y: y - 10 - 1.6 * index, width: 14, height: 19, rx: 2.2 })),
      s("text", { x: x + 2.2 * (Math.min(3, n) - 1), y: y + 3.5 - 1.6 * (Math.min(3, n) - 1), text: `${n}` }));
  }

  // X-ray: what the readers see in each zone, beside what lies there.
  setXray(counts, on) {
    const rows = !on ? [] : plan.zones.map((zone) => {
      const [x, y] = plan.centres[zone];
      const there = {};
      for (const chip of this.chips) if (zoneAt(chip.x, chip.y) === zone) there[chip.colour] = (there[chip.colour] || 0) + 1;
      const told = counts[zone] || {};
      const text = (list) => Object.entries(list).map(([c, n]) => `${n}${LETTERS[c] || "?"}`).sort().join(" ") || "–";
      const right = text(there) === text(told);
      return s("g", { class: right ? "xray" : "xray wrong" },
        s("rect", { x: x - 30, y: y - 12, width: 60, height: 24, rx: 4 }),
        s("text", { x, y: y - 2, text: `${word("_lies")} ${text(there)}` }),
        s("text", { x, y: y + 8, text: `${word("_reads")} ${text(told)}` }));
    });
    this.marks.replaceChildren(...rows);
  }
}
