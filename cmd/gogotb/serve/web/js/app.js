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
    await this.refresh({ trusted, push });
  }

  // restore shows the game as the browser has kept it with the address, back and forward and after a
  // reload, or else the position that the address names; false if it names none that can be shown.
  async restore() {
    const game = Game.recall(history.state);
    if (!game || !this.isHere(this.address(game.sfen))) return this.loadAddress();
    this.emit("load");
    if (this.game.leadsThrough(game)) this.game.go(game.at);
    else this.game = game;
    await this.refresh({ trusted: game.at > 0 });
    return true;
  }

  // loadAddress shows the position that the address names; false if it names none that can be shown.
  async loadAddress() {
    const text = new URLSearchParams(location.search).get("sfen");
    const position = text === null ? parse(start) : parse(fromAddress(text)) ?? parse(fromAddress(text.replaceAll(" ", "+"))); // a + is easily forgotten to escape
    if (position) await this.load(position);
    return position !== null;
  }

  // play makes a legal move. The browser's button leads back from it, but not in practice and in puzzles,
  // nor into the middle of a line that is played.
  async play(usi, { push = true } = {}) {
    this.game.play(usi);
    await this.refresh({ trusted: true, animate: true, push: push && !this.hideValues });
  }

  async go(at) {
    if (this.game.go(at)) await this.refresh({ trusted: this.game.at > 0, push: !this.hideValues });
  }

  // refresh asks about the position again, after it or an option has changed.
  async refresh({ trusted = false, animate = false, push = false } = {}) {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.animate = animate;
    this.answer = null;
    this.writeAddress(push);
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

  writeAddress(push) {
    const address = this.address(this.game.sfen);
    history[push && !this.isHere(address) ? "pushState" : "replaceState"](this.game.record, "", address);
  }

  isHere(address) {
    const there = new URL(address, location.href);
    return location.pathname + location.search === there.pathname + there.search;
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
