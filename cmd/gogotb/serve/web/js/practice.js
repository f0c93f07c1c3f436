// The panel of practice: an ending is to be won, or defended, against the tables.

import { get } from "./api.js";
import { knownTables, rule } from "./answer.js";
import { trouble } from "./faults.js";
import { Hint } from "./hint.js";
import { moveText } from "./notation.js";
import { pause, reply, strengths } from "./rival.js";
import { pickSet } from "./sets.js";
import { format, other, parse } from "./sfen.js";
import { make, refill, setName, sideName, t } from "./words.js";

const thinking = 350; // milliseconds before the other side moves
const tasks = ["win", "defend", "perpetual", "hold"];
const tries = 6; // open positions drawn, of which the one that is hardest to hold is taken
const held = 40; // plies after which an open position has been held
const lengths = { short: [2, 7], medium: [8, 20], long: [21, Infinity], any: [1, Infinity] };

export class PracticePanel {
  constructor(app, board, element) {
    Object.assign(this, { app, board, element, run: null });
    this.hints = new Hint(board);
    this.wanted = { set: "", task: "win", length: "short", strength: "best" };
    app.on("tab", () => (app.tab === "setup" ? this.stop() : this.show()));
    app.on("load", () => this.starting || this.end());
    app.on("answer", () => this.answered());
    app.on("away", () => this.show());
    app.on("back", () => this.show());
  }

  get active() {
    return this.run !== null;
  }

  async show() {
    if (this.app.tab !== "practice") return;
    if (this.run) {
      this.showRun();
      return;
    }
    let tables;
    try {
      tables = await knownTables();
    } catch {
      refill(this.element, make("p", { class: "quiet" }, t("away")));
      return;
    }
    if (this.run || this.app.tab !== "practice") return;
    const { wanted } = this;
    const names = [...tables.values()].filter((x) => x.distance_bytes > 0).map((x) => x.material);
    if (wanted.set === "") wanted.set = names.includes(this.app.answer?.set) ? this.app.answer.set : names.at(-1) ?? "none";
    const there = names.includes(wanted.set);
    const mates = wanted.task === "win" || wanted.task === "defend";
    const select = (name, options, text) => make("label", {}, make("span", {}, t(name)), make("select", { id: `practice-${name}`, onchange: (e) => {
      wanted[name] = e.target.value;
      if (name === "task") this.show();
    } }, ...options.map((o) => make("option", { value: o, selected: wanted[name] === o }, text(o)))));
    refill(this.element,
      make("p", { class: "quiet" }, t("practiceHelp")),
      make("div", { class: "set-choice" }, pickSet("practice", wanted.set, (set) => {
        wanted.set = set;
        this.show();
      }), make("strong", { id: "practice-set", role: "status" }, there ? setName(wanted.set) : t("noStatistics", { set: setName(wanted.set) }))),
      make("div", { class: "form" },
        select("task", tasks, (s) => t(`task.${s}`)),
        mates ? select("length", Object.keys(lengths), (s) => t(`length.${s}`)) : null, select("strength", Object.keys(strengths), (s) => t(`strength.${s}`))),
      make("div", { class: "buttons" },
        make("button", { type: "button", class: "primary", id: "practice-start", onclick: () => this.draw(), disabled: !there }, t("start")),
        make("button", { type: "button", id: "practice-here", onclick: () => this.fromHere(), disabled: !this.app.answer?.value || Boolean(this.app.answer.over) }, t("fromHere"))),
      make("p", { class: "problem", role: "status", "aria-live": "polite", id: "practice-problem" }, this.app.away ? t("away") : ""));
  }

  // draw begins with a random position of the kind wanted.
  async draw() {
    const { set, task, length } = this.wanted;
    try {
      if (task === "perpetual" || task === "hold") {
        await this.begin(await (task === "hold" ? delicate(set) : random({ material: set, category: "win", by: "perpetual" })));
        return;
      }
      const { histogram } = await get(`stats/${set}`);
      const [low, high] = lengths[length];
      const parity = task === "win" ? 1 : 0;
      const distances = [...histogram.keys()].filter((n) => n % 2 === parity && n >= Math.max(low, 1) && n <= high && histogram[n] > 0);
      if (distances.length === 0) {
        this.problem(t("noneOfThisLength", { set }));
        return;
      }
      const dtm = distances[Math.floor(Math.random() * distances.length)];
      await this.begin(await random({ material: set, category: task === "win" ? "win" : "loss", dtm }));
    } catch (error) {
      this.problem(error.code === "no-position" ? t("noneOfThisKind", { set: setName(set) }) : trouble(error));
    }
  }

  problem(text) {
    const element = document.getElementById("practice-problem");
    if (element) element.textContent = text;
  }

  async fromHere() {
    await this.begin(this.app.game.position);
  }

  // begin starts with a position; the visitor has the side to move.
  async begin(position) {
    this.run = { side: position.turn, message: "", reply: "", before: null, over: false, start: null };
    this.app.secretFor.add(this);
    this.starting = true;
    const loaded = this.app.load(position, { push: true, trusted: true });
    this.starting = false;
    await loaded;
  }

  // end leaves the game, stop also shows again what was hidden.
  end() {
    this.run = null;
    this.app.secretFor.delete(this);
    this.app.blocked = false;
  }

  stop() {
    if (!this.run) return;
    this.end();
    this.app.emit("answer");
    this.show();
  }

  async answered() {
    const { app, run } = this;
    const { answer } = app;
    if (!run || !answer) {
      if (app.tab === "practice") this.show();
      return;
    }
    if (answer.state === "away" || answer.state === "failed") { // it goes on when the server is back
      this.showRun(answer.message);
      return;
    }
    if (!answer.value) { // the position was left by other means
      this.stop();
      return;
    }
    run.start ??= answer;
    run.over = false;
    app.blocked = false;
    if (await this.finished(answer)) return;
    if (answer.position.turn === run.side) {
      run.before = answer;
      this.showRun();
      return;
    }
    this.judge();
    app.blocked = true;
    this.showRun();
    await pause(thinking);
    if (this.run !== run || app.answer !== answer) return;
    const move = reply(answer, this.wanted.strength);
    run.reply = t("replied", { side: sideName(other(run.side)), move: moveText(move, app.game.lastMove) });
    await app.play(move.usi);
  }

  // finished tells whether the game has ended, and says how.
  async finished(answer) {
    const { app, run } = this;
    let ending = answer.over ? { winner: other(answer.position.turn), reason: answer.over } : null;
    if (!ending && run.start.value.category === "draw" && app.game.at >= held) ending = { winner: null, reason: "held" };
    if (!ending && this.occurrences() >= 4) {
      const game = await get("game", { sfen: format(app.game.positions[0]), moves: app.game.made.join(","), ...rule() }).catch(() => null);
      if (this.run !== run || app.answer !== answer) return true;
      if (!game) return true; // it is asked again
      if (game.result !== "ongoing") ending = { winner: { sente: "b", gote: "w" }[game.winner] ?? null, reason: game.reason };
    }
    if (!ending) return false;
    run.over = true;
    const how = ending.winner === null ? "practiceDraw" : ending.winner === run.side ? "practiceWon" : "practiceLost";
    const ideal = run.start.value.by === "mate" ? run.start.value.dtm : null;
    run.message = [t(how, { reason: t(`reason.${ending.reason}`) }), ideal === null ? "" : t("practiceLength", { plies: app.game.at, ideal })].join(" ");
    app.blocked = true;
    this.showRun();
    return true;
  }

  occurrences() {
    const { game } = this.app;
    const here = format(game.position, false);
    return game.positions.slice(0, game.at + 1).filter((p) => format(p, false) === here).length;
  }

  // judge says what the visitor's last move was worth.
  judge() {
    const { app, run } = this;
    run.reply = "";
    const played = run.before?.moves.find((m) => m.usi === app.game.lastMove);
    if (!played) return;
    const [best] = run.before.moves;
    const lost = ["loss", "draw", "win"].indexOf(best.outcome) - ["loss", "draw", "win"].indexOf(played.outcome);
    if (lost > 0) run.message = t(`threwAway.${best.outcome}.${played.outcome}`);
    else if (played.value.by !== best.value.by || played.value.dtm === null) run.message = t("kept");
    else if (played.value.dtm === best.value.dtm) run.message = t("bestMove");
    else run.message = t(best.outcome === "win" ? "longer" : "shorter", { n: Math.abs(played.value.dtm - best.value.dtm) });
  }

  // takeBack goes to the visitor's move before.
  takeBack() {
    const { game } = this.app;
    const back = this.app.game.position.turn === this.run.side ? 2 : 1;
    this.run.message = this.run.reply = "";
    return this.app.go(Math.max(game.at - back, 0));
  }

  hint() {
    const { app, run } = this;
    const { answer } = app;
    if (!answer?.moves.length || answer.position.turn !== run.side || run.over) return;
    const { say, show } = this.hints.next(answer, answer.moves[0], app.game.lastMove);
    run.message = say;
    this.showRun();
    show();
  }

  // showRun shows how it goes, or what keeps it from going on.
  showRun(trouble = this.app.away ? t("away") : "") {
    const { app, run } = this;
    if (app.tab !== "practice") return;
    const mine = app.answer?.state === "ok" && app.answer.position.turn === run.side && !run.over;
    const goal = run.start ? { win: "goal.win", loss: "goal.loss", draw: "goal.draw" }[run.start.value.category] : "goal.draw";
    const { by, category } = run.start?.value ?? {};
    const plies = by === "mate" ? t("goalPlies", { n: run.start.value.dtm }) : by === "perpetual" && category === "win" ? t("goalPerpetual") : "";
    const button = (name, id, action, disabled = false) => make("button", { type: "button", id, onclick: action, disabled }, t(name));
    refill(this.element,
      make("p", { class: "goal" }, t(goal, { side: sideName(run.side) }), " ", plies),
      make("p", { class: `message ${run.over ? "final" : ""}`, role: "status", "aria-live": "polite", id: "practice-message" }, trouble || [run.message, run.over ? "" : run.reply].filter(Boolean).join(" ") || t("yourMove")),
      make("div", { class: "buttons" },
        button("hint", "practice-hint", () => this.hint(), !mine),
        button("takeBack", "practice-back", () => this.takeBack(), app.game.at === 0),
        button("again", "practice-again", () => this.begin(app.game.positions[0]), app.game.at === 0),
        button("another", "practice-another", () => this.draw()),
        button("stop", "practice-stop", () => this.stop())),
      make("p", { class: "quiet" }, t("strengthNow", { strength: t(`strength.${this.wanted.strength}`) })));
  }
}

const random = async (kind) => parse((await get("random", kind)).sfen);

// delicate is an open position of a set in which as few moves as can be found hold the draw.
async function delicate(material) {
  const share = ({ moves }) => moves.filter((m) => m.category === "draw").length / moves.length;
  let found;
  for (let i = 0; i < tries; i++) {
    const drawn = await get("random", { material, category: "draw" });
    if (!found || share(drawn) < share(found)) found = drawn;
  }
  return parse(found.sfen);
}
