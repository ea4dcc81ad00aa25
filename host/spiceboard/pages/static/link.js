// The socket to the table: it reconnects by itself, and every request gets an answer.

const FIRST_MS = 300;
const LONGEST_MS = 4000;

export class Link {
  // `greet` gives the first message of each connection; `take` gets every frame; `state` is told
  // "open" or "closed".
  constructor(greet, take, state) {
    this.greet = greet;
    this.take = take;
    this.state = state;
    this.waiting = new Map();
    this.number = 1;
    this.pause = FIRST_MS;
    this.open();
  }

  open() {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.onopen = () => {
      this.pause = FIRST_MS;
      this.ask("hello", this.greet()).catch((error) => this.take({ is: "unknown", text: error.message })).then(() => this.state("open"));
    };
    this.socket.onmessage = (event) => this.frame(JSON.parse(event.data));
    this.socket.onclose = () => {
      for (const wait of this.waiting.values()) wait.reject(new Error("lost"));
      this.waiting.clear();
      this.state("closed");
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(LONGEST_MS, this.pause * 2);
    };
  }

  frame(frame) {
    const wait = this.waiting.get(frame.re);
    if (wait && (frame.is === "done" || frame.is === "refused")) {
      this.waiting.delete(frame.re);
      if (frame.is === "done") wait.resolve(frame);
      else wait.reject(new Error(frame.text));
    } else {
      this.take(frame);
    }
  }

  // Ask for something; resolves with the reply, rejects with the table's sentence.
  ask(what, parts) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("lost"));
    const id = this.number++;
    this.socket.send(JSON.stringify({ id, do: what, ...parts }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}
