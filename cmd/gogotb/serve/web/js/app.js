// The state of the page, and what changes it. Panels listen for "load" (another game begins), "position"
// (another position is shown, its answer not yet here), "answer" (it is), "away" (the server is) and "tab".

import { aborted, get } from "./api.js";
import { consult } from "./answer.js";
import { Game } from "./game.js";
import { fromAddress, format, parse, start, toAddress } from "./sfen.js";

export class App extends EventTarget {
  constructor() {
    super();
    this.game = new Game(parse(start));
    this.answer = null;
    this.tab = "moves";
    this.secretFor = new Set(); // panels of whoever practises or solves a puzzle
    this.blocked = false; // while the other side thinks
  }

  // hideValues tells whether values would give something away.
  get hideValues() {
    return this.secretFor.size > 0;
  }

  emit(type) {
    this.dispatchEvent(new Event(type));
  }

  on(type, listener) {
    this.addEventListener(type, listener);
  }

  // load shows a position as the start of a new game.
  async load(position, { push = false, trusted = false } = {}) {
    this.emit("load");
    this.game.begin(position);
    if (push) this.writeAddress("pushState");
    await this.refresh({ trusted });
  }

  // loadAddress shows the position that the address names; false if it names none that can be shown.
  async loadAddress() {
    const text = new URLSearchParams(location.search).get("sfen");
    const position = text === null ? parse(start) : parse(fromAddress(text));
    if (position) await this.load(position);
    return position !== null;
  }

  // play makes a legal move.
  async play(usi) {
    this.game.play(usi);
    await this.refresh({ trusted: true, animate: true });
  }

  async go(at) {
    if (this.game.go(at)) await this.refresh({ trusted: this.game.at > 0 });
  }

  // refresh asks about the position again, after it or an option has changed.
  async refresh({ trusted = false, animate = false } = {}) {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.animate = animate;
    this.answer = null;
    this.writeAddress("replaceState");
    this.emit("position");
    try {
      const answer = await consult(this.game.position, trusted, asking.signal);
      if (asking.signal.aborted) return;
      this.answer = answer;
      this.animate = false;
      this.emit("answer");
      if (answer.state === "away") this.emit("away");
    } catch (error) {
      if (!aborted(error)) throw error;
    }
  }

  writeAddress(method) {
    const address = this.address(this.game.sfen);
    if (location.pathname + location.search !== new URL(address, location.href).pathname + new URL(address, location.href).search) {
      history[method](null, "", address);
    }
  }

  // address is the link to a position.
  address(sfen) {
    return `./?sfen=${toAddress(sfen)}`;
  }

  // whyNot is the rule that forbids a move, as the server names it.
  async whyNot(usi) {
    return get("move", { sfen: this.game.sfen, usi });
  }

  setPosition(position) {
    return this.load(position, { trusted: false });
  }

  get sfen() {
    return format(this.game.position);
  }
}
