// Learning from a game: at each mate that was missed it stops and asks for it.

import { get, aborted } from "./api.js";
import { trouble } from "./faults.js";
import { nameOf, sideMark } from "./game-list.js";
import { lineOf } from "./game-file.js";
import { named } from "./game-review.js";
import { Hint } from "./hint.js";
import { pause } from "./rival.js";
import { format } from "./sfen.js";
import { make, refill, sideName, t } from "./words.js";

const thinking = 1000; // milliseconds before a wrong move goes back

export class Learn {
  constructor(app, board, element, changed) {
    Object.assign(this, { app, board, element, changed, run: null, hints: new Hint(board) });
    app.on("load", () => this.end());
    app.on("tab", () => app.tab !== "game" && this.stop());
    app.on("answer", () => this.answered());
  }

  get active() {
    return this.run !== null;
  }

  // asking tells whether a move is wanted; what comes of it can be looked at.
  get asking() {
    return this.active && this.app.secretFor.has(this);
  }

  // missed are the nodes of the line that is shown where a mate was missed.
  get missed() {
    return lineOf(this.app.game).nodes.filter(({ review }) => review?.judgement === "missed-mate" && review.line.length > 0);
  }

  async begin() {
    const { missed } = this;
    if (missed.length === 0) return;
    this.run = { missed, number: 0, found: 0 };
    await this.ask(0);
  }

  // end leaves it, stop also shows again what was hidden.
  end() {
    if (!this.run) return;
    this.run = null;
    this.app.secretFor.delete(this);
    this.app.blocked = false;
    this.changed();
  }

  stop() {
    if (!this.run) return;
    this.end();
    this.app.emit("answer");
  }

  // side is the one that looks for the mate.
  get side() {
    return this.node.parent.position.turn;
  }

  // task is what is asked for.
  get task() {
    const { review } = this.node;
    return { side: sideName(this.side), n: review.mate, atMost: Boolean(review.before.at_most) };
  }

  get node() {
    return this.run.missed[this.run.number];
  }

  // ask shows the position before a mate that was missed.
  async ask(number) {
    const { app, run } = this;
    Object.assign(run, { number, state: "asked", hints: 0, message: "" });
    run.known = new Set(this.node.parent.children);
    app.secretFor.add(this);
    app.blocked = false;
    this.changed();
    if (app.game.node === this.node.parent) app.emit("answer"); // it hides what there is
    else await app.visit(this.node.parent);
    this.board.element.scrollIntoView({ block: "nearest" }); // on a telephone it may be far up
    this.render();
  }

  async answered() {
    const { app, run } = this;
    const { answer } = app;
    if (!run || !answer || answer.state !== "ok" || run.state !== "asked") return;
    const { node } = app.game;
    if (node === this.node.parent) {
      app.blocked = false;
      return;
    }
    if (node.parent !== this.node.parent) { // the position was left by other means
      this.stop();
      return;
    }
    run.state = "judged";
    app.blocked = true;
    const right = await this.right(node, answer);
    if (this.run !== run || app.answer !== answer || !right) return;
    if (right.mates) {
      run.found += 1;
      run.state = "right";
      this.reveal(t(answer.over ? "learnMated" : right.slower ? "learnSlower" : "learnRight", this.task));
      return;
    }
    run.message = right.trouble ?? t(right.unsure ? "learnUnsure" : node === this.node ? "learnPlayed" : "learnWrong");
    this.render();
    await pause(thinking);
    if (this.run !== run || app.answer !== answer) return;
    run.state = "asked";
    if (!run.known.has(node)) app.game.forget(node); // a try is no variation
    await (app.game.node === node ? app.visit(this.node.parent) : app.refresh());
  }

  // right tells whether a move mates as soon as can be, or wins by the tables; null if the server is away or nobody waits.
  async right(node, answer) {
    const { review } = this.node;
    if (answer.over || node.move === review.line[0] || review.better?.includes(node.move)) return { mates: true };
    if (node === this.node) return { mates: false };
    if (answer.value) {
      const { category, by, dtm } = answer.value;
      return { mates: category === "loss" && by !== "repetition", slower: by !== "mate" || dtm >= review.mate };
    }
    try {
      const solved = await get("solve", { sfen: answer.sfen, max_plies: Math.max(review.mate - 1, 1), timeout: "5s" }, this.app.shown);
      return { mates: solved.category === "loss", unsure: solved.category === "unknown" };
    } catch (error) {
      return aborted(error) ? null : { mates: false, trouble: trouble(error) };
    }
  }

  // reveal shows what was hidden, with a word on what came of it.
  reveal(message) {
    this.run.message = message;
    this.app.secretFor.delete(this);
    this.app.blocked = false;
    this.app.emit("answer");
    this.changed();
    this.render();
  }

  // hint shows the piece, and then the move.
  hint() {
    const { run, app } = this;
    const move = app.answer?.moves.find((m) => m.usi === this.node.review.line[0]);
    if (run.state !== "asked" || !move) return;
    const { say, show } = this.hints.next(app.answer, move, app.game.lastMove);
    run.hints += 1;
    run.message = say;
    this.render();
    show();
  }

  // solve plays the mate as a variation.
  async solve() {
    const { run, app } = this;
    const { parent, review } = this.node;
    run.state = "shown";
    const moves = await named(format(parent.position), review.line).catch(() => review.line.map((usi) => ({ usi })));
    if (this.run !== run) return;
    parent.add(moves);
    app.secretFor.delete(this);
    await app.visit(parent.child(review.line[0]));
    if (this.run === run) this.reveal(t("learnShown"));
  }

  next() {
    const { run } = this;
    if (run.number + 1 < run.missed.length) {
      this.ask(run.number + 1);
      return;
    }
    run.state = "done";
    run.message = t("learnDone", { found: run.found, n: run.missed.length });
    this.render();
  }

  render() {
    const { run } = this;
    if (!run) {
      this.element.replaceChildren();
      return;
    }
    const button = (name, id, action, disabled = false, primary = false) => make("button", { type: "button", id, onclick: action, disabled, class: primary ? "primary" : "" }, t(name));
    const over = run.state === "right" || run.state === "shown";
    const { node } = this;
    refill(this.element,
      make("p", { class: "goal" }, t("learnAsk", this.task)),
      make("p", { class: "quiet" }, t("learnOf", { i: run.number + 1, n: run.missed.length }), " ", t("learnInGame"), " ", sideMark(this.side), nameOf(node)),
      make("p", { class: `message ${over ? "final" : ""}`, id: "learn-message", role: "status", "aria-live": "polite" }, run.message || t("yourMove")),
      make("div", { class: "buttons" },
        over ? button("learnNext", "learn-next", () => this.next(), false, true) : null,
        over || run.state === "done" ? null : button(run.hints === 0 ? "hint" : "hintMore", "learn-hint", () => this.hint(), run.state !== "asked" || run.hints > 1),
        over || run.state === "done" ? null : button("solution", "learn-solution", () => this.solve(), run.state !== "asked"),
        button(run.state === "done" ? "close" : "stop", "learn-stop", () => this.stop())));
  }
}
