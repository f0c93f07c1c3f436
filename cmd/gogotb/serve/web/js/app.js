// The state of the page, and what changes it. Panels listen for "load" (another game begins), "position" (another
// position is shown, its answer not yet here), "waiting" (it is long in coming), "answer" (it is here), "away" and "back"
// (the server is), "review" (one begins, finds something or ends) and "tab".

import { aborted, get } from "./api.js";
import { consult } from "./answer.js";
import { Game } from "./game.js";
import { openingPosition } from "./opening.js";
import { takeRule, writeRule } from "./settings.js";
import { fromAddress, format, parse, start, toAddress } from "./sfen.js";

const patience = 1000; // milliseconds until the page says that it waits

export class App extends EventTarget {
  constructor() {
    super();
    this.game = new Game(parse(start));
    this.answer = null;
    this.played = null;
    this.tab = "moves";
    this.secretFor = new Set(); // panels of whoever practises or solves a puzzle
    this.blocked = false; // while the other side thinks
    this.away = false; // the server
    this.reviewing = false; // the server is at a review of the game
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

  // open shows another game. The browser's button leads back to this one.
  async open(game) {
    this.emit("load");
    this.game = game;
    await this.refresh({ push: true });
  }

  // restore shows the game as the browser has kept it with the address, back and forward and after a
  // reload, or else the position that the address names; false if it names none that can be shown.
  async restore() {
    const game = Game.recall(history.state);
    const parameters = new URLSearchParams(location.search);
    if (parameters.has("sfen")) takeRule(parameters);
    if (!game || !this.isHere(this.address(game.sfen))) return this.loadAddress(parameters.get("sfen"));
    this.emit("load");
    const node = this.game.find(game);
    if (node) this.game.visit(node);
    else this.game = game;
    await this.refresh();
    return true;
  }

  // loadAddress shows the position that the address names; false if it names none that can be shown.
  async loadAddress(text) {
    const position = text === null ? await openingPosition() : fromAddress(text);
    if (position) await this.load(position);
    return position !== null;
  }

  // play makes a legal move. The browser's button leads back from it, but not in practice and in puzzles,
  // nor into the middle of a line that is played.
  async play(usi, { push = true } = {}) {
    const known = this.answer?.moves.find((m) => m.usi === usi);
    this.game.play(usi, known);
    await this.refresh({ played: known ?? { usi, western: usi, japanese: usi }, push: push && !this.hideValues });
  }

  // edit puts another position in place of the one that is shown, as a step that can be undone.
  async edit(position) {
    if (format(position) === this.game.sfen) return;
    this.game.edit(position);
    await this.refresh({ push: true });
  }

  async go(at) {
    if (this.game.go(at)) await this.refresh({ push: !this.hideValues });
  }

  // visit shows a position of the game, in whatever variation it is.
  async visit(node) {
    if (this.game.visit(node)) await this.refresh({ push: !this.hideValues });
  }

  // refresh asks about the position again, after it or an option has changed, or a move was played. A position after a
  // move is legal, others are if they can be trusted.
  async refresh({ trusted = this.game.lastMove !== undefined, played = null, push = false } = {}) {
    this.asking?.abort();
    clearTimeout(this.waiting);
    const asking = (this.asking = new AbortController());
    this.played = played; // the move that is new on the board
    this.answer = null;
    this.writeAddress(push);
    this.emit("position");
    this.waiting = setTimeout(() => this.emit("waiting"), patience);
    try {
      const answer = await consult(this.game.position, trusted, asking.signal);
      if (asking.signal.aborted) return;
      clearTimeout(this.waiting);
      this.answer = answer;
      this.played = null;
      this.emit("answer");
    } catch (error) {
      if (!aborted(error)) throw error;
    }
  }

  // shown is a signal that ends when another position is shown.
  get shown() {
    return this.asking.signal;
  }

  writeAddress(push) {
    const address = this.address(this.game.sfen);
    const { id } = history.state ?? {};
    const leaves = !this.isHere(address) || (this.game.info !== null && id !== this.game.id);
    history[push && leaves ? "pushState" : "replaceState"](this.game.record, "", address);
  }

  isHere(address) {
    const there = new URL(address, location.href);
    return location.pathname + location.search === there.pathname + there.search;
  }

  // address is the link to a position, under the rule of repetition chosen.
  address(sfen) {
    return `./?sfen=${toAddress(sfen)}${writeRule()}`;
  }

  // whyNot is the rule that forbids a move, as the server names it.
  async whyNot(usi) {
    return get("move", { sfen: this.game.sfen, usi });
  }

  get sfen() {
    return format(this.game.position);
  }
}
