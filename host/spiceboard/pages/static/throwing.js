// Throwing: flick a chip from the rack, or choose chip and zone (by tap or keyboard).

import { s } from "./dom.js";
import { chipShape, MARGIN, RACK } from "./board.js";
import { plan } from "./plan.js";
import { _ } from "./words.js";

const LOOK_MS = 90; // ms at the end of a gesture that give its speed
const FLIGHT_S = 0.34; // how long a chip flies on at the speed of the gesture
const HARD = 1400; // mm/s: the hardest throw
const STILL = 90; // mm/s: below this a chip falls where it is held
const INSIDE = 20; // mm inside the rim: the help for aiming stops a throw there
const CLICK = 4; // mm: less is a tap

export class Thrower {
  // `act(chip, aim)` is called for a throw, `change` when another chip is chosen.
  constructor(board, act, change) {
    this.board = board;
    this.act = act;
    this.change = change;
    this.chips = [];
    this.chosen = null;
    this.guided = localStorage.getItem("guide") !== "off";
    this.drag = null;
    for (const kind of ["pointermove", "pointerup", "pointercancel"]) {
      board.svg.addEventListener(kind, (event) => this.pointer(kind, event));
    }
  }

  // The rack: [[chip, may be thrown, note], ...] in a colour; null hides it.
  show(colour, chips) {
    const key = JSON.stringify([colour, chips]);
    if (key === this.key) return;
    this.key = key;
    this.colour = colour;
    this.chips = chips || [];
    const width = plan.size + 2 * MARGIN;
    const high = chips ? width + RACK : width;
    this.board.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width} ${high}`);
    if (!this.chips.some(([chip, may]) => may && chip === this.chosen)) this.choose(null);
    const y = plan.size + MARGIN + RACK / 2 + 2;
    const step = Math.min(48, plan.size / Math.max(1, this.chips.length));
    const start = plan.size / 2 - (step * (this.chips.length - 1)) / 2;
    this.board.rack.replaceChildren(...this.chips.map(([chip, may, note], index) => {
      const x = start + step * index;
      const element = s("g", {
        class: `chip ${colour} in-rack ${may ? "ready" : "resting"}`, "data-chip": chip,
        role: may ? "button" : "img", tabindex: may ? 0 : null, "data-key": chip,
        "aria-label": `${_("chip {value}", { value: chip.slice(1) })}${note ? `, ${note}` : ""}`,
        onkeydown: (event) => {
          if (may && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); this.choose(chip); }
        },
        onpointerdown: (event) => may && this.take(event, chip, element, [x, y]),
      }, s("g", { class: "tilt" }, chipShape(colour, chip.slice(1))),
      note ? s("text", { y: 25, class: "rack-note", text: note }) : null);
      this.board.put(element, x, y);
      return element;
    }));
  }

  choose(chip) {
    this.chosen = chip;
    for (const element of this.board.rack.children) element.classList.toggle("chosen", element.dataset.chip === chip);
    this.board.offer(chip ? plan.zones : null);
    this.change(chip);
  }

  // A zone was tapped: the chosen chip goes there, softly.
  at(zone, strength = 0.25) {
    if (!this.chosen) return false;
    const chip = this.chosen;
    this.throw(chip, { zone, strength }, this.home(chip));
    return true;
  }

  home(chip) {
    const index = this.chips.findIndex(([name]) => name === chip);
    const step = Math.min(48, plan.size / Math.max(1, this.chips.length));
    return [plan.size / 2 + step * (index - (this.chips.length - 1) / 2), plan.size + MARGIN + RACK / 2];
  }

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    return [at.x, at.y, event.timeStamp];
  }

  take(event, chip, element, home) {
    event.preventDefault();
    this.board.svg.setPointerCapture(event.pointerId);
    element.classList.add("held");
    this.drag = { chip, element, home, way: [this.point(event)], id: event.pointerId };
  }

  pointer(kind, event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.id) return;
    if (kind === "pointercancel") { this.drop(); return; }
    const steps = kind === "pointermove" && event.getCoalescedEvents ? event.getCoalescedEvents() : [];
    for (const step of steps.length ? steps : [event]) drag.way.push(this.point(step));
    const [x, y] = drag.way[drag.way.length - 1];
    this.board.put(drag.element, x, y);
    this.aimGuide(drag);
    if (kind === "pointerup") this.release(drag);
  }

  speed(way) {
    const last = way[way.length - 1];
    const first = way.find((point) => last[2] - point[2] <= LOOK_MS) || way[0];
    const seconds = Math.max(0.008, (last[2] - first[2]) / 1000);
    return [(last[0] - first[0]) / seconds, (last[1] - first[1]) / seconds];
  }

  // Where a gesture that ends now would send the chip, and how hard.
  aim(drag) {
    const [x, y] = drag.way[drag.way.length - 1];
    const [vx, vy] = this.speed(drag.way);
    const speed = Math.hypot(vx, vy);
    if (speed < STILL) return { x, y, strength: 0.15, speed };
    const flown = Math.min(1, HARD / speed) * FLIGHT_S;
    const share = this.guided ? onBoard(x, y, vx * flown, vy * flown) : 1;
    return { x: x + share * vx * flown, y: y + share * vy * flown, strength: Math.min(1, Math.max(0.2, speed / HARD)), speed };
  }

  aimGuide(drag) {
    if (!this.guided) return;
    const [x, y] = drag.way[drag.way.length - 1];
    const aim = this.aim(drag);
    this.board.guide.replaceChildren(
      s("line", { x1: x, y1: y, x2: aim.x, y2: aim.y, class: "aim-line" }),
      s("circle", { cx: aim.x, cy: aim.y, r: 14 + 16 * aim.strength, class: "aim-spot" }));
  }

  release(drag) {
    const [x, y] = drag.way[drag.way.length - 1];
    const moved = Math.hypot(x - drag.way[0][0], y - drag.way[0][1]);
    const aim = this.aim(drag);
    this.drop();
    if (moved < CLICK) { this.choose(this.chosen === drag.chip ? null : drag.chip); return; }
    if (aim.y > plan.size + 4 && aim.speed < STILL) return; // laid back
    const target = { x: bound(aim.x), y: bound(aim.y), strength: aim.strength };
    this.throw(drag.chip, target, [x, y]);
  }

  drop() {
    this.board.put(this.drag.element, ...this.drag.home);
    this.drag.element.classList.remove("held");
    this.board.guide.replaceChildren();
    this.drag = null;
  }

  throw(chip, aim, from) {
    const element = [...this.board.rack.children].find((child) => child.dataset.chip === chip);
    if (element) element.classList.add("thrown");
    this.choose(null);
    this.board.release(this.colour, from);
    this.act(chip, aim).catch(() => {
      this.board.land();
      if (element) element.classList.remove("thrown");
    });
  }
}

// How much of the way from a point a throw can go without leaving the board on its far side: help for
// beginners, whose first flicks are all too hard.
function onBoard(x, y, dx, dy) {
  const room = (from, way) => (way > 0 ? (plan.size - INSIDE - from) / way : way < 0 ? (INSIDE - from) / way : 1);
  return Math.max(0, Math.min(1, room(x, dx), room(y, dy)));
}

function bound(value) {
  return Math.round(10 * Math.max(-80, Math.min(plan.size + 80, value))) / 10;
}
