// The panel of puzzles: mates to be found, from the server's collections or the visitor's own file, chosen by grade and length.

import { aborted, get, post } from "./api.js";
import { trouble } from "./faults.js";
import { Hint } from "./hint.js";
import { moveText } from "./notation.js";
import { pause, reply } from "./rival.js";
import { other, parse } from "./sfen.js";
import { make, refill, sideName, t } from "./words.js";

const thinking = 350; // milliseconds before the other side moves, or a wrong move goes back
const longestSearch = 31; // plies, where no length is known
const grades = ["easy", "medium", "hard"];
const solvedKey = "gogotb-solved";

export class PuzzlesPanel {
  constructor(app, board, element) {
    Object.assign(this, { app, board, element, list: null, at: 0, run: null, message: "", solved: readSolved(), hints: new Hint(board) });
    app.on("tab", () => (app.tab === "puzzles" ? this.show() : this.stop()));
    app.on("load", () => this.starting || this.end());
    app.on("answer", () => this.answered());
    app.on("away", () => this.render());
    app.on("back", () => (this.unread ? this.openFile(this.unread) : this.show()));
  }

  get active() {
    return this.run !== null;
  }

  get puzzle() {
    return this.list[this.at];
  }

  async show() {
    if (this.app.tab !== "puzzles") return;
    if (!this.list) {
      try {
        this.take(await get("puzzles", { collection: "all" }));
      } catch (error) {
        if (error.status !== 0) this.list = []; // else it is asked for again
      }
    }
    this.render();
  }

  take({ name, puzzles, errors, collections }) {
    this.all = puzzles;
    this.collections = collections;
    this.name = name;
    this.wanted = { collection: collections[0]?.name ?? "", grade: "", plies: "" };
    this.choose();
    this.message = errors.length > 0 ? t("badPuzzles", { n: errors.length, first: errors[0] }) : "";
  }

  // fitting are the puzzles of the collection chosen that are as wanted, but for some of that.
  fitting({ grade, plies } = this.wanted) {
    return this.all.filter((p) => p.collection === this.wanted.collection && (grade === "" || p.grade === grade) && (plies === "" || String(p.plies) === plies));
  }

  // choose takes the puzzles that are as wanted, and the first that has not been solved.
  choose() {
    this.list = this.fitting();
    this.at = Math.max(this.list.findIndex((p) => !this.solved.has(p.sfen)), 0);
  }

  // last is the other side's move that led to the puzzle shown, if it is known.
  get last() {
    return this.run && this.app.game.at === 0 ? this.puzzle.last?.usi : undefined;
  }

  async openFile(file) {
    this.unread = null;
    try {
      this.take({ ...(await post("puzzles", file)), name: file.name });
    } catch (error) {
      if (error.status === 0) this.unread = file; // until the server is back
      else this.message = trouble(error);
    }
    this.render();
  }

  async begin(at) {
    if (this.list.length === 0) return;
    this.at = (at + this.list.length) % this.list.length;
    this.message = "";
    const { sfen } = this.puzzle;
    const position = parse(sfen);
    this.run = { side: position.turn, before: null, done: false, plies: this.puzzle.plies };
    this.app.secretFor.add(this);
    this.starting = true;
    const loaded = this.app.load(position, { push: true });
    this.starting = false;
    await loaded;
  }

  // end leaves the puzzle, stop also shows again what was hidden.
  end() {
    this.run = null;
    this.app.secretFor.delete(this);
    this.app.blocked = false;
  }

  stop() {
    if (!this.run) return;
    this.end();
    this.app.emit("answer");
  }

  async answered() {
    const { app, run } = this;
    const { answer } = app;
    if (!run || !answer || answer.state !== "ok") return;
    const { before } = run;
    const mine = answer.position.turn === run.side;
    app.blocked = run.done;
    if (mine) {
      run.before = answer;
      this.render();
      return;
    }
    app.blocked = true;
    const right = await this.right(before, answer);
    if (this.run !== run || app.answer !== answer || !right) return;
    if (!right.mates) {
      this.message = right.trouble ?? t(right.unsure ? "puzzleUnsure" : "puzzleWrong");
      this.render();
      await pause(3 * thinking);
      if (this.run === run && app.answer === answer) await app.go(app.game.at - 1);
      return;
    }
    if (answer.over) {
      run.done = true;
      this.message = t("puzzleSolved");
      this.solved = new Set([...this.solved, ...readSolved(), this.puzzle.sfen]); // in other windows, too
      keepSolved(this.solved);
      this.render();
      return;
    }
    this.message = t("puzzleRight");
    this.render();
    await pause(thinking);
    if (this.run !== run || app.answer !== answer) return;
    const move = answer.moves.find((m) => m.usi === right.reply);
    this.message = [t("puzzleRight"), t("replied", { side: sideName(other(run.side)), move: moveText(move, app.game.lastMove) })].join(" ");
    await app.play(move.usi);
  }

  // right tells whether the move that led to an answer mates in as few plies as there are left, and
  // what the best defence is: by the tables, by the solution in the file, or by search; null if the server is away,
  // which is asked again when it is back.
  async right(before, answer) {
    if (answer.over) return { mates: true };
    if (answer.value && before?.value) {
      const shortest = before.value.by === "mate" && before.value.category === "win" ? before.value.dtm - 1 : 0;
      const mates = answer.value.by === "mate" && answer.value.category === "loss" && answer.value.dtm <= shortest;
      return { mates, reply: reply(answer, "best").usi };
    }
    const { at, made } = this.app.game;
    const solution = this.puzzle.moves;
    if (solution.length > at && made.every((m, i) => m === solution[i])) return { mates: true, reply: solution[at] };
    const left = (this.run.plies ?? longestSearch) - at;
    if (left < 0) return { mates: false };
    try {
      const solved = await get("solve", { sfen: answer.sfen, max_plies: left, timeout: "5s" }, this.app.shown);
      return { mates: solved.category === "loss", reply: solved.line?.[0], unsure: solved.category === "unknown" };
    } catch (error) {
      return error.status === 0 || aborted(error) ? null : { mates: false, trouble: trouble(error) };
    }
  }

  // showSolution plays the solution from the start.
  async showSolution() {
    await this.begin(this.at);
    let { moves } = this.puzzle;
    let none = t("noSolution");
    if (moves.length === 0) {
      const found = await get("line", { sfen: this.puzzle.sfen }).catch((error) => {
        if (error.code !== "no-table") none = trouble(error);
        return { line: [] };
      });
      moves = found.line;
    }
    this.end(); // nobody answers while it is shown
    for (const usi of moves) {
      await pause(2 * thinking);
      if (this.run !== null || this.app.tab !== "puzzles") return;
      await this.app.play(usi, { push: false });
    }
    if (moves.length === 0) this.message = none;
    this.render();
  }

  // help is the move that a hint would name, if there is one.
  get help() {
    const { answer, game } = this.app;
    if (!this.run || this.run.done || answer?.state !== "ok" || answer.position.turn !== this.run.side) return undefined;
    const usi = answer.value ? answer.moves[0].usi : this.puzzle.moves[game.at];
    return answer.moves.find((m) => m.usi === usi);
  }

  hint() {
    const move = this.help;
    if (!move) return;
    const { say, show } = this.hints.next(this.app.answer, move, this.app.game.lastMove ?? this.last);
    this.message = say;
    this.render();
    show();
  }

  // choice are the lists by which puzzles are chosen: each says how many there would be.
  choice() {
    const { wanted } = this;
    const list = (name, values, text) => make("label", {}, make("span", {}, t(name)), make("select", { id: `puzzle-${name}`, onchange: (event) => {
      Object.assign(wanted, { [name]: event.target.value, ...(name === "collection" ? { grade: "", plies: "" } : {}) });
      this.choose();
      this.message = "";
      this.render();
    } }, ...values.map((v) => make("option", { value: v, selected: wanted[name] === v }, text(v)))));
    const counted = (name, value) => ` (${this.fitting({ ...wanted, [name]: value }).length})`;
    const values = (key) => [...new Set(this.fitting({ grade: "", plies: "" }).map((p) => p[key]).filter((v) => v !== null))];
    const lengths = values("plies").sort((a, b) => a - b).map(String);
    const known = values("grade");
    return make("div", { class: "form" },
      this.collections.length < 2 ? null : list("collection", this.collections.map((c) => c.name), (v) => `${t(`collection.${v}`) ?? v} (${this.collections.find((c) => c.name === v).count})`),
      known.length === 0 ? null : list("grade", ["", ...grades.filter((g) => known.includes(g))], (v) => t(v === "" ? "any" : `grade.${v}`) + counted("grade", v)),
      lengths.length < 2 ? null : list("plies", ["", ...lengths], (v) => (v === "" ? t("any") : t("countPlies", { n: Number(v) })) + counted("plies", v)));
  }

  // record says how many of the puzzles chosen have been solved.
  record() {
    const n = this.list.filter((p) => this.solved.has(p.sfen)).length;
    return make("p", { class: "record quiet" }, make("progress", { max: String(Math.max(this.list.length, 1)), value: String(n), "aria-hidden": "true" }), t("puzzleRecord", { n, of: this.list.length }));
  }

  render() {
    if (this.app.tab !== "puzzles") return;
    const { run } = this;
    const list = this.list ?? []; // not here yet
    const button = (name, id, action, disabled = false) => make("button", { type: "button", id, onclick: action, disabled, class: name === "start" ? "primary" : "" }, t(name));
    const file = make("input", { type: "file", id: "puzzle-file", accept: ".txt,.sfen,.kif,.kifu,text/plain", onchange: () => file.files[0] && this.openFile(file.files[0]) });
    const parts = run ? [] : [make("p", { class: "quiet" }, t("puzzlesHelp"))];
    if (!run && this.all?.length > 0) parts.push(this.choice(), this.record());
    if (list.length > 0) {
      const number = make("input", { type: "number", id: "puzzle-number", min: "1", max: String(list.length), value: String(this.at + 1), onchange: () => this.begin(Math.min(Math.max(Math.round(Number(number.value)) || 1, 1), list.length) - 1) });
      parts.push(make("p", { class: "goal" }, make("label", {}, t("puzzle"), " ", number), ` ${t("ofPuzzles", { n: list.length })} `,
        this.solved.has(this.puzzle.sfen) ? make("span", { class: "solved" }, t("solvedBefore")) : null,
        run ? make("span", { class: "task" }, t(run.plies === null ? "puzzleTaskOpen" : "puzzleTask", { side: sideName(run.side), n: run.plies }),
          this.puzzle.grade ? make("span", { class: "grade" }, t(`grade.${this.puzzle.grade}`)) : null) : null));
    }
    parts.push(make("p", { class: `message ${run?.done ? "final" : ""}`, role: "status", "aria-live": "polite", id: "puzzle-message" }, this.app.away ? t("away") : this.message || (run ? t("yourMove") : "")));
    if (list.length > 0) {
      parts.push(make("div", { class: "buttons" },
        run ? null : button("start", "puzzle-start", () => this.begin(this.at)),
        run ? button("hint", "puzzle-hint", () => this.hint(), !this.help) : null,
        button("solution", "puzzle-solution", () => this.showSolution()),
        button("previous", "puzzle-previous", () => this.begin(this.at - 1), list.length === 1),
        button("next", "puzzle-next", () => this.begin(this.at + 1), list.length === 1)));
    }
    parts.push(make("p", { class: "file" }, make("label", { class: "button" }, t("openPuzzles"), file), make("span", { class: "quiet" }, t("puzzlesFrom", { name: this.name }))));
    refill(this.element, ...parts);
  }
}

function readSolved() {
  try {
    return new Set(JSON.parse(localStorage.getItem(solvedKey)) ?? []);
  } catch {
    return new Set();
  }
}

function keepSolved(solved) {
  try {
    localStorage.setItem(solvedKey, JSON.stringify([...solved]));
  } catch {
    // then it is remembered for this visit
  }
}
