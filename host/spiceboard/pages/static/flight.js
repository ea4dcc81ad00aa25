// Draws a throw as the physics calculated it, in the board's own time.

import { s } from "./dom.js";
import { chipShape } from "./board.js";

const LAG_MS = 250; // a clock that is off catches up in about this time
const NEAR = 12; // mm: a chip this near to where a push begins is the pushed one

// The pose at a time on a way of [ms, x, y, height, tilt, towards].
function at(way, ms) {
  let next = way.findIndex((row) => row[0] > ms);
  if (next < 0) next = way.length;
  const before = way[Math.max(0, next - 1)];
  const after = way[Math.min(way.length - 1, next)];
  const span = after[0] - before[0];
  const share = span > 0 ? Math.min(1, Math.max(0, (ms - before[0]) / span)) : 0;
  const mix = (index) => before[index] + share * (after[index] - before[index]);
  return { x: mix(1), y: mix(2), height: mix(3), tilt: mix(4), towards: before[5] };
}

export class Flight {
  // `done` is called when everything lies still.
  constructor(board, bodies, begun, done) {
    this.board = board;
    this.begun = begun;
    this.done = done;
    this.shown = 0; // ms since the hand let go
    this.heard = null; // the board's clock, and when it was heard
    const taken = new Set();
    this.movers = bodies.filter((body) => body.way.length || body.rest).map((body, index) => this.mover(body, index, taken));
    this.length = Math.max(0, ...this.movers.map((mover) => mover.way[mover.way.length - 1][0]));
    this.last = performance.now();
    this.next = requestAnimationFrame((now) => this.frame(now));
  }

  mover(body, index, taken) {
    const way = body.rest ? [...body.way, body.rest] : body.way;
    const [, x, y] = way[0];
    let chip = index ? this.lying(body.colour, x, y, taken) : null;
    const hand = !index && this.board.flying && this.board.flying.colour === body.colour ? this.board.flying : null;
    if (!chip) {
      const element = s("g", { class: `chip ${body.colour}` }, s("g", { class: "tilt" }, chipShape(body.colour, null)));
      chip = { colour: body.colour, element, shown: null, x, y };
      this.board.chips.push(chip);
    }
    taken.add(chip);
    chip.element.classList.add("moving");
    this.board.lying.append(chip.element);
    const touch = way.find((row, n) => n && row[3] <= 0.5) || way[way.length - 1];
    return { chip, way, gone: !body.rest, from: hand && [hand.x - x, hand.y - y], touch: Math.max(1, touch[0]) };
  }

  lying(colour, x, y, taken) {
    const near = this.board.chips.filter((chip) => chip.colour === colour && !taken.has(chip))
      .map((chip) => [Math.hypot(chip.x - x, chip.y - y), chip]).sort((a, b) => a[0] - b[0])[0];
    return near && near[0] < NEAR ? near[1] : null;
  }

  // The board's clock says `ms`.
  clock(ms) {
    this.heard = { ms: ms - this.begun, at: performance.now() };
  }

  frame(now) {
    const passed = Math.min(100, now - this.last);
    this.last = now;
    // a busy machine's board falls behind: then the flight is shown as slowly as it happens
    const due = this.heard ? this.heard.ms + Math.min(150, now - this.heard.at) : this.shown + passed;
    this.shown += passed * Math.min(2, Math.max(0.1, 1 + (due - this.shown) / LAG_MS));
    for (const mover of this.movers) this.draw(mover);
    if (this.shown >= this.length) this.end();
    else this.next = requestAnimationFrame((later) => this.frame(later));
  }

  draw({ chip, way, from, touch }) {
    Object.assign(chip, at(way, this.shown));
    // it starts where this page's hand let go, and joins the calculated course before it lands
    const left = from ? Math.max(0, 1 - this.shown / touch) : 0;
    const [dx, dy] = from || [0, 0];
    this.board.place({ ...chip, x: chip.x + left * dx, y: chip.y + left * dy }, Math.max(0, chip.height));
  }

  end() {
    cancelAnimationFrame(this.next);
    for (const { chip, gone } of this.movers) {
      chip.element.classList.remove("moving");
      if (gone) {
        this.board.chips = this.board.chips.filter((other) => other !== chip);
        this.board.goHome(chip);
      }
    }
    this.done();
  }
}
